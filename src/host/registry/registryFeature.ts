import * as vscode from 'vscode';
import { installLine } from '../../core/client/nodeManager/installLine';
import { shown } from '../../core/safety/shownText';
import { showInformation } from '../platform/show';
import { registerCommand } from '../platform/commandRegistry';
import { commands, webviewPanels } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import { isWorkflowDocument } from '../platform/workflowSource';
import type { Platform } from '../platform/platform';
import type { Servers } from '../servers/servers';
import type { RegistryController } from './registryController';

const workflowFiles: vscode.DocumentSelector = [{ language: 'json' }, { language: 'jsonc' }];

/** Leads from unknown node types to the packs that provide them, and reviews packs. */
export class RegistryFeature implements Feature {
  #controller: Promise<RegistryController> | undefined;

  constructor(
    private readonly platform: Platform,
    private readonly servers: Servers,
  ) {}

  register({ subscriptions }: vscode.ExtensionContext): void {
    const controller = (): Promise<RegistryController> => (this.#controller ??= this.#open());
    const { log } = this.platform;
    subscriptions.push(
      registerCommand(log, commands.findPack, async (words) => (await controller()).findPack(textOf(words))),
      registerCommand(log, commands.missingPacks, async (...args) => (await controller()).missingPacks(args)),
      registerCommand(log, commands.reviewPack, async (id) => (await controller()).reviewPack(textOf(id))),
      registerCommand(log, commands.showPack, async (id) => {
        const pack = textOf(id);
        await (pack === undefined ? (await controller()).findPack() : (await controller()).showPack(pack));
      }),
      registerCommand(log, commands.showPackOf, async (classType, pack) => {
        const name = textOf(classType);
        await (name === undefined
          ? (await controller()).findPack()
          : (await controller()).showPackOf(name, textOf(pack)));
      }),
      registerCommand(log, commands.copyInstall, async (id) => {
        const line = installLine(textOf(id) ?? '');
        if (line === undefined) return;
        await vscode.env.clipboard.writeText(line);
        void showInformation(shown`Copied: ${line}`);
      }),
      registerCommand(log, commands.installPack, async (id) => {
        const pack = textOf(id);
        await (pack === undefined ? (await controller()).findPack() : (await controller()).installPack(pack));
      }),
      registerCommand(log, commands.restartServer, async () => {
        const { confirmAndRestartServer } = await import('./installCommand');
        await confirmAndRestartServer(this.servers);
      }),
      registerCommand(log, commands.registrySignOut, async () => (await controller()).signOut()),
      vscode.window.registerWebviewPanelSerializer(webviewPanels.pack, {
        deserializeWebviewPanel: async (panel, state) => (await controller()).restorePage(panel, state),
      }),
      vscode.languages.registerHoverProvider(workflowFiles, {
        provideHover: async (document, position, token) =>
          isWorkflowDocument(document) ? (await controller()).hover(document, position, token) : undefined,
      }),
      vscode.languages.registerCodeActionsProvider(
        workflowFiles,
        {
          provideCodeActions: async (document, range, actions) =>
            isWorkflowDocument(document) ? (await controller()).codeActions(document, range, actions) : [],
        },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
  }

  async #open(): Promise<RegistryController> {
    const { RegistryController: Controller } = await import('./registryController');
    return new Controller(this.platform, this.servers);
  }
}

function textOf(argument: unknown): string | undefined {
  return typeof argument === 'string' && argument !== '' ? argument : undefined;
}
