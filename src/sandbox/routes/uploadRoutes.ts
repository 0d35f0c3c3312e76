import type { Exchange } from '../http/exchange';
import { post, type Route } from './router';
import { assetId, contentName, isArea, mediaType, type StoredFile } from '../files/fileStore';
import { withAlpha } from '../files/pictureViews';
import { isCloud, type SandboxServer } from '../sandboxServer';
import { CloudRefusal } from './cloudErrors';

export const uploadRoutes: readonly Route[] = [
  post('/upload/image', uploadImage),
  post('/upload/mask', uploadMask),
];

/** A form with its file read. */
interface Form {
  readonly file: FormFile | undefined;
  text(name: string): string | undefined;
}

interface FormFile {
  /** Undefined: the part is text. */
  readonly filename: string | undefined;
  readonly bytes: Buffer;
}

async function readForm(exchange: Exchange): Promise<Form> {
  const form = await exchange.form();
  const text = (name: string): string | undefined => {
    const value = form.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  const image = form.get('image');
  if (image === null) return { text, file: undefined };
  if (typeof image === 'string') return { text, file: { filename: undefined, bytes: Buffer.from(image) } };
  return { text, file: { filename: image.name, bytes: Buffer.from(await image.arrayBuffer()) } };
}

/** What is stored for an upload; undefined: nothing, though the answer claims otherwise (protocol 1.4). */
type Content = (file: FormFile) => Uint8Array | undefined;

async function uploadImage(exchange: Exchange, server: SandboxServer): Promise<void> {
  const form = await readForm(exchange);
  store(exchange, server, form, (file) => file.bytes);
}

async function uploadMask(exchange: Exchange, server: SandboxServer): Promise<void> {
  const form = await readForm(exchange);
  const reference = form.text('original_ref');
  if (isCloud(server) && reference === undefined) {
    throw new CloudRefusal(400, 'INVALID_REQUEST', 'original_ref is required');
  }
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

/** Local rules (protocol 1.3): the same bytes keep the name, other bytes get a number appended. */
function storeByName(exchange: Exchange, server: SandboxServer, form: Form, content: Content): void {
  const { file } = form;
  const type = form.text('type') ?? 'input';
  if (!isArea(type)) throw new TypeError('No such area.');
  if (!file) {
    exchange.answerEmpty(400);
    return;
  }
  // To the real server a part without a file name is text, on which it fails.
  if (file.filename === undefined || file.filename === '') throw new TypeError('The part is no file.');
  const subfolder = form.text('subfolder') ?? '';
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

/** Not really its BLAKE3 hash: nothing compares it (protocol 2.3). */
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

/** Folder and name with `.` and `..` resolved; undefined if they lead out of the area. */
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

/** Cloud rules: the name is the hash of the bytes, the folder is only echoed. */
function storeByContent(exchange: Exchange, server: SandboxServer, form: Form, content: Content): void {
  const { file } = form;
  if (file?.filename === undefined || file.filename === '') {
    throw new CloudRefusal(400, 'INVALID_REQUEST', 'No image file provided');
  }
  // The default differs from the local server's (protocol 1.3).
  const type = form.text('type') ?? 'output';
  if (!isArea(type)) throw new CloudRefusal(400, 'INVALID_REQUEST', `Unknown type ${type}`);
  if (isTooLarge(file.bytes))
    throw new CloudRefusal(400, 'INVALID_REQUEST', 'Image dimensions are too large');
  const bytes = content(file) ?? file.bytes;
  const name = contentName(file.filename, bytes);
  server.files.write({ filename: name, subfolder: '', type }, bytes);
  exchange.answer({ name, subfolder: form.text('subfolder') ?? '', type });
}

const maxEdge = 16_384;
const maxPixels = 67_108_864;

/** The cloud's limits on pictures, if a PNG header gives the size (protocol 1.3). */
function isTooLarge(bytes: Buffer): boolean {
  if (bytes.byteLength < 24 || bytes.toString('latin1', 1, 4) !== 'PNG') return false;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return width > maxEdge || height > maxEdge || width * height > maxPixels;
}

/** @throws SyntaxError or TypeError as the real server fails on an invalid reference. */
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
