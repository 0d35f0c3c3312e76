import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { JobStore } from '../../src/core/jobs/jobStore';
import { sendingRecord, submittedRecord } from '../../src/core/records/recordSteps';
import { writeRunRecord } from '../../src/core/records/runRecord';
import { RunStore } from '../../src/core/runLife/runStore';
import { Secrets } from '../../src/core/safety/secrets';
import { pointerFiles, pointerId, type RunPointer, RunPointers } from '../../src/core/runLife/runPointers';
import { owedWords } from '../../src/host/jobs/owedSection';
import { commands } from '../../src/host/platform/contributions';
import { Storage } from '../../src/host/platform/storage';
import { StorageTrouble } from '../../src/host/platform/storageTrouble';
import { WindowRuns } from '../../src/host/runs/windowRuns';
import { smallPrompt } from '../support/promptFile';
import { eventually } from './window';
import { outputFolder as outputs } from './batchFiles';
import { owedWindow } from './owedWindow';

describe('outputs that are owed', () => {
  const window = owedWindow();
  const { run, records, isSaved, pictureOf, kill, leave } = window;

  it('are saved once when requested while being saved', async () => {
    // Long enough for the request to come in the middle.
    window.server.faults.set('slowFile', { chunkBytes: 1_000, pauseMs: 50, times: 1 });
    const id = await run('owed-joined.json', smallPrompt(12));
    await eventually('saving begins', () => window.parts.known.isSaving(id));
    await vscode.commands.executeCommand(commands.saveOutputs, id);
    await pictureOf(id);
    await eventually('saved', () => isSaved(id));
    assert.equal(window.server.seen.count('GET', '/view'), 1);
  });

  it('stay on the list when it changes while being read', async () => {
    const storage = new Storage(vscode.Uri.file(path.join(outputs(), '..', 'owed-list')), new Secrets());
    const list = new RunPointers(storage, new StorageTrouble(window.parts.log));
    const entry = (id: string): RunPointer => ({
      ...{ server: window.server.url, serverName: 'Owing', isSandbox: false, promptId: id },
      label: 'listed.json',
      ...{ sentAt: Date.now(), folder: outputs(), record: `${id}.run.json` },
    });
    /** Reads the list while it changes: the files are read before, and checked after. */
    const readWhile = async (change: () => Promise<void>): Promise<void> => {
      const files = await storage.list(pointerFiles.owedPrefix);
      const texts = new Map<string, string | undefined>();
      for (const { name } of files) texts.set(name, await storage.read(name));
      const [listNow, readNow] = [storage.list.bind(storage), storage.read.bind(storage)];
      storage.list = (prefix) => Promise.resolve(files.filter(({ name }) => name.startsWith(prefix)));
      storage.read = async (name) => {
        await change();
        return texts.get(name);
      };
      await list.read();
      Object.assign(storage, { list: listNow, read: readNow });
    };
    await list.put(entry('first'));
    await readWhile(() => list.put(entry('second')));
    assert.ok(list.owedOf(pointerId(entry('second'))), 'it came meanwhile');
    await readWhile(() => list.put({ ...entry('first'), jobId: 'known now' }));
    assert.ok(list.owedOfJob('known now'), 'it was taken meanwhile');
    await readWhile(() => list.settle(entry('first')));
    assert.equal(list.owedOf(pointerId(entry('first'))), undefined, 'it was done meanwhile');
  });

  it('are saved although the storage is not writable, with one warning', async () => {
    const storage = window.parts.storage;
    const write = storage.write.bind(storage);
    storage.write = () => Promise.reject(new Error('read-only'));
    try {
      for (const seed of [7, 8]) {
        const id = await run('owed-storage.json', smallPrompt(seed));
        await eventually('saved', () => isSaved(id));
        await pictureOf(id);
        assert.equal((await records(id))[0]?.record.state, 'saved');
      }
    } finally {
      storage.write = write;
    }
    const told = window.answers.texts('showWarningMessage').filter((text) => text.includes('storage folder'));
    assert.equal(told.length, 1, JSON.stringify(window.answers.shown));
  });

  it('are fetched again on request when they were deleted from disk', async () => {
    const id = await run('owed-deleted.json', smallPrompt(9));
    await eventually('saved', () => isSaved(id));
    const picture = await pictureOf(id);
    await fs.rm(picture);
    await vscode.commands.executeCommand(commands.saveOutputs, id);
    assert.equal(await pictureOf(id), picture, 'under its old name');
    assert.equal((await records(id)).length, 1);
  });

  it('are forgotten only after a question', async () => {
    const id = await run('owed-forgotten.json', smallPrompt(10));
    await eventually('saved', () => isSaved(id));
    const entry = await kill(id, 'incomplete');
    await window.parts.pointers.read();
    await vscode.commands.executeCommand(commands.forgetOwed, pointerId(entry));
    assert.ok(window.parts.pointers.owedOf(pointerId(entry)), 'nothing happens without a yes');
    window.answers.press('Stop Trying');
    await vscode.commands.executeCommand(commands.forgetOwed, pointerId(entry));
    assert.equal(window.parts.pointers.owedOf(pointerId(entry)), undefined);
    assert.equal((await records(id))[0]?.record.state, 'lost');
  });

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
    const left = await eventually('a row says so', () => window.parts.pointers.leftOf(entry));
    assert.match(owedWords(entry, left), /but it may still appear until \d+:\d\d [AP]M\.$/);
    assert.deepEqual(window.answers.shown, []);
    // Long ago: it will not arrive any more.
    await (await window.parts.windowRuns.attempts()).dismiss(entry);
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

  it('of a run that another window follows are left to it, without a word', async () => {
    window.server.faults.set('hang');
    const id = await run('owed-two-windows.json', smallPrompt(21));
    await eventually('it runs', () => window.parts.store.get(id)?.state === 'running');
    const { platform, servers } = window.parts;
    const store = new JobStore();
    const other = new WindowRuns(platform, servers, store, new RunStore(store));
    await Promise.all([other.pointers.read(), other.folders.load()]);
    const pointer = other.pointers.owedOfJob(id);
    assert.ok(pointer);
    const attempts = await other.attempts();
    await attempts.resume(pointer);
    assert.equal(other.pointers.leftOf(pointer), undefined);
    const { isOurs, phase } = other.runs.get(pointer) ?? {};
    assert.deepEqual([isOurs, phase], [true, { kind: 'owed', why: 'notFollowed' }]);
    window.server.faults.clear('hang');
    await eventually('the first window saves them', () => isSaved(id));
    await eventually('the other one finds nothing to do', () => {
      void attempts.resume(pointer);
      return other.runs.get(pointer)?.phase.kind === 'saved' && !other.pointers.owedOfJob(id);
    });
    assert.equal(other.pointers.owedOfJob(id), undefined);
    assert.deepEqual(
      [window.server.seen.count('POST', '/prompt'), window.server.seen.count('GET', '/view')],
      [1, 1],
    );
    assert.deepEqual(window.answers.shown, []);
    await other.close();
  });

  it('of a server that was signed out of are saved with the next key, and nothing is told', async () => {
    const { servers, pointers } = window.parts;
    await servers.keys.set(window.server.url, 'one');
    window.server.faults.set('hang');
    const id = await run('owed-signed-out.json', smallPrompt(22));
    const pointer = pointers.owedOfJob(id);
    assert.ok(pointer);
    await servers.keys.delete(window.server.url);
    const left = await eventually('it is owed', () => pointers.leftOf(pointer));
    assert.equal(owedWords(pointer, left), 'The connection to the server was closed.');
    await servers.keys.set(window.server.url, 'two');
    // Without the key, it would be tried again after 15 s.
    await eventually('it is followed again', () => pointers.leftOf(pointer) === undefined, 10_000);
    window.server.faults.clear('hang');
    await eventually('saved', () => isSaved(id));
    assert.equal(window.server.seen.count('POST', '/prompt'), 1);
    assert.deepEqual(window.answers.shown, []);
    await servers.keys.delete(window.server.url);
  });

  it('of another workspace are saved in its folder, which is not listed here', async () => {
    const id = await run('owed-elsewhere.json', smallPrompt(23));
    await eventually('saved', () => isSaved(id));
    const pointer = await kill(id, 'saving');
    const folder = await fs.mkdtemp(path.join(tmpdir(), 'comfy-deck-'));
    await fs.rename(path.join(outputs(), pointer.record), path.join(folder, pointer.record));
    await leave({ ...pointer, folder });
    await window.parts.retry.retryAll();
    await eventually('nothing is owed', () => !window.parts.pointers.owedOfJob(id));
    const names = (await fs.readdir(folder)).filter((name) => name.endsWith('.png'));
    assert.equal(names.length, 1);
    const { folders } = window.parts;
    assert.ok(!folders.runs.some(({ place }) => place.folder === folder));
    assert.ok(!folders.folders.some(({ fsPath }) => fsPath === folder));
    await fs.rm(folder, { recursive: true });
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
