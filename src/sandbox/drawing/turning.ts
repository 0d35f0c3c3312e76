import type { Picture } from './picture';

/** A picture of another arrangement: `from` says where the pixel of a place comes from. */
function arranged(
  picture: Picture,
  width: number,
  height: number,
  from: (x: number, y: number) => readonly [x: number, y: number],
): Picture {
  const { channels } = picture;
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [sourceX, sourceY] = from(x, y);
      const at = (sourceY * picture.width + sourceX) * channels;
      data.set(picture.data.subarray(at, at + channels), (y * width + x) * channels);
    }
  }
  return { width, height, channels, data };
}

/** Turned to the right by `90 degrees`, `180 degrees` or `270 degrees`; anything else leaves it as it is. */
export function turned(picture: Picture, rotation: string): Picture {
  const { width, height } = picture;
  if (rotation.startsWith('90')) return arranged(picture, height, width, (x, y) => [y, height - 1 - x]);
  if (rotation.startsWith('180'))
    return arranged(picture, width, height, (x, y) => [width - 1 - x, height - 1 - y]);
  if (rotation.startsWith('270')) return arranged(picture, height, width, (x, y) => [width - 1 - y, x]);
  return picture;
}

/** Mirrored: `x-axis: …` upside down, `y-axis: …` left to right. */
export function mirrored(picture: Picture, method: string): Picture {
  const { width, height } = picture;
  if (method.startsWith('x')) return arranged(picture, width, height, (x, y) => [x, height - 1 - y]);
  if (method.startsWith('y')) return arranged(picture, width, height, (x, y) => [width - 1 - x, y]);
  return picture;
}
