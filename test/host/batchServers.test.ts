import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { countRows } from '../../src/core/batch/batchRow';
import { isTerminal } from '../../src/core/jobs/job';
import { windowBatches, type BatchList } from '../../src/host/batch/batchList';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { batchFile, colours, memory, rowsSent, slowPicture } from './batchFiles';
import { answersInTests, eventually, runsTelling, windowParts, titleOf, type WindowParts } from './window';

const rows = 6;
const paidPicture = {
  '1': { class_type: 'IdeogramV3', inputs: { prompt: 'a cat', seed: 1 } },
  '2': { class_type: 'SandboxSlow', inputs: { value: ['1', 0], steps: 20 } },
  '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'paid' } },
};

describe('a batch in a window over two servers', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  let dying: Sandbox;
  let good: Sandbox;
  let batches: BatchList;

  runsTelling('never');
  before(async () => {
    parts = await windowParts();
  });
  beforeEach(async () => {
    // Its jobs take long enough to be on it when it dies.
    dying = await startSandbox({ dialect: 'local', timing: 'human' });
    good = await startSandbox({ dialect: 'local' });
    batches = windowBatches({ ...parts, giveUpAfter: 1_000 }, memory());
    for (const { url } of [dying, good]) await parts.servers.keys.set(url, 'test-key');
    const configuration = vscode.workspace.getConfiguration('comfyDeck');
    const servers = [
      { name: 'Dying', url: dying.url },
      { name: 'Good', url: good.url },
    ];
    await configuration.update('servers', servers, true);
    await configuration.update('server', 'Good', true);
    await eventually('it is chosen', () => parts.servers.current()?.name === 'Good');
  });
  afterEach(async () => {
    await batches.close();
    batches.dispose();
    for (const { url } of [dying, good]) await parts.servers.keys.delete(url);
    await dying.close();
    await good.close();
    // Nobody will ever tell how the job of the dead server ended.
    for (const { id, state } of parts.store.jobs()) if (!isTerminal(state)) parts.store.remove(id);
  });

  /** Runs a batch whose first server dies once both have a row, and the other has saved one. */
  async function run(file: vscode.Uri) {
    const id = await (await batches.loaded()).start(file);
    assert.ok(id, JSON.stringify(answers.shown));
    const batch = batches.shown.find((each) => each.id === id);
    await eventually('both have a row', () => {
      const { saved } = countRows(batch?.rows ?? []);
      return saved > 0 && batch?.rows.some(({ state, server }) => state === 'running' && server === 'Dying');
    });
    await eventually('the first one has accepted it', () => dying.seen.accepted.length > 0);
    await dying.close();
    const ended = await batches.find(id)?.ended();
    assert.ok(ended);
    return { id, ended };
  }

  /** Answers both questions about money, and notes them. */
  function answerSpending(mayMove: boolean): string[] {
    const asked: string[] = [];
    answers.answer('showWarningMessage', (message, ...items) => {
      asked.push(String(message));
      const wanted = [...(mayMove ? ['Run Elsewhere and Spend Credits'] : []), 'Run and Spend Credits'];
      return items.find((item) => wanted.includes(String(titleOf(item))));
    });
    return asked;
  }

  it('is resumed by one of two windows, and the other says so', async () => {
    const file = await batchFile('batch-two-windows', slowPicture(100), {
      set: { '1.color': colours(rows) },
      servers: [dying.url, good.url],
    });
    const remembered = memory();
    const first = windowBatches(parts, remembered);
    const id = await (await first.loaded()).start(file);
    assert.ok(id);
    await eventually('a row runs', () => first.shown[0]?.rows.some(({ job }) => job !== undefined));
    await first.close();
    const [one, two] = [windowBatches(parts, remembered), windowBatches(parts, remembered)];
    await Promise.all([one.ready(), two.ready()]);
    const resumed = await Promise.allSettled([
      (await one.loaded()).resume(id),
      (await two.loaded()).resume(id),
    ]);
    const refused = resumed.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    assert.equal(refused.length, 1);
    assert.match(refused.join(), /Another window or command is running this batch/);
    await Promise.all([one.find(id)?.ended(), two.find(id)?.ended()]);
    assert.deepEqual(await rowsSent(id), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(await rowsSent(id, 'saved'), [0, 1, 2, 3, 4, 5]);
    assert.equal(dying.seen.accepted.length + good.seen.accepted.length, rows);
    await Promise.all([one.close(), two.close()]);
    for (const each of [first, one, two]) each.dispose();
  });

  it('moves paid rows after you agree to pay twice', async () => {
    const asked = answerSpending(true);
    const file = await batchFile('batch-dying-paid', paidPicture, {
      set: { '1.seed': colours(rows) },
      servers: [dying.url, good.url],
    });
    const { id, ended } = await run(file);
    assert.deepEqual(asked, [
      `Start ${rows} runs of batch-dying-paid.json with paid partner nodes?`,
      'Run the paid runs of Dying on another server?',
    ]);
    assert.equal(ended.state, 'done', ended.message);
    assert.deepEqual(await rowsSent(id, 'saved'), [0, 1, 2, 3, 4, 5]);
    assert.equal((await rowsSent(id, 'lost')).length, 1);
    assert.equal(good.seen.accepted.length + dying.seen.accepted.length, rows + 1);
  });

  it('leaves paid rows where they are if you decline, and says so', async () => {
    const asked = answerSpending(false);
    const file = await batchFile('batch-dying-kept', paidPicture, {
      set: { '1.seed': colours(rows) },
      servers: [dying.url, good.url],
    });
    const { id, ended } = await run(file);
    assert.equal(asked.filter((message) => message.startsWith('Run the paid runs')).length, 1);
    assert.equal(ended.state, 'stopped');
    const { saved, owed, waiting } = countRows(ended.rows);
    assert.deepEqual({ saved, owed, waiting }, { saved: rows - 1, owed: 1, waiting: 0 });
    assert.notEqual(ended.message, undefined);
    assert.deepEqual(await rowsSent(id, 'lost'), []);
    assert.equal(good.seen.accepted.length + dying.seen.accepted.length, rows);
    assert.match(answers.texts('showErrorMessage').join(), /the batch stopped, 5 of 6 saved/);
  });
});
