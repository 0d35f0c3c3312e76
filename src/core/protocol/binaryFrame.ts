import * as z from 'zod';
import type { ImageMime, ServerEvent } from './serverEvent';
import { budgets } from '../safety/budgets';
import { type Hide, parseSocketText, oversizedMessage } from './socketMessage';
import { namedNode, wireOptional } from './wire';

const openingBrace = 0x7b;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const previewMetadata = z.object({
  node_id: namedNode,
  prompt_id: wireOptional(z.string()),
  display_node_id: namedNode,
  image_type: wireOptional(z.string()),
});

/**
 * The layout of a frame after its type, which only the server decides, because bytes can be read either way (protocol
 * 3.6). `formatCode`: always the picture's format code, as the cloud documents it; `lengthPrefix`: the layouts of
 * ComfyUI; `either`: of texts both readings are kept, until it is known which nodes run.
 */
export type FrameLayout = 'formatCode' | 'lengthPrefix' | 'either';

/**
 * Reads a binary frame of the event socket (layouts in protocol 3.6; integers are unsigned, 32 bits, big-endian).
 * Never throws; undefined means a frame to drop: too short, a length that points past its end, broken JSON or UTF-8,
 * or an unknown type. The picture of a preview is a view on `bytes`, not a copy.
 */
export function parseSocketFrame(
  bytes: Uint8Array,
  hide: Hide = (value) => value,
  layout: FrameLayout = 'lengthPrefix',
): ServerEvent | undefined {
  const isText = bytes[0] === openingBrace;
  const refused = oversizedMessage(bytes.length, isText ? budgets.socketText : budgets.socketPicture);
  if (refused) return refused;
  try {
    // Some senders put JSON text into binary frames; no frame type starts with this byte.
    if (isText) return parseSocketText(strictUtf8.decode(bytes), hide);
    if (bytes.length < 8) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const type = view.getUint32(0);
    const second = view.getUint32(4);
    const rest = bytes.subarray(8);
    if (type === 1) return plainPreview(second, rest);
    if (type === 3) return hide(textEvent(second, rest, layout)) as ServerEvent | undefined;
    const hasCode = layout === 'formatCode' || (layout === 'either' && second <= 2);
    if (type === 4 && hasCode) return plainPreview(second, rest);
    if (type === 4) return hide(previewWithMetadata(second, rest)) as ServerEvent | undefined;
    return undefined;
  } catch {
    return undefined;
  }
}

function plainPreview(format: number, image: Uint8Array): ServerEvent | undefined {
  const mime = sniff(image) ?? (format === 1 ? 'image/jpeg' : format === 2 ? 'image/png' : undefined);
  if (!mime || image.length === 0) return undefined;
  return { type: 'preview', mime, image };
}

function textEvent(second: number, rest: Uint8Array, layout: FrameLayout): ServerEvent | undefined {
  if (layout === 'lengthPrefix') return progressText(second, rest);
  const whole = strictUtf8.decode(rest);
  const unnamed: ServerEvent = { type: 'progressText', nodeId: '', text: whole };
  if (layout === 'formatCode') return unnamed;
  const prefixed = progressText(second, rest);
  return prefixed?.type === 'progressText' && prefixed.promptId === undefined
    ? { ...prefixed, whole }
    : (prefixed ?? unnamed);
}

function progressText(length: number, rest: Uint8Array): ServerEvent | undefined {
  if (length > rest.length) return undefined;
  const first = strictUtf8.decode(rest.subarray(0, length));
  const afterFirst = rest.subarray(length);
  // Nothing in the frame itself indicates the variant with a prompt id before the node id.
  if (canonicalUuid.test(first) && afterFirst.length >= 4) {
    const nodeLength = new DataView(afterFirst.buffer, afterFirst.byteOffset, 4).getUint32(0);
    if (nodeLength <= afterFirst.length - 4) {
      const nodeId = strictUtf8.decode(afterFirst.subarray(4, 4 + nodeLength));
      const text = strictUtf8.decode(afterFirst.subarray(4 + nodeLength));
      return { type: 'progressText', promptId: first, nodeId, text };
    }
  }
  return { type: 'progressText', nodeId: first, text: strictUtf8.decode(afterFirst) };
}

function previewWithMetadata(length: number, rest: Uint8Array): ServerEvent | undefined {
  if (length > rest.length) return undefined;
  const metadata = previewMetadata.parse(JSON.parse(strictUtf8.decode(rest.subarray(0, length))));
  const image = rest.subarray(length);
  const mime = sniff(image) ?? imageMime(metadata.image_type);
  if (!mime || image.length === 0) return undefined;
  return {
    type: 'preview',
    mime,
    image,
    promptId: metadata.prompt_id,
    nodeId: metadata.node_id,
    displayNodeId: metadata.display_node_id,
  };
}

function imageMime(text: string | undefined): ImageMime | undefined {
  return text === 'image/jpeg' || text === 'image/png' ? text : undefined;
}

function sniff(image: Uint8Array): ImageMime | undefined {
  if (image[0] === 0xff && image[1] === 0xd8) return 'image/jpeg';
  if (image[0] === 0x89 && image[1] === 0x50 && image[2] === 0x4e && image[3] === 0x47) return 'image/png';
  return undefined;
}
