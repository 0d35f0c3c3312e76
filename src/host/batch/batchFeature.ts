import * as vscode from 'vscode';
import { batchEnding } from '../../core/batch/batchEndings';
import { shown } from '../../core/safety/shownText';
import type { WorkflowLanguage } from '../language/workflowLanguage';
import { registerCommand } from '../platform/commandRegistry';
import { commands, type CommandId } from '../platform/contributions';
import type { Feature } from '../platform/feature';
import type { Log } from '../platform/log';
import { revealFile } from '../platform/openFile';
import { UserProblem } from '../platform/problems';
import { hasSource, sourcesOf } from '../platform/workflowSource';
import type { BatchLanguage } from './batchLanguage';
import type { Batches } from './batches';

export interface BatchFeatureParts {
  readonly log: Log;
  readonly batches: Batches;
  /** Resolves when the runs of earlier windows are followed again. */
  readonly ready: () => Promise<void>;
  /** Loads the language features, for the node definitions. */
  readonly language: () => Promise<Pick<WorkflowLanguage, 'definitions'>>;
}

const batchFiles: vscode.DocumentSelector = { pattern: `**/*${batchEnding}` };

/** Runs batch files, controls their batches, and shows what is wrong in the files. */
export class BatchFeature implements Feature {
  readonly #parts: BatchFeatureParts;
  #language: Promise<BatchLanguage> | undefined;

  constructor(parts: BatchFeatureParts) {
    this.#parts = parts;
  }

  register(context: vscode.ExtensionContext): void {
    const { log, batches, ready } = this.#parts;
    const on = (id: CommandId, act: (batchId: string) => unknown): vscode.Disposable =>
      registerCommand(log, id, (first) => {
        const batchId = batchIdOf(first);
        return batchId === undefined ? undefined : act(batchId);
      });
    context.subscriptions.push(
      registerCommand(log, commands.runBatch, (...args) => this.#run(args)),
      on(commands.showBatch, (id) => vscode.commands.executeCommand(commands.openBatch, id)),
      on(commands.pauseBatch, (id) => batches.find(id)?.pause()),
      registerCommand(log, commands.resumeBatch, async (first) => {
        // From the Explorer: the kept file of a batch that any window or command has started.
        if (first instanceof vscode.Uri) await (await batches.loaded()).continueKept(first);
        const id = batchIdOf(first);
        if (id !== undefined) await (await batches.loaded()).resume(id);
      }),
      on(commands.cancelBatch, (id) => batches.find(id)?.cancel()),
      on(commands.retryBatch, async (id) => (await batches.loaded()).retryFailed(id)),
      on(commands.revealBatch, (id) => this.#reveal(id)),
      on(commands.removeBatch, async (id) => (await batches.loaded()).remove(id)),
      vscode.languages.registerCodeLensProvider(batchFiles, {
        provideCodeLenses: async (document) => (await this.#loaded(context)).lenses(document),
      }),
      vscode.workspace.onDidOpenTextDocument((document) => this.#look(document, context)),
    );
    // Not during activation.
    setTimeout(() => {
      vscode.workspace.textDocuments.forEach((each) => this.#look(each, context));
      // What an earlier window left goes on.
      if (batches.hasUnfinished) ready().catch((error: unknown) => log.error('Reading earlier runs', error));
    }, 0);
  }

  async #run(args: readonly unknown[]): Promise<string | undefined> {
    const { batches } = this.#parts;
    const [file] = hasSource(args) ? sourcesOf(args) : [];
    if (!file) {
      throw new UserProblem(
        shown`No workflow or batch file is open.`,
        shown`Open a workflow file (.json) or a batch file (.batch.json), then run again.`,
      );
    }
    if (file.path.endsWith(batchEnding)) return (await batches.loaded()).start(file);
    await vscode.commands.executeCommand(commands.showBatchForm, file);
    return undefined;
  }

  /** Shows a file that a row has saved, or else the folder's record of the batch. */
  async #reveal(id: string): Promise<void> {
    const batch = this.#parts.batches.find(id);
    if (!batch) return;
    const saved = batch.rows.findLast(({ state, record }) => state === 'saved' && record !== undefined);
    await revealFile(
      saved?.record === undefined ? batch.folder : vscode.Uri.joinPath(batch.folder, saved.record),
    );
  }

  #look({ uri }: vscode.TextDocument, context: vscode.ExtensionContext): void {
    if (!uri.path.endsWith(batchEnding)) return;
    this.#loaded(context).catch((error: unknown) => this.#parts.log.error('Checking batch files', error));
  }

  #loaded(context: vscode.ExtensionContext): Promise<BatchLanguage> {
    this.#language ??= this.#load(context);
    return this.#language;
  }

  async #load(context: vscode.ExtensionContext): Promise<BatchLanguage> {
    const [{ BatchLanguage: Language }, { definitions }] = await Promise.all([
      import('./batchLanguage'),
      this.#parts.language(),
    ]);
    const language = new Language(definitions, this.#parts.log);
    context.subscriptions.push(language);
    return language;
  }
}

/** The batch of a row of the Jobs view, or its ID from another command. */
function batchIdOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  if (typeof argument !== 'object' || argument === null || !('batchId' in argument)) return undefined;
  return typeof argument.batchId === 'string' ? argument.batchId : undefined;
}
