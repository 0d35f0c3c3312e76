import { encodePng } from '../drawing/encodePng';
import { isArea, mediaType, type StoredContent, type StoredFile } from '../files/fileStore';
import { mediaSample } from '../media/mediaSample';
import { alphaOnly, colourOnly, fitInto } from '../files/pictureViews';
import type { Exchange } from '../http/exchange';
import { get, type Route } from './router';
import type { SandboxServer } from '../sandboxServer';
import { CloudRefusal } from './cloudErrors';

/** `GET /view` (protocol 1.7): the local server sends the bytes itself. */
export const localViewRoutes: readonly Route[] = [get('/view', viewLocal)];

/** The cloud's redirects to the storage host. */
export const cloudViewRoutes: readonly Route[] = [get('/view', viewCloud, 'api')];

async function viewLocal(exchange: Exchange, server: SandboxServer): Promise<void> {
  const place = localPlace(exchange.query);
  if (typeof place === 'number') {
    exchange.answerEmpty(place);
    return;
  }
  const content = server.files.find(place);
  if (!content) {
    exchange.answerEmpty(404);
    return;
  }
  const headers = { 'Content-Disposition': `filename="${headerText(content.file.filename)}"` };
  const picture = changedPicture(exchange.query, content);
  if (picture) exchange.answerBytes(200, picture.bytes, picture.type, headers);
  else {
    const type = mediaType(content.file.filename);
    await exchange.answerFile(content, {
      ...headers,
      'Content-Type': type,
      'X-Content-Type-Options': 'nosniff',
    });
  }
}

/** Where to find the file, or the status of the refusal, all of them without a body. */
function localPlace(query: URLSearchParams): StoredFile | 400 | 403 | 404 {
  const named = query.get('filename');
  if (named === null) return 404;
  const { filename, area } = annotatedName(named);
  const type = area ?? query.get('type') ?? 'output';
  const subfolder = query.get('subfolder') ?? '';
  if (filename === '' || filename.startsWith('/') || filename.includes('..')) return 400;
  if (!isArea(type)) return 400;
  if (subfolder.startsWith('/') || leavesArea(subfolder)) return 403;
  return { filename: filename.slice(filename.lastIndexOf('/') + 1), subfolder, type };
}

/** `name.png [input]` names its area (protocol 1.2, soft combos). */
function annotatedName(name: string): {
  readonly filename: string;
  readonly area?: StoredFile['type'] | undefined;
} {
  const [, filename = name, area] = /^(.*) \[(input|output|temp)\]$/.exec(name) ?? [];
  return area !== undefined && isArea(area) ? { filename, area } : { filename: name };
}

function leavesArea(subfolder: string): boolean {
  let depth = 0;
  for (const part of subfolder.split('/')) {
    if (part === '..') depth--;
    else if (part !== '' && part !== '.') depth++;
    if (depth < 0) return true;
  }
  return false;
}

interface SentPicture {
  readonly bytes: Uint8Array;
  readonly type: string;
}

/** A preview, or one of the channels. */
function changedPicture(query: URLSearchParams, { bytes }: StoredContent): SentPicture | undefined {
  const preview = query.get('preview');
  if (preview !== null) {
    const picture = fitInto(bytes, Infinity);
    // PNG here where the real server sends JPEG; anything else counts as WebP, of which there is a sample only.
    if (!picture || preview.startsWith('jpeg')) return picture && pngOf(encodePng(picture));
    return { bytes: mediaSample('animation', 0), type: 'image/webp' };
  }
  const channel = query.get('channel');
  return pngOf(channel === 'rgb' ? colourOnly(bytes) : channel === 'a' ? alphaOnly(bytes) : undefined);
}

function pngOf(bytes: Uint8Array | undefined): SentPicture | undefined {
  return bytes && { bytes, type: 'image/png' };
}

function viewCloud(exchange: Exchange, server: SandboxServer): void {
  const { query } = exchange;
  const filename = query.get('filename');
  const type = query.get('type') ?? 'output';
  if (filename === null || filename === '' || !isArea(type)) {
    throw new CloudRefusal(400, 'INVALID_REQUEST', 'filename is required');
  }
  const file = { filename, subfolder: query.get('subfolder') ?? '', type };
  // Stored by content: the folder does not matter.
  const content = server.files.find(file) ?? server.files.find({ ...file, subfolder: '' });
  if (!content || !server.storage) throw new CloudRefusal(404, 'NOT_FOUND', 'File not found');
  const picture = cloudPicture(query, content);
  if (picture) {
    exchange.answerBytes(200, picture.bytes, picture.type);
    return;
  }
  exchange.answerEmpty(302, {
    Location: server.storage.sign(content.file),
    'Cache-Control': 'private, no-store',
    Vary: 'Authorization, X-API-Key, Cookie',
  });
}

/** A thumbnail for `res`, or one of the channels. */
function cloudPicture(query: URLSearchParams, { bytes }: StoredContent): SentPicture | undefined {
  const edge = query.get('res');
  if (edge !== null) {
    if (!/^\d+$/.test(edge) || Number(edge) < 64 || Number(edge) > 1024) {
      throw new CloudRefusal(400, 'INVALID_REQUEST', 'res must be between 64 and 1024');
    }
    const picture = fitInto(bytes, Number(edge));
    return picture && pngOf(encodePng(picture));
  }
  const channel = query.get('channel');
  const alpha = channel === 'a' || channel === 'alpha';
  return pngOf(channel === 'rgb' ? colourOnly(bytes) : alpha ? alphaOnly(bytes) : undefined);
}

/** Header values are Latin-1: other characters would break the answer. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (character) => encodeURIComponent(character)).replaceAll('"', '%22');
}
