/** Pixels, 8 bits per channel, row by row from the top, channels interleaved. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** 3: RGB; 4: RGB and alpha. */
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

export type Color = readonly [red: number, green: number, blue: number];

export function plainPicture(width: number, height: number, [red, green, blue]: Color): Picture {
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < data.length; at += 3) {
    data[at] = red;
    data[at + 1] = green;
    data[at + 2] = blue;
  }
  return { width, height, channels: 3, data };
}

/** The picture without its alpha channel. */
export function opaque(picture: Picture): Picture {
  if (picture.channels === 3) return picture;
  const { width, height } = picture;
  const data = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < data.length; from += 4, to += 3) {
    data.set(picture.data.subarray(from, from + 3), to);
  }
  return { width, height, channels: 3, data };
}

/** A picture of the same size with every byte mapped. */
export function mapBytes(picture: Picture, byte: (value: number, at: number) => number): Picture {
  return { ...picture, data: picture.data.map(byte) };
}
