import { numberAt } from '../safety/lists';
import type { Pixels } from './pngPixels';

/**
 * The mean colour difference, in percent of the one between black and white; the share of the pixels that look
 * different, 0 to 1; and whether all values are identical, those of transparent pixels too. The difference of two
 * colours is their
 * distance in OKLab (Björn Ottosson, 2020), in which equal distances look about equally large; about 2 is just
 * noticeable side by side. Where a picture is transparent, it is looked at on black and on white, and the larger
 * difference counts.
 *
 * @throws RangeError if the sizes differ
 */
export function pictureDistance(one: Pixels, other: Pixels) {
  const distanceAt = pixelDistances(one, other);
  const [scale, otherScale] = [scaleOf(one), scaleOf(other)];
  let identical = true;
  let [sum, differing] = [0, 0];
  const pixels = one.width * one.height;
  for (let pixel = 0; pixel < pixels; pixel++) {
    if (sameValues(one.data, scale, other.data, otherScale, 4 * pixel)) continue;
    identical = false;
    const distance = distanceAt(pixel);
    if (distance === 0) continue;
    sum += distance;
    differing += 1;
  }
  return { identical, distance: (100 * sum) / pixels, share: differing / pixels };
}

/** The distance of each pixel by its index: 0 is the same, 1 is black against white. */
export function pixelDistances(one: Pixels, other: Pixels): (pixel: number) => number {
  if (one.width !== other.width || one.height !== other.height)
    throw new RangeError('The pictures differ in size.');
  const [scale, otherScale] = [scaleOf(one), scaleOf(other)];
  const [lab, otherLab] = [new Float64Array(3), new Float64Array(3)];
  const on = (backdrop: number, at: number): number => {
    toLab(one.data, scale, at, backdrop, lab);
    toLab(other.data, otherScale, at, backdrop, otherLab);
    return Math.hypot(
      numberAt(lab, 0) - numberAt(otherLab, 0),
      numberAt(lab, 1) - numberAt(otherLab, 1),
      numberAt(lab, 2) - numberAt(otherLab, 2),
    );
  };
  return (pixel) => {
    const at = 4 * pixel;
    if (sameValues(one.data, scale, other.data, otherScale, at)) return 0;
    const isOpaque =
      numberAt(one.data, at + 3) * scale === most && numberAt(other.data, at + 3) * otherScale === most;
    return isOpaque ? on(0, at) : Math.max(on(0, at), on(most, at));
  };
}

/** The largest value, in 16 bits. */
const most = 65_535;

function scaleOf({ data }: Pixels): number {
  return data instanceof Uint16Array ? 1 : 257;
}

function sameValues(
  one: Pixels['data'],
  scale: number,
  other: Pixels['data'],
  otherScale: number,
  at: number,
): boolean {
  for (let channel = at; channel < at + 4; channel++) {
    if (numberAt(one, channel) * scale !== numberAt(other, channel) * otherScale) return false;
  }
  return true;
}

let light: Float64Array | undefined;

/** A pixel on a gray backdrop, 0 to `most`, in OKLab. The constants are those of its definition. */
function toLab(data: Pixels['data'], scale: number, at: number, backdrop: number, lab: Float64Array): void {
  const table = (light ??= Float64Array.from({ length: most + 1 }, (_, value) => {
    const encoded = value / most;
    return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
  }));
  const alpha = (numberAt(data, at + 3) * scale) / most;
  const lightOf = (channel: number): number => {
    const value = numberAt(data, at + channel) * scale;
    return numberAt(table, Math.round(value * alpha + backdrop * (1 - alpha)));
  };
  const [r, g, b] = [lightOf(0), lightOf(1), lightOf(2)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  lab[0] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  lab[1] = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
}
