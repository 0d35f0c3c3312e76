import * as vscode from 'vscode';
import { type DocumentLink, links } from '../../core/language/documentLinks';
import { shown } from '../../core/safety/shownText';
import type { NodeDefinitions } from '../catalogs/nodeDefinitions';
import { findMediaUri } from '../runs/localMedia';
import { rangeIn } from './ranges';
import type { WorkflowDocuments } from './workflowDocuments';
import { setLinkTooltip } from '../platform/showItems';

/** Files that one workflow names and that are looked for in the workspace. */
const mostFiles = 100;

/** Links to the pictures and sounds of the workspace that inputs name, and to addresses in the file. */
export class LinkProvider implements vscode.DocumentLinkProvider {
  readonly #documents: WorkflowDocuments;
  readonly #definitions: NodeDefinitions;

  constructor(documents: WorkflowDocuments, definitions: NodeDefinitions) {
    this.#documents = documents;
    this.#definitions = definitions;
  }

  async provideDocumentLinks(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentLink[] | undefined> {
    const workflow = this.#documents.of(document);
    if (!workflow || token.isCancellationRequested) return undefined;
    const found = links(workflow, this.#definitions.rules.catalog);
    const names = new Set(found.flatMap((link) => (isInput(link) ? [link.fileName] : [])));
    const files = new Map<string, vscode.Uri>();
    await Promise.all(
      [...names].slice(0, mostFiles).map(async (name) => {
        const uri = await findMediaUri(document.uri, name);
        if (uri) files.set(name, uri);
      }),
    );
    return found.flatMap((link) => {
      const target = link.kind === 'url' ? webAddress(link.url) : files.get(link.fileName);
      if (!target) return [];
      const made = new vscode.DocumentLink(rangeIn(document, link), target);
      setLinkTooltip(made, shown`${link.tooltip}`);
      return [made];
    });
  }
}

function isInput(link: DocumentLink): link is Extract<DocumentLink, { kind: 'file' }> {
  return link.kind === 'file' && link.folder === 'input';
}

/** The text comes from a stranger: nothing but web pages is opened. */
function webAddress(text: string): vscode.Uri | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? vscode.Uri.parse(text) : undefined;
}
