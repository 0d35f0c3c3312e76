import * as vscode from 'vscode';
import type { PositionIndex } from '../../core/json/position';
import { type DocumentLink, documentLinks } from '../../core/language/navigation/documentLinks';
import { foldingRanges } from '../../core/language/outline/folding';
import { hoverAtOffset } from '../../core/language/hover/hover';
import { definitionAtOffset, nodeReferences } from '../../core/language/navigation/navigation';
import { type SymbolKind, workflowSymbols, type WorkflowSymbol } from '../../core/language/outline/symbols';
import { plainText } from '../../core/safety/plainText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { findLocalPicture } from '../runs/findLocalMedia';
import { rangeAt, rangeIn } from '../platform/editorRanges';
import { isStillWanted } from './lensFirst';
import type { WorkflowDocuments } from './workflowDocuments';
import { pictureMarkdown, untrustedMarkdown } from '../platform/showItems';
import { t } from '../../core/safety/localize';

const kinds: Readonly<Record<SymbolKind, vscode.SymbolKind>> = {
  node: vscode.SymbolKind.Class,
  input: vscode.SymbolKind.Field,
  link: vscode.SymbolKind.Interface,
  subgraph: vscode.SymbolKind.Module,
};

/** px */
const pictureWidth = 256;

/** Hover, definition, references, outline and folding of workflow files; other JSON files get none. */
export class NavigationProviders
  implements
    vscode.HoverProvider,
    vscode.DefinitionProvider,
    vscode.ReferenceProvider,
    vscode.DocumentSymbolProvider,
    vscode.FoldingRangeProvider
{
  constructor(
    private readonly documents: WorkflowDocuments,
    private readonly definitions: NodeDefinitions,
  ) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const workflow = this.documents.of(document);
    if (!workflow || token.isCancellationRequested) return undefined;
    const { catalog } = this.definitions.rules;
    const offset = document.offsetAt(position);
    const found = hoverAtOffset(workflow, offset, catalog);
    const named = documentLinks(workflow, catalog).find(
      (link) => isInputFile(link) && contains(link, offset),
    );
    const picture =
      named && isInputFile(named) ? await findLocalPicture(document.uri, named.fileName) : undefined;
    const words = found && untrustedMarkdown(found.markdown);
    const range = found ?? named;
    if (!range || (!picture && !words)) return undefined;
    const contents = [picture && pictureMarkdown(picture, pictureWidth), words];
    return new vscode.Hover(
      contents.filter((each) => each !== undefined),
      rangeIn(document, range),
    );
  }

  provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): vscode.DefinitionLink[] | undefined {
    const workflow = this.documents.of(document);
    if (!workflow || token.isCancellationRequested) return undefined;
    const found = definitionAtOffset(workflow, document.offsetAt(position));
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
    const workflow = this.documents.of(document);
    if (!workflow || token.isCancellationRequested) return undefined;
    return nodeReferences(workflow, document.offsetAt(position))
      .filter(({ role }) => includeDeclaration || role === 'link')
      .map((each) => new vscode.Location(document.uri, rangeIn(document, each)));
  }

  async provideDocumentSymbols(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentSymbol[] | undefined> {
    const workflow = (await isStillWanted(document, token)) ? this.documents.of(document) : undefined;
    if (!workflow) return undefined;
    return workflowSymbols(workflow).map((each) => symbolIn(workflow.positions, each));
  }

  async provideFoldingRanges(
    document: vscode.TextDocument,
    _context: vscode.FoldingContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.FoldingRange[] | undefined> {
    const workflow = (await isStillWanted(document, token)) ? this.documents.of(document) : undefined;
    if (!workflow) return undefined;
    return foldingRanges(workflow).map((each) => {
      // "Fold All Regions" folds what only the canvas needs.
      const kind = each.kind === 'noise' ? vscode.FoldingRangeKind.Region : undefined;
      // The closing bracket stays visible, as in the built-in JSON support.
      return new vscode.FoldingRange(each.startLine, each.endLine - 1, kind);
    });
  }
}

type FileLink = Extract<DocumentLink, { readonly kind: 'file' }>;

export function isInputFile(link: DocumentLink): link is FileLink {
  return link.kind === 'file' && link.folder === 'input';
}

function contains({ offset, length }: DocumentLink, at: number): boolean {
  return offset <= at && at <= offset + length;
}

function symbolIn(positions: PositionIndex, symbol: WorkflowSymbol): vscode.DocumentSymbol {
  const { kind, name, detail, selection, children } = symbol;
  const made = new vscode.DocumentSymbol(
    // VS Code rejects outline entries without a name.
    plainText(name) || t`(no name)`,
    plainText(detail),
    kinds[kind],
    rangeAt(positions, symbol),
    rangeAt(positions, selection),
  );
  made.children = children.map((each) => symbolIn(positions, each));
  return made;
}
