import assert from 'node:assert/strict';
import { after, before, it, describe } from 'mocha';
import * as vscode from 'vscode';
import { commands, settings } from '../../src/host/platform/contributions';
import type { Services } from '../../src/host/services';
import { Answers, eventually, notify, useSandbox, writeFile } from './window';

describe('a workflow with a node that the server leaves out', () => {
  let parts: Services;
  let answers: Answers;

  before(async () => {
    answers = new Answers();
    parts = await useSandbox();
    await notify('always');
    await vscode.workspace.getConfiguration().update(settings.openPreviewOnRun, false, true);
  });
  after(async () => {
    answers.restore();
    await vscode.workspace.getConfiguration().update(settings.openPreviewOnRun, undefined, true);
    await notify(undefined);
  });

  it('is reported as such at its end', async () => {
    const file = await writeFile('partly.json', {
      '1': { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 71 } },
      '2': { class_type: 'SaveImage', inputs: { filename_prefix: 'whole', images: ['1', 0] } },
      '5': { class_type: 'SaveImage', inputs: { filename_prefix: 'broken' } },
    });
    const id = await vscode.commands.executeCommand<string | undefined>(commands.run, file);
    assert.ok(id, JSON.stringify(answers.shown));
    const told = await eventually('its end is told', () =>
      answers.texts('showWarningMessage').find((text) => text.startsWith('partly.json finished')),
    );
    assert.equal(told, 'partly.json finished, but the server skipped SaveImage (node 5). 1 output saved.');
    assert.deepEqual(parts.store.get(id)?.origin?.leftOut, { outputs: ['5'], nodes: ['5'] });
  });

  it('is reported in complete sentences when it made only text', async () => {
    const file = await writeFile('partly-text.json', {
      '1': { class_type: 'PrimitiveString', inputs: { value: 'golden light' } },
      '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
      '5': { class_type: 'SaveImage', inputs: { filename_prefix: 'broken' } },
    });
    await vscode.commands.executeCommand(commands.run, file);
    const told = await eventually('its end is told', () =>
      answers.texts('showWarningMessage').find((text) => text.startsWith('partly-text.json finished')),
    );
    assert.equal(
      told,
      'partly-text.json finished, but the server skipped SaveImage (node 5). It made no files. Texts: 1.',
    );
  });
});
