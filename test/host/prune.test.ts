import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../src/host/platform/contributions';
import { writeSavedRun } from '../support/galleryOutputs';
import { sandboxUnasked, workspacePath } from '../support/quietSandbox';
import { answersInTests } from './window';

describe('pruning runs', () => {
  const answers = answersInTests();
  let folder: string;
  /** What the question said, and its details. */
  let asked: { readonly message: string; readonly detail: string }[];

  before(async () => {
    await sandboxUnasked();
    folder = path.join(workspacePath(), 'outputs');
  });
  beforeEach(() => {
    asked = [];
  });

  const old = (label: string, day: number, more = {}): string =>
    writeSavedRun(folder, {
      label,
      sentAt: new Date(2020, 0, day, 9).getTime(),
      seed: String(day),
      text: label,
      endings: ['png'],
      more,
    });

  const there = (label: string): readonly string[] =>
    readdirSync(folder).filter((name) => name.startsWith(label.replace('.json', '')));

  const prune = async (agree: boolean): Promise<void> => {
    answers.pick('Older Than');
    answers.answer('showInputBox', () => '1000');
    answers.answer('showWarningMessage', (message, options, ...buttons) => {
      asked.push({ message: String(message), detail: (options as vscode.MessageOptions).detail ?? '' });
      // This window may have no trash.
      return agree ? buttons.find((button) => /Trash|Permanently/.test(String(button))) : undefined;
    });
    await vscode.commands.executeCommand(commands.pruneRuns);
  };

  it('says what goes and leaves everything when the answer is no', async () => {
    old('prunable.json', 1);
    old('prunable.json', 3);
    await prune(false);
    assert.deepEqual(
      asked.map(({ message }) => message),
      ['Move 2 runs to the trash?'],
    );
    assert.match(asked[0]?.detail ?? '', /records and 2 files, /);
    assert.match(asked[0]?.detail ?? '', /Jan 1, 2020.*Jan 3, 2020/);
    assert.equal(there('prunable.json').length, 4);
  });

  it('takes old runs with their outputs, and leaves what is owed or was changed', async () => {
    old('prunable.json', 1);
    old('prunable.json', 3);
    old('outdated-owed.json', 5, { state: 'incomplete' });
    old('outdated-changed.json', 6);
    const picture = there('outdated-changed.json').find((name) => name.endsWith('.png'));
    assert.ok(picture);
    writeFileSync(path.join(folder, picture), 'retouched');
    const shared = old('outdated-sharing.json', 7);
    const [own = ''] = there('outdated-sharing.json').filter((name) => name.endsWith('.png'));
    // What a record of a newer version mentions stays.
    writeFileSync(path.join(folder, 'newer.run.json'), JSON.stringify({ format: 99, files: [own] }));
    await prune(true);
    assert.equal(asked[0]?.message, 'Move 3 runs to the trash?', JSON.stringify(answers.shown));
    assert.match(asked[0].detail, /Also kept, because their files have changed: 1 run\./);
    assert.deepEqual(there('prunable.json'), []);
    assert.equal(there('outdated-owed.json').length, 2);
    assert.equal(there('outdated-changed.json').length, 2);
    assert.equal(existsSync(path.join(folder, own)), true);
    assert.equal(existsSync(path.join(folder, shared)), false);
    assert.deepEqual(answers.texts('showInformationMessage'), ['3 runs pruned.']);
    await vscode.workspace.fs.delete(vscode.Uri.file(path.join(folder, 'newer.run.json')));
  });
});
