import * as vscode from 'vscode';
import type { UploadKind } from '../../core/catalog/inputSpec';
import { complete } from '../../core/language/completion/complete';
import type { Completion, CompletionKind } from '../../core/language/completion/completion';
import { classMarkdown } from '../../core/language/hover/markdown';
import { plainText } from '../../core/safety/plainText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { contextKeys } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import { editIn, rangeIn } from '../platform/editorRanges';
import type { WorkflowDocuments } from './workflowDocuments';
import { localPictureOf, listLocalMedia } from '../runs/findLocalMedia';
import { pictureMarkdown, untrustedMarkdown } from '../platform/showItems';

const kinds: Readonly<Record<CompletionKind, vscode.CompletionItemKind>> = {
  classType: vscode.CompletionItemKind.Class,
  input: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.EnumMember,
  link: vscode.CompletionItemKind.Reference,
  slot: vscode.CompletionItemKind.Field,
  model: vscode.CompletionItemKind.File,
  node: vscode.CompletionItemKind.Module,
  member: vscode.CompletionItemKind.Property,
};

export const completionTriggers = ['"', ':', '[', ','];

/** A completion item with the node type to describe, or the file to show. */
class ClassItem extends vscode.CompletionItem {
  classType: string | undefined;
  file: { readonly workflow: vscode.Uri; readonly name: string } | undefined;
}

/** px */
const thumbnailWidth = 240;

export class CompletionProvider implements vscode.CompletionItemProvider<ClassItem> {
  readonly #documents: WorkflowDocuments;
  readonly #definitions: NodeDefinitions;

  constructor(documents: WorkflowDocuments, definitions: NodeDefinitions) {
    this.#documents = documents;
    this.#definitions = definitions;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<ClassItem[] | undefined> {
    const workflow = this.#documents.of(document);
    if (!workflow) return undefined;
    const { catalog } = this.#definitions.rules;
    const offset = document.offsetAt(position);
    const media = new Set<UploadKind>();
    let offered = complete(workflow, offset, catalog, (kind) => {
      media.add(kind);
      return [];
    });
    for (const kind of media) {
      const files = [...(await listLocalMedia(document.uri, kind)).keys()];
      if (token.isCancellationRequested) return undefined;
      offered = complete(workflow, offset, catalog, () => files);
    }
    if (offered.length > 0) setContext(contextKeys.completionOffered, true);
    return offered.map((each) => itemOf(document, each));
  }

  /** The description of a node type is built, and a file is looked at, when the item is selected. */
  async resolveCompletionItem(item: ClassItem): Promise<ClassItem> {
    const { classType, file } = item;
    const picture = file && (await localPictureOf(file.workflow, file.name));
    if (picture) item.documentation = pictureMarkdown(picture, thumbnailWidth);
    const definition = classType === undefined ? undefined : this.#definitions.rules.catalog?.get(classType);
    if (definition) item.documentation = untrustedMarkdown(classMarkdown(definition));
    return item;
  }
}

function itemOf(document: vscode.TextDocument, completion: Completion): ClassItem {
  const { kind, label, detail, documentation, edit, furtherEdits, localFile } = completion;
  const item = new ClassItem(plainText(label), kinds[kind]);
  if (detail !== undefined) item.detail = plainText(detail);
  if (documentation !== undefined) item.documentation = untrustedMarkdown(documentation);
  else if (localFile !== undefined) item.file = { workflow: document.uri, name: localFile };
  else if (kind === 'classType') item.classType = label;
  item.range = rangeIn(document, edit);
  item.insertText = completion.isSnippet ? new vscode.SnippetString(edit.newText) : edit.newText;
  item.filterText = completion.filterText;
  item.sortText = completion.sortText;
  // The edit is already formatted.
  item.keepWhitespace = true;
  if (completion.isDeprecated) item.tags = [vscode.CompletionItemTag.Deprecated];
  if (furtherEdits) item.additionalTextEdits = furtherEdits.map((each) => editIn(document, each));
  return item;
}
