import { blendedPictures, blendFormula, laidOver } from '../drawing/blending';
import { blurred, edges, posterized, sharpened } from '../drawing/filters';
import { mapBytes, opaque, plainPicture } from '../drawing/picture';
import type { Color, Picture } from '../drawing/picture';
import { grayPicture, planeFrom, scaledPlane } from '../drawing/planes';
import { seededRandom } from '../drawing/random';
import { covering, cropped, scaled } from '../drawing/scaling';
import { mirrored, turned } from '../drawing/turning';
import type { NodeResult, SandboxValue } from './sandboxNode';
import { checkMemory, Images, imagesIn, Masks, masksIn, numberIn, seedIn } from './nodeValues';
import type { Inputs } from './nodeValues';

/** The batch of an input with each picture changed. */
export function edited(
  inputs: Inputs,
  change: (picture: Picture, index: number) => Picture,
  name = 'image',
): NodeResult {
  return { outputs: [imagesIn(inputs, name).map(change)] };
}

export function invertImage(inputs: Inputs): NodeResult {
  return edited(inputs, (picture) => mapBytes(opaque(picture), (value) => 255 - value));
}

export function batchImages(inputs: Inputs): NodeResult {
  return { outputs: [joined([imagesIn(inputs, 'image1'), imagesIn(inputs, 'image2')])] };
}

/** Any number of inputs `images.image0`, `images.image1`, … */
export function batchManyImages(inputs: Inputs): NodeResult {
  const names = Object.keys(inputs).filter((name) => name.startsWith('images.'));
  return { outputs: [joined(names.map((name) => imagesIn(inputs, name)))] };
}

/** Pictures of one batch have one size: that of the first. */
function joined(batches: readonly Images[]): Images {
  const [first] = batches.flatMap((batch) => batch.pictures);
  return Images.of(
    batches.flatMap((batch) =>
      batch.pictures.map((picture) => covering(picture, first?.width ?? 1, first?.height ?? 1, 'smooth')),
    ),
  );
}

export function padForOutpaint(inputs: Inputs): NodeResult {
  const images = imagesIn(inputs, 'image');
  const { width, height } = images.first;
  const left = numberIn(inputs, 'left');
  const top = numberIn(inputs, 'top');
  const wide = width + left + numberIn(inputs, 'right');
  const high = height + top + numberIn(inputs, 'bottom');
  checkMemory(wide, high, images.pictures.length);
  const feather = numberIn(inputs, 'feathering');
  const mask = planeFrom(wide, high, (x, y) => {
    const inward = Math.min(
      left > 0 ? x - left : Infinity,
      top > 0 ? y - top : Infinity,
      wide > left + width ? left + width - 1 - x : Infinity,
      high > top + height ? top + height - 1 - y : Infinity,
    );
    if (inward < 0) return 255;
    return inward < feather ? 255 * ((feather - inward) / feather) ** 2 : 0;
  });
  const padded = images.map((picture) =>
    laidOver(plainPicture(wide, high, [127, 127, 127]), picture, left, top),
  );
  return { outputs: [padded, Masks.of([mask])] };
}

export function emptyImage(inputs: Inputs): NodeResult {
  const width = numberIn(inputs, 'width');
  const height = numberIn(inputs, 'height');
  const batch = numberIn(inputs, 'batch_size');
  checkMemory(width, height, batch);
  const color = numberIn(inputs, 'color');
  const picture = plainPicture(width, height, [(color >> 16) & 255, (color >> 8) & 255, color & 255]);
  return { outputs: [Images.of(Array.from({ length: batch }, () => picture))] };
}

export function blendImages(inputs: Inputs): NodeResult {
  const upper = imagesIn(inputs, 'image2');
  const formula = blendFormula(String(inputs['blend_mode']));
  const share = numberIn(inputs, 'blend_factor');
  return edited(
    inputs,
    (picture, index) => {
      const base = opaque(picture);
      const chosen = upper.pictures[index % upper.pictures.length] ?? upper.first;
      const over = covering(opaque(chosen), base.width, base.height, 'smooth');
      const mixed = mapBytes(base, (value, at) => 255 * formula(value / 255, (over.data[at] ?? 0) / 255));
      return blendedPictures(base, mixed, share);
    },
    'image1',
  );
}

export function blurImage(inputs: Inputs): NodeResult {
  return edited(inputs, (picture) =>
    blurred(picture, numberIn(inputs, 'blur_radius'), numberIn(inputs, 'sigma')),
  );
}

export function sharpenImage(inputs: Inputs): NodeResult {
  const strength = numberIn(inputs, 'alpha');
  return edited(inputs, (picture) =>
    sharpened(picture, numberIn(inputs, 'sharpen_radius'), numberIn(inputs, 'sigma'), strength),
  );
}

export function quantizeImage(inputs: Inputs): NodeResult {
  return edited(inputs, (picture) => posterized(picture, numberIn(inputs, 'colors')));
}

export function compositeImages(inputs: Inputs): NodeResult {
  const source = imagesIn(inputs, 'source');
  const mask = inputs['mask'] === undefined ? undefined : masksIn(inputs, 'mask').first;
  return edited(
    inputs,
    (picture, index) => {
      const chosen = source.pictures[index % source.pictures.length] ?? source.first;
      const over = inputs['resize_source'] === true ? scaled(chosen, picture.width, picture.height) : chosen;
      const inside = mask && scaledPlane(mask, over.width, over.height);
      return laidOver(picture, over, numberIn(inputs, 'x'), numberIn(inputs, 'y'), inside);
    },
    'destination',
  );
}

export function splitAlpha(inputs: Inputs): NodeResult {
  const images = imagesIn(inputs, 'image');
  return { outputs: [images.map(opaque), Masks.of(images.pictures.map(transparency))] };
}

/** A mask is where a picture is not: the server's masks are transparency. */
export function transparency(picture: Picture): { width: number; height: number; data: Uint8Array } {
  const { width, height, channels } = picture;
  if (channels === 3) return { width, height, data: new Uint8Array(width * height) };
  return planeFrom(width, height, (_x, _y, at) => 255 - (picture.data[at * 4 + 3] ?? 255));
}

export function joinAlpha(inputs: Inputs): NodeResult {
  const masks = masksIn(inputs, 'alpha');
  return edited(inputs, (picture, index) => {
    const { width, height } = picture;
    const mask = scaledPlane(masks.planes[index % masks.planes.length] ?? masks.first, width, height);
    const { data } = opaque(picture);
    const pixels = new Uint8Array(width * height * 4);
    for (let at = 0; at < width * height; at += 1) {
      pixels.set(data.subarray(at * 3, at * 3 + 3), at * 4);
      pixels[at * 4 + 3] = 255 - (mask.data[at] ?? 0);
    }
    return { width, height, channels: 4, data: pixels };
  });
}

/** Takes and gives lists: batches of another size from all pictures together. */
export function rebatchImages(inputs: Inputs): NodeResult {
  const batches = inputs['images'] as readonly SandboxValue[];
  const [size] = inputs['batch_size'] as readonly number[];
  const pictures = batches.flatMap(
    (_, index) => imagesIn(Object.fromEntries(batches.entries()), String(index)).pictures,
  );
  const list: Images[] = [];
  for (let at = 0; at < pictures.length; at += size ?? 1)
    list.push(Images.of(pictures.slice(at, at + (size ?? 1))));
  return { outputs: [list] };
}

export function findEdges(inputs: Inputs): NodeResult {
  const low = numberIn(inputs, 'low_threshold');
  const high = numberIn(inputs, 'high_threshold');
  return edited(inputs, (picture) => grayPicture(edges(picture, low, high)));
}

export function cropImage(inputs: Inputs): NodeResult {
  const [x, y] = [numberIn(inputs, 'x'), numberIn(inputs, 'y')];
  return edited(inputs, (picture) =>
    cropped(picture, x, y, numberIn(inputs, 'width'), numberIn(inputs, 'height')),
  );
}

export function repeatImages(inputs: Inputs): NodeResult {
  const { pictures, first } = imagesIn(inputs, 'image');
  const amount = numberIn(inputs, 'amount');
  checkMemory(first.width, first.height, pictures.length * amount);
  return { outputs: [Images.of(Array.from({ length: amount }, () => pictures).flat())] };
}

export function imageFromBatch(inputs: Inputs): NodeResult {
  const { pictures } = imagesIn(inputs, 'image');
  const wanted = numberIn(inputs, 'batch_index');
  const start = Math.min(pictures.length - 1, Math.max(0, wanted < 0 ? pictures.length + wanted : wanted));
  return { outputs: [Images.of(pictures.slice(start, start + numberIn(inputs, 'length')))] };
}

export function addImageNoise(inputs: Inputs): NodeResult {
  const random = seededRandom(seedIn(inputs, 'seed'));
  const strength = numberIn(inputs, 'strength') * 255;
  return edited(inputs, (picture) =>
    mapBytes(picture, (value) => Math.min(255, Math.max(0, value + (random() - 0.5) * strength))),
  );
}

const spacingColors: Readonly<Record<string, Color>> = {
  white: [255, 255, 255],
  black: [0, 0, 0],
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
};

export function stitchImages(inputs: Inputs): NodeResult {
  const images = imagesIn(inputs, 'image1');
  if (inputs['image2'] === undefined) return { outputs: [images] };
  const others = imagesIn(inputs, 'image2');
  const direction = String(inputs['direction']);
  const beside = direction === 'right' || direction === 'left';
  const gap = numberIn(inputs, 'spacing_width');
  const color = spacingColors[String(inputs['spacing_color'])] ?? [255, 255, 255];
  return edited(
    inputs,
    (own, index) => {
      const other = others.pictures[Math.min(index, others.pictures.length - 1)] ?? others.first;
      const factor = beside ? own.height / other.height : own.width / other.width;
      const fitted =
        inputs['match_image_size'] === true
          ? scaled(
              other,
              Math.max(1, Math.round(other.width * factor)),
              Math.max(1, Math.round(other.height * factor)),
            )
          : other;
      const [first, second] = direction === 'right' || direction === 'down' ? [own, fitted] : [fitted, own];
      const width = beside ? first.width + gap + second.width : Math.max(first.width, second.width);
      const height = beside ? Math.max(first.height, second.height) : first.height + gap + second.height;
      const canvas = laidOver(plainPicture(width, height, color), first, 0, 0);
      return laidOver(canvas, second, beside ? first.width + gap : 0, beside ? 0 : first.height + gap);
    },
    'image1',
  );
}

export function imageSize(inputs: Inputs): NodeResult {
  const { first, pictures } = imagesIn(inputs, 'image');
  return { outputs: [first.width, first.height, pictures.length] };
}

export function rotateImage(inputs: Inputs): NodeResult {
  return edited(inputs, (picture) => turned(picture, String(inputs['rotation'])));
}

export function flipImage(inputs: Inputs): NodeResult {
  return edited(inputs, (picture) => mirrored(picture, String(inputs['flip_method'])));
}
