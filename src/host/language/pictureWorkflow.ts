import * as vscode from 'vscode';
import { indented } from '../../core/json/indentedText';
import type { EmbeddedWorkflows } from '../../core/workflow/pictures/embedded';
import { pictureEndings, workflowsInPicture } from '../../core/workflow/pictures/workflowsInPicture';
import { workflowsInLocalFile } from '../../core/runs/embeddedFile';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { openText } from '../platform/openFile';
import { UserProblem } from '../platform/problems';
import { unreadable, uriName } from '../platform/workflowSource';
import { pickOne } from '../platform/show';

export async function argumentPicture(argument: unknown): Promise<vscode.Uri | undefined> {
  if (argument instanceof vscode.Uri) return argument;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputCustom) return input.uri;
  const chosen = await vscode.window.showOpenDialog({
    title: t`Open Workflow from Image`,
    openLabel: t`Open Workflow`,
    filters: { [t`Images, audio, video, and models`]: pictureEndings },
  });
  return chosen?.[0];
}

/** Opens the workflow of a picture, sound, video or model as a new JSON document. */
export async function openEmbeddedWorkflow(uri: vscode.Uri): Promise<void> {
  const name = uriName(uri);
  const text = await choose(name, await workflowsAt(uri, name));
  if (text !== undefined) await openText(text);
}

export async function readEmbeddedWorkflow(uri: vscode.Uri): Promise<string> {
  const name = uriName(uri);
  const { workflow, prompt } = await workflowsAt(uri, name);
  const text = workflow ?? prompt;
  if (text === undefined) throw withoutWorkflow(name);
  return `${indented(text)}\n`;
}

async function workflowsAt(uri: vscode.Uri, name: string): Promise<EmbeddedWorkflows> {
  try {
    if (uri.scheme === 'file') return await workflowsInLocalFile(uri.fsPath);
    return workflowsInPicture(await vscode.workspace.fs.readFile(uri), name);
  } catch (error) {
    throw unreadable(name, error);
  }
}

function withoutWorkflow(name: string): UserProblem {
  return new UserProblem(
    shown`${name} contains no workflow.`,
    shown`Choose a file saved by ComfyUI: other programs often strip its metadata.`,
  );
}

async function choose(name: string, { workflow, prompt }: EmbeddedWorkflows): Promise<string | undefined> {
  if (workflow === undefined && prompt === undefined) throw withoutWorkflow(name);
  const picks = [
    ...(workflow === undefined
      ? []
      : [
          {
            label: shown`Graph`,
            detail: shown`As shown in the ComfyUI editor, with its layout.`,
            text: workflow,
          },
        ]),
    ...(prompt === undefined
      ? []
      : [{ label: shown`Prompt`, detail: shown`What the server ran, in the API format.`, text: prompt }]),
  ];
  const [only] = picks;
  const picked =
    picks.length === 1
      ? only
      : await pickOne(picks, {
          title: shown`Workflow of ${name}`,
          placeHolder: shown`The file contains both formats. Which one do you want to open?`,
        });
  return picked && `${indented(picked.text)}\n`;
}
