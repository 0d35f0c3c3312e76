import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { isTerminal } from '../../src/core/jobs/job';
import { sendingRecord, submittedRecord } from '../../src/core/records/recordSteps';
import { writeRunRecord } from '../../src/core/records/runRecord';
import { runKeyName } from '../../src/core/runLife/sentTexts';
import { pointerId } from '../../src/host/ledger/pointerFiles';
import { PointerStore } from '../../src/host/ledger/pointerStore';
import { WindowRuns } from '../../src/host/runs/windowRuns';
import { StorageTrouble } from '../../src/host/platform/storageTrouble';
import { smallPrompt } from '../support/promptFile';
import { eventually } from './window';
import { owedWindow, outputsFolder as outputs } from './owedWindow';

describe('outputs that are owed', () => {
  const window = owedWindow();
  const { run, records, isSaved, pictureOf, kill, leave } = window;

  it('of a window that died during a download are fetched by the next one', async () => {
    const id = await run('owed-killed.json', smallPrompt(3));
    await eventually('saved', () => isSaved(id));
    await kill(id, 'saving');
    await window.parts.retry.retryAll();
    await eventually('saved again', () => isSaved(id));
    await pictureOf(id);
    const [record, ...others] = await records(id);
    assert.equal(record?.record.state, 'saved');
    assert.deepEqual(others, []);
    assert.equal(window.server.seen.count('POST', '/prompt'), 1);
  });

  it('of a window that died between the prompt and its answer are found by the ID that was sent', async () => {
    const promptId = randomUUID();
    const answer = await fetch(`${window.server.url}/api/prompt`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: smallPrompt(4), extra_data: { [runKeyName]: promptId } }),
    });
    const { prompt_id: id } = (await answer.json()) as { prompt_id: string };
    const label = 'owed-unanswered.json';
    const run = { server: window.server.url, label, promptId, seeds: {}, sentAt: Date.now() };
    const name = 'owed-unanswered-20260102-030405.run.json';
    const record = sendingRecord({ ...run, promptText: JSON.stringify(smallPrompt(4)) });
    await fs.writeFile(path.join(outputs(), name), writeRunRecord(record));
    await leave({
      ...{ server: window.server.url, serverName: 'Owing', isSandbox: false, promptId, label },
      ...{ sentAt: run.sentAt, folder: outputs(), record: name, isOwed: true },
    });
    await window.parts.retry.retryAll();
    await eventually('saved', () => isSaved(id));
    assert.match(path.basename(await pictureOf(id)), /^owed-unanswered-20260102-030405-/);
    assert.equal((await records(id))[0]?.record.state, 'saved');
    assert.equal(window.server.seen.count('POST', '/prompt'), 1);
  });

  it('that the server never received are retried, then reported', async () => {
    const id = await run('owed-never.json', smallPrompt(5));
    await eventually('saved', () => isSaved(id));
    const entry = await kill(id, 'sending');
    window.server.faults.set('restartServer');
    window.parts.store.remove(id);
    await window.parts.retry.retryAll();
    await eventually(
      'a row says so',
      () => window.parts.pointers.owedOf(pointerId(entry))?.trouble?.kind === 'notSeen',
    );
    assert.match(
      window.parts.pointers.owedOf(pointerId(entry))?.trouble?.words ?? '',
      /but it may still appear until \d+:\d\d [AP]M\.$/,
    );
    assert.deepEqual(window.answers.shown, []);
    // Long ago: it will not arrive any more.
    await window.parts.windowRuns.dismiss(entry);
    const record = path.join(outputs(), entry.record);
    const sent = JSON.parse(await fs.readFile(record, 'utf8')) as object;
    await fs.writeFile(record, JSON.stringify({ ...sent, sentAt: new Date(0).toISOString() }));
    await leave({ ...entry, sentAt: 0 });
    await window.parts.retry.retryAll();
    await eventually('it is told', () => window.answers.texts('showWarningMessage').length === 1);
    assert.match(
      window.answers.texts('showWarningMessage')[0] ?? '',
      /^Owing has no job for owed-never\.json/,
    );
    assert.equal(window.parts.pointers.owedOf(pointerId(entry)), undefined);
    assert.equal(window.server.seen.count('POST', '/prompt'), 1);
    await fs.rm(record);
  });

  it('are nothing that a record in a cloned repository may claim: no server is asked about it', async () => {
    const sentAt = Date.now();
    const sent = sendingRecord({ server: window.server.url, label: 'cloned.json', seeds: {}, sentAt });
    const name = 'cloned-20260102-030405.run.json';
    await fs.writeFile(path.join(outputs(), name), writeRunRecord(submittedRecord(sent, 'theirs', sentAt)));
    await window.parts.retry.retryAll();
    assert.equal(window.server.seen.count('GET', '/jobs/theirs'), 0);
    assert.equal(window.server.seen.count('GET', '/view'), 0);
    assert.ok(!(await fs.readdir(outputs())).includes(`.comfy-deck-${name}.lock`));
    await fs.rm(path.join(outputs(), name));
  });

  it('are saved by only one of two windows', async () => {
    const id = await run('owed-two.json', smallPrompt(6, 100));
    const log = window.parts.log;
    const pointers = new PointerStore(window.parts.storage, new StorageTrouble(log));
    const other = new WindowRuns({ ...window.parts, pointers });
    await pointers.read();
    const pointer = pointers.owedOfJob(id);
    assert.ok(pointer, 'the other window sees what is owed');
    await other.resume(pointer);
    assert.equal(other.held.has(pointer), false, 'the record is locked');
    await eventually('saved', () => isSaved(id));
    await pointers.read();
    assert.equal(pointers.owedOfJob(id), undefined);
    await other.close();
    other.dispose();
    pointers.dispose();
  });

  it('get a record without absolute paths if theirs is gone', async () => {
    const id = await run('owed-unrecorded.json', smallPrompt(16));
    await eventually('saved', () => isSaved(id));
    const entry = await kill(id, 'saving');
    await fs.rm(path.join(outputs(), entry.record));
    await window.parts.retry.retryAll();
    await eventually('saved again', () => isSaved(id));
    const [record] = await records(id);
    assert.ok(record);
    const written = await fs.readFile(path.join(outputs(), record.name), 'utf8');
    assert.ok(!written.includes(path.dirname(outputs())), written);
  });

  it('leave no lock behind', async () => {
    await eventually('all jobs have ended', () =>
      window.parts.store.jobs().every(({ state }) => isTerminal(state)),
    );
    const left = (await fs.readdir(outputs())).filter((name) => /\.(lock|part)$/.test(name));
    assert.deepEqual(left, []);
  });
});
