import { grayPicture, invertedPlane, planeFrom, planeOf } from '../drawing/planes';
import { pictureFile, readPicture } from './inputFiles';
import type { NodeBehaviour, NodeContext, NodeResult } from './sandboxNode';
import { Images, type Inputs, Masks, masksIn, numberIn, type Plane } from './nodeValues';
import { previewImages, transparency } from './savers';

function editing(change: (inputs: Inputs, plane: Plane) => Plane): NodeBehaviour {
  return {
    run: (inputs) => {
      const { planes } = masksIn(inputs, 'mask');
      return { outputs: [Masks.of(planes.map((plane) => change(inputs, plane)))] };
    },
  };
}

function asPictures(inputs: Inputs): Images {
  return Images.of(masksIn(inputs, 'mask').planes.map(grayPicture));
}

function loadMask(inputs: Inputs, context: NodeContext): NodeResult {
  const picture = readPicture(String(inputs['image']), context.files);
  const channel = ['red', 'green', 'blue'].indexOf(String(inputs['channel']));
  return { outputs: [Masks.of([channel < 0 ? transparency(picture) : planeOf(picture, channel)])] };
}

function feather(inputs: Inputs, { width, height, data }: Plane): Plane {
  const rise = (distance: number, side: string): number => {
    const reach = numberIn(inputs, side);
    return distance >= reach ? 1 : (distance + 1) / reach;
  };
  return planeFrom(width, height, (x, y, at) => {
    const across = rise(x, 'left') * rise(width - 1 - x, 'right');
    return (data[at] ?? 0) * across * rise(y, 'top') * rise(height - 1 - y, 'bottom');
  });
}

/** Masks. */
export const maskNodes: Readonly<Record<string, NodeBehaviour>> = {
  LoadImageMask: { run: loadMask, ...pictureFile('image') },
  MaskToImage: { run: (inputs) => ({ outputs: [asPictures(inputs)] }) },
  MaskPreview: {
    run: (inputs, context) => ({
      ...previewImages({ images: asPictures(inputs) }, context),
      outputs: [inputs['mask']],
    }),
    output: true,
  },
  SolidMask: {
    run: (inputs) => {
      const value = Math.round(numberIn(inputs, 'value') * 255);
      return { outputs: [Masks.plain(numberIn(inputs, 'width'), numberIn(inputs, 'height'), value)] };
    },
  },
  InvertMask: editing((_, plane) => invertedPlane(plane)),
  FeatherMask: editing(feather),
};
