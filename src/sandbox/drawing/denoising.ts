import type { Picture } from './picture';
import { seededRandom } from './random';
import { fitInside, scaled } from './scaling';

/** Picture pixels per latent pixel, which previews of the real server show. */
const latentPixel = 8;

/** The intermediate picture of a sampler: from colored noise to the result, large forms first, details last. */
export function denoising(result: Picture, seed: number, side: number): (done: number) => Picture {
  const target = fitInside(result, side);
  const noise = noisePicture(target, seed);
  return (done) => {
    const clarity = Math.min(1, Math.max(0, done));
    const forms = clarity < 0.95 ? coarse(target, 1 + 31 * (1 - clarity) ** 2) : target;
    const share = clarity ** 0.9;
    const data = new Uint8Array(target.data.length);
    for (let at = 0; at < data.length; at += 1) {
      data[at] = (noise.data[at] ?? 0) * (1 - share) + (forms.data[at] ?? 0) * share;
    }
    return { ...target, data };
  };
}

/** The picture as if seen from far away. */
function coarse(picture: Picture, factor: number): Picture {
  const width = Math.max(2, Math.round(picture.width / factor));
  const height = Math.max(2, Math.round(picture.height / factor));
  return scaled(scaled(picture, width, height), picture.width, picture.height);
}

function noisePicture(like: Picture, seed: number): Picture {
  const width = Math.max(1, Math.ceil(like.width / latentPixel));
  const height = Math.max(1, Math.ceil(like.height / latentPixel));
  const random = seededRandom(seed ^ 0x6e01);
  // The sum of two random numbers is closer to the bell curve of real noise than one.
  const data = Uint8Array.from(
    { length: width * height * like.channels },
    () => (random() + random()) * 127.5,
  );
  return scaled({ width, height, channels: like.channels, data }, like.width, like.height);
}
