/** Pixels, 8 bit per channel, row by row from the top, channels interleaved. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** 3: RGB; 4: RGB and alpha. */
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}
