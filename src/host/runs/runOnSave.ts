import * as vscode from 'vscode';
import { activeDocument, onDidChangeActiveDocument } from '../platform/activeDocument';
import { commands, contextKeys } from '../platform/contributions';
import { registerCommand } from '../platform/commandRegistry';
import { setContext } from '../platform/contextKeys';
import type { Feature } from '../platform/feature';
import type { Platform } from '../platform/platform';
import { markdownWithCommands, setStatusWords } from '../platform/showItems';
import { presentRunOnSave, RunOnSaveSwitch, type SaveWords } from './runOnSaveSwitch';
import type { RunOnSaveRuns } from './runOnSaveRuns';
import type { Runs } from './runs';
import { isWorkflowDocument } from '../platform/workflowSource';
import { t } from '../../core/safety/localize';

/** Runs a workflow file when the user saves it. Auto saves don't count. */
export class RunOnSave implements Feature {
  readonly #byHand = new SavedByHand();
  readonly #words = new Map<string, SaveWords>();

  constructor(
    private readonly platform: Platform,
    private readonly runs: Runs,
  ) {}

  register(context: vscode.ExtensionContext): void {
    const { log, onError } = this.platform;
    const onSave = new RunOnSaveSwitch(context.workspaceState);
    const item = vscode.window.createStatusBarItem('runOnSave', vscode.StatusBarAlignment.Left, 9);
    item.name = t`Run on Save`;
    const show = (): void => this.#show(item, onSave);
    let work: Promise<RunOnSaveRuns> | undefined;
    const saveRuns = async (): Promise<RunOnSaveRuns> => {
      const { RunOnSaveRuns } = await import('./runOnSaveRuns');
      const onWords = (file: string, words: SaveWords): void => {
        this.#words.set(file, words);
        show();
      };
      return this.platform.own(new RunOnSaveRuns(this.platform, this.runs, onSave, onWords));
    };
    context.subscriptions.push(
      onSave,
      item,
      onSave.onDidChange(() => {
        this.#words.clear();
        show();
      }),
      onDidChangeActiveDocument(show),
      vscode.workspace.onDidGrantWorkspaceTrust(show),
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        this.#byHand.begins(document.uri.toString(), reason === vscode.TextDocumentSaveReason.Manual);
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        const byHand = this.#byHand.ends(document.uri.toString());
        if (!byHand || !onSave.isSet(document.uri) || !isWorkflowDocument(document)) return;
        work ??= saveRuns();
        const text = document.getText();
        work.then((ready) => ready.saved(document.uri, text)).catch(onError);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#words.delete(uri.toString())),
      registerCommand(log, commands.turnOnRunOnSave, () => onSave.turnOn()),
      registerCommand(log, commands.turnOffRunOnSave, () => onSave.turnOff()),
    );
    // This must not delay activation, since reading settings takes time.
    const first = setTimeout(show, 0);
    context.subscriptions.push({ dispose: () => clearTimeout(first) });
  }

  #show(item: vscode.StatusBarItem, onSave: RunOnSaveSwitch): void {
    const { state } = onSave;
    setContext(contextKeys.runOnSave, state === 'on' ? 'on' : 'off');
    if (state === 'off') {
      item.hide();
      return;
    }
    const uri = activeDocument()?.uri;
    const last = uri && this.#words.get(uri.toString());
    const words = presentRunOnSave(state === 'on', last);
    setStatusWords(item, { ...words, tooltip: markdownWithCommands(words.tooltip) });
    item.command = commands.turnOffRunOnSave;
    item.backgroundColor = last?.warning
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    item.show();
  }
}

export class SavedByHand {
  readonly #under = new Set<string>();

  begins(file: string, byHand: boolean): void {
    if (byHand) this.#under.add(file);
    else this.#under.delete(file);
  }

  ends(file: string): boolean {
    return this.#under.delete(file);
  }
}
