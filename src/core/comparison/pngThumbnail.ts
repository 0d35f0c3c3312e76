import { shrunk } from './differencePicture';
import { pngOf, pngPixels } from './pngPixels';

/** The largest side of a thumbnail, and the pixels of a PNG that is decoded for one: that takes some 20 ms. */
const side = 256;
const mostPixels = 2 ** 20;

/** A small PNG of a PNG, without what else is in it; undefined if it is large, animated or none. */
export function pngThumbnail(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < 24) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(16) * view.getUint32(20) > mostPixels) return undefined;
  const pixels = pngPixels(bytes);
  return pixels && pngOf(shrunk(pixels, Math.ceil(Math.max(pixels.width, pixels.height) / side)));
}
