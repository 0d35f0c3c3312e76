import * as vscode from 'vscode';
import { shown } from '../../core/safety/shownText';
import { activeDocument } from '../platform/activeDocument';
import { settings } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { requireTrust } from './requireTrust';
import { onSettingChange, readSetting } from '../platform/settings';
import { showWarning } from '../platform/show';

const answerKey = 'runOnSave.answer';

/** An answer counts as long as the setting stays the same. */
interface Answer {
  readonly runs: boolean;
  readonly setting: string;
}

/** Whether files of this workspace run when saved: the setting and the user's answer. */
export class RunOnSaveSwitch implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  #isAsking = false;

  constructor(private readonly workspaceState: vscode.Memento) {
    this.#subscription = onSettingChange([settings.runOnSave], () => this.#changed.fire());
  }

  isSet(uri?: vscode.Uri): boolean {
    return readSetting(settings.runOnSave, uri) === true;
  }

  /** `unanswered`: it is set, but the user has not confirmed it here yet. */
  get state(): 'off' | 'unanswered' | 'on' {
    if (!this.isSet(activeDocument()?.uri)) return 'off';
    const answer = this.#answer();
    if (answer === undefined) return 'unanswered';
    return answer ? 'on' : 'off';
  }

  /** Undefined also while another question is open: its answer must not run everything that was saved before it. */
  async isWanted(): Promise<boolean | undefined> {
    const known = this.#answer();
    if (known !== undefined || this.#isAsking) return known;
    this.#isAsking = true;
    return this.#ask().finally(() => (this.#isAsking = false));
  }

  async turnOn(): Promise<void> {
    requireTrust();
    if (!vscode.workspace.workspaceFolders?.length) {
      throw new UserProblem(
        shown`Run on save is turned on per workspace, and no folder is open.`,
        shown`Open a folder, then turn it on.`,
      );
    }
    await this.#set(true);
    await this.#remember(true);
    this.#changed.fire();
  }

  async turnOff(): Promise<void> {
    // If the user settings don't turn it on, the workspace doesn't need to turn it off.
    await this.#set(inspected()?.globalValue === true ? false : undefined);
    await this.#remember(false);
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #ask(): Promise<boolean | undefined> {
    const answer = await showWarning(
      shown`Run the workflow files in this workspace whenever you save them? On a paid server, each run costs credits.`,
      { label: shown`Run on Save`, runs: true },
      { label: shown`Not in This Workspace`, runs: false },
    );
    if (answer) await this.#remember(answer.runs);
    this.#changed.fire();
    return answer?.runs;
  }

  async #set(value: boolean | undefined): Promise<void> {
    if (!vscode.workspace.workspaceFolders?.length) return;
    await vscode.workspace
      .getConfiguration()
      .update(settings.runOnSave, value, vscode.ConfigurationTarget.Workspace);
  }

  async #remember(runs: boolean): Promise<void> {
    const answer: Answer = { runs, setting: settingNow() };
    await this.workspaceState.update(answerKey, answer);
  }

  #answer(): boolean | undefined {
    const answer = this.workspaceState.get<Partial<Answer>>(answerKey);
    return answer?.setting === settingNow() ? answer.runs : undefined;
  }
}

function inspected() {
  return vscode.workspace.getConfiguration().inspect(settings.runOnSave);
}

/** The place where the setting is turned on or off. When that changes, the question is asked again. */
function settingNow(): string {
  const set = inspected();
  return JSON.stringify([set?.globalValue ?? null, set?.workspaceValue ?? null]);
}
