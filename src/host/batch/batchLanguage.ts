import * as vscode from 'vscode';
import { batchEnding } from '../../core/batch/batchEndings';
import { batchFileFindings, readBatchFile, type BatchFinding } from '../../core/batch/batchFile';
import { planBatch } from '../../core/batch/planBatch';
import { t } from '../../core/safety/localize';
import { runsText } from '../../core/safety/countText';
import { Shown, shown } from '../../core/safety/shownText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { hasOwnSyntaxCheck } from '../language/checks';
import { rangeIn } from '../platform/editorRanges';
import { commands } from '../platform/contributions';
import { Owner } from '../platform/feature';
import type { Log } from '../platform/log';
import { isCancellation, problemText } from '../platform/problems';
import { codeLens, shownDiagnostic } from '../platform/showItems';
import { checkSource } from '../runs/runDiagnostics';
import { readSource } from '../platform/workflowSource';
import { Timers } from '../platform/timers';
import { fileBelow, textFilesOf } from './batchSource';

/** Typing must pause this long before a file is checked again (ms). */
const rest = 300;

interface BatchCheck {
  readonly findings: readonly BatchFinding[];
  readonly rows: number | undefined;
}

const nothing: BatchCheck = { findings: [], rows: undefined };

/** Shows findings in open batch files, and how many rows they run. */
export class BatchLanguage extends Owner {
  readonly #collection = vscode.languages.createDiagnosticCollection('comfy-deck-batch');
  readonly #timers = new Timers<string>();

  constructor(
    private readonly definitions: NodeDefinitions,
    private readonly log: Log,
  ) {
    super();
    this.own(
      this.#timers,
      this.#collection,
      vscode.workspace.onDidOpenTextDocument((document) => this.#checkSoon(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#checkSoon(document, rest)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      // The workflow of an open batch file, or a text file that it names.
      vscode.workspace.onDidSaveTextDocument(() => this.#checkAll()),
      definitions.onDidChangeRules(() => this.#checkAll()),
    );
    this.#checkAll();
  }

  async lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { rows } = await this.#check(document);
    const title = Shown.join(
      [shown`$(run-all) ${t`Run Batch`}`, rows === undefined ? undefined : runsText(rows)],
      shown` | `,
    );
    const command = { title, command: commands.runBatch, arguments: [document.uri] };
    return [codeLens(new vscode.Range(0, 0, 0, 0), command)];
  }

  #checkAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#checkSoon(document, 0);
  }

  #checkSoon(document: vscode.TextDocument, delay: number): void {
    if (!document.uri.path.endsWith(batchEnding)) return;
    this.#timers.start(document.uri.toString(), delay, () => {
      this.#show(document).catch((error: unknown) => this.log.error('Checking a batch file', error));
    });
  }

  #forget(uri: vscode.Uri): void {
    this.#timers.stop(uri.toString());
    this.#collection.delete(uri);
  }

  async #show(document: vscode.TextDocument): Promise<void> {
    const { version, uri } = document;
    const { findings } = await this.#check(document);
    if (document.isClosed || document.version !== version) return;
    const { Error: error, Warning: warning } = vscode.DiagnosticSeverity;
    const marks = findings.map(({ message, isWarning, ...place }) => {
      const mark = shownDiagnostic(rangeIn(document, place), shown`${message}`, isWarning ? warning : error);
      mark.source = checkSource;
      return mark;
    });
    this.#collection.set(uri, marks);
  }

  async #check(document: vscode.TextDocument): Promise<BatchCheck> {
    const file = readBatchFile(document.getText());
    if (file.kind === 'invalid') {
      // VS Code's JSON support reports the same by the schema.
      return hasOwnSyntaxCheck(document) ? nothing : { findings: file.findings, rows: undefined };
    }
    await this.definitions.loaded();
    try {
      const source = await readSource(await fileBelow(document.uri, file.workflow));
      const planned = await planBatch({
        workflow: source.workflow,
        spec: file,
        catalog: this.definitions.rules.catalog,
        mayLackCatalog: true,
        judges: true,
        readText: textFilesOf(document.uri),
      });
      return { findings: batchFileFindings(planned.problems, file), rows: planned.plan?.rows };
    } catch (error) {
      if (isCancellation(error)) return nothing;
      if (!(error instanceof Error) || !('nextAction' in error)) throw error;
      const place = file.members.get('workflow') ?? { offset: 0, length: 1 };
      const { offset, length } = place;
      return { findings: [{ message: problemText(error).line(), offset, length }], rows: undefined };
    }
  }
}
