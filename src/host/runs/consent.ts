import * as vscode from 'vscode';
import type { PreparedPartnerNode } from '../../core/runs/preparedRun';
import type { UploadQuestion } from '../../core/runs/runWorkflow';

/** Most names that a question spells out. */
const namesShown = 8;

/** The questions that a run asks before something leaves the machine or costs; answers are kept per workspace. */
export class Consent {
  readonly #memory: vscode.Memento;

  constructor(workspaceState: vscode.Memento) {
    this.#memory = workspaceState;
  }

  /** Asked once per workspace and server. */
  async upload(files: readonly UploadQuestion[], serverName: string, origin: string): Promise<boolean> {
    const key = `uploads:${origin}`;
    if (this.#memory.get(key) === true) return true;
    const names = listed(files.map(({ description, size }) => `${description} (${readableSize(size)})`));
    const answer = await vscode.window.showWarningMessage(
      `Upload ${count(files.length, 'file')} of this workspace to ${serverName}?`,
      {
        modal: true,
        detail: `The workflow uses:\n${names}\n\nThey are sent to ${origin}. Later runs in this workspace upload the files they use without asking.`,
      },
      'Upload and Run',
    );
    if (answer !== 'Upload and Run') return false;
    await this.#memory.update(key, true);
    return true;
  }

  /** Asked before each run: every one of them costs. */
  async spend(nodes: readonly PreparedPartnerNode[]): Promise<boolean> {
    const names = listed(
      nodes.map(({ title, classType }) => (title === classType ? title : `${title} (${classType})`)),
    );
    const answer = await vscode.window.showWarningMessage(
      `Run ${count(nodes.length, 'node')} of paid services?`,
      { modal: true, detail: `These nodes spend credits of your account on each run:\n${names}` },
      'Run and Spend',
    );
    return answer === 'Run and Spend';
  }

  /** Asked once per workspace; a no is remembered too. */
  async runOnSave(): Promise<boolean> {
    const known = this.#memory.get<boolean>(runOnSaveKey);
    if (known !== undefined) return known;
    const answer = await vscode.window.showWarningMessage(
      'Run workflow files of this workspace each time they are saved? On a paid server each run costs.',
      'Run on Save',
      'Not in This Workspace',
    );
    if (answer === undefined) return false;
    await this.#memory.update(runOnSaveKey, answer === 'Run on Save');
    return answer === 'Run on Save';
  }

  /** The setting was changed: what was answered before no longer counts. */
  async forgetRunOnSave(): Promise<void> {
    await this.#memory.update(runOnSaveKey, undefined);
  }
}

const runOnSaveKey = 'runOnSave';

function listed(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).map((name) => `• ${name}`);
  const rest = names.length - shown.length;
  return [...shown, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function readableSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const kilobytes = bytes / 1000;
  return kilobytes < 1000 ? `${kilobytes.toFixed(0)} KB` : `${(kilobytes / 1000).toFixed(1)} MB`;
}
