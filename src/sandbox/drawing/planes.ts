import type { Picture } from './picture';
import { scaled } from './scaling';

/** One gray plane of pixels, such as a mask: 0 outside, 255 inside. */
export interface GrayPlane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A plane made byte by byte. */
export function planeFrom(
  width: number,
  height: number,
  byte: (x: number, y: number, at: number) => number,
): GrayPlane {
  const data = new Uint8Array(width * height);
  for (let at = 0; at < data.length; at += 1) data[at] = byte(at % width, Math.floor(at / width), at);
  return { width, height, data };
}

export function planeOf(picture: Picture, channel: number): GrayPlane {
  const { width, height, channels, data } = picture;
  return planeFrom(width, height, (_x, _y, at) => data[at * channels + channel] ?? 0);
}

export function grayPicture(plane: GrayPlane): Picture {
  const data = new Uint8Array(plane.data.length * 3);
  for (const [at, value] of plane.data.entries()) data.fill(value, at * 3, at * 3 + 3);
  return { width: plane.width, height: plane.height, channels: 3, data };
}

export function scaledPlane(plane: GrayPlane, width: number, height: number): GrayPlane {
  if (plane.width === width && plane.height === height) return plane;
  return planeOf(scaled(grayPicture(plane), width, height), 0);
}

export function invertedPlane(plane: GrayPlane): GrayPlane {
  return { ...plane, data: plane.data.map((value) => 255 - value) };
}
