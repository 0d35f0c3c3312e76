import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../src/core/jobs/job';
import { foreignRecord, sendingRecord } from '../../src/core/outputs/recordSteps';
import { readRunRecord, writeRunRecord, type RunRecord } from '../../src/core/outputs/runRecord';
import { runKeyName } from '../../src/core/runs/sentTexts';
import { JobTree } from '../../src/host/jobs/jobTree';
import { Secrets } from '../../src/core/safety/secrets';
import { writeOwedEntry, type OwedEntry } from '../../src/host/owed/owedEntry';
import { owedItem, shownOwed } from '../../src/host/owed/owedFeature';
import { OwedList } from '../../src/host/owed/owedList';
import { OwedRuns } from '../../src/host/owed/owedRuns';
import { commands, settings } from '../../src/host/platform/contributions';
import { tellProblem } from '../../src/host/platform/problems';
import { Storage } from '../../src/host/platform/storage';
import { StorageTrouble } from '../../src/host/platform/storageTrouble';
import type { Services } from '../../src/host/services';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { smallPrompt } from '../support/promptFile';
import { Answers, eventually, notify, services, writeFile } from './window';

const outputs = (): string => path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'outputs');

describe('outputs that are owed', () => {
  let parts: Services;
  let answers: Answers;
  let server: Sandbox;

  before(async () => {
    parts = await services();
    await vscode.workspace.getConfiguration().update(settings.openPreviewOnRun, false, true);
    await notify('never');
  });
  after(async () => {
    for (const name of [settings.openPreviewOnRun, settings.servers, settings.server]) {
      await vscode.workspace.getConfiguration().update(name, undefined, true);
    }
    await notify(undefined);
  });
  beforeEach(async () => {
    answers = new Answers();
    server = await startSandbox({ dialect: 'cloud' });
    const configuration = vscode.workspace.getConfiguration();
    await configuration.update(settings.servers, [{ name: 'Owing', url: server.url }], true);
    await configuration.update(settings.server, 'Owing', true);
    await eventually('it is chosen', () => parts.servers.current()?.url === server.url);
  });
  afterEach(async () => {
    answers.restore();
    await server.close();
  });

  const run = async (name: string, workflow: unknown): Promise<string> => {
    const id = await vscode.commands.executeCommand<string | undefined>(
      commands.run,
      await writeFile(name, workflow),
    );
    assert.ok(id, JSON.stringify(answers.shown));
    return id;
  };
  const records = async (jobId: string): Promise<{ name: string; record: RunRecord }[]> => {
    const found: { name: string; record: RunRecord }[] = [];
    for (const name of await fs.readdir(outputs()).catch(() => [] as string[])) {
      if (!name.endsWith('.run.json')) continue;
      const record = readRunRecord(await fs.readFile(path.join(outputs(), name), 'utf8'));
      if (record?.job === jobId) found.push({ name, record });
    }
    return found;
  };
  const isSaved = (id: string): boolean =>
    parts.saved.of(id).length > 0 && !parts.saved.isSaving(id) && parts.owed.list.ofJob(id) === undefined;
  const pictureOf = async (id: string): Promise<string> => {
    const [saved, ...more] = parts.saved.of(id);
    assert.ok(saved);
    assert.deepEqual(more, []);
    assert.ok((await fs.stat(saved.location)).size > 0);
    return saved.location;
  };

  it('have a record and an entry from before the prompt is sent until they are on disk', async () => {
    const id = await run('owed-noted.json', smallPrompt(1, 2000));
    const entry = parts.owed.list.ofJob(id);
    assert.ok(entry, 'an entry tells that they are owed');
    const [noted] = await records(id);
    assert.equal(noted?.record.state, 'submitted');
    assert.equal(noted.record.sourceUri, 'owed-noted.json', 'no absolute path');
    await eventually('saved', () => isSaved(id));
    const [done, ...others] = await records(id);
    assert.equal(done?.record.state, 'saved');
    assert.deepEqual(others, [], 'one record per run');
    assert.equal(done.record.files.length, 1);
    const written = await fs.readFile(path.join(outputs(), done.name), 'utf8');
    assert.ok(!written.includes(path.dirname(outputs())), written);
    assert.deepEqual(
      (await parts.storage.list('owed-')).filter(({ name }) => name.includes(entry.id)),
      [],
    );
  });

  it('are not lost with one 401 or 403 while the job runs', async () => {
    for (const kind of ['unauthorized', 'forbidden'] as const) {
      const id = await run(`owed-${kind}.json`, smallPrompt(2, 4000));
      // The socket is gone, and the next request is refused.
      server.faults.set('answer', { method: 'GET', path: '*', kind });
      server.faults.set('dropSocket', { times: 1 });
      await eventually('it is in trouble', () => parts.owed.list.ofJob(id)?.trouble !== undefined, 40_000);
      server.faults.clear();
      const tree = new JobTree({
        store: parts.store,
        saved: parts.saved,
        details: (job) => Promise.resolve(job),
        ready: () => Promise.resolve(),
        silenceOf: () => undefined,
        foreignServer: () => undefined,
        owed: {
          entryIds: () => shownOwed(parts.owed).map((entry) => entry.id),
          item: (entryId) => {
            const entry = parts.owed.list.get(entryId);
            return entry && owedItem(entry);
          },
        },
      });
      const [group] = await tree.getChildren();
      assert.ok(group);
      assert.equal(tree.getTreeItem(group).label, 'Outputs Not Saved Yet');
      const [row] = await tree.getChildren(group);
      assert.ok(row);
      const { label } = tree.getTreeItem(row);
      assert.equal(label, `owed-${kind}.json`);
      // It also retries by itself a little later.
      if (kind === 'unauthorized') await vscode.commands.executeCommand(commands.saveOwed, row);
      await eventually('saved', () => isSaved(id), 60_000);
      await pictureOf(id);
      tree.dispose();
    }
    assert.equal(server.seen.count('POST', '/prompt'), 2, 'nothing is sent again');
  }).timeout(180_000);

  /** What a window leaves if it is killed while it saves: the entry, the record, no picture. */
  const kill = async (id: string, state: RunRecord['state']): Promise<OwedEntry> => {
    await fs.rm(await pictureOf(id));
    const [found] = await records(id);
    const job = parts.store.get(id);
    assert.ok(found && job?.origin);
    const left = { ...found.record, state, ...(state === 'sending' && { job: undefined, files: [] }) };
    await fs.writeFile(path.join(outputs(), found.name), JSON.stringify(left));
    const entry: OwedEntry = {
      id: randomUUID(),
      server: server.url,
      serverName: 'Owing',
      isSandbox: false,
      ...(state !== 'sending' && { jobId: id }),
      promptId: found.record.promptId ?? '',
      origin: job.origin,
      sentAt: Date.parse(found.record.sentAt ?? ''),
      folder: vscode.Uri.file(outputs()),
      record: found.name,
    };
    await parts.storage.write(`owed-${entry.id}.json`, writeOwedEntry(entry));
    return entry;
  };

  it('of a window that died during a download are fetched by the next one', async () => {
    const id = await run('owed-killed.json', smallPrompt(3));
    await eventually('saved', () => isSaved(id));
    await kill(id, 'saving');
    await parts.owedWork.workOff();
    await eventually('saved again', () => isSaved(id));
    await pictureOf(id);
    const [record, ...others] = await records(id);
    assert.equal(record?.record.state, 'saved');
    assert.deepEqual(others, []);
    assert.equal(server.seen.count('POST', '/prompt'), 1);
  });

  it('of a window that died between the prompt and its answer are found by the ID that was sent', async () => {
    const promptId = randomUUID();
    const answer = await fetch(`${server.url}/api/prompt`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: smallPrompt(4), extra_data: { [runKeyName]: promptId } }),
    });
    const { prompt_id: id } = (await answer.json()) as { prompt_id: string };
    const origin = { label: 'owed-unanswered.json', nodeNames: {}, seeds: {} };
    const run = { server: server.url, label: origin.label, promptId, seeds: {}, sentAt: Date.now() };
    const name = 'owed-unanswered-20260102-030405.run.json';
    const record = sendingRecord({ ...run, promptText: JSON.stringify(smallPrompt(4)) });
    await fs.writeFile(path.join(outputs(), name), writeRunRecord(record));
    const entry: OwedEntry = {
      ...{ id: randomUUID(), server: server.url, serverName: 'Owing', isSandbox: false, promptId, origin },
      ...{ sentAt: run.sentAt, folder: vscode.Uri.file(outputs()), record: name },
    };
    await parts.storage.write(`owed-${entry.id}.json`, writeOwedEntry(entry));
    await parts.owedWork.workOff();
    await eventually('saved', () => isSaved(id));
    assert.match(path.basename(await pictureOf(id)), /^owed-unanswered-20260102-030405-/);
    assert.equal((await records(id))[0]?.record.state, 'saved');
    assert.equal(server.seen.count('POST', '/prompt'), 1);
  });

  it('that the server never received are retried, then reported', async () => {
    const id = await run('owed-never.json', smallPrompt(5));
    await eventually('saved', () => isSaved(id));
    const entry = await kill(id, 'sending');
    server.faults.set('restartServer');
    parts.store.remove(id);
    await parts.owedWork.workOff();
    await eventually('a row says so', () => parts.owed.list.get(entry.id)?.trouble?.kind === 'notSeen');
    assert.deepEqual(answers.shown, []);
    await parts.owed.list.put({ ...entry, sentAt: 0, trouble: { kind: 'notSeen', words: 'not seen' } });
    await parts.owedWork.workOff();
    await eventually('it is told', () => answers.texts('showWarningMessage').length === 1);
    assert.match(answers.texts('showWarningMessage')[0] ?? '', /^Owing lists no job for owed-never\.json/);
    assert.equal(parts.owed.list.get(entry.id), undefined);
    assert.equal(server.seen.count('POST', '/prompt'), 1);
  });

  it('are not lost when the session closes while the job runs, as when signing in', async () => {
    const id = await run('owed-signed-in.json', smallPrompt(11, 1500));
    await eventually('it runs', () => parts.store.get(id)?.state === 'running');
    await parts.servers.sessions.close(new URL(server.url).origin);
    await eventually('saved', () => isSaved(id), 60_000);
    await pictureOf(id);
    assert.equal(server.seen.count('POST', '/prompt'), 1);
  }).timeout(90_000);

  it('are saved once when requested while being saved', async () => {
    const id = await run('owed-joined.json', smallPrompt(12));
    await eventually('saving begins', () => parts.saved.isSaving(id));
    await vscode.commands.executeCommand(commands.saveOutputs, id);
    await pictureOf(id);
    await eventually('saved', () => isSaved(id));
    assert.equal(server.seen.count('GET', '/view'), 1);
  });

  it('stay on the list when it changes while being read', async () => {
    const storage = new Storage(vscode.Uri.file(path.join(outputs(), '..', 'owed-list')), new Secrets());
    const list = new OwedList(storage, new StorageTrouble(parts.log));
    const origin = { label: 'listed.json', nodeNames: {}, seeds: {} };
    const entry = (id: string): OwedEntry => ({
      ...{ id, server: server.url, serverName: 'Owing', isSandbox: false, promptId: id, origin },
      ...{ sentAt: Date.now(), folder: vscode.Uri.file(outputs()), record: `${id}.run.json` },
    });
    /** Reads the list while it changes: the files are read before, and checked after. */
    const readWhile = async (change: () => Promise<void>): Promise<void> => {
      const files = await storage.list('owed-');
      const texts = new Map<string, string | undefined>();
      for (const { name } of files) texts.set(name, await storage.read(name));
      const [listNow, readNow] = [storage.list.bind(storage), storage.read.bind(storage)];
      storage.list = () => Promise.resolve(files);
      storage.read = async (name) => {
        await change();
        return texts.get(name);
      };
      await list.read();
      Object.assign(storage, { list: listNow, read: readNow });
    };
    await list.put(entry('first'));
    await readWhile(() => list.put(entry('second')));
    assert.ok(list.get('second'), 'it came meanwhile');
    await readWhile(() => list.put({ ...entry('first'), jobId: 'known now' }));
    assert.ok(list.ofJob('known now'), 'it was taken meanwhile');
    await readWhile(() => list.remove('first'));
    assert.equal(list.get('first'), undefined, 'it was done meanwhile');
    list.dispose();
  });

  it('are saved by only one of two windows', async () => {
    const id = await run('owed-two.json', smallPrompt(6, 100));
    const log = parts.log;
    const other = new OwedRuns(new OwedList(parts.storage, new StorageTrouble(log)), log);
    await other.list.read();
    const entry = other.list.ofJob(id);
    assert.ok(entry, 'the other window sees what is owed');
    assert.equal(await other.take(entry), 'busy');
    await eventually('saved', () => isSaved(id));
    await other.list.read();
    assert.equal(other.list.ofJob(id), undefined);
    await other.close();
    other.dispose();
  });

  it('are saved although the storage is not writable, with one warning', async () => {
    const storage = parts.storage;
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
    const told = answers.texts('showWarningMessage').filter((text) => text.includes('storage folder'));
    assert.equal(told.length, 1, JSON.stringify(answers.shown));
  });

  it("ask for another folder, not another run, when theirs can't be used", async () => {
    const blocked = path.join(outputs(), '..', 'owed-blocked');
    await fs.writeFile(blocked, 'in the way');
    const problem = await parts.owed.checkFolder({ folder: vscode.Uri.file(blocked) }).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(problem instanceof Error && 'nextAction' in problem);
    assert.match(String(problem.nextAction), /then save the outputs again\.$/);
    tellProblem(problem, parts.log);
    assert.deepEqual(
      answers.texts('showErrorMessage').filter((text) => text.includes('Something went wrong')),
      [],
    );
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
    await parts.owed.list.read();
    await vscode.commands.executeCommand(commands.forgetOwed, entry.id);
    assert.ok(parts.owed.list.get(entry.id), 'nothing happens without a yes');
    answers.press('Forget');
    await vscode.commands.executeCommand(commands.forgetOwed, entry.id);
    assert.equal(parts.owed.list.get(entry.id), undefined);
    assert.equal((await records(id))[0]?.record.state, 'lost');
  });

  /** Another client's job, once it has ended. */
  const submitElsewhere = async (seed: number): Promise<Job> => {
    const answer = await fetch(`${server.url}/api/prompt`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: smallPrompt(seed) }),
    });
    const { prompt_id: id } = (await answer.json()) as { prompt_id: string };
    return eventually('it is listed as completed', () => {
      void vscode.commands.executeCommand(commands.refreshJobs);
      const job = parts.store.get(id);
      return job?.state === 'completed' && job;
    });
  };

  it("of another client's job are owed before they are fetched", async () => {
    const { id } = await submitElsewhere(13);
    const storage = parts.storage;
    const write = storage.write.bind(storage);
    const fetchedBefore: number[] = [];
    storage.write = async (name, text) => {
      await write(name, text);
      if (name.startsWith('owed-')) fetchedBefore.push(server.seen.count('GET', '/view'));
    };
    server.faults.set('answer', { method: 'GET', path: '/view', kind: 'unavailable' });
    let left: { entry: string; text: string | undefined; record: string; recorded: string };
    try {
      const saving = vscode.commands.executeCommand(commands.saveOutputs, id);
      await eventually('it is being fetched', () => server.seen.count('GET', '/view') > 0);
      const entry = parts.owed.list.ofJob(id);
      assert.ok(entry, 'an entry tells that they are owed');
      const [begun, ...others] = await records(id);
      assert.equal(begun?.record.state, 'saving');
      assert.deepEqual(others, []);
      const name = `owed-${entry.id}.json`;
      const record = path.join(outputs(), begun.name);
      left = {
        entry: name,
        text: await storage.read(name),
        record,
        recorded: await fs.readFile(record, 'utf8'),
      };
      assert.equal(fetchedBefore[0], 0, 'the entry comes first');
      server.faults.clear();
      await saving;
    } finally {
      storage.write = write;
    }
    assert.equal(parts.owed.list.ofJob(id), undefined, 'nothing is owed once it is saved');
    // The next window finishes what a killed window has left.
    await fs.rm(await pictureOf(id));
    await fs.writeFile(left.record, left.recorded);
    assert.ok(left.text);
    await storage.write(left.entry, left.text);
    await parts.owedWork.workOff();
    await eventually('saved again', () => isSaved(id));
    await pictureOf(id);
    const [record, ...others] = await records(id);
    assert.equal(record?.record.state, 'saved');
    assert.deepEqual(others, []);
    assert.equal(parts.store.get(id)?.origin, undefined, 'the job did not become ours');
  }).timeout(120_000);

  it("of another client's job are not owed forever", async () => {
    // The server has the job but not the file.
    const { id } = await submitElsewhere(14);
    server.faults.set('answer', { method: 'GET', path: '/view', kind: 'notFound' });
    await vscode.commands.executeCommand(commands.saveOutputs, id);
    await eventually('it is told', () => answers.texts('showErrorMessage').length === 1);
    assert.equal(parts.owed.list.ofJob(id), undefined);
    assert.deepEqual(await records(id), []);

    // The window closes, which leaves them owed; or the user stops it, which does not.
    server.faults.set('answer', { method: 'GET', path: '/view', kind: 'unavailable' });
    const job = await parts.servers.details(await submitElsewhere(15));
    const session = await parts.servers.session();
    const stop = new AbortController();
    const saving = parts.saver.save(job, session.client, stop.signal).catch(() => undefined);
    await eventually('it is being fetched', () => server.seen.count('GET', '/view') > 1);
    stop.abort();
    await saving;
    const entry = parts.owed.list.ofJob(job.id);
    assert.ok(entry);
    await parts.saver.leave(job.id);
    assert.equal(parts.owed.list.ofJob(job.id), undefined);
    assert.deepEqual(await records(job.id), []);

    // The next window no longer finds the job on its server.
    const record = writeRunRecord(foreignRecord(job, undefined));
    await fs.writeFile(path.join(outputs(), entry.record), record);
    await parts.storage.write(`owed-${entry.id}.json`, writeOwedEntry(entry));
    server.faults.clear();
    server.faults.set('restartServer');
    parts.store.remove(job.id);
    await parts.owedWork.workOff();
    assert.equal(parts.owed.list.get(entry.id)?.trouble?.kind, 'notSeen', 'it may be back');
    await parts.owed.list.put({ ...entry, sentAt: 0, trouble: { kind: 'notSeen', words: 'not seen' } });
    await parts.owedWork.workOff();
    await eventually('it is told', () => answers.texts('showWarningMessage').length === 1);
    assert.match(
      answers.texts('showWarningMessage')[0] ?? '',
      /^Owing no longer lists the outputs of .* Look on the server itself for whatever isn't saved yet\.$/,
    );
    assert.equal(parts.owed.list.get(entry.id), undefined);
    assert.deepEqual(await records(job.id), []);
  }).timeout(120_000);

  it('get a record without absolute paths if theirs is gone', async () => {
    const id = await run('owed-unrecorded.json', smallPrompt(16));
    await eventually('saved', () => isSaved(id));
    const entry = await kill(id, 'saving');
    await fs.rm(path.join(outputs(), entry.record));
    await parts.owedWork.workOff();
    await eventually('saved again', () => isSaved(id));
    const [record] = await records(id);
    assert.ok(record);
    const written = await fs.readFile(path.join(outputs(), record.name), 'utf8');
    assert.ok(!written.includes(path.dirname(outputs())), written);
  });

  it('leave no lock behind', async () => {
    await eventually('all jobs have ended', () => parts.store.jobs().every(({ state }) => isTerminal(state)));
    const left = (await fs.readdir(outputs())).filter((name) => /\.(lock|part)$/.test(name));
    assert.deepEqual(left, []);
  });
});
