import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { galleryRows } from '../../src/core/gallery/galleryFilter';
import { JobStore } from '../../src/core/jobs/jobStore';
import { NodeFolder } from '../../src/core/outputs/nodeFolder';
import { readRunRecord } from '../../src/core/records/runRecord';
import { RunIndex } from '../../src/core/runLife/runIndex';
import { RunStore } from '../../src/core/runLife/runStore';
import { placedOutput } from '../../src/host/gallery/ratings';
import { commands } from '../../src/host/platform/contributions';
import { promptOf, writeSavedRun } from '../support/galleryOutputs';
import { sandboxUnasked, workspacePath } from '../support/quietSandbox';
import { answersInTests, writeFile } from './window';

const seed = '18446744073709551615';

describe('the gallery', () => {
  const answers = answersInTests();
  let folder: string;

  before(async () => {
    await sandboxUnasked();
    folder = path.join(workspacePath(), 'gallery-runs');
    writeSavedRun(folder, {
      label: 'gallery-portrait.json',
      sentAt: new Date(2026, 4, 1, 9, 0, 0).getTime(),
      seed,
      text: 'a red fox',
      endings: ['png'],
    });
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const record = (): vscode.Uri => {
    const name = readdirSync(folder).find((each) => each.endsWith('.run.json'));
    assert.ok(name);
    return vscode.Uri.file(path.join(folder, name));
  };

  it('puts a seed into the workflow of its run, every digit, and that can be undone', async () => {
    const file = await writeFile('gallery-portrait.json', promptOf({ seed: '1', text: 'a car' }));
    const before = (await vscode.workspace.openTextDocument(file)).getText();
    await vscode.commands.executeCommand(commands.useSeed, record());
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.toString(), file.toString());
    assert.equal(document.getText(), before.replace('"seed": 1,', `"seed": ${seed},`));
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), before);
    // Else VS Code may do so a second later, over what the next test writes.
    await document.save();
  });

  it('deletes an output after asking, and its record says so', async () => {
    const { actOnOutputs } = await import('../../src/host/gallery/galleryActions');
    const { recordPageContent } = await import('../../src/host/records/recordPage');
    const own = path.join(workspacePath(), 'gallery-deleted');
    const name = writeSavedRun(own, {
      label: 'gallery-deleted.json',
      sentAt: new Date(2026, 4, 2, 9, 0, 0).getTime(),
      seed,
      text: 'a red fox',
      endings: ['png'],
    });
    const uri = vscode.Uri.file(path.join(own, name));
    const before = readFileSync(uri.fsPath, 'utf8');
    const known = readRunRecord(before);
    assert.ok(known);
    const runs = new RunStore(new JobStore());
    const index = new RunIndex(runs);
    index.add(own, new NodeFolder(own));
    await index.read(1, 1).next();
    const outputs = galleryRows(runs.runs).map(placedOutput);
    assert.equal(await actOnOutputs('delete', outputs), false);
    assert.equal(readdirSync(own).length, 2);
    assert.equal(answers.texts('showWarningMessage').length, 1);
    answers.press('Delete');
    assert.equal(await actOnOutputs('delete', outputs), true);
    assert.deepEqual(readdirSync(own), [name]);
    assert.equal(readFileSync(uri.fsPath, 'utf8'), before);
    const { view } = await recordPageContent(known, vscode.Uri.file(own), String);
    assert.deepEqual(
      view.files.map(({ missing, source }) => ({ isMissing: missing !== undefined, source })),
      [{ isMissing: true, source: undefined }],
    );
  });
});
