import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal } from '../../src/core/jobs/job';
import { readRunRecord } from '../../src/core/records/runRecord';
import { OwedSection } from '../../src/host/jobs/owedSection';
import { commands } from '../../src/host/platform/contributions';
import { pointerId, pointerFiles } from '../../src/core/runLife/runPointers';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { frontServer } from '../support/frontServer';
import type { Loopback } from '../support/loopback';
import { outputFolder, slowPicture } from './batchFiles';
import {
  answersInTests,
  chooseServer,
  eventually,
  runsTelling,
  windowParts,
  writeFile,
  type WindowParts,
} from './window';

const question = "Run even though the outputs can't be found afterward?";

describe('a server with the documented requests only', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  let sandbox: Sandbox;
  let server: Loopback;

  runsTelling('never');
  before(async () => {
    parts = await windowParts();
  });
  beforeEach(async () => {
    sandbox = await startSandbox({ dialect: 'documented' });
    server = await frontServer(sandbox.url);
    await chooseServer(parts, 'Strict', server.url);
  });
  afterEach(async () => {
    // Without its server, it would be owed in the tests of other files.
    await eventually(
      'nothing of it is owed',
      () => !parts.pointers.owed().some((owed) => owed.server === server.url),
    );
    await server.close();
    await sandbox.close();
    for (const { id, state } of parts.store.jobs()) if (!isTerminal(state)) parts.store.remove(id);
  });

  const run = async (name: string, workflow: unknown): Promise<string | undefined> =>
    vscode.commands.executeCommand<string | undefined>(commands.run, await writeFile(name, workflow));
  const sent = (): number => sandbox.seen.accepted.length;
  const asked = (): number => answers.texts('showWarningMessage').filter((text) => text === question).length;

  it('asks before a run whose outputs could not be found, which then has a row until it is dismissed', async () => {
    assert.equal(await run('deaf.json', slowPicture(1)), undefined, 'sent without a yes');
    assert.deepEqual([asked(), sent()], [1, 0]);
    answers.press('Run Anyway');
    const id = await run('deaf.json', slowPicture(1));
    assert.ok(id, JSON.stringify(answers.shown));
    const entry = await eventually('it is shown', () =>
      parts.pointers.owed().find(({ jobId, outputsUnknown }) => jobId === id && outputsUnknown),
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
    assert.equal(kept.outputsUnknown, true);
    server.arrivals.length = 0;
    await parts.retry.retryAll();
    const paths = server.arrivals.map(({ path: asked }) => asked).join();
    assert.doesNotMatch(paths, /view|jobs|history/);
    // Dismissing it needs no question.
    const shown = answers.shown.length;
    await vscode.commands.executeCommand(commands.dismissOwed, pointerId(entry));
    assert.equal(parts.pointers.owedOf(pointerId(entry)), undefined);
    assert.equal(answers.shown.length, shown);
    assert.equal(await fs.readFile(path.join(outputFolder(), entry.record), 'utf8'), read);
  });
});
