import { encodePng, alphaOnly, colourOnly, fitInto, withAlpha } from '../drawing/picture';
import {
  isArea,
  mediaType,
  type StoredContent,
  type StoredFile,
  assetId,
  contentName,
} from '../files/fileStore';
import { mediaSample } from '../media/mediaSample';
import { badRequest, type Exchange, RequestRefusal } from '../http/exchange';
import { getRoute, type Route, postRoute } from './router';
import { type SandboxServer, isCloud } from '../sandboxServer';

/** The local server sends the bytes itself (protocol 1.7). */
export const localViewRoutes: readonly Route[] = [getRoute('/view', viewLocal)];

/** The cloud redirects to the storage host. */
export const cloudViewRoutes: readonly Route[] = [getRoute('/view', viewCloud, 'api')];

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

/** Refusals have no body. */
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
  if (filename === null || filename === '' || !isArea(type)) throw badRequest('filename is required');
  const file = { filename, subfolder: exchange.queryText('subfolder'), type };
  // Stored by content: the folder does not matter.
  const content = server.files.find(file) ?? server.files.find({ ...file, subfolder: '' });
  if (!content || !server.storage) throw new RequestRefusal(404, 'NOT_FOUND', 'File not found');
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

function cloudPicture(query: URLSearchParams, { bytes }: StoredContent): SentPicture | undefined {
  const edge = query.get('res');
  if (edge !== null) {
    if (!/^\d+$/.test(edge) || Number(edge) < 64 || Number(edge) > 1024)
      throw badRequest('res must be between 64 and 1024');
    const picture = fitInto(bytes, Number(edge));
    return picture && pngOf(encodePng(picture));
  }
  const channel = query.get('channel');
  const alpha = channel === 'a' || channel === 'alpha';
  return pngOf(channel === 'rgb' ? colourOnly(bytes) : alpha ? alphaOnly(bytes) : undefined);
}

/** Header values are Latin-1. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (character) => encodeURIComponent(character)).replaceAll('"', '%22');
}

export const uploadRoutes: readonly Route[] = [
  postRoute('/upload/image', uploadImage),
  postRoute('/upload/mask', uploadMask),
];

interface Form {
  readonly file: FormFile | undefined;
  readonly subfolder: string;
  text(name: string): string | undefined;
}

interface FormFile {
  readonly filename: string | undefined;
  readonly bytes: Buffer;
}

async function readForm(exchange: Exchange): Promise<Form> {
  const form = await exchange.form();
  const text = (name: string): string | undefined => {
    const value = form.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  const [image, subfolder] = [form.get('image'), text('subfolder') ?? ''];
  if (image === null) return { text, subfolder, file: undefined };
  if (typeof image === 'string')
    return { text, subfolder, file: { filename: undefined, bytes: Buffer.from(image) } };
  return { text, subfolder, file: { filename: image.name, bytes: Buffer.from(await image.arrayBuffer()) } };
}

/** Undefined if nothing is stored, though the answer claims otherwise (protocol 1.4). */
type Content = (file: FormFile) => Uint8Array | undefined;

async function uploadImage(exchange: Exchange, server: SandboxServer): Promise<void> {
  const form = await readForm(exchange);
  store(exchange, server, form, (file) => file.bytes);
}

async function uploadMask(exchange: Exchange, server: SandboxServer): Promise<void> {
  const form = await readForm(exchange);
  const reference = form.text('original_ref');
  if (isCloud(server) && reference === undefined) throw badRequest('original_ref is required');
  // Read even if the file is not new: a bad reference fails inside the server (500).
  const original = originalFile(reference ?? '', server.dialect === 'documented');
  store(exchange, server, form, (file) => {
    const bytes = original && server.files.read(original);
    return bytes && withAlpha(bytes, file.bytes);
  });
}

function store(exchange: Exchange, server: SandboxServer, form: Form, content: Content): void {
  if (isCloud(server)) storeByContent(exchange, server, form, content);
  else storeByName(exchange, server, form, content);
}

/** The same bytes keep the name, others get a number (protocol 1.3). */
function storeByName(exchange: Exchange, server: SandboxServer, form: Form, content: Content): void {
  const { file, subfolder } = form;
  const type = form.text('type') ?? 'input';
  if (!isArea(type)) throw new TypeError('No such area.');
  if (!file) {
    exchange.answerEmpty(400);
    return;
  }
  // To the real server a part without a file name is text, on which it fails.
  if (file.filename === undefined || file.filename === '') throw new TypeError('The part is no file.');
  const place = normalPlace(subfolder, file.filename);
  if (!place) {
    exchange.answerEmpty(400);
    return;
  }
  const overwrite = ['true', '1'].includes(form.text('overwrite') ?? '');
  const target = overwrite ? { ...place, type } : freeName({ ...place, type }, file.bytes, server);
  const isThere = !overwrite && server.files.has(target);
  const bytes = isThere ? undefined : content(file);
  if (bytes) server.files.write(target, bytes);
  const folder = place.filename === file.filename ? '' : file.filename.slice(0, -place.filename.length);
  const name = `${folder}${target.filename}`;
  const stored = server.dialect === 'local' ? server.files.read(target) : undefined;
  exchange.answer({ name, subfolder, type, asset: stored && assetOf(target, name, stored) });
}

/** Not really a BLAKE3 hash: nothing compares it (protocol 2.3). */
function assetOf(target: StoredFile, name: string, bytes: Uint8Array): object {
  const tags = ['input', ...(target.type === 'input' ? [] : [target.type]), 'uploaded'];
  const hash = `blake3:${contentName('', bytes)}`;
  const kind = mediaType(target.filename);
  return { id: assetId(target), name, asset_hash: hash, size: bytes.byteLength, mime_type: kind, tags };
}

function freeName(file: StoredFile, bytes: Uint8Array, server: SandboxServer): StoredFile {
  const dot = file.filename.lastIndexOf('.');
  const [stem, ending] =
    dot > 0 ? [file.filename.slice(0, dot), file.filename.slice(dot)] : [file.filename, ''];
  let candidate = file;
  for (let copy = 1; ; copy++) {
    const there = server.files.read(candidate);
    if (!there || Buffer.from(bytes).equals(there)) return candidate;
    candidate = { ...file, filename: `${stem} (${copy})${ending}` };
  }
}

/** Resolves `.` and `..`; undefined if they lead out of the area. */
function normalPlace(subfolder: string, filename: string): Omit<StoredFile, 'type'> | undefined {
  if (subfolder.startsWith('/') || filename.startsWith('/')) return undefined;
  const parts: string[] = [];
  for (const part of `${subfolder}/${filename}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  const name = parts.pop();
  return name === undefined ? undefined : { filename: name, subfolder: parts.join('/') };
}

/** The name is the hash of the bytes; the folder is only echoed. */
function storeByContent(exchange: Exchange, server: SandboxServer, form: Form, content: Content): void {
  const { file } = form;
  if (file?.filename === undefined || file.filename === '') throw badRequest('No image file provided');
  // The default differs from the local server's (protocol 1.3).
  const type = form.text('type') ?? 'output';
  if (!isArea(type)) throw badRequest(`Unknown type ${type}`);
  if (isTooLarge(file.bytes)) throw badRequest('Image dimensions are too large');
  const bytes = content(file) ?? file.bytes;
  const name = contentName(file.filename, bytes);
  server.files.write({ filename: name, subfolder: '', type }, bytes);
  exchange.answer({ name, subfolder: form.subfolder, type });
}

const maxEdge = 16_384;
const maxPixels = 67_108_864;

/** Limits of the cloud, if a PNG header gives the size (protocol 1.3). */
function isTooLarge(bytes: Buffer): boolean {
  if (bytes.byteLength < 24 || bytes.toString('latin1', 1, 4) !== 'PNG') return false;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return width > maxEdge || height > maxEdge || width * height > maxPixels;
}

/** @throws SyntaxError or TypeError for an invalid reference, as the real server does */
function originalFile(reference: string, isStrict: boolean): StoredFile | undefined {
  const data = JSON.parse(reference) as unknown;
  if (
    typeof data !== 'object' ||
    data === null ||
    !('filename' in data) ||
    typeof data.filename !== 'string'
  ) {
    throw new TypeError('The reference names no file.');
  }
  const stranger = Object.keys(data).find((name) => !['filename', 'subfolder', 'type'].includes(name));
  if (isStrict && stranger !== undefined) throw new TypeError(`Unknown member ${stranger}`);
  const type = 'type' in data ? String(data.type) : 'output';
  const subfolder = 'subfolder' in data ? String(data.subfolder) : '';
  if (!isArea(type) || data.filename.includes('..') || data.filename.startsWith('/')) return undefined;
  return { filename: data.filename, subfolder, type };
}
