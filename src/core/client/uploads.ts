import { t } from '../safety/localize';
import type { UploadAnswer } from '../protocol/answers';
import { uploadAnswer } from '../protocol/answers';
import type { FormPart } from './httpStack';
import type { Transport } from './transport';

export interface ImageUpload {
  /** Any file, not only pictures: audio and video go the same way (protocol 1.3). */
  readonly filename: string;
  readonly bytes: Uint8Array;
  readonly mime?: string | undefined;
  readonly subfolder?: string | undefined;
  readonly overwrite?: boolean | undefined;
}

export interface MaskUpload extends ImageUpload {
  /** The picture that the mask belongs to, as the server names it. */
  readonly original: { readonly filename: string; readonly subfolder?: string; readonly type?: string };
}

/** A slow line and 100 MB. */
const deadline = 10 * 60_000;

/** Stores a file in the input area; the workflow must use the name in the answer, not the file's own. */
export function uploadImage(
  transport: Transport,
  upload: ImageUpload,
  signal?: AbortSignal,
): Promise<UploadAnswer> {
  return send(transport, '/api/upload/image', upload, [], signal);
}

/** Applies the alpha channel of the uploaded picture to the original, as a new file (protocol 1.4). */
export function uploadMask(
  transport: Transport,
  upload: MaskUpload,
  signal?: AbortSignal,
): Promise<UploadAnswer> {
  const { filename, subfolder, type } = upload.original;
  const reference = { filename, subfolder: subfolder ?? '', type: type ?? 'input' };
  const first = { name: 'original_ref', text: JSON.stringify(reference) };
  return send(transport, '/api/upload/mask', upload, [first], signal);
}

/** No contract shows the answer, so a name that is missing is taken to be the one that was sent. */
async function send(
  transport: Transport,
  path: string,
  upload: ImageUpload,
  first: readonly FormPart[],
  signal?: AbortSignal,
): Promise<UploadAnswer> {
  const answer = await transport.json(uploadAnswer, {
    method: 'POST',
    path,
    body: { form: [...first, ...parts(upload)] },
    deadline,
    signal,
  });
  if (answer.name !== undefined) return { ...answer, name: answer.name };
  const { filename } = upload;
  transport.notice(t`The server didn't say which name it gave ${filename}, so this name is used.`);
  return { ...answer, name: filename };
}

/** Texts before the file, as the newer endpoints want it; `type` always, for the areas differ by default. */
function parts(upload: ImageUpload): FormPart[] {
  return [
    { name: 'type', text: 'input' },
    ...(upload.subfolder ? [{ name: 'subfolder', text: upload.subfolder }] : []),
    ...(upload.overwrite ? [{ name: 'overwrite', text: 'true' }] : []),
    {
      name: 'image',
      filename: upload.filename,
      bytes: upload.bytes,
      mime: upload.mime,
    },
  ];
}
