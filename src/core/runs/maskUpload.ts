import type { ExecutionClient } from '../client/execution';
import { ServerError } from '../protocol/serverError';
import type { UploadAnswer } from '../protocol/answers';
import { budgets } from '../safety/budgets';
import { workflowValue } from './mediaUploads';
import { isContentOfKind } from './uploadKinds';
import { t } from '../safety/localize';

export interface PictureFile {
  /** Its name alone, without folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A picture on the server, as in `original_ref`. */
export interface ServerPicture {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

interface MaskRequest {
  /** The picture that the mask belongs to: uploaded first if it is a local file. */
  readonly picture: PictureFile | ServerPicture;
  /** Transparent areas are masked, as in the ComfyUI editor. */
  readonly mask: PictureFile;
  /** Files of the same names on the server are replaced; otherwise the new ones get a number. */
  readonly overwrite: boolean;
}

type Uploads = Pick<ExecutionClient, 'uploadImage' | 'uploadMask' | 'view'>;

export class MaskProblem extends Error {
  override readonly name = 'MaskProblem';
  constructor(
    message: string,
    readonly nextAction: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Uploads a picture; resolves to the value for an input. */
export async function uploadPicture(
  client: Pick<Uploads, 'uploadImage'>,
  picture: PictureFile,
  overwrite: boolean,
  signal?: AbortSignal,
): Promise<string> {
  refuseUnusable(picture);
  const { name: filename, bytes } = picture;
  return workflowValue(await client.uploadImage({ filename, bytes, overwrite }, signal));
}

/**
 * Resolves to the value for the input, a new file: the picture with the mask as its alpha channel (protocol 1.4).
 * @throws MaskProblem before anything is sent if a file can't be used, and if the server stored nothing
 */
export async function uploadMaskFor(
  client: Uploads,
  { picture, mask, overwrite }: MaskRequest,
  signal?: AbortSignal,
): Promise<string> {
  refusePictures(mask, 'bytes' in picture ? picture : undefined);
  let original = picture as ServerPicture;
  if ('bytes' in picture) {
    const { name, bytes } = picture;
    const uploaded = await client.uploadImage({ filename: name, bytes, overwrite }, signal);
    const { name: filename, subfolder, type } = uploaded;
    original = { filename, subfolder, type: type === '' ? 'input' : type };
  }
  // Not the mask's own name: it may equal that of the picture, which must stay, and the stored file is a PNG.
  const filename = `${original.filename.replace(/\.[^.]*$/, '')}-masked.png`;
  const upload = { filename, bytes: mask.bytes, overwrite, original };
  const stored = await client.uploadMask(upload, signal);
  await refuseLost(client, stored, original, signal);
  return workflowValue(stored);
}

export function serverPicture(fileName: string, type: string): ServerPicture {
  const parts = fileName.split('/');
  const filename = parts.pop() ?? fileName;
  return { filename, subfolder: parts.join('/'), type };
}

function refusePictures(mask: PictureFile, picture: PictureFile | undefined): void {
  refuseUnusable(mask);
  if (picture) refuseUnusable(picture);
  const of = pngAlpha(mask.bytes);
  if (/\.jpe?g$/i.test(mask.name) || of?.hasAlpha === false) {
    throw new MaskProblem(
      t`${mask.name} has no transparent areas, so it masks nothing.`,
      t`Choose a PNG or WebP image that is transparent where the mask should be.`,
    );
  }
  const size = picture && pngAlpha(picture.bytes);
  if (of && size && (of.width !== size.width || of.height !== size.height)) {
    throw new MaskProblem(
      t`The mask is ${of.width} × ${of.height} pixels and the image is ${size.width} × ${size.height}.`,
      t`Choose a mask of the same size as the image.`,
    );
  }
}

function refuseUnusable({ name, bytes }: PictureFile): void {
  if (bytes.byteLength > budgets.uploadFile) {
    throw new MaskProblem(t`${name} is too large.`, t`Use a smaller file.`);
  }
  if (!isContentOfKind('image', name, bytes)) {
    throw new MaskProblem(t`${name} is not an image.`, t`Choose another file.`);
  }
}

/** A server that lacks the original answers as if all were well and keeps nothing (protocol 1.4). */
async function refuseLost(
  client: Uploads,
  { name, subfolder, type }: UploadAnswer,
  original: ServerPicture,
  signal: AbortSignal | undefined,
): Promise<void> {
  const file = {
    filename: name,
    subfolder,
    area: type === '' ? 'input' : type,
    nodeId: '',
    media: 'image',
  } as const;
  try {
    const { body } = await client.view(file, { signal });
    await body.cancel().catch(() => undefined);
  } catch (error) {
    if (!ServerError.is(error) || error.reason !== 'notFound') throw error;
    throw new MaskProblem(
      t`The server didn't save a masked image. It may not have ${original.filename}.`,
      t`Choose the image on this machine instead, so that it's uploaded too.`,
    );
  }
}

/** Undefined if it isn't a PNG; `hasAlpha` false: no pixel of it is transparent. */
function pngAlpha(content: Uint8Array) {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const [name, chunk] = [bytes.toString('latin1', 1, 4), bytes.toString('latin1', 12, 16)];
  if (bytes.length < 33 || name !== 'PNG' || chunk !== 'IHDR') return undefined;
  const colour = bytes.readUInt8(25);
  // 4 and 6 have an alpha channel; the others may name a transparent colour in a chunk before the pixels.
  const hasAlpha = colour === 4 || colour === 6 || hasChunk(bytes, 'tRNS');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), hasAlpha };
}

function hasChunk(bytes: Buffer, wanted: string): boolean {
  let at = 8;
  while (at + 12 <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === wanted) return true;
    if (type === 'IDAT') return false;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
}
