import { decode } from 'fast-png';
import { decodePng, encodePng } from '../drawing/encodePng';
import { fitInside, mapBytes, opaque, type Picture } from '../drawing/picture';

/** The picture without its alpha channel, as PNG; undefined if the bytes are not a PNG. */
export function colourOnly(bytes: Uint8Array): Uint8Array | undefined {
  const picture = decodePng(bytes);
  return picture && encodePng(opaque(picture));
}

/** The alpha channel on black, as PNG; a picture without one is fully opaque. */
export function alphaOnly(bytes: Uint8Array): Uint8Array | undefined {
  const picture = withChannels(bytes);
  return picture && encodePng(mapBytes(picture, (value, at) => (at % 4 === 3 ? value : 0)));
}

/** The original with the alpha channel of the mask; keeps the original's text chunks (protocol 1.4). */
export function withAlpha(original: Uint8Array, mask: Uint8Array): Uint8Array | undefined {
  const [picture, alpha] = [withChannels(original), withChannels(mask)];
  if (!picture || !alpha || picture.data.length !== alpha.data.length) return undefined;
  const masked = mapBytes(picture, (value, at) => (at % 4 === 3 ? (alpha.data[at] ?? 255) : value));
  return encodePng(masked, decode(original).text);
}

/** Shrinks the picture to fit a square with this edge. */
export function fitInto(bytes: Uint8Array, edge: number): Picture | undefined {
  const picture = decodePng(bytes);
  return picture && fitInside(picture, edge);
}

function withChannels(bytes: Uint8Array): Picture | undefined {
  const picture = decodePng(bytes);
  if (!picture || picture.channels === 4) return picture;
  const { width, height, data } = picture;
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at += 1) pixels.set(data.subarray(at * 3, at * 3 + 3), at * 4);
  return { width, height, channels: 4, data: pixels };
}
