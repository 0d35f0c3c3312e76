import type { NodePlace } from '../execution/runEvent';

export interface PreviewPicture extends NodePlace {
  readonly promptId: string;
  readonly image: Uint8Array;
}

const previewImage = 1;
const jpegFormat = 1;
const pngFormat = 2;
const textMessage = 3;
const previewWithMetadata = 4;

/** Binary type 1: a picture without the ids of its node and job (protocol 3.6). */
export function plainPreviewFrame({ image }: PreviewPicture): Buffer {
  return Buffer.concat([uint32(previewImage), uint32(pngFormat), image]);
}

/** A frame as documented: type, format code, content, and no ids (contract 6.2). */
export function documentedFrame(shown: { readonly image: Uint8Array } | { readonly text: string }): Buffer {
  return 'text' in shown
    ? Buffer.concat([uint32(textMessage), uint32(jpegFormat), Buffer.from(shown.text, 'utf8')])
    : Buffer.concat([uint32(previewWithMetadata), uint32(pngFormat), shown.image]);
}

/** Binary type 4: a picture with the ids of its node and job. */
export function previewFrame(preview: PreviewPicture): Buffer {
  const metadata = Buffer.from(
    JSON.stringify({
      node_id: preview.nodeId,
      prompt_id: preview.promptId,
      display_node_id: preview.displayNodeId,
      parent_node_id: preview.parentNodeId,
      real_node_id: preview.realNodeId,
      image_type: 'image/png',
    }),
  );
  return Buffer.concat([uint32(previewWithMetadata), uint32(metadata.byteLength), metadata, preview.image]);
}

/** Binary type 3: text that a node shows. */
export function textFrame(nodeId: string, text: string): Buffer {
  const id = Buffer.from(nodeId, 'utf8');
  return Buffer.concat([uint32(textMessage), uint32(id.byteLength), id, Buffer.from(text, 'utf8')]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
