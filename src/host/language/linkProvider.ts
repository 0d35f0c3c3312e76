import * as vscode from 'vscode';
import { type DocumentLink, links } from '../../core/language/navigation/documentLinks';
import { shown } from '../../core/safety/shownText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import type { LocalFiles } from './localFiles';
import { rangeIn } from '../platform/editorRanges';
import { isStillWanted } from './stillWanted';
import type { WorkflowDocuments } from './workflowDocuments';
import { setLinkTooltip } from '../platform/showItems';

/** Links to the workspace's pictures and sounds that inputs name, and to addresses in the file. */
export class LinkProvider implements vscode.DocumentLinkProvider {
  readonly #documents: WorkflowDocuments;
  readonly #definitions: NodeDefinitions;
  readonly #localFiles: LocalFiles;

  constructor(documents: WorkflowDocuments, definitions: NodeDefinitions, localFiles: LocalFiles) {
    this.#documents = documents;
    this.#definitions = definitions;
    this.#localFiles = localFiles;
  }

  async provideDocumentLinks(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentLink[] | undefined> {
    const workflow = (await isStillWanted(document, token)) ? this.#documents.of(document) : undefined;
    if (!workflow) return undefined;
    const found = links(workflow, this.#definitions.rules.catalog);
    const names = new Set(found.flatMap((link) => (isInput(link) ? [link.fileName] : [])));
    const files = new Map<string, vscode.Uri>();
    await Promise.all(
      [...names].map(async (name) => {
        const uri = await this.#localFiles.find(document.uri, name);
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

/** The text is untrusted: only web pages are opened. */
function webAddress(text: string): vscode.Uri | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? vscode.Uri.parse(text) : undefined;
}
