import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { Secrets } from '../../src/core/safety/secrets';
import { pointerId, pointerFiles } from '../../src/host/ledger/pointerFiles';
import { PointerStore } from '../../src/host/ledger/pointerStore';
import type { RunPointer } from '../../src/host/ledger/runPointer';
import { OwedSection } from '../../src/host/jobs/owedSection';
import { commands } from '../../src/host/platform/contributions';
import { tellProblem } from '../../src/host/platform/problems';
import { checkDisk } from '../../src/host/outputs/savingShown';
import { Storage } from '../../src/host/platform/storage';
import { StorageTrouble } from '../../src/host/platform/storageTrouble';
import { smallPrompt } from '../support/promptFile';
import { eventually } from './window';
import { owedWindow, outputsFolder as outputs } from './owedWindow';

describe('outputs that are owed', () => {
  const window = owedWindow();
  const { run, records, isSaved, pictureOf, kill } = window;

  it('have a record and an entry from before the prompt is sent until they are on disk', async () => {
    const id = await run('owed-noted.json', smallPrompt(1, 2000));
    const entry = window.parts.pointers.owedOfJob(id);
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
      (await window.parts.storage.list(pointerFiles.owedPrefix)).filter(({ name }) =>
        name.includes(pointerId(entry)),
      ),
      [],
    );
  });

  it('are not lost with one 401 or 403 while the job runs', async () => {
    for (const kind of ['unauthorized', 'forbidden'] as const) {
      const id = await run(`owed-${kind}.json`, smallPrompt(2, 4000));
      // The socket is gone, and the next request is refused.
      window.server.faults.set('answer', { method: 'GET', path: '*', kind });
      window.server.faults.set('dropSocket', { times: 1 });
      await eventually(
        'it is in trouble',
        () => window.parts.pointers.owedOfJob(id)?.trouble !== undefined,
        40_000,
      );
      window.server.faults.clear();
      const [group] = await new OwedSection(window.parts.pointers).roots();
      assert.equal(group?.item().label, 'Outputs Not Saved');
      const [row] = (await group.children?.()) ?? [];
      assert.ok(row);
      const { label } = row.item();
      assert.equal(label, `owed-${kind}.json`);
      // It also retries by itself a little later.
      if (kind === 'unauthorized') await vscode.commands.executeCommand(commands.saveOwed, row);
      await eventually('saved', () => isSaved(id), 60_000);
      await pictureOf(id);
    }
    assert.equal(window.server.seen.count('POST', '/prompt'), 2, 'nothing is sent again');
  }).timeout(180_000);

  it('are not lost when the session closes while the job runs, as when signing in', async () => {
    const id = await run('owed-signed-in.json', smallPrompt(11, 1500));
    await eventually('it runs', () => window.parts.store.get(id)?.state === 'running');
    await window.parts.servers.sessions.close(new URL(window.server.url).origin);
    await eventually('saved', () => isSaved(id), 60_000);
    await pictureOf(id);
    assert.equal(window.server.seen.count('POST', '/prompt'), 1);
  }).timeout(90_000);

  it('are saved once when requested while being saved', async () => {
    // Long enough for the request to come in the middle.
    window.server.faults.set('slowFile', { chunkBytes: 1_000, pauseMs: 50, times: 1 });
    const id = await run('owed-joined.json', smallPrompt(12));
    await eventually('saving begins', () => window.parts.saved.isSaving(id));
    await vscode.commands.executeCommand(commands.saveOutputs, id);
    await pictureOf(id);
    await eventually('saved', () => isSaved(id));
    assert.equal(window.server.seen.count('GET', '/view'), 1);
  });

  it('stay on the list when it changes while being read', async () => {
    const storage = new Storage(vscode.Uri.file(path.join(outputs(), '..', 'owed-list')), new Secrets());
    const list = new PointerStore(storage, new StorageTrouble(window.parts.log));
    const entry = (id: string): RunPointer => ({
      ...{ server: window.server.url, serverName: 'Owing', isSandbox: false, promptId: id },
      ...{ label: 'listed.json', isOwed: true },
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
    await readWhile(() => list.put({ ...entry('first'), isOwed: false }));
    assert.equal(list.owedOf(pointerId(entry('first'))), undefined, 'it was done meanwhile');
    list.dispose();
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

  it("ask for another folder, not another run, when theirs can't be used", async () => {
    const blocked = path.join(outputs(), '..', 'owed-blocked');
    await fs.writeFile(blocked, 'in the way');
    const problem = await checkDisk(blocked).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(problem instanceof Error && 'nextAction' in problem);
    assert.match(String(problem.nextAction), /then save the outputs again\.$/);
    tellProblem(problem, window.parts.log);
    assert.deepEqual(
      window.answers.texts('showErrorMessage').filter((text) => text.includes('Something went wrong')),
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
    await window.parts.pointers.read();
    await vscode.commands.executeCommand(commands.forgetOwed, pointerId(entry));
    assert.ok(window.parts.pointers.owedOf(pointerId(entry)), 'nothing happens without a yes');
    window.answers.press('Stop Trying');
    await vscode.commands.executeCommand(commands.forgetOwed, pointerId(entry));
    assert.equal(window.parts.pointers.owedOf(pointerId(entry)), undefined);
    assert.equal((await records(id))[0]?.record.state, 'lost');
  });
});
