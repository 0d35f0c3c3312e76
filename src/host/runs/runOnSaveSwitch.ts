import * as vscode from 'vscode';
import { t } from '../../core/safety/localize';
import { type Shown, shown } from '../../core/safety/shownText';
import { activeDocument } from '../platform/activeDocument';
import { settings } from '../platform/contributions';
import { UserProblem } from '../platform/problems';
import { requireTrust } from '../platform/requireTrust';
import { onSettingChange, readSetting } from '../platform/settings';
import { showWarning } from '../platform/show';

const answerKey = 'runOnSave.answer';

/** Whether files of this workspace run when saved: the setting and the user's answer. */
export class RunOnSaveSwitch implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription = onSettingChange([settings.runOnSave], () => this.#changed.fire());
  #isAsking = false;

  constructor(private readonly workspaceState: vscode.Memento) {}

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
    const answer = await showWarning(
      shown`Run the workflow files in this workspace whenever you save them? On a paid server, each run costs credits.`,
      { label: shown`Run on Save`, runs: true },
      { label: shown`Not in This Workspace`, runs: false },
    );
    this.#isAsking = false;
    if (answer) await this.#remember(answer.runs);
    return answer?.runs;
  }

  async turnOn(): Promise<void> {
    requireTrust();
    if (!vscode.workspace.workspaceFolders?.length) {
      throw new UserProblem(
        shown`Run on save is turned on per workspace, and no folder is open.`,
        shown`Open a folder, then turn it on.`,
      );
    }
    await this.#set(true, true);
  }

  async turnOff(): Promise<void> {
    // If the user settings don't turn it on, the workspace doesn't need to turn it off.
    await this.#set(inspected()?.globalValue === true ? false : undefined, false);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #set(value: boolean | undefined, runs: boolean): Promise<void> {
    if (vscode.workspace.workspaceFolders?.length)
      await vscode.workspace
        .getConfiguration()
        .update(settings.runOnSave, value, vscode.ConfigurationTarget.Workspace);
    await this.#remember(runs);
  }

  async #remember(runs: boolean): Promise<void> {
    await this.workspaceState.update(answerKey, { runs, setting: settingNow() });
    this.#changed.fire();
  }

  /** It counts as long as the setting stays the same. */
  #answer(): boolean | undefined {
    const answer = this.workspaceState.get<{ readonly runs?: boolean; readonly setting?: string }>(answerKey);
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

/** What becomes of the last save of a file. */
export interface SaveWords {
  /** For the status bar; empty if there is nothing to show. */
  readonly short: Shown;
  readonly long: Shown;
  readonly warning: boolean;
}

export function quietSave(short: Shown, long: Shown): SaveWords {
  return { short, long, warning: false };
}

/**
 * @param isConfirmed whether the user agreed to it in this workspace
 * @param last of the active file; undefined when it was not saved in this window
 */
export function presentRunOnSave(
  isConfirmed: boolean,
  last: SaveWords = quietSave(
    shown``,
    isConfirmed ? shown`Workflow files run when you save them.` : shown`Save a workflow file to be asked.`,
  ),
) {
  const { short, long } = last;
  const state = isConfirmed
    ? shown`**Run on save** is on in this workspace.`
    : shown`**Run on save** is set for this workspace, but you haven't confirmed it.`;
  const name = shown`$(save) ${t`Run on Save`}`;
  return {
    text: short.isEmpty ? name : shown`${name}: ${short}`,
    spoken: shown`Run on save. ${long} Click to turn it off.`,
    tooltip: shown`${state}\n\n${long}\n\nClick to turn it off.`,
  };
}
