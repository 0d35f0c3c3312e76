import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, before, beforeEach } from 'mocha';
import * as vscode from 'vscode';
import { readRunRecord, type RunRecord } from '../../src/core/records/runRecord';
import { pointerId, pointerFiles, type RunPointer } from '../../src/core/runLife/runPointers';
import { commands } from '../../src/host/platform/contributions';
import { type FaultySandbox, startFaultySandbox } from '../support/faults/faultySandbox';
import { outputFolder } from './batchFiles';
import {
  answersInTests,
  chooseServer,
  runsTelling,
  windowParts,
  writeFile,
  type WindowParts,
} from './window';

/** The window of a suite about owed outputs: each test has a server of its own, and saves to `outputs`. */
export function owedWindow() {
  let parts: WindowParts;
  const answers = answersInTests();
  let server: FaultySandbox;
  runsTelling('never');
  before(async () => {
    parts = await windowParts();
  });
  beforeEach(async () => {
    server = await startFaultySandbox({ dialect: 'cloud' });
    await chooseServer(parts, 'Owing', server.url);
  });
  afterEach(() => server.close());

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
    for (const name of await fs.readdir(outputFolder()).catch(() => [] as string[])) {
      if (!name.endsWith('.run.json')) continue;
      const record = readRunRecord(await fs.readFile(path.join(outputFolder(), name), 'utf8'));
      if (record?.job === jobId) found.push({ name, record });
    }
    return found;
  };
  const isSaved = (id: string): boolean =>
    parts.known.filesOfJob(id).length > 0 &&
    !parts.known.isSaving(id) &&
    parts.pointers.owedOfJob(id) === undefined;
  const pictureOf = async (id: string): Promise<string> => {
    const [saved, ...more] = parts.known.filesOfJob(id);
    assert.ok(saved);
    assert.deepEqual(more, []);
    assert.ok((await fs.stat(saved.location)).size > 0);
    return saved.location;
  };
  const leave = (pointer: RunPointer): Promise<void> =>
    parts.storage.write(pointerFiles.owed(pointerId(pointer)), pointerFiles.text(pointer));
  /** What a window leaves if it is killed while it saves: the pointer, the record, no picture. */
  const kill = async (id: string, state: RunRecord['state']): Promise<RunPointer> => {
    await fs.rm(await pictureOf(id));
    const [found] = await records(id);
    const job = parts.store.get(id);
    assert.ok(found && job?.origin);
    const left = { ...found.record, state, ...(state === 'sending' && { job: undefined, files: [] }) };
    await fs.writeFile(path.join(outputFolder(), found.name), JSON.stringify(left));
    const pointer: RunPointer = {
      server: server.url,
      serverName: 'Owing',
      isSandbox: false,
      ...(state !== 'sending' && { jobId: id }),
      promptId: found.record.promptId,
      label: job.origin.label,
      sourceUri: job.origin.sourceUri,
      sentAt: Date.parse(found.record.sentAt ?? ''),
      folder: outputFolder(),
      record: found.name,
    };
    // What the run itself wrote is removed a moment after its end.
    while ((await parts.storage.read(pointerFiles.owed(pointerId(pointer)))) !== undefined)
      await setTimeout(25);
    await leave(pointer);
    return pointer;
  };
  return {
    get parts() {
      return parts;
    },
    answers,
    get server() {
      return server;
    },
    run,
    records,
    isSaved,
    pictureOf,
    kill,
    leave,
  };
}
