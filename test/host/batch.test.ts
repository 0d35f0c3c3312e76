import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { countRows } from '../../src/core/batch/batchRow';
import { BatchSection } from '../../src/host/batch/batchSection';
import type { ShownBatch } from '../../src/host/batch/batch';
import { windowBatches, type BatchList } from '../../src/host/batch/batchList';
import type { Row } from '../../src/host/jobs/jobTree';
import { WindowRuns } from '../../src/host/runs/windowRuns';
import { commands } from '../../src/host/platform/contributions';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { batchFile, colours, memory, outputFolder, rowsSent, slowPicture, recordsOf } from './batchFiles';
import {
  answersInTests,
  chooseServer,
  eventually,
  failingWorkflow,
  replaceMember,
  runsTelling,
  windowParts,
  writeFile,
  type WindowParts,
} from './window';

describe('batches in a window', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  let guest: Sandbox;

  runsTelling('never');
  before(async () => {
    parts = await windowParts();
    guest = await startSandbox({ dialect: 'local' });
    await chooseServer(parts, 'Guest', guest.url);
  });
  after(() => guest.close());

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
  const keptFile = async (name: string): Promise<vscode.Uri> => {
    const found = (await readdir(outputFolder())).filter(
      (each) => each.startsWith(`${name}-`) && each.endsWith('.batch-run.json'),
    );
    return vscode.Uri.joinPath(vscode.Uri.file(outputFolder()), found[0] ?? '');
  };
  /** All prompts that the guest has ever accepted. */
  const accepted = async (): Promise<number> => {
    const answer = await fetch(`${guest.url}/history`);
    return Object.keys((await answer.json()) as object).length;
  };

  const jobRow = (id: string): Row | undefined =>
    parts.store.get(id) && { kind: 'job', id, jobId: id, item: () => new vscode.TreeItem(id) };

  it('run each row once, and save it', async () => {
    const file = await batchFile('batch-all', slowPicture(), { set: { 'EmptyImage.color': colours(5) } });
    const before = await accepted();
    const id = await start(file);
    assert.equal(find(id).state, 'running');
    const ended = await parts.batches.find(id)?.ended();
    assert.equal(ended?.state, 'done', ended?.message);
    assert.equal(countRows(ended.rows).saved, 5);
    assert.equal((await accepted()) - before, 5);
    assert.deepEqual(await rowsSent(id), [0, 1, 2, 3, 4]);
    const [row] = await new BatchSection(parts.batches, { find: jobRow }).roots();
    assert.equal(row?.item().description, '5 of 5 saved');
    const listed = (await row.children?.()) ?? [];
    assert.deepEqual(
      listed.map(({ kind }) => kind),
      ['job', 'job', 'job', 'job', 'job'],
    );
    const [job] = parts.store.jobs().filter(({ origin }) => origin?.batch?.id === id);
    assert.equal(parts.known.filesOfJob(job?.id ?? '').length, 1);
  });

  it('run what they were started with, whatever happens to their files meanwhile', async () => {
    const file = await batchFile('batch-edited', slowPicture(60), { set: { '1.color': colours(4) } });
    const id = await start(file);
    await eventually('a row runs', () => find(id).rows.some(({ job }) => job !== undefined));
    await batchFile('batch-edited', failingWorkflow, { set: { '1.color': [7, 8, 9] } });
    await parts.batches.find(id)?.ended();
    assert.equal(find(id).state, 'done', find(id).message);
    assert.deepEqual(await rowsSent(id, 'saved'), [0, 1, 2, 3]);
    const colors = (await recordsOf(id)).map(
      ({ promptText = '' }) => /"color": ?(\d+)/.exec(promptText)?.[1],
    );
    assert.deepEqual(colors.sort(), ['1', '2', '3', '4']);
  });

  it('cancel what is on the server, and can be resumed', async () => {
    const file = await batchFile('batch-cancel', slowPicture(1_000), { set: { '1.color': colours(3) } });
    const id = await start(file);
    await eventually('a row runs', () => find(id).rows.some(({ job }) => job !== undefined));
    await vscode.commands.executeCommand(commands.cancelBatch, id);
    await parts.batches.find(id)?.ended();
    assert.equal(find(id).state, 'stopped');
    assert.ok(countRows(find(id).rows).saved < 3);
    assert.equal(parts.batches.hasUnfinished, false, 'a cancelled batch is offered again');
    await writeFile('batch-cancel.json', slowPicture(2));
    await vscode.commands.executeCommand(commands.resumeBatch, id);
    assert.match(answers.texts('showErrorMessage').join(), /has changed since the batch was started/);
    await writeFile('batch-cancel.json', slowPicture(1_000));
    await vscode.commands.executeCommand(commands.resumeBatch, id);
    await parts.batches.find(id)?.ended();
    assert.equal(find(id).state, 'done', find(id).message);
    assert.equal(countRows(find(id).rows).saved, 3);
  });

  it('are not resumed while they are removed', async () => {
    const file = await batchFile('batch-removed', slowPicture(1_000), { set: { '1.color': colours(2) } });
    const id = await start(file);
    await vscode.commands.executeCommand(commands.cancelBatch, id);
    const batch = parts.batches.find(id);
    await batch?.ended();
    const batches = await parts.batches.loaded();
    await Promise.all([batches.remove(id), batches.resume(id)]);
    assert.deepEqual([batch?.isRunning, batches.find(id)], [false, undefined]);
  });

  it('run nothing in Restricted Mode, and say what to do', async () => {
    const file = await batchFile('batch-restricted', slowPicture(), { set: { '1.color': [1, 2] } });
    const id = await start(file);
    await parts.batches.find(id)?.ended();
    const kept = await keptFile('batch-restricted');
    await (await parts.batches.loaded()).remove(id);
    const before = { accepted: await accepted(), files: await readdir(outputFolder()) };
    const restoreTrust = replaceMember(vscode.workspace, 'isTrusted', false);
    try {
      await vscode.commands.executeCommand(commands.runBatch, file);
      await vscode.commands.executeCommand(commands.resumeBatch, kept);
      await vscode.commands.executeCommand(commands.openBatch, kept);
    } finally {
      restoreTrust();
    }
    assert.equal(vscode.workspace.isTrusted, true);
    const words =
      'This works only in trusted workspaces. Trust this workspace if you know where its files come from.';
    assert.deepEqual(answers.texts('showErrorMessage'), [words, words, words]);
    assert.deepEqual({ accepted: await accepted(), files: await readdir(outputFolder()) }, before);
    assert.equal(
      parts.batches.shown.find((each) => each.id === id),
      undefined,
    );
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
    await parts.batches.find(id)?.ended();
    assert.equal(await accepted(), before + 2);
  });

  it('refuse a server that is not in the settings, whatever the file says', async () => {
    const file = await batchFile('batch-elsewhere', slowPicture(), {
      set: { '1.color': [1, 2] },
      servers: ['http://127.0.0.1:9'],
    });
    assert.equal(await vscode.commands.executeCommand(commands.runBatch, file), undefined);
    assert.match(answers.texts('showErrorMessage').join(), /isn't in your settings/);
  });

  it('are found after a reload in the middle, stopped, and resuming repeats nothing', async () => {
    const file = await batchFile('batch-reload', slowPicture(600), { set: { '1.color': colours(5) } });
    const remembered = memory();
    const before = await accepted();
    const first = windowBatches(parts, remembered);
    const id = await (await first.loaded()).start(file);
    assert.ok(id);
    const of = (window: BatchList): ShownBatch | undefined => window.shown.find((each) => each.id === id);
    await eventually('one is saved and the next runs', () => {
      const rows = of(first)?.rows ?? [];
      return countRows(rows).saved > 0 && rows.some(({ state, job }) => state === 'running' && job);
    });
    await first.close();
    const later = windowBatches(parts, remembered);
    assert.deepEqual(later.shown, []);
    await later.ready();
    assert.equal(of(later)?.state, 'stopped');
    await eventually('its rows are known', () => countRows(of(later)?.rows ?? []).saved > 0);
    const left = countRows(of(later)?.rows ?? []);
    assert.ok(left.owed >= 1, JSON.stringify(left));
    await (await later.loaded()).resume(id);
    const ended = await later.find(id)?.ended();
    assert.equal(ended?.state, 'done', ended?.message);
    assert.equal(countRows(ended.rows).saved, 5);
    assert.deepEqual(await rowsSent(id), [0, 1, 2, 3, 4]);
    assert.equal((await accepted()) - before, 5);
    assert.equal(windowBatches(parts, remembered).hasUnfinished, false);
    first.dispose();
    later.dispose();
  });

  it('are saved row by row by the next window once a row has ended, and resuming runs only the others', async () => {
    const file = await batchFile('batch-next-window', slowPicture(2_000), { set: { '1.color': colours(3) } });
    const remembered = memory();
    const before = await accepted();
    const first = windowBatches(parts, remembered);
    const id = await (await first.loaded()).start(file);
    assert.ok(id);
    await eventually('a row runs', () => first.shown[0]?.rows.some(({ state }) => state === 'running'));
    await first.close();
    const next = new WindowRuns(parts.platform, parts.servers, parts.store, parts.known);
    const takeUp = async (): Promise<void> => {
      await next.pointers.read();
      const rows = next.pointers.owed().filter(({ batch }) => batch === id);
      const attempts = await next.attempts();
      await Promise.all(rows.map((row) => attempts.resume(row)));
    };
    await takeUp();
    assert.deepEqual(await rowsSent(id, 'submitted'), [0], 'it still runs, and is left alone');
    while ((await accepted()) === before) await setTimeout(50);
    await takeUp();
    assert.deepEqual(await rowsSent(id), [0]);
    assert.deepEqual(await rowsSent(id, 'saved'), [0]);
    await next.pointers.read();
    assert.deepEqual(
      next.pointers.owed().filter(({ batch }) => batch === id),
      [],
    );
    const later = windowBatches({ ...parts, windowRuns: next }, remembered);
    await (await later.loaded()).resume(id);
    const ended = await later.find(id)?.ended();
    assert.equal(countRows(ended?.rows ?? []).saved, 3, ended?.message);
    assert.equal((await accepted()) - before, 3);
    await next.close();
    for (const each of [first, later, next]) each.dispose();
  });
});
