import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands, webviewPanels } from '../../src/host/platform/contributions';
import { eventually, windowParts, writeFile } from './window';

const isPreview = ({ input }: vscode.Tab): boolean =>
  input instanceof vscode.TabInputWebview && input.viewType.endsWith(webviewPanels.preview);

function previewGroup(): vscode.TabGroup | undefined {
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(isPreview));
}

async function closeAll(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await eventually('all is closed', () => vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0));
}

const focusGroup = [
  'workbench.action.focusFirstEditorGroup',
  'workbench.action.focusSecondEditorGroup',
  'workbench.action.focusThirdEditorGroup',
];

describe('the editor group of the preview', () => {
  let files: vscode.Uri[] = [];
  beforeEach(async () => {
    await windowParts();
    await closeAll();
    files = await Promise.all([1, 2, 3].map((number) => writeFile(`group-${number}.json`, { number })));
  });
  afterEach(closeAll);

  const openFile = async (index: number, viewColumn?: vscode.ViewColumn): Promise<void> => {
    const uri = files[index];
    assert.ok(uri);
    await vscode.commands.executeCommand('vscode.open', uri, viewColumn);
  };
  /** Opens the preview, then a file while the preview has the focus, as a click in the Explorer does. */
  const opensWithoutCover = async (): Promise<void> => {
    await vscode.commands.executeCommand(commands.openPreview);
    const group = await eventually('the preview opens', previewGroup);
    assert.deepEqual(group.tabs.map(isPreview), [true], 'other editors stand in its group');
    const focus = focusGroup[group.viewColumn - 1];
    assert.ok(focus, `the preview is in column ${group.viewColumn}`);
    await vscode.commands.executeCommand(focus);
    await eventually('its group is active', () => previewGroup()?.isActive);
    await openFile(2);
    await eventually('the file opens', () =>
      vscode.window.tabGroups.all.some(({ activeTab }) => activeTab?.label === 'group-3.json'),
    );
    assert.deepEqual(previewGroup()?.tabs.map(isPreview), [true], 'a file was opened in its group');
    assert.ok(previewGroup()?.activeTab && previewGroup()?.tabs[0]?.isActive, 'it is covered');
  };

  it('is never used for the next file that opens, even when nothing else is open', async () => {
    await openFile(0);
    await opensWithoutCover();
    await closeAll();
    await opensWithoutCover();
  });
});
