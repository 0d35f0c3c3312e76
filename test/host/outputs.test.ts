import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Job } from '../../src/core/jobs/job';
import { commands, settings } from '../../src/host/platform/contributions';
import { openFile } from '../../src/host/platform/openFile';
import { smallPrompt } from '../support/promptFile';
import { sandboxUnasked } from '../support/quietSandbox';
import { answersInTests, eventually, jobItemsOf, writeFile, type WindowParts } from './window';

const shownInput = (): unknown => vscode.window.tabGroups.activeTabGroup.activeTab?.input;

async function opened(name: string, content: string): Promise<unknown> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(folder);
  const file = vscode.Uri.joinPath(folder, name);
  await vscode.workspace.fs.writeFile(file, Buffer.from(content));
  await openFile(file);
  return eventually(`${name} is open`, () => {
    const input = shownInput();
    const uri =
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
    return uri?.path.endsWith(`/${name}`) === true ? input : undefined;
  });
}

/** The inputs of a second node that saves the same picture. */
function secondSave(prompt: ReturnType<typeof smallPrompt>): object {
  const [saver] = Object.values(prompt).filter(({ class_type }) => class_type === 'SaveImage');
  assert.ok(saver);
  return { ...saver.inputs, filename_prefix: 'second' };
}

describe('outputs in a window:', () => {
  let parts: WindowParts;

  answersInTests();
  before(async () => {
    parts = await sandboxUnasked();
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  describe('an output that is opened', () => {
    it('is shown as text if it can contain a program', async () => {
      const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
      assert.ok((await opened('drawing.svg', drawing)) instanceof vscode.TabInputText);
      assert.ok((await opened('page.HTML', '<script>alert(1)</script>')) instanceof vscode.TabInputText);
      assert.ok((await opened('notes.ipynb', '{"cells":[]}')) instanceof vscode.TabInputText);
      assert.ok((await opened('tool.exe.txt', 'MZ')) instanceof vscode.TabInputText);
    });

    it('opens from the Jobs view through our own command', async () => {
      const id = await vscode.commands.executeCommand<string>(
        commands.run,
        await writeFile('opened.json', smallPrompt(3)),
      );
      await eventually('the outputs are saved', () => parts.known.filesOfJob(id).length > 0);
      const items = jobItemsOf(parts);
      const rows = await items.find(id)?.children?.();
      const row = rows?.find(({ kind }) => kind === 'output');
      assert.ok(row);
      const { command } = row.item();
      assert.equal(command?.command, commands.openOutputs);
      await vscode.commands.executeCommand(command.command, ...(command.arguments as unknown[]));
      await eventually('the picture is open', () => {
        const input = shownInput();
        return input instanceof vscode.TabInputCustom && input.uri.path.endsWith('.png');
      });
    });
  });

  describe('a run in the Jobs view', () => {
    let id: string;

    before(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const two = {
        ...smallPrompt(5),
        '20': { class_type: 'SaveImage', inputs: secondSave(smallPrompt(5)) },
      };
      id = await vscode.commands.executeCommand<string>(commands.run, await writeFile('two.json', two));
      await eventually('the outputs are saved', () => parts.known.filesOfJob(id).length > 1);
    });

    it('opens its page by one click, in one preview tab, however many outputs it has', async () => {
      const command = jobItemsOf(parts).find(id)?.item().command;
      assert.ok(command);
      await vscode.commands.executeCommand(command.command, ...(command.arguments as unknown[]));
      await eventually('the page is open', () => {
        const input = shownInput();
        return input instanceof vscode.TabInputCustom && input.uri.path.endsWith('.run.json');
      });
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      assert.ok(activeTab?.isPreview);
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      assert.equal(tabs.filter(({ label }) => label === activeTab.label).length, 1);
    });

    it('opens its workflow, and its page to run with other values', async () => {
      const row = jobItemsOf(parts).find(id);
      await vscode.commands.executeCommand(commands.openJobWorkflow, row);
      await eventually('the workflow is open', () => {
        const input = shownInput();
        return input instanceof vscode.TabInputText && input.uri.path.endsWith('/two.json');
      });
      await vscode.commands.executeCommand(commands.runJobWith, row);
      await eventually('the page is open', () => shownInput() instanceof vscode.TabInputCustom);
    });
  });

  describe('what a preview node makes', () => {
    after(() => setting(undefined));

    const setting = (value: boolean | undefined): Thenable<void> =>
      vscode.workspace
        .getConfiguration()
        .update(settings.saveTemporaryOutputs, value, vscode.ConfigurationTarget.Workspace);
    const run = async (name: string): Promise<Job> => {
      const preview = { class_type: 'PreviewImage', inputs: { images: ['6', 0] } };
      const file = await writeFile(name, { ...smallPrompt(11), 8: preview });
      const id = await vscode.commands.executeCommand<string>(commands.run, file);
      await eventually(
        'outputs are saved',
        () => parts.known.filesOfJob(id).length > 0 && !parts.known.isSaving(id),
      );
      const job = parts.store.get(id);
      assert.ok(job);
      return job;
    };

    it('is shown but not saved if the file saves something else', async () => {
      const job = await run('previews.json');
      const file = job.outputs.find(({ area }) => area === 'temp');
      assert.ok(file);
      const uri = await eventually('it is fetched', () => parts.temporary.find(job.id, file));
      assert.equal(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('latin1', 1, 4), 'PNG');
      assert.equal(parts.known.filesOfJob(job.id).length, 1);
      const items = jobItemsOf(parts);
      const row = items.find(job.id);
      assert.ok(row);
      assert.match(String(row.item().description), /1 output, 1 temporary$/);
      const rows = ((await row.children?.()) ?? []).filter(({ kind }) => kind === 'output');
      assert.deepEqual(
        rows.map((each) => each.item().description),
        ['', 'temporary, not saved'],
      );
    });

    it('is saved with the others if the setting says so', async () => {
      await setting(true);
      const job = await run('previews-too.json');
      assert.equal(parts.known.filesOfJob(job.id).length, 2);
    });
  });
});
