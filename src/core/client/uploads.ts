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
  return transport.json(uploadAnswer, {
    method: 'POST',
    path: '/api/upload/image',
    body: { form: parts(upload) },
    deadline,
    signal,
  });
}

/** Applies the alpha channel of the uploaded picture to the original, as a new file (protocol 1.4). */
export function uploadMask(
  transport: Transport,
  upload: MaskUpload,
  signal?: AbortSignal,
): Promise<UploadAnswer> {
  const { filename, subfolder, type } = upload.original;
  const reference = { filename, subfolder: subfolder ?? '', type: type ?? 'input' };
  return transport.json(uploadAnswer, {
    method: 'POST',
    path: '/api/upload/mask',
    body: { form: [{ name: 'original_ref', text: JSON.stringify(reference) }, ...parts(upload)] },
    deadline,
    signal,
  });
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
