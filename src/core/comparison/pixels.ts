/** A decoded picture. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha (not premultiplied), row by row, in sRGB; 16 bits per value in a `Uint16Array`. */
  readonly data: Uint8Array | Uint16Array;
}
