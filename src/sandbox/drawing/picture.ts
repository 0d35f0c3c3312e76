import { hashText } from './random';

/** Pixels, 8 bits per channel, row by row from the top, channels interleaved. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

export type Color = readonly [red: number, green: number, blue: number];

export function plainPicture(width: number, height: number, color: Color): Picture {
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < data.length; at += 3) data.set(color, at);
  return { width, height, channels: 3, data };
}

/** Two colors that the hash chooses run into each other. While it is made, the part below is gray. */
export function drawPicture(width: number, height: number, hash: number, done = 1): Picture {
  const [from, to] = [hashColor(`${hash} from`), hashColor(`${hash} to`)];
  const picture = plainPicture(width, height, [128, 128, 128]);
  const reach = width + height;
  for (let y = 0; y < height * done; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const share = (x + y) / reach;
      const at = (y * width + x) * 3;
      for (const channel of [0, 1, 2] as const)
        picture.data[at + channel] = from[channel] * (1 - share) + to[channel] * share;
    }
  }
  return picture;
}

function hashColor(text: string): Color {
  const hash = hashText(text);
  return [hash & 255, (hash >> 8) & 255, (hash >> 16) & 255];
}

export function opaquePicture(picture: Picture): Picture {
  if (picture.channels === 3) return picture;
  const { width, height } = picture;
  const data = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < data.length; from += 4, to += 3) {
    data.set(picture.data.subarray(from, from + 3), to);
  }
  return { width, height, channels: 3, data };
}

export function grayPicture(
  { width, height, channels, data }: Picture,
  byte: (pixel: Uint8Array) => number,
): Picture {
  const gray = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < gray.length; from += channels, to += 3)
    gray.fill(byte(data.subarray(from, from + channels)), to, to + 3);
  return { width, height, channels: 3, data: gray };
}

export function mapBytes(picture: Picture, byte: (value: number, at: number) => number): Picture {
  return { ...picture, data: picture.data.map(byte) };
}

/** Keeps proportions and takes the nearest pixels. */
export function fitInside(picture: Picture, side: number): Picture {
  const ratio = Math.max(1, Math.max(picture.width, picture.height) / side);
  if (ratio === 1) return picture;
  const { channels } = picture;
  const width = Math.max(1, Math.round(picture.width / ratio));
  const height = Math.max(1, Math.round(picture.height / ratio));
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const row = Math.floor((y * picture.height) / height);
      const from = (row * picture.width + Math.floor((x * picture.width) / width)) * channels;
      data.set(picture.data.subarray(from, from + channels), (y * width + x) * channels);
    }
  }
  return { width, height, channels, data };
}
