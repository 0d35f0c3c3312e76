import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal } from '../../src/core/jobs/job';
import { readRunRecord } from '../../src/core/records/runRecord';
import { StopJobs } from '../../src/host/jobs/stopJobs';
import { OwedSection } from '../../src/host/jobs/owedSection';
import { commands } from '../../src/host/platform/contributions';
import { pointerId, pointerFiles } from '../../src/host/ledger/pointerFiles';
import type { Services } from '../../src/host/services';
import { encodePng } from '../../src/sandbox/drawing/encodePng';
import { plainPicture } from '../../src/sandbox/drawing/picture';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { frontServer, type FrontServer } from '../support/frontServer';
import { smallPrompt } from '../support/promptFile';
import { batchFile, colours, outputFolder, slowPicture } from './batchFiles';
import { Answers, chooseServer, eventually, runsTelling, services, writeFile } from './window';

const question = "Run even though the outputs can't be found afterward?";

describe('a server with the documented requests only', () => {
  let parts: Services;
  let answers: Answers;
  let sandbox: Sandbox;
  let server: FrontServer;

  runsTelling('never');
  before(async () => {
    parts = await services();
  });
  beforeEach(async () => {
    answers = new Answers();
    sandbox = await startSandbox({ dialect: 'documented' });
    server = await frontServer(sandbox.url);
    await chooseServer(parts, 'Strict', server.url);
  });
  afterEach(async () => {
    answers.restore();
    // Without its server, it would be owed in the tests of other files.
    await eventually('nothing is owed', () => parts.pointers.owed().length === 0);
    server.close();
    await sandbox.close();
    for (const { id, state } of parts.store.jobs()) if (!isTerminal(state)) parts.store.remove(id);
  });

  const run = async (name: string, workflow: unknown): Promise<string | undefined> =>
    vscode.commands.executeCommand<string | undefined>(commands.run, await writeFile(name, workflow));
  const sent = (): number => sandbox.seen.accepted.length;
  const asked = (): number => answers.texts('showWarningMessage').filter((text) => text === question).length;
  /** Runs a task to its end; gives its exit code. */
  const exitCodeOf = async (command: 'run' | 'batch', file: vscode.Uri): Promise<number | undefined> => {
    await vscode.window.showTextDocument(file);
    const name = `${command} ${path.basename(file.fsPath)}`;
    const task = (await vscode.tasks.fetchTasks({ type: 'comfyDeck' })).find((each) => each.name === name);
    assert.ok(task, name);
    const ended = new Promise<number | undefined>((resolve) => {
      const listening = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        if (execution.task.name !== name) return;
        listening.dispose();
        resolve(exitCode);
      });
    });
    await vscode.tasks.executeTask(task);
    return ended;
  };

  it('asks before a run whose outputs could not be found, which then has a row until it is dismissed', async () => {
    server.isDeaf = true;
    assert.equal(await run('deaf.json', slowPicture(1)), undefined, 'sent without a yes');
    assert.deepEqual([asked(), sent()], [1, 0]);
    answers.press('Run Anyway');
    const id = await run('deaf.json', slowPicture(1));
    assert.ok(id, JSON.stringify(answers.shown));
    const entry = await eventually('it is shown', () =>
      parts.pointers.owed().find(({ jobId, trouble }) => jobId === id && trouble),
    );
    const [group] = await new OwedSection(parts.pointers).roots();
    const row = (await group?.children?.())?.find(({ entryId }) => entryId === pointerId(entry));
    assert.ok(row);
    const item = row.item();
    assert.deepEqual([item.description, item.contextValue], ['outputs unknown', 'outputsUnknown']);
    assert.match(item.accessibilityInformation?.label ?? '', /^deaf\.json, outputs unknown: /);
    const read = await fs.readFile(path.join(outputFolder(), entry.record), 'utf8');
    assert.equal(readRunRecord(read)?.state, 'outputsUnknown');
    // It is kept for the next window, which has nothing to fetch.
    const kept = JSON.parse(
      (await parts.storage.read(pointerFiles.owed(pointerId(entry)))) ?? '',
    ) as typeof entry;
    assert.equal(kept.trouble?.kind, 'outputsUnknown');
    server.seen.length = 0;
    await parts.retry.retryAll();
    assert.ok(!server.seen.some((each) => /view|jobs|history/.test(each)), server.seen.join());
    // Dismissing it needs no question.
    const shown = answers.shown.length;
    await vscode.commands.executeCommand(commands.dismissOwed, pointerId(entry));
    assert.equal(parts.pointers.owedOf(pointerId(entry)), undefined);
    assert.equal(answers.shown.length, shown);
    assert.equal(await fs.readFile(path.join(outputFolder(), entry.record), 'utf8'), read);
  });

  it('asks once per batch', async () => {
    server.isDeaf = true;
    answers.press('Run Anyway');
    const more = { set: { 'EmptyImage.color': colours(2) } };
    const id = await (await parts.batches.loaded()).start(await batchFile('deaf-rows', slowPicture(1), more));
    assert.ok(id, JSON.stringify(answers.shown));
    const batch = await parts.batches.find(id)?.ended();
    assert.deepEqual(
      batch?.rows.map(({ state, message }) => [state, message?.includes('outputs are unknown')]),
      Array(2).fill(['failed', true]),
    );
    assert.deepEqual([asked(), sent()], [1, 2]);
  });

  it('sends no row of a batch if the answer is No', async () => {
    server.isDeaf = true;
    const more = { set: { 'EmptyImage.color': colours(2) } };
    const id = await (
      await parts.batches.loaded()
    ).start(await batchFile('deaf-declined', slowPicture(1), more));
    assert.ok(id, JSON.stringify(answers.shown));
    const batch = await parts.batches.find(id)?.ended();
    assert.deepEqual(
      [batch?.state, batch?.message, batch?.rows.map(({ state }) => state)],
      [
        'stopped',
        "The server's WebSocket can't be opened, so outputs couldn't be found.",
        ['waiting', 'waiting'],
      ],
    );
    assert.deepEqual([asked(), sent()], [1, 0]);
  });

  it('refuses such a run on save in a notification, not in a question', async () => {
    server.isDeaf = true;
    const editor = await vscode.window.showTextDocument(await writeFile('deaf-save.json', slowPicture(1)));
    await vscode.commands.executeCommand(commands.turnOnRunOnSave);
    // In a browser VS Code saves automatically, which runs nothing.
    const autoSave = (value: unknown) =>
      vscode.workspace.getConfiguration().update('files.autoSave', value, vscode.ConfigurationTarget.Global);
    await autoSave('off');
    try {
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '\n'));
      await vscode.commands.executeCommand('workbench.action.files.save');
      const last = await eventually('it is refused', () => {
        const refused = parts.answers.last;
        return refused?.label === 'deaf-save.json' && refused;
      });
      assert.match(last.message, /^The server reports outputs only over its WebSocket/);
    } finally {
      await vscode.commands.executeCommand(commands.turnOffRunOnSave);
      await autoSave(undefined);
    }
    assert.deepEqual(
      answers.shown.map(({ how }) => how),
      ['showWarningMessage'],
    );
    assert.equal(sent(), 0);
  });

  it('refuses such a run in a task, without a question', async () => {
    server.isDeaf = true;
    const more = { set: { 'EmptyImage.color': colours(2) } };
    assert.equal(await exitCodeOf('run', await writeFile('deaf-task.json', slowPicture(1))), 1);
    assert.equal(await exitCodeOf('batch', await batchFile('deaf-task-rows', slowPicture(1), more)), 1);
    assert.deepEqual([asked(), sent()], [0, 0], JSON.stringify(answers.shown));
  });

  it('shows a job as cancelling until the server says how it ended', async () => {
    const id = await run('cancelling.json', smallPrompt(71, 4000));
    assert.ok(id, JSON.stringify(answers.shown));
    await eventually('it runs', () => parts.store.get(id)?.state === 'running');
    // Accepted, and nothing comes of it.
    server.answers.set('/api/queue', {});
    const cancelled = vscode.commands.executeCommand(commands.cancelJobs, id);
    await eventually('it is cancelling', () => parts.store.get(id)?.cancelling);
    await eventually('the server is asked', () => server.seen.includes('POST /api/queue'));
    server.answers.clear();
    await fetch(`${sandbox.url}/api/queue`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ delete: [id] }),
    });
    await cancelled;
    assert.equal(parts.store.get(id)?.state, 'cancelled');
    assert.ok(!server.seen.includes('POST /api/interrupt'), 'it could hit the next job');
    assert.deepEqual(answers.shown, []);
  });

  it('takes an unknown queue for no end of a job', async () => {
    server.answers.set('/api/queue', { running: [], pending: [] });
    const session = await parts.servers.session();
    const id = await run('queue-unknown.json', smallPrompt(73, 400));
    assert.ok(id, JSON.stringify(answers.shown));
    await session.tracker.refresh();
    assert.equal(session.tracker.state.liveUnknown, true);
    assert.equal(parts.store.get(id)?.state, 'running');
    await eventually('its outputs are on disk', () => parts.saved.of(id).length > 0);
    assert.equal(parts.store.get(id)?.state, 'completed');
  });

  it('warns that a cancelled job may still be running', async () => {
    const id = await run('still-running.json', smallPrompt(72, 4000));
    const job = await eventually('it runs', () => {
      const known = parts.store.get(id ?? '');
      return known?.state === 'running' && known;
    });
    const session = { tracker: { cancel: () => Promise.resolve('stillRunning') } };
    const servers = Object.assign(Object.create(parts.servers) as Services['servers'], {
      sessionOf: () => Promise.resolve(session),
    });
    await new StopJobs(servers, parts.store, parts.ends, {
      named: (each) => each,
      isMine: () => true,
    }).cancel([job]);
    const [warning = '', ...more] = answers.texts('showWarningMessage');
    assert.match(warning, /^still-running\.json may still be running, although you cancelled it\.$/);
    assert.deepEqual(more, []);
    await vscode.commands.executeCommand(commands.cancelJobs, job.id);
  });

  it('shows what it makes the client do in the status bar', async () => {
    server.answers.set('/api/upload/image', {});
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail();
    const pixel = encodePng(plainPicture(1, 1, [0, 0, 0]));
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'input', 'unnamed.png'), pixel);
    const titles: string[] = [];
    const { withProgress } = vscode.window;
    const note: typeof withProgress = (options, task) => {
      if (options.location === vscode.ProgressLocation.Window) titles.push(options.title ?? '');
      return withProgress.call(vscode.window, options, task) as ReturnType<typeof task>;
    };
    Object.defineProperty(vscode.window, 'withProgress', { value: note, configurable: true });
    answers.press('Upload and Run');
    try {
      await run('unnamed.json', {
        '1': { class_type: 'LoadImage', inputs: { image: 'unnamed.png' } },
        '2': { class_type: 'SaveImage', inputs: { filename_prefix: 'own', images: ['1', 0] } },
      });
    } finally {
      Object.defineProperty(vscode.window, 'withProgress', { value: withProgress, configurable: true });
    }
    const told = titles.filter((title) => title.includes('so this name is used'));
    assert.match(
      told.join() || JSON.stringify([titles, answers.shown, server.seen]),
      /^Strict: The server didn't say which name it gave unnamed\.png/,
    );
  });
});
