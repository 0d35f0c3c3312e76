import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../src/core/jobs/job';
import { commands } from '../../src/host/platform/contributions';
import { type FaultySandbox, startFaultySandbox } from '../support/faults/faultySandbox';
import { smallPrompt } from '../support/promptFile';
import { outputFolder } from './batchFiles';
import {
  answersInTests,
  chooseServer,
  eventually,
  replaceMember,
  runsTelling,
  windowParts,
  writeFile,
  type WindowParts,
} from './window';

/** Makes every write below a folder fail as on a full disk, until the result is called. */
function fillDisk(folder: string): () => void {
  const { open } = fs;
  const full: typeof open = async (file, flags, mode) => {
    const handle = await open(file, flags, mode);
    if (!String(file).startsWith(folder + path.sep)) return handle;
    const refuse = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    return Object.assign(handle, { write: refuse });
  };
  return replaceMember(fs, 'open', full);
}

describe('errors end in one sentence with a next step, and nothing is lost:', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  let server: FaultySandbox;

  const choose = (name: string, url: string): Promise<void> => chooseServer(parts, name, url);
  const run = async (name: string, workflow: unknown = smallPrompt()): Promise<string | undefined> =>
    vscode.commands.executeCommand<string | undefined>(commands.run, await writeFile(name, workflow));
  const ended = (id: string): Promise<Job> =>
    eventually('the job ends', () => {
      const job = parts.store.get(id);
      return job && isTerminal(job.state) ? job : undefined;
    });
  /** The only message shown. */
  const said = async (): Promise<string> => {
    const [first] = await eventually('something is said', () =>
      answers.shown.length > 0 ? answers.shown : undefined,
    );
    assert.ok(first);
    assert.equal(answers.shown.length, 1, JSON.stringify(answers.shown));
    return first.text;
  };

  runsTelling('always');
  before(async () => {
    parts = await windowParts();
  });
  beforeEach(async () => {
    server = await startFaultySandbox({ dialect: 'cloud' });
    await choose('Trouble', server.url);
  });
  afterEach(() => server.close());

  it('a run refused for lack of credits offers the account page', async () => {
    server.faults.set('answer', { method: 'POST', path: '/prompt', kind: 'noCredits' });
    const offered: unknown[] = [];
    answers.answer('showErrorMessage', (_message, ...buttons) => {
      offered.push(...buttons);
      return undefined;
    });
    assert.equal(await run('refused-run.json'), undefined);
    assert.match(await said(), /Insufficient credits.*\. Add credits to your Comfy account/);
    assert.equal(server.seen.count('POST', '/prompt'), 1);
    assert.deepEqual(offered, ['Open Account Page', 'Show Log']);
  });

  it('a file that is not UTF-8, in an editor or not: nothing is sent', async () => {
    const uri = await writeFile('latin.json', '');
    const text = JSON.stringify(smallPrompt()).replace('a lighthouse', 'ein schöner Löwe');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text, 'latin1'));
    for (const isOpen of [false, true]) {
      answers.shown.length = 0;
      if (isOpen) await vscode.window.showTextDocument(uri);
      assert.equal(await vscode.commands.executeCommand(commands.run, uri), undefined);
      assert.match(await said(), /latin\.json is not encoded in UTF-8, but probably in Latin-1/);
    }
  });

  it('a run cancelled from here says nothing more', async () => {
    const id = await run('given-up.json', smallPrompt(8, 2000));
    assert.ok(id);
    await eventually('it runs', () => parts.store.get(id)?.state === 'running');
    await vscode.commands.executeCommand(commands.cancelJobs, id);
    await ended(id);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    assert.deepEqual(answers.shown, []);
  });

  it('a full disk: no partial file is left, and the outputs are saved once there is space', async () => {
    const folder = outputFolder();
    const before = new Set(await fs.readdir(folder).catch(() => []));
    const id = await run('full.json', smallPrompt(9, 20));
    assert.ok(id);
    const makeRoom = fillDisk(folder);
    try {
      await ended(id);
      assert.match(await said(), /disk is full.*\. .*\.$/i);
    } finally {
      makeRoom();
    }
    const left = (await fs.readdir(folder).catch(() => [])).filter((name) => !before.has(name));
    assert.deepEqual(
      left.filter((name) => !/\.(run\.json|lock|stamp)$/.test(name)),
      [],
      'only the record is there',
    );
    await vscode.commands.executeCommand(commands.saveOutputs, id);
    const [saved] = parts.known.filesOfJob(id);
    assert.ok(saved, JSON.stringify(answers.shown));
    assert.ok((await vscode.workspace.fs.stat(vscode.Uri.file(saved.location))).size > 0);
  });
});
