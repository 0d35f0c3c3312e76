import type * as vscode from 'vscode';
import type { UploadKind } from '../../core/catalog/inputSpec';
import type { Drawing } from '../../core/drawing/drawing';
import type { DrawnNode, DrawnRow } from '../../core/drawing/drawnNode';
import { isOfKind } from '../../core/runs/uploadKinds';
import { serverPicture } from '../../core/runs/maskUpload';
import { plainText } from '../../core/safety/plainText';
import { leadsOutside } from '../../core/safety/paths';
import { splitFolderNote } from '../../core/workflow/mediaInputs';
import type { NamedImage, ToGraph } from '../../webview/contract/graphPanel';
import { localPictureOf } from '../runs/findLocalMedia';
import type { Servers } from '../servers/servers';

/** The row of a node that names a file to upload, if no link gives it. */
export function mediaRowOf(node: DrawnNode | undefined): (DrawnRow & { takes: UploadKind }) | undefined {
  return node?.rows.find(
    (row): row is DrawnRow & { takes: UploadKind } =>
      row.takes !== undefined && !row.isLinked && !row.isHidden,
  );
}

/** More are not looked for in the workspace. */
const mostImages = 200;
/** A larger one of the server isn't shown (bytes). */
const largestFetched = 16 * 2 ** 20;
/** Where the server makes smaller ones (px). */
const thumbnailWidth = 512;

/** What a page shows of a file that it can't be sure of, by its first bytes. */
const mimes = [
  ['a.png', 'image/png'],
  ['a.jpg', 'image/jpeg'],
  ['a.webp', 'image/webp'],
  ['a.gif', 'image/gif'],
  ['a.avif', 'image/avif'],
] as const;

/** The images that the inputs of drawn nodes name. */
export class NodeImages {
  #images: ReadonlyMap<string, { readonly value: string; readonly uri: vscode.Uri | undefined }> = new Map();

  constructor(
    private readonly workflow: vscode.Uri,
    private readonly servers: Pick<Servers, 'quietSession'>,
  ) {}

  /** @param address by which the page loads a file of the workspace */
  async of({ nodes }: Drawing, address: (file: vscode.Uri) => string): Promise<readonly NamedImage[]> {
    const found = new Map<string, { readonly value: string; readonly uri: vscode.Uri | undefined }>();
    for (const node of nodes) {
      const row = mediaRowOf(node);
      if (row?.takes !== 'image' || row.text === '' || found.size >= mostImages) continue;
      const { fileName, folder } = splitFolderNote(row.text);
      const uri = folder === 'input' ? await localPictureOf(this.workflow, fileName) : undefined;
      found.set(node.id, { value: row.text, uri });
    }
    this.#images = found;
    return Array.from(found, ([node, { value, uri }]) => {
      return { node, name: plainText(value), source: uri && address(uri) };
    });
  }

  get isEmpty(): boolean {
    return this.#images.size === 0;
  }

  /** The file of the workspace that a node names. */
  fileOf(node: string): vscode.Uri | undefined {
    return this.#images.get(node)?.uri;
  }

  /** What the selected server has under the name, if that needs nothing of the user. Nothing is sent to it. */
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
    const mime = image && mimes.find(([name]) => isOfKind('image', name, image))?.[1];
    return image && mime ? { type: 'image', node, name: plainText(value), mime, image } : undefined;
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
