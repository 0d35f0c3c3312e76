import * as vscode from 'vscode';
import type { UploadKind } from '../../core/catalog/inputSpec';
import type { Drawing } from '../../core/drawing/drawing';
import type { DrawnNode, DrawnRow } from '../../core/drawing/drawnNode';
import { placedRow } from '../../core/drawing/placedRow';
import { isContentOfKind } from '../../core/runs/uploadKinds';
import { serverPicture } from '../../core/runs/maskUpload';
import { plainText } from '../../core/safety/plainText';
import { leadsOutside } from '../../core/safety/paths';
import { shown } from '../../core/safety/shownText';
import { splitFolderNote } from '../../core/workflow/mediaInputs';
import type { FromGraph, NamedImage, ToGraph } from '../../webview/contract/graphPanel';
import type { NodeDefinitions } from '../catalogs/definitionSource';
import { UserProblem } from '../platform/problems';
import { findLocalPicture } from '../runs/findLocalMedia';
import { type GivenMedia, pickMedia, placeMedia } from '../runs/placeMedia';
import type { Servers } from '../servers/servers';
import type { DrawnWorkflow } from './rowEdits';

export type MediaRow = DrawnRow & { readonly takes: UploadKind };

/** The row of a node that names a file to upload, if no link gives it. */
export function findMediaRow(node: DrawnNode | undefined): MediaRow | undefined {
  return node?.rows.find((row): row is MediaRow => row.takes !== undefined && !row.isLinked && !row.isHidden);
}

type GivenImage = Extract<FromGraph, { readonly type: 'useImage' }>['file'];

/** More are not looked for in the workspace. */
const mostImages = 200;
/** A larger one of the server isn't shown (bytes). */
const largestFetched = 16 * 2 ** 20;
/** The width of smaller images, if the server makes them (px). */
const thumbnailWidth = 512;

/** The image types that a page shows, told apart by their first bytes. */
const mimes = [
  ['a.png', 'image/png'],
  ['a.jpg', 'image/jpeg'],
  ['a.webp', 'image/webp'],
  ['a.gif', 'image/gif'],
  ['a.avif', 'image/avif'],
] as const;

/** The images that the inputs of drawn nodes name. */
export class NodeImages {
  /** The drawing that was last asked about. */
  #latest: Drawing | undefined;
  #images: ReadonlyMap<string, { readonly value: string; readonly uri: vscode.Uri | undefined }> = new Map();

  constructor(
    private readonly workflow: vscode.Uri,
    private readonly servers: Pick<Servers, 'quietSession'>,
    private readonly definitions: Pick<NodeDefinitions, 'state'>,
  ) {}

  /** @param address by which the page loads a file of the workspace */
  async of(drawing: Drawing, address: (file: vscode.Uri) => string): Promise<readonly NamedImage[]> {
    const found = new Map<string, { readonly value: string; readonly uri: vscode.Uri | undefined }>();
    this.#latest = drawing;
    for (const node of drawing.nodes) {
      const row = findMediaRow(node);
      if (row?.takes !== 'image' || row.text === '' || found.size >= mostImages) continue;
      const { fileName, folder } = splitFolderNote(row.text);
      const uri = folder === 'input' ? await findLocalPicture(this.workflow, fileName) : undefined;
      found.set(node.id, { value: row.text, uri });
    }
    // Reading files takes a while: a later drawing may have been first.
    if (this.#latest === drawing) this.#images = found;
    return Array.from(found, ([node, { value, uri }]) => {
      return { node, name: plainText(value), source: uri && address(uri) };
    });
  }

  get isEmpty(): boolean {
    return this.#images.size === 0;
  }

  fileOf(node: string): vscode.Uri | undefined {
    return this.#images.get(node)?.uri;
  }

  /** Fetches the selected server's file of this name, if that needs nothing of the user. Sends no file. */
  async fetch(node: string): Promise<Extract<ToGraph, { readonly type: 'image' }> | undefined> {
    const { value, uri } = this.#images.get(node) ?? {};
    if (value === undefined || uri) return undefined;
    const { fileName, folder } = splitFolderNote(value);
    const session = leadsOutside(fileName) ? undefined : await this.servers.quietSession();
    if (!session) return undefined;
    const { filename, subfolder, type: area } = serverPicture(fileName, folder);
    const file = { filename, subfolder, area, nodeId: '', media: 'image' } as const;
    // A server that doesn't have it shows nothing; the check says so.
    const image = await session.client
      .view(file, { thumbnail: thumbnailWidth })
      .then(({ body }) => bytesOf(body))
      .catch(() => undefined);
    const mime = image && mimes.find(([name]) => isContentOfKind('image', name, image))?.[1];
    return image && mime ? { type: 'image', node, name: plainText(value), mime, image } : undefined;
  }

  async nameGiven(given: GivenImage, { takes }: MediaRow): Promise<string | undefined> {
    if (typeof given !== 'string') {
      return this.#place({ name: given.name, read: () => Promise.resolve(given.content) }, takes);
    }
    // A page can name any file, and only those of the workspace are read at its word. Its path may have steps upwards.
    const uri = vscode.Uri.joinPath(vscode.Uri.parse(given), '.');
    return vscode.workspace.getWorkspaceFolder(uri) && this.#place(uri, takes);
  }

  async nameChosen(drawn: DrawnWorkflow, node: string, row: MediaRow): Promise<string | undefined> {
    const { loaded, inside, workflow, catalog } = drawn;
    const spec = placedRow(loaded, workflow, inside, node, row.name)?.row.spec;
    const choices = spec?.kind === 'combo' ? spec.choices : [];
    const chosen = await pickMedia({
      workflow: this.workflow,
      kind: row.takes,
      remote: choices.filter((each) => typeof each === 'string'),
      server: catalog.size > 0 ? this.definitions.state.server?.name : undefined,
      title: shown`Select a File for ${row.label}`,
      canBrowse: true,
    });
    return chosen instanceof vscode.Uri ? this.#place(chosen, row.takes) : chosen;
  }

  /** A file from outside the workspace is copied beside the workflow. */
  async #place(given: GivenMedia, kind: UploadKind): Promise<string> {
    const placed = await placeMedia(this.workflow, given, kind);
    if (!placed) {
      throw new UserProblem(
        shown`A run uploads only files in the workspace.`,
        shown`Open the folder of the workflow, then try again.`,
      );
    }
    if (placed.copy) await vscode.workspace.fs.writeFile(placed.copy.file, placed.copy.bytes);
    return placed.name;
  }
}

/** Undefined if there are too many. */
async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > largestFetched) return undefined;
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}
