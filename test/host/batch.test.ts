import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { countRows } from '../../src/core/batch/batchRow';
import { readRunRecord, type RunRecord } from '../../src/core/outputs/runRecord';
import type { ShownBatch } from '../../src/host/batch/batches';
import { WindowBatches } from '../../src/host/batch/windowBatches';
import { commands, settings } from '../../src/host/platform/contributions';
import type { Services } from '../../src/host/services';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { Answers, eventually, failingWorkflow, notify, services, writeFile } from './window';

/** Each row has another colour and takes some steps. */
const slowPicture = (steps = 3) => ({
  '1': { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 1 } },
  '2': { class_type: 'SandboxSlow', inputs: { value: ['1', 0], steps } },
  '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'shot' } },
});
const colours = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('batches in a window', () => {
  let parts: Services;
  let answers: Answers;
  let guest: Sandbox;

  before(async () => {
    parts = await services();
    guest = await startSandbox({ dialect: 'local' });
    const configuration = vscode.workspace.getConfiguration('comfyDeck');
    await configuration.update('servers', [{ name: 'Guest', url: guest.url }], true);
    await configuration.update('server', 'Guest', true);
    await eventually('it is chosen', () => parts.servers.current()?.name === 'Guest');
    await notify('never');
    await vscode.workspace.getConfiguration().update(settings.openPreviewOnRun, false, true);
  });
  after(async () => {
    const configuration = vscode.workspace.getConfiguration('comfyDeck');
    await configuration.update('servers', undefined, true);
    await configuration.update('server', undefined, true);
    await vscode.workspace.getConfiguration().update(settings.openPreviewOnRun, undefined, true);
    await notify(undefined);
    await guest.close();
  });
  beforeEach(() => {
    answers = new Answers();
  });
  afterEach(() => answers.restore());

  const batchFile = async (name: string, workflow: unknown, more: object): Promise<vscode.Uri> => {
    await writeFile(`${name}.json`, workflow);
    return writeFile(`${name}.batch.json`, { format: 1, workflow: `${name}.json`, window: 1, ...more });
  };
  const start = async (file: vscode.Uri): Promise<string> => {
    const id = await vscode.commands.executeCommand<string | undefined>(commands.runBatch, file);
    assert.ok(id, JSON.stringify(answers.shown));
    return id;
  };
  const find = (id: string): ShownBatch => {
    const batch = parts.batches.shown.find((each) => each.id === id);
    assert.ok(batch);
    return batch;
  };
  const recordsOf = async (id: string): Promise<RunRecord[]> => {
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    const folder = path.join(workspace.uri.fsPath, 'outputs');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.run.json'));
    const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
    return texts.flatMap((text) => readRunRecord(text) ?? []).filter(({ batch }) => batch?.id === id);
  };
  const rowsSent = async (id: string): Promise<number[]> =>
    (await recordsOf(id)).map(({ batch }) => batch?.row ?? -1).sort((one, other) => one - other);
  /** All prompts that the guest has ever accepted. */
  const accepted = async (): Promise<number> => {
    const answer = await fetch(`${guest.url}/history`);
    return Object.keys((await answer.json()) as object).length;
  };

  it('run each row once, and save it', async () => {
    const file = await batchFile('batch-all', slowPicture(), { set: { 'EmptyImage.color': colours(5) } });
    const before = await accepted();
    const id = await start(file);
    assert.equal(find(id).state, 'running');
    const ended = await parts.batches.ended(id);
    assert.equal(ended?.state, 'done', ended?.message);
    assert.equal(countRows(ended.rows).saved, 5);
    assert.equal((await accepted()) - before, 5);
    assert.deepEqual(await rowsSent(id), [0, 1, 2, 3, 4]);
    const item = parts.batches.rows?.item('row', id);
    assert.equal(item?.description, '5 of 5 saved');
    const listed = parts.batches.rows?.children(id) ?? [];
    assert.deepEqual(
      listed.map(({ kind }) => kind),
      ['job', 'job', 'job', 'job', 'job'],
    );
    const [job] = parts.store.jobs().filter(({ origin }) => origin?.batch?.id === id);
    assert.equal(parts.saved.of(job?.id ?? '').length, 1);
  });

  it('pause without starting more, and go on', async () => {
    const file = await batchFile('batch-pause', slowPicture(10), { set: { '1.color': colours(4) } });
    const id = await start(file);
    await eventually('a row runs', () => find(id).rows.some(({ job }) => job !== undefined));
    await vscode.commands.executeCommand(commands.pauseBatch, id);
    assert.equal(find(id).state, 'paused');
    await eventually('what ran is saved', () => countRows(find(id).rows).running === 0);
    const { saved, waiting } = countRows(find(id).rows);
    assert.equal(saved + waiting, 4);
    assert.ok(waiting >= 2, String(waiting));
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(countRows(find(id).rows).waiting, waiting, 'it started a row');
    await vscode.commands.executeCommand(commands.resumeBatch, id);
    await parts.batches.ended(id);
    assert.equal(find(id).state, 'done');
    assert.deepEqual(await rowsSent(id), [0, 1, 2, 3]);
  });

  it('cancel what is on the server, and can be resumed', async () => {
    const file = await batchFile('batch-cancel', slowPicture(200), { set: { '1.color': colours(3) } });
    const id = await start(file);
    await eventually('a row runs', () => find(id).rows.some(({ job }) => job !== undefined));
    await vscode.commands.executeCommand(commands.cancelBatch, id);
    await parts.batches.ended(id);
    assert.equal(find(id).state, 'stopped');
    assert.equal(countRows(find(id).rows).saved, 0);
    assert.equal(parts.batches.unfinished.isEmpty, true, 'a cancelled batch is offered again');
    await writeFile('batch-cancel.json', slowPicture(2));
    await vscode.commands.executeCommand(commands.resumeBatch, id);
    assert.match(answers.texts('showErrorMessage').join(), /has changed since the batch was started/);
    await writeFile('batch-cancel.json', slowPicture(200));
    await vscode.commands.executeCommand(commands.resumeBatch, id);
    await parts.batches.ended(id);
    assert.equal(find(id).state, 'done', find(id).message);
    assert.equal(countRows(find(id).rows).saved, 3);
  });

  it('run failed rows again when told to', async () => {
    const file = await batchFile('batch-fail', failingWorkflow, { set: { 'EmptyImage.color': [1, 2] } });
    const id = await start(file);
    await parts.batches.ended(id);
    assert.equal(countRows(find(id).rows).failed, 2);
    assert.match(answers.texts('showWarningMessage').join(), /0 of 2 saved, 2 failed/);
    await vscode.commands.executeCommand(commands.retryBatch, id);
    await parts.batches.ended(id);
    assert.deepEqual(await rowsSent(id), [0, 0, 1, 1]);
  });

  it('send and keep nothing if you decline to spend', async () => {
    const workflow = {
      '1': { class_type: 'IdeogramV3', inputs: { prompt: 'a cat', seed: 1 } },
      '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'paid' } },
    };
    const file = await batchFile('batch-paid', workflow, { set: { '1.prompt': ['a', 'b', 'c'] } });
    const before = await accepted();
    const count = parts.batches.shown.length;
    const id = await vscode.commands.executeCommand<string | undefined>(commands.runBatch, file);
    assert.equal(id, undefined);
    assert.deepEqual(answers.texts('showWarningMessage'), [
      'Run 3 rows of batch-paid.json with paid partner nodes?',
    ]);
    assert.equal(await accepted(), before);
    assert.equal(parts.batches.shown.length, count);
    assert.equal(parts.batches.unfinished.isEmpty, true);
  });

  it('send no line of a hidden file unless you agree', async () => {
    await writeFile('.batch-names.txt', 'secret\nother\n');
    const file = await batchFile('batch-texts', slowPicture(), {
      set: { '3.filename_prefix': { lines: '.batch-names.txt' } },
    });
    const before = await accepted();
    let detail = '';
    answers.answer('showWarningMessage', (_message, options) => void (detail = JSON.stringify(options)));
    const run = (): Thenable<string | undefined> => vscode.commands.executeCommand(commands.runBatch, file);
    assert.equal(await run(), undefined);
    assert.deepEqual(answers.texts('showWarningMessage'), ['Send the text of these files to Guest?']);
    assert.match(detail, /\.batch-names\.txt, hidden file/);
    assert.equal(await accepted(), before);
    answers.press('Send and Run');
    const id = await run();
    assert.ok(id);
    await parts.batches.ended(id);
    assert.equal(await accepted(), before + 2);
  });

  it('are shown by their kept file, and run nothing', async () => {
    const file = await batchFile('batch-shown', slowPicture(), { set: { '1.color': [1, 2] } });
    const id = await start(file);
    await parts.batches.ended(id);
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    const folder = vscode.Uri.joinPath(workspace.uri, 'outputs');
    const names = (await readdir(folder.fsPath)).filter((name) =>
      /^batch-shown-.*\.batch-run\.json$/.test(name),
    );
    await parts.batches.remove(id);
    const before = await accepted();
    assert.equal(await parts.batches.showKept(vscode.Uri.joinPath(folder, names[0] ?? '')), id);
    assert.equal(find(id).state, 'done');
    assert.equal(countRows(find(id).rows).saved, 2);
    assert.equal(await accepted(), before);
  });

  it('send nothing again when their file and their records are gone', async () => {
    const file = await batchFile('batch-gone', failingWorkflow, { set: { 'EmptyImage.color': [1] } });
    const id = await start(file);
    await parts.batches.ended(id);
    const { folder } = find(id);
    for (const name of await readdir(folder.fsPath))
      if (name.startsWith('batch-gone-')) await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, name));
    const before = await accepted();
    await vscode.commands.executeCommand(commands.retryBatch, id);
    assert.match(answers.texts('showErrorMessage').join(), /is no longer in the output folder/);
    assert.equal(await accepted(), before);
    await parts.batches.remove(id);
  });

  it('refuse a server that is not in the settings, whatever the file says', async () => {
    const file = await batchFile('batch-elsewhere', slowPicture(), {
      set: { '1.color': [1, 2] },
      servers: ['http://127.0.0.1:9'],
    });
    assert.equal(await vscode.commands.executeCommand(commands.runBatch, file), undefined);
    assert.match(answers.texts('showErrorMessage').join(), /is not in your settings/);
  });

  it('are found after a reload in the middle, stopped, and resuming repeats nothing', async () => {
    const file = await batchFile('batch-reload', slowPicture(40), { set: { '1.color': colours(5) } });
    const stored = new Map<string, unknown>();
    const memory = {
      keys: () => [...stored.keys()],
      get: <T>(key: string, fallback?: T) => (stored.get(key) ?? fallback) as T,
      update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
    };
    const before = await accepted();
    const first = new WindowBatches(parts, memory);
    const id = await first.start(file);
    assert.ok(id);
    const of = (window: WindowBatches): ShownBatch | undefined => window.shown.find((each) => each.id === id);
    await eventually('one is saved and the next runs', () => {
      const rows = of(first)?.rows ?? [];
      return countRows(rows).saved > 0 && rows.some(({ state, job }) => state === 'running' && job);
    });
    await first.close();
    const later = new WindowBatches(parts, memory);
    assert.deepEqual(later.shown, []);
    await later.ready();
    assert.equal(of(later)?.state, 'stopped');
    await eventually('its rows are known', () => countRows(of(later)?.rows ?? []).saved > 0);
    const left = countRows(of(later)?.rows ?? []);
    assert.ok(left.owed >= 1, JSON.stringify(left));
    await later.resume(id);
    const ended = await later.ended(id);
    assert.equal(ended?.state, 'done', ended?.message);
    assert.equal(countRows(ended.rows).saved, 5);
    assert.deepEqual(await rowsSent(id), [0, 1, 2, 3, 4]);
    assert.equal((await accepted()) - before, 5);
    assert.equal(new WindowBatches(parts, memory).unfinished.isEmpty, true);
    first.dispose();
    later.dispose();
  });

  it('show in the file what is wrong with it, and how many rows it has', async () => {
    const file = await batchFile('batch-wrong', slowPicture(), {
      set: { 'EmptyImage.color': [1, 2, 3], 'EmptyImage.colour': [1], '9.width': [1] },
    });
    await vscode.window.showTextDocument(file);
    const marks = await eventually('it is checked', () => {
      const found = vscode.languages.getDiagnostics(file).filter(({ source }) => source === 'Comfy Deck');
      return found.length === 2 ? found : undefined;
    });
    const document = await vscode.workspace.openTextDocument(file);
    assert.deepEqual(
      marks.map(({ range }) => document.getText(range)),
      ['"EmptyImage.colour"', '"9.width"'],
    );
    await batchFile('batch-wrong', slowPicture(), {
      set: { 'EmptyImage.color': [1, 2, 3], '2.steps': [1, 2] },
    });
    await eventually('the findings are gone', () => vscode.languages.getDiagnostics(file).length === 0);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      file,
    );
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      ['$(run-all) Run Batch | 6 rows'],
    );
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
