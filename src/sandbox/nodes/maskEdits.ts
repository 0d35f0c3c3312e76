import { croppedPlane, grayPicture, invertedPlane, planeFrom, planeOf } from '../drawing/planes';
import type { Picture } from '../drawing/picture';
import { transparency } from './pictureEdits';
import type { NodeContext, NodeResult } from './sandboxNode';
import { readPicture } from './inputFiles';
import { previewImages } from './savers';
import { Images, imagesIn, Masks, masksIn, numberIn } from './nodeValues';
import type { Inputs, Plane } from './nodeValues';

function edited(inputs: Inputs, change: (plane: Plane) => Plane): NodeResult {
  return { outputs: [Masks.of(masksIn(inputs, 'mask').planes.map(change))] };
}

export function solidMask(inputs: Inputs): NodeResult {
  const value = Math.round(numberIn(inputs, 'value') * 255);
  return { outputs: [Masks.plain(numberIn(inputs, 'width'), numberIn(inputs, 'height'), value)] };
}

export function invertMask(inputs: Inputs): NodeResult {
  return edited(inputs, invertedPlane);
}

export function maskToImage(inputs: Inputs): NodeResult {
  return { outputs: [Images.of(masksIn(inputs, 'mask').planes.map(grayPicture))] };
}

export function previewMask(inputs: Inputs, context: NodeContext): NodeResult {
  const masks = masksIn(inputs, 'mask');
  const { ui } = previewImages({ images: Images.of(masks.planes.map(grayPicture)) }, context);
  return { outputs: [masks], ...(ui && { ui }) };
}

const channels = ['red', 'green', 'blue', 'alpha'];

function channelOf(picture: Picture, channel: string): Plane {
  return channel === 'alpha' ? transparency(picture) : planeOf(picture, channels.indexOf(channel));
}

export function imageToMask(inputs: Inputs): NodeResult {
  const channel = String(inputs['channel']);
  return {
    outputs: [Masks.of(imagesIn(inputs, 'image').pictures.map((picture) => channelOf(picture, channel)))],
  };
}

export function loadImageMask(inputs: Inputs, context: NodeContext): NodeResult {
  const picture = readPicture(String(inputs['image']), context.files);
  return { outputs: [Masks.of([channelOf(picture, String(inputs['channel']))])] };
}

export function colorToMask(inputs: Inputs): NodeResult {
  const color = numberIn(inputs, 'color');
  const planes = imagesIn(inputs, 'image').pictures.map((picture) =>
    planeFrom(picture.width, picture.height, (_x, _y, at) => {
      const [red = 0, green = 0, blue = 0] = picture.data.subarray(
        at * picture.channels,
        at * picture.channels + 3,
      );
      return (red << 16) + (green << 8) + blue === color ? 255 : 0;
    }),
  );
  return { outputs: [Masks.of(planes)] };
}

export function cropMask(inputs: Inputs): NodeResult {
  const [x, y] = [numberIn(inputs, 'x'), numberIn(inputs, 'y')];
  return edited(inputs, (plane) =>
    croppedPlane(plane, x, y, numberIn(inputs, 'width'), numberIn(inputs, 'height')),
  );
}

/** What becomes of a pixel that both masks cover. */
function operationOf(name: string): (under: number, over: number) => number {
  const inside = (value: number): boolean => value > 127;
  switch (name) {
    case 'add':
      return (under, over) => Math.min(255, under + over);
    case 'subtract':
      return (under, over) => Math.max(0, under - over);
    case 'and':
      return (under, over) => (inside(under) && inside(over) ? 255 : 0);
    case 'or':
      return (under, over) => (inside(under) || inside(over) ? 255 : 0);
    case 'xor':
      return (under, over) => (inside(under) === inside(over) ? 0 : 255);
    default:
      return (under, over) => (under * over) / 255;
  }
}

export function compositeMasks(inputs: Inputs): NodeResult {
  const over = masksIn(inputs, 'source').first;
  const combine = operationOf(String(inputs['operation']));
  const [left, top] = [numberIn(inputs, 'x'), numberIn(inputs, 'y')];
  const planes = masksIn(inputs, 'destination').planes.map((plane) =>
    planeFrom(plane.width, plane.height, (x, y, at) => {
      const under = plane.data[at] ?? 0;
      const covered = x >= left && x < left + over.width && y >= top && y < top + over.height;
      return covered ? combine(under, over.data[(y - top) * over.width + x - left] ?? 0) : under;
    }),
  );
  return { outputs: [Masks.of(planes)] };
}

export function featherMask(inputs: Inputs): NodeResult {
  const sides = ['left', 'top', 'right', 'bottom'].map((side) => numberIn(inputs, side));
  const [left = 0, top = 0, right = 0, bottom = 0] = sides;
  const rise = (distance: number, width: number): number => (distance >= width ? 1 : (distance + 1) / width);
  return edited(inputs, (plane) =>
    planeFrom(plane.width, plane.height, (x, y, at) => {
      const across = rise(x, left) * rise(plane.width - 1 - x, right);
      return (plane.data[at] ?? 0) * across * rise(y, top) * rise(plane.height - 1 - y, bottom);
    }),
  );
}

export function growMask(inputs: Inputs): NodeResult {
  const expand = numberIn(inputs, 'expand');
  return edited(inputs, (plane) => grown(plane, expand));
}

/** Larger by so many pixels, smaller when negative. */
export function grown(plane: Plane, pixels: number): Plane {
  const reach = Math.min(Math.abs(pixels), Math.max(plane.width, plane.height));
  const best = pixels < 0 ? Math.min : Math.max;
  const along = (source: Plane, stepX: number, stepY: number): Plane =>
    planeFrom(source.width, source.height, (x, y, at) => {
      let value = source.data[at] ?? 0;
      for (let step = -reach; step <= reach; step += 1) {
        const [toX, toY] = [x + step * stepX, y + step * stepY];
        if (toX < 0 || toY < 0 || toX >= source.width || toY >= source.height) continue;
        value = best(value, source.data[toY * source.width + toX] ?? 0);
      }
      return value;
    });
  return reach === 0 ? plane : along(along(plane, 1, 0), 0, 1);
}

export function thresholdMask(inputs: Inputs): NodeResult {
  const limit = numberIn(inputs, 'value') * 255;
  return edited(inputs, (plane) => ({
    ...plane,
    data: plane.data.map((value) => (value > limit ? 255 : 0)),
  }));
}
