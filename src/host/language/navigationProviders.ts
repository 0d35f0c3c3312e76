import * as vscode from 'vscode';
import { foldingRanges } from '../../core/language/folding';
import { hover } from '../../core/language/hover';
import { definition, references } from '../../core/language/navigation';
import { type SymbolKind, symbols, type WorkflowSymbol } from '../../core/language/symbols';
import { plainText } from '../../core/safety/plainText';
import type { NodeDefinitions } from '../catalogs/nodeDefinitions';
import { rangeIn } from './ranges';
import type { WorkflowDocuments } from './workflowDocuments';
import { untrustedMarkdown } from '../platform/showItems';

const kinds: Readonly<Record<SymbolKind, vscode.SymbolKind>> = {
  node: vscode.SymbolKind.Class,
  input: vscode.SymbolKind.Field,
  link: vscode.SymbolKind.Interface,
  subgraph: vscode.SymbolKind.Module,
};

/** Hover, definition, references, outline and folding of workflow files; other JSON files get no answer. */
export class NavigationProviders
  implements
    vscode.HoverProvider,
    vscode.DefinitionProvider,
    vscode.ReferenceProvider,
    vscode.DocumentSymbolProvider,
    vscode.FoldingRangeProvider
{
  readonly #documents: WorkflowDocuments;
  readonly #definitions: NodeDefinitions;

  constructor(documents: WorkflowDocuments, definitions: NodeDefinitions) {
    this.#documents = documents;
    this.#definitions = definitions;
  }

  provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): vscode.Hover | undefined {
    const workflow = this.#documents.of(document);
    if (!workflow || token.isCancellationRequested) return undefined;
    const found = hover(workflow, document.offsetAt(position), this.#definitions.rules.catalog);
    return found && new vscode.Hover(untrustedMarkdown(found.markdown), rangeIn(document, found));
  }

  provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): vscode.DefinitionLink[] | undefined {
    const workflow = this.#documents.of(document);
    if (!workflow || token.isCancellationRequested) return undefined;
    const found = definition(workflow, document.offsetAt(position));
    return (
      found && [
        {
          originSelectionRange: rangeIn(document, found.origin),
          targetUri: document.uri,
          targetRange: rangeIn(document, found.target),
          targetSelectionRange: rangeIn(document, found.selection),
        },
      ]
    );
  }

  provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
    { includeDeclaration }: vscode.ReferenceContext,
    token: vscode.CancellationToken,
  ): vscode.Location[] | undefined {
    const workflow = this.#documents.of(document);
    if (!workflow || token.isCancellationRequested) return undefined;
    return references(workflow, document.offsetAt(position))
      .filter(({ role }) => includeDeclaration || role === 'link')
      .map((each) => new vscode.Location(document.uri, rangeIn(document, each)));
  }

  provideDocumentSymbols(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): vscode.DocumentSymbol[] | undefined {
    const workflow = this.#documents.of(document);
    if (!workflow || token.isCancellationRequested) return undefined;
    return symbols(workflow).map((each) => symbolIn(document, each));
  }

  provideFoldingRanges(
    document: vscode.TextDocument,
    _context: vscode.FoldingContext,
    token: vscode.CancellationToken,
  ): vscode.FoldingRange[] | undefined {
    const workflow = this.#documents.of(document);
    if (!workflow || token.isCancellationRequested) return undefined;
    return foldingRanges(workflow).map((each) => {
      const { start, end } = rangeIn(document, each);
      // What only the canvas needs folds with "Fold All Regions".
      const kind = each.kind === 'noise' ? vscode.FoldingRangeKind.Region : undefined;
      // The closing bracket stays in sight, as the built-in JSON support has it.
      return new vscode.FoldingRange(start.line, Math.max(start.line, end.line - 1), kind);
    });
  }
}

function symbolIn(document: vscode.TextDocument, symbol: WorkflowSymbol): vscode.DocumentSymbol {
  const { kind, name, detail, selection, children } = symbol;
  const made = new vscode.DocumentSymbol(
    // An outline refuses entries without a name.
    plainText(name) || '(no name)',
    plainText(detail),
    kinds[kind],
    rangeIn(document, symbol),
    rangeIn(document, selection),
  );
  made.children = children.map((each) => symbolIn(document, each));
  return made;
}
