import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { sendingRecord, submittedRecord } from '../../src/core/records/recordSteps';
import { writeRunRecord } from '../../src/core/records/runRecord';
import { pointerId } from '../../src/host/ledger/pointerStore';
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
});
