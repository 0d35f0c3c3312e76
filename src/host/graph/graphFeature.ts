import * as vscode from 'vscode';
import { graphActs, pageActs } from '../../webview/contract/constants';
import type { GraphAct, PageAct } from '../../webview/contract/graphPanel';
import type { LanguageFeature } from '../language/languageFeature';
import { registerCommand } from '../platform/commandRegistry';
import { type CommandId, commands, customEditors } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import { tellProblem } from '../platform/problems';
import type { Services } from '../services';
import type { GraphPages, GraphPagesParts } from './graphPages';

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
export function graphFeature(
  services: Omit<GraphPagesParts['services'], 'named'> &
    Pick<Services, 'log' | 'batches' | 'ledger' | 'sight'>,
  named: GraphPagesParts['services']['named'],
  language: Pick<LanguageFeature, 'language'>,
): Feature {
  const { log, batches, ledger, sight } = services;
  return {
    register({ extensionUri, subscriptions }) {
      let loaded: Promise<GraphPages> | undefined;
      let open: GraphPages | undefined;
      const load = async (): Promise<GraphPages> => {
        const [{ GraphPages: Pages }, { definitions }] = await Promise.all([
          import('./graphPages'),
          language.language(),
        ]);
        const onError = (error: unknown): void => tellProblem(error, log);
        return (open = new Pages({
          ...{ extensionUri, definitions, onError, batches, ledger },
          services: { ...services, named },
        }));
      };
      const pages = (): Promise<GraphPages> => (loaded ??= load());
      subscriptions.push(
        sight.add((id) => open?.shows(id) === true),
        registerCommand(log, commands.showGraph, async (...args) => {
          const { filesToRun } = await import('../runs/filesToRun');
          const files = await filesToRun(args, extensionUri);
          if (files.length > 0) await (await pages()).show(files);
        }),
        registerCommand(log, commands.showInGraph, async (...args) => (await pages()).showRun(args)),
        ...[...graphActs, ...pageActs].map((act) =>
          registerCommand(log, menu[act], async (context) => (await pages()).act(act, context)),
        ),
        vscode.window.registerCustomEditorProvider(customEditors.graph, {
          resolveCustomTextEditor: async (document, panel) => (await pages()).fill(panel, document),
        }),
      );
    },
  };
}
