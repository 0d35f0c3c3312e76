import encode, { init } from '@jsquash/jpeg/encode.js';
import encoderBytes from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm';
import type { Picture } from './picture';

const quality = 85;

let ready: Promise<void> | undefined;

/** A JPEG of the picture; the encoder is compiled at the first call. */
export async function encodeJpeg(picture: Picture): Promise<Uint8Array> {
  ready ??= WebAssembly.compile(encoderBytes).then((module) => init(module));
  await ready;
  const { width, height } = picture;
  const image = { data: withAlpha(picture), width, height, colorSpace: 'srgb' } satisfies Partial<ImageData>;
  // Plain Huffman tables and no progressive scans: previews are made many times a second.
  const options = { quality, progressive: false, baseline: true, optimize_coding: false };
  return new Uint8Array(await encode(image, options));
}

/** The encoder wants four channels whatever the picture has. */
function withAlpha(picture: Picture): Uint8ClampedArray<ArrayBuffer> {
  const data = new Uint8ClampedArray(picture.width * picture.height * 4).fill(255);
  const { channels } = picture;
  for (let from = 0, to = 0; to < data.length; from += channels, to += 4) {
    for (let channel = 0; channel < channels; channel += 1)
      data[to + channel] = picture.data[from + channel] ?? 0;
  }
  return data;
}
