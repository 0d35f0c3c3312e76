import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { type Job } from '../../src/core/jobs/job';
import { foreignRecord } from '../../src/core/records/recordSteps';
import { writeRunRecord } from '../../src/core/records/runRecord';
import { pointerId, pointerFiles } from '../../src/host/ledger/pointerFiles';
import { commands } from '../../src/host/platform/contributions';
import { smallPrompt } from '../support/promptFile';
import { eventually } from './window';
import { owedWindow, outputsFolder as outputs } from './owedWindow';

describe('outputs that are owed', () => {
  const window = owedWindow();
  const { records, isSaved, pictureOf } = window;

  /** Another client's job, once it has ended. */
  const submitElsewhere = async (seed: number): Promise<Job> => {
    const answer = await fetch(`${window.server.url}/api/prompt`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: smallPrompt(seed) }),
    });
    const { prompt_id: id } = (await answer.json()) as { prompt_id: string };
    return eventually('it is listed as completed', () => {
      void vscode.commands.executeCommand(commands.refreshJobs);
      const job = window.parts.store.get(id);
      return job?.state === 'completed' && job;
    });
  };

  it("of another client's job are owed before they are fetched", async () => {
    const { id } = await submitElsewhere(13);
    const storage = window.parts.storage;
    const write = storage.write.bind(storage);
    const fetchedBefore: number[] = [];
    storage.write = async (name, text) => {
      await write(name, text);
      if (name.startsWith(pointerFiles.owedPrefix))
        fetchedBefore.push(window.server.seen.count('GET', '/view'));
    };
    window.server.faults.set('answer', { method: 'GET', path: '/view', kind: 'unavailable' });
    let left: { entry: string; text: string | undefined; record: string; recorded: string };
    try {
      const saving = vscode.commands.executeCommand(commands.saveOutputs, id);
      await eventually('it is being fetched', () => window.server.seen.count('GET', '/view') > 0);
      const entry = window.parts.pointers.owedOfJob(id);
      assert.ok(entry, 'an entry tells that they are owed');
      const [begun, ...others] = await records(id);
      assert.equal(begun?.record.state, 'saving');
      assert.deepEqual(others, []);
      const name = pointerFiles.owed(pointerId(entry));
      const record = path.join(outputs(), begun.name);
      left = {
        entry: name,
        text: await storage.read(name),
        record,
        recorded: await fs.readFile(record, 'utf8'),
      };
      assert.equal(fetchedBefore[0], 0, 'the entry comes first');
      window.server.faults.clear();
      await saving;
    } finally {
      storage.write = write;
    }
    assert.equal(window.parts.pointers.owedOfJob(id), undefined, 'nothing is owed once it is saved');
    // The next window finishes what a killed window has left.
    await fs.rm(await pictureOf(id));
    await fs.writeFile(left.record, left.recorded);
    assert.ok(left.text);
    await storage.write(left.entry, left.text);
    await window.parts.retry.retryAll();
    await eventually('saved again', () => isSaved(id));
    await pictureOf(id);
    const [record, ...others] = await records(id);
    assert.equal(record?.record.state, 'saved');
    assert.deepEqual(others, []);
    assert.equal(window.parts.store.get(id)?.origin, undefined, 'the job did not become ours');
  }).timeout(120_000);

  it("of another client's job are not owed forever", async () => {
    // The server has the job but not the file.
    const { id } = await submitElsewhere(14);
    window.server.faults.set('answer', { method: 'GET', path: '/view', kind: 'notFound' });
    await vscode.commands.executeCommand(commands.saveOutputs, id);
    await eventually('it is told', () => window.answers.texts('showErrorMessage').length === 1);
    assert.equal(window.parts.pointers.owedOfJob(id), undefined);
    assert.deepEqual(await records(id), []);

    // The window closes, which leaves them owed; or the user stops it, which does not.
    window.server.faults.set('answer', { method: 'GET', path: '/view', kind: 'unavailable' });
    const job = await window.parts.servers.details(await submitElsewhere(15));
    const session = await window.parts.servers.session();
    const stop = new AbortController();
    const saving = window.parts.windowRuns.save(job, session, stop.signal).catch(() => undefined);
    await eventually('it is being fetched', () => window.server.seen.count('GET', '/view') > 1);
    stop.abort();
    await saving;
    const entry = window.parts.pointers.owedOfJob(job.id);
    assert.ok(entry);
    await window.parts.windowRuns.leave(job.id);
    assert.equal(window.parts.pointers.owedOfJob(job.id), undefined);
    assert.deepEqual(await records(job.id), []);

    // The next window no longer finds the job on its window.server.
    const record = writeRunRecord(foreignRecord(job, undefined));
    await fs.writeFile(path.join(outputs(), entry.record), record);
    await window.leave(entry);
    window.server.faults.clear();
    window.server.faults.set('restartServer');
    window.parts.store.remove(job.id);
    await window.parts.retry.retryAll();
    assert.equal(window.parts.pointers.owedOf(pointerId(entry))?.trouble?.kind, 'notSeen', 'it may be back');
    await window.parts.pointers.put({
      ...entry,
      askedAt: 0,
      trouble: { kind: 'notSeen', words: 'not seen' },
    });
    await window.parts.retry.retryAll();
    await eventually('it is told', () => window.answers.texts('showWarningMessage').length === 1);
    assert.match(
      window.answers.texts('showWarningMessage')[0] ?? '',
      /^Owing no longer lists the outputs of .* Check the server for any that aren't saved yet\.$/,
    );
    assert.equal(window.parts.pointers.owedOf(pointerId(entry)), undefined);
    assert.deepEqual(await records(job.id), []);
  }).timeout(120_000);
});
