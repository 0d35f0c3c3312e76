import * as vscode from 'vscode';
import { graphActs, pageActs } from '../../webview/contract/constants';
import type { GraphAct, PageAct } from '../../webview/contract/graphPanel';
import type { LanguageFeature } from '../language/languageFeature';
import { registerCommand } from '../platform/commandRegistry';
import { type CommandId, commands, customEditors } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Platform } from '../platform/platform';
import type { BatchList } from '../batch/batchList';
import type { WindowRuns } from '../runs/windowRuns';
import type { GraphPages } from './graphPages';

const menu: Readonly<Record<GraphAct | PageAct, CommandId>> = {
  edit: commands.graphEdit,
  resetValue: commands.graphResetValue,
  goToText: commands.graphGoToText,
  mute: commands.graphMute,
  unmute: commands.graphUnmute,
  bypass: commands.graphBypass,
  removeBypass: commands.graphRemoveBypass,
  newSeed: commands.graphNewSeed,
  openSubgraph: commands.graphOpenSubgraph,
  openImage: commands.graphOpenImage,
  revealImage: commands.graphRevealImage,
  quickFix: commands.graphQuickFix,
  copyImage: commands.graphCopyImage,
  fit: commands.graphFit,
  find: commands.graphFind,
};

/** The editor of a workflow file that shows its graph, and its runs on it. */
export class GraphFeature implements Feature {
  #loaded: Promise<GraphPages> | undefined;
  #open: GraphPages | undefined;

  constructor(
    private readonly platform: Platform,
    private readonly runs: WindowRuns,
    private readonly batches: BatchList,
    private readonly language: LanguageFeature,
  ) {}

  register({ subscriptions }: vscode.ExtensionContext): void {
    const { log, sight, extensionUri } = this.platform;
    const pages = (): Promise<GraphPages> => (this.#loaded ??= this.#load());
    subscriptions.push(
      sight.add((id) => this.#open?.shows(id) === true),
      registerCommand(log, commands.showGraph, async (...args) => {
        const { filesToRun } = await import('../runs/filesToRun');
        const [file] = await filesToRun(args, extensionUri);
        if (file) await (await pages()).show(file);
      }),
      registerCommand(log, commands.showInGraph, async (...args) => (await pages()).showRun(args)),
      ...[...graphActs, ...pageActs].map((act) =>
        registerCommand(log, menu[act], async (context) => (await pages()).act(act, context)),
      ),
      vscode.window.registerCustomEditorProvider(customEditors.graph, {
        resolveCustomTextEditor: async (document, panel) => (await pages()).fill(panel, document),
      }),
    );
  }

  async #load(): Promise<GraphPages> {
    const [{ GraphPages: Pages }, { definitions }] = await Promise.all([
      import('./graphPages'),
      this.language.language(),
    ]);
    const { platform, runs, batches } = this;
    return (this.#open = new Pages(platform, runs, batches, definitions));
  }
}
