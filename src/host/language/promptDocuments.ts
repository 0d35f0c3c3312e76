import * as vscode from 'vscode';
import { convertToApi } from '../../core/language/edits/convertToApi';
import { sourceTextIn } from '../../core/json/textEdit';
import { type GraphProblem, isLoss } from '../../core/workflow/graph/graphProblem';
import { indented } from '../../core/json/indentedText';
import { errorWords } from '../../core/safety/errorWords';
import { nodesText } from '../../core/safety/countText';
import { t } from '../../core/safety/localize';
import { shown, Shown } from '../../core/safety/shownText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { commands, documentScheme } from '../platform/contributions';
import { Owner } from '../platform/feature';
import { offerSteps, UserProblem } from '../platform/problems';
import { uriName, readSource } from '../platform/workflowSource';
import { askToGoOn, showWarning } from '../platform/show';
import { Timers } from '../platform/timers';

const rest = 300;

const authority = 'prompt';

/** Prompts of workflow files as read-only documents that follow their file. */
export class PromptDocuments extends Owner implements vscode.TextDocumentContentProvider {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #timers = new Timers<string>();

  constructor(private readonly definitions: NodeDefinitions) {
    super();
    this.own(
      this.#timers,
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(documentScheme, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#sourceChanged(document.uri)),
      definitions.onDidChangeRules(() => this.#sourceChanged()),
    );
  }

  async show(source: vscode.Uri): Promise<void> {
    // A problem is reported before an empty document is shown.
    const { losses } = await this.promptOf(source);
    const uri = promptUri(source);
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const viewColumn = vscode.ViewColumn.Beside;
    await vscode.window.showTextDocument(document, { viewColumn, preview: true, preserveFocus: true });
    tellLosses(uriName(source), losses);
  }

  /** @throws UserProblem if it has none */
  async promptOf(source: vscode.Uri) {
    const { workflow, label } = await readSource(source);
    const { prompt, graph, format } = workflow;
    if (format.kind === 'none' || (!prompt && !graph)) {
      throw new UserProblem(
        shown`${label} contains no workflow.`,
        shown`Open a workflow file (.json), then try again.`,
      );
    }
    if (prompt?.root) return { text: `${indented(sourceTextIn(workflow.text, prompt.root))}\n`, losses: [] };
    const { catalog } = await this.definitions.ready();
    if (!catalog) throw withoutDefinitions(this.definitions);
    const converted = convertToApi(workflow, catalog);
    if (converted?.kind === 'converted') {
      return { text: converted.text, losses: converted.warnings.filter(isLoss) };
    }
    const why = converted?.problem.message ?? t`The workflow has no nodes.`;
    throw new UserProblem(
      shown`${label} can't be converted to API format: ${why}`,
      shown`Fix the workflow, then run again.`,
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string | undefined> {
    if (uri.authority !== authority) return undefined;
    try {
      return (await this.promptOf(vscode.Uri.parse(uri.query, true))).text;
    } catch (error) {
      return `// ${errorWords(error).message}\n`;
    }
  }

  /** @param source all of them if omitted */
  #sourceChanged(source?: vscode.Uri): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme !== documentScheme || uri.authority !== authority) continue;
      if (source && uri.query !== source.toString()) continue;
      this.#timers.start(uri.toString(), rest, () => this.#changed.fire(uri));
    }
  }
}

function promptUri(source: vscode.Uri): vscode.Uri {
  const name = uriName(source).replace(/\.jsonc?$/i, '');
  return vscode.Uri.from({
    scheme: documentScheme,
    authority,
    path: `/${name} (prompt).json`,
    query: source.toString(),
  });
}

function withoutDefinitions({ state: { server, problem } }: NodeDefinitions): UserProblem {
  const refresh = { label: shown`Refresh`, command: commands.refreshDefinitions };
  const select = { label: shown`Select Server`, command: commands.selectServer };
  return new UserProblem(
    shown`Converting to API format requires the node definitions of ${server?.name ?? t`the server`}, which aren't available.`,
    server
      ? shown`${problem ?? t`Check the connection, then refresh again.`}`
      : shown`Select a server. The sandbox needs no account.`,
    server ? [refresh, select] : [select],
  );
}

type Losses = readonly Pick<GraphProblem, 'message'>[];

const namesShown = 8;
const namesTold = 2;

/** Asks before writing a prompt that loses parts of its graph. */
export async function mayLose(name: string, losses: Losses, goOn: Shown): Promise<boolean> {
  if (losses.length === 0) return true;
  const message = Shown.join([loss(name, losses), shown`Continue anyway?`]);
  const detail = Shown.join(
    listed(losses, namesShown).map((each) => shown`• ${each}`),
    shown`\n`,
  );
  return askToGoOn({ message, detail, goOn });
}

function tellLosses(name: string, losses: Losses): void {
  if (losses.length === 0) return;
  const which = Shown.join(listed(losses, namesTold), shown` `);
  const select = { label: shown`Select Server`, command: commands.selectServer };
  offerSteps(showWarning, Shown.join([loss(name, losses), which]), [select]);
}

function loss(name: string, { length }: Losses): Shown {
  return shown`Converting ${name} to API format loses values or links of ${nodesText(length)}.`;
}

function listed(losses: Losses, most: number): Shown[] {
  const rest = losses.length - most;
  const named = losses.slice(0, most).map(({ message }) => shown`${message}`);
  return rest > 0 ? [...named, shown`… and ${rest} more`] : named;
}
