import * as vscode from 'vscode';
import { mediaValueAt } from '../../core/language/navigation/imageInputs';
import { shown } from '../../core/safety/shownText';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { rangeIn } from '../platform/editorRanges';
import type { Platform } from '../platform/platform';
import { workflowLanguages } from '../platform/workflowSource';
import { type GivenMedia, placeMedia } from '../runs/placeMedia';
import type { WorkflowDocuments } from './workflowDocuments';

const uriList = 'text/uri-list';
const accepted = [uriList, 'files', 'image/*', 'audio/*', 'video/*'];
const kind = vscode.DocumentDropOrPasteEditKind.Empty.append('comfyDeck', 'media');

/** Names a file that is dropped or pasted onto a value. A file from elsewhere is copied beside the workflow. */
export class MediaDrop implements vscode.DocumentDropEditProvider, vscode.DocumentPasteEditProvider {
  constructor(
    private readonly documents: Pick<WorkflowDocuments, 'of'>,
    private readonly definitions: Pick<NodeDefinitions, 'rules'>,
    private readonly platform: Pick<Platform, 'onError'>,
  ) {}

  register(): vscode.Disposable {
    const { languages } = vscode;
    return vscode.Disposable.from(
      languages.registerDocumentDropEditProvider(workflowLanguages, this, {
        dropMimeTypes: accepted,
        providedDropEditKinds: [kind],
      }),
      languages.registerDocumentPasteEditProvider(workflowLanguages, this, {
        pasteMimeTypes: accepted,
        providedPasteEditKinds: [kind],
      }),
    );
  }

  async provideDocumentDropEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    given: vscode.DataTransfer,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentDropEdit | undefined> {
    const change = await this.#change(document, position, given, token);
    if (!change) return undefined;
    const edit = new vscode.DocumentDropEdit('', change.title, kind);
    edit.additionalEdit = change.edit;
    return edit;
  }

  async provideDocumentPasteEdits(
    document: vscode.TextDocument,
    [range]: readonly vscode.Range[],
    given: vscode.DataTransfer,
    _context: vscode.DocumentPasteEditContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentPasteEdit[] | undefined> {
    const change = range && (await this.#change(document, range.start, given, token));
    if (!change) return undefined;
    const edit = new vscode.DocumentPasteEdit('', change.title, kind);
    edit.additionalEdit = change.edit;
    return [edit];
  }

  async #change(
    document: vscode.TextDocument,
    position: vscode.Position,
    given: vscode.DataTransfer,
    token: vscode.CancellationToken,
  ): Promise<{ readonly title: string; readonly edit: vscode.WorkspaceEdit } | undefined> {
    const workflow = this.documents.of(document);
    const offset = document.offsetAt(position);
    const value = workflow && mediaValueAt(workflow, offset, this.definitions.rules.catalog);
    if (!value) return undefined;
    const range = rangeIn(document, value);
    const media = await firstMedia(given);
    const placed =
      media &&
      (await placeMedia(document.uri, media, value.kind).catch((error: unknown) => {
        // VS Code would show no error.
        this.platform.onError(error);
        return undefined;
      }));
    if (!placed || token.isCancellationRequested) return undefined;
    const edit = new vscode.WorkspaceEdit();
    if (placed.copy) edit.createFile(placed.copy.file, { contents: placed.copy.bytes, overwrite: false });
    edit.replace(document.uri, range, JSON.stringify(placed.name));
    return { title: shown`Use ${placed.name}`.line(), edit };
  }
}

async function firstMedia(given: vscode.DataTransfer): Promise<GivenMedia | undefined> {
  const list = await given.get(uriList)?.asString();
  const uri = list?.split(/\r?\n/).find((line) => line !== '' && !line.startsWith('#'));
  if (uri !== undefined && /^(?:file|vscode-remote|vscode-vfs):/.test(uri)) return vscode.Uri.parse(uri);
  for (const [, item] of given) {
    const file = item.asFile();
    if (file) return { name: file.name, read: () => Promise.resolve(file.data()) };
  }
  return undefined;
}
