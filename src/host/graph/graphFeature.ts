import * as vscode from 'vscode';
import type { LanguageFeature } from '../language/languageFeature';
import { registerCommand } from '../platform/commandRegistry';
import { commands, webviewPanels } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { tellProblem } from '../platform/problems';
import type { GraphPages } from './graphPages';

/** Opens the graphs of workflow files, also after a reload. */
export function graphFeature(log: Log, language: Pick<LanguageFeature, 'language'>): Feature {
  return {
    register({ extensionUri, subscriptions }) {
      let loaded: Promise<GraphPages> | undefined;
      const load = async (): Promise<GraphPages> => {
        const [{ GraphPages: Pages }, { definitions }] = await Promise.all([
          import('./graphPages'),
          language.language(),
        ]);
        return new Pages({ extensionUri, definitions, onError: (error) => tellProblem(error, log) });
      };
      const pages = (): Promise<GraphPages> => (loaded ??= load());
      subscriptions.push(
        registerCommand(log, commands.showGraph, async (...args) => (await pages()).show(args)),
        vscode.window.registerWebviewPanelSerializer(webviewPanels.graph, {
          deserializeWebviewPanel: async (panel, state) => (await pages()).restore(panel, state),
        }),
      );
    },
  };
}
