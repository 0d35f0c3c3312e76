import * as vscode from 'vscode';
import type { Catalog } from '../../core/catalog/catalog';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { activeDocument, columnOfText } from '../platform/activeDocument';
import { type CommandId, commands, settings } from '../platform/contributions';
import { registerCommand } from '../platform/commandRegistry';
import type { Feature } from '../platform/feature';
import type { Platform } from '../platform/platform';
import { UserProblem } from '../platform/problems';
import { readSetting } from '../platform/settings';
import {
  isWorkflowDocument,
  noWorkflowOpen,
  readSource,
  commandSources,
  workflowLanguages,
} from '../platform/workflowSource';
import { Timers } from '../platform/timers';
import type { Runs } from '../runs/runs';
import { EarlyLenses } from './lensFirst';
import type { WorkflowLanguage } from './workflowLanguage';

const rest = 300;

/** The part of the language features that is loaded at activation. The rest comes with the first workflow. */
export class LanguageFeature implements Feature {
  readonly #lenses = new EarlyLenses(() => this.language());
  #loaded: Promise<WorkflowLanguage> | undefined;
  #watching: vscode.Disposable | undefined;

  constructor(
    private readonly platform: Platform,
    private readonly runs: Runs,
  ) {}

  language(): Promise<WorkflowLanguage> {
    this.#loaded ??= this.#start();
    return this.#loaded;
  }

  async #start(): Promise<WorkflowLanguage> {
    this.#watching?.dispose();
    const { startLanguage } = await import('./workflowLanguage');
    const { platform, runs } = this;
    const language = platform.own(startLanguage(platform, runs.windowRuns, this.#lenses));
    this.#lenses.follow(language.lenses);
    return language;
  }

  async check(document: vscode.TextDocument) {
    const byDefinitions = (await this.catalog()) !== undefined;
    return { findings: (await this.language()).checks.findings(document), byDefinitions };
  }

  /** The node definitions of the selected server; undefined if it does not answer. */
  async catalog(): Promise<Catalog | undefined> {
    const { definitions } = await this.language();
    const rules = await definitions.ready().catch((error: unknown) => {
      this.platform.log.warn(`Node definitions: ${String(error)}`);
      return definitions.rules;
    });
    return rules.catalog;
  }

  register(context: vscode.ExtensionContext): void {
    const { log } = this.platform;
    const lenses = this.#lenses;
    context.subscriptions.push(lenses, vscode.languages.registerCodeLensProvider(workflowLanguages, lenses));
    const command = (id: CommandId, handler: (...args: readonly unknown[]) => unknown) =>
      registerCommand(log, id, handler);
    context.subscriptions.push(
      command(commands.showPrompt, async (...args) =>
        (await this.language()).prompts.show(commandSources(args)[0]),
      ),
      command(commands.exportApi, async (...args) => {
        const { prompts } = await this.language();
        const { exportApi } = await import('./exportApi');
        await exportApi(prompts, commandSources(args)[0]);
      }),
      command(commands.convertToApi, async (...args) => {
        const { prompts } = await this.language();
        const { openConvertedPrompt } = await import('./exportApi');
        await openConvertedPrompt(prompts, commandSources(args)[0]);
      }),
      command(commands.openFromPicture, async (picture) => {
        const { openEmbeddedWorkflow, argumentPicture } = await import('./pictureWorkflow');
        const uri = await argumentPicture(picture);
        if (uri) await openEmbeddedWorkflow(uri);
      }),
      command(commands.runToHere, (uri, ...nodeIds) => this.#runToHere(uri, nodeIds)),
      command(commands.refreshDefinitions, (classType) => this.#refresh(classType)),
      command(commands.goToNode, async () => {
        const { documents } = await this.language();
        const document = activeDocument();
        const workflow = document && documents.of(document);
        if (!workflow) throw noWorkflowOpen();
        const { goToNode } = await import('./goToNode');
        goToNode(await editorOf(document), workflow);
      }),
      command(commands.compareWorkflows, async (...args) => (await this.language()).compare(args)),
      command(commands.missingModels, async (...args) => {
        const { definitions } = await this.language();
        const { showMissingModels } = await import('./missingModels');
        await showMissingModels(definitions, commandSources(args)[0]);
      }),
      command(commands.useSeed, (record) => this.#useValues(record, 'seeds')),
      command(commands.useValues, (record) => this.#useValues(record, 'values')),
      command(commands.suppressCheck, (code) => suppress(code)),
      command(commands.chooseFile, async (uri, offset) => {
        if (!(uri instanceof vscode.Uri) || typeof offset !== 'number') return;
        const { checks, definitions } = await this.language();
        const { chooseFile } = await import('./chooseFile');
        await chooseFile(await vscode.workspace.openTextDocument(uri), offset, checks, definitions);
      }),
    );
    this.#watch(context);
  }

  async #useValues(record: unknown, which: 'seeds' | 'values'): Promise<void> {
    const { useRunValues } = await import('../gallery/useRunValues');
    const definitions = async () => (await (await this.language()).definitions.ready()).catalog;
    await useRunValues(record, which, definitions);
  }

  #watch(context: vscode.ExtensionContext): void {
    const timers = new Timers<vscode.TextDocument>();
    const look = (document: vscode.TextDocument): void => {
      if (this.#loaded || document.isClosed || !isWorkflowDocument(document)) return;
      this.language().catch((error: unknown) =>
        this.platform.log.error('Loading the language support', error),
      );
    };
    const subscriptions = [
      vscode.workspace.onDidOpenTextDocument(look),
      vscode.workspace.onDidChangeTextDocument(({ document }) =>
        timers.start(document, rest, () => look(document)),
      ),
      timers,
    ];
    this.#watching = vscode.Disposable.from(...subscriptions);
    context.subscriptions.push(this.#watching);
    // This must not delay activation.
    setTimeout(() => vscode.workspace.textDocuments.forEach(look), 0);
  }

  async #runToHere(uri: unknown, nodeIds: readonly unknown[]): Promise<string | undefined> {
    // A menu of the graph gives its node in the place of a file.
    const menu = typeof uri === 'object' && uri && 'node' in uri ? [uri.node] : [];
    const named = [...menu, ...nodeIds].filter((id) => typeof id === 'string');
    const targets = named.length > 0 ? named : (await this.language()).outputsAtCursor();
    const source = uri instanceof vscode.Uri ? uri : activeDocument()?.uri;
    if (!source || targets.length === 0) {
      throw new UserProblem(
        shown`There is no output node here.`,
        shown`Place the cursor in a node that saves or previews something, then try again.`,
      );
    }
    return this.runs.run(await readSource(source), { seeds: 'keep', targets });
  }

  async #refresh(classType: unknown): Promise<void> {
    const { definitions } = await this.language();
    await definitions.refresh(typeof classType === 'string' ? classType : undefined);
    const { problem, server } = definitions.state;
    if (problem === undefined) return;
    throw new UserProblem(
      shown`The node definitions of ${server?.name ?? t`the server`} couldn't be read: ${problem}`,
      shown`Check the connection, then refresh again.`,
      [{ label: shown`Check Connection`, command: commands.checkConnection }],
    );
  }
}

async function editorOf(document: vscode.TextDocument): Promise<vscode.TextEditor> {
  const { activeTextEditor: active } = vscode.window;
  if (active?.document === document) return active;
  return vscode.window.showTextDocument(document, columnOfText(document.uri) ?? vscode.ViewColumn.Beside);
}

/** Adds a code to the suppressed ones of this workspace, or of the user without a workspace. */
async function suppress(code: unknown): Promise<void> {
  if (typeof code !== 'string') return;
  const before = readSetting(settings.suppressedChecks) ?? [];
  if (before.includes(code)) return;
  const target = vscode.workspace.workspaceFolders
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update(settings.suppressedChecks, [...before, code], target);
}
