import { blendedPictures, laidOver } from '../drawing/blending';
import { mapBytes, opaque, type Picture, plainPicture } from '../drawing/picture';
import { scaledPlane } from '../drawing/planes';
import { covering, scaled } from '../drawing/scaling';
import { pictureFile } from './inputFiles';
import type { NodeBehaviour, NodeResult, NodeRun, SandboxValue } from './sandboxNode';
import {
  checkMemory,
  Images,
  imagesIn,
  type Inputs,
  Masks,
  masksIn,
  numberIn,
  Video,
  videoIn,
} from './nodeValues';
import { loadImage, previewImages, saveAnimatedPng, saveAnimatedWebp, saveImages, saveVideo } from './savers';
import { besideOrBelow, by, ofPixels, type Size, toLongerEdge, upscaled, wantedSize } from './sizes';

/** Resizes a batch; other effects of the node type on the pixels are not drawn. */
function resizing(size: Size, name = 'image'): NodeBehaviour & { readonly run: NodeRun } {
  const run = (inputs: Inputs): NodeResult => {
    const images = imagesIn(inputs, name);
    const [width, height] = size(inputs, images.first);
    checkMemory(width, height, images.pictures.length);
    const fit = inputs['crop'] === 'center' ? covering : scaled;
    return { outputs: [images.map((picture) => fit(picture, width, height))] };
  };
  return { run };
}

/** The batch with each picture changed. */
function editing(
  name: string,
  change: (inputs: Inputs, picture: Picture, index: number) => Picture,
): NodeBehaviour {
  return {
    run: (inputs) => ({
      outputs: [imagesIn(inputs, name).map((picture, index) => change(inputs, picture, index))],
    }),
  };
}

/** All pictures of a batch take the size of the first. */
function joined(batches: readonly Images[]): NodeResult {
  const pictures = batches.flatMap((batch) => batch.pictures);
  const { width = 1, height = 1 } = pictures[0] ?? {};
  return { outputs: [Images.of(pictures.map((picture) => covering(picture, width, height)))] };
}

function emptyImage(inputs: Inputs): NodeResult {
  const [width, height, batch] = [
    numberIn(inputs, 'width'),
    numberIn(inputs, 'height'),
    numberIn(inputs, 'batch_size'),
  ];
  checkMemory(width, height, batch);
  const color = numberIn(inputs, 'color');
  const picture = plainPicture(width, height, [(color >> 16) & 255, (color >> 8) & 255, color & 255]);
  return { outputs: [Images.of(Array.from({ length: batch }, () => picture))] };
}

function compositeImages(inputs: Inputs, picture: Picture, index: number): Picture {
  const chosen = imagesIn(inputs, 'source').at(index);
  const over = inputs['resize_source'] === true ? scaled(chosen, picture.width, picture.height) : chosen;
  const mask = inputs['mask'] === undefined ? undefined : masksIn(inputs, 'mask').first;
  const inside = mask && scaledPlane(mask, over.width, over.height);
  return laidOver(picture, over, numberIn(inputs, 'x'), numberIn(inputs, 'y'), inside);
}

/** Takes and returns lists: regroups all pictures into batches of another size. */
function rebatchImages(inputs: Inputs): NodeResult {
  const batches = inputs['images'] as readonly SandboxValue[];
  const [size = 1] = inputs['batch_size'] as readonly number[];
  const pictures = batches.flatMap((images) => imagesIn({ images }, 'images').pictures);
  const starts = Array.from({ length: Math.ceil(pictures.length / size) }, (_, index) => index * size);
  return { outputs: [starts.map((start) => Images.of(pictures.slice(start, start + size)))] };
}

const outpainted = resizing((inputs, { width, height }) => [
  width + numberIn(inputs, 'left') + numberIn(inputs, 'right'),
  height + numberIn(inputs, 'top') + numberIn(inputs, 'bottom'),
]);

const pngText = { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' };

/** Pictures: loaded, made, resized, batched, shown and saved. */
export const pictureNodes: Readonly<Record<string, NodeBehaviour>> = {
  SaveImage: { run: saveImages, output: true, hidden: pngText, pythonFunction: 'SaveImage.save_images' },
  PreviewImage: {
    run: previewImages,
    output: true,
    hidden: pngText,
    pythonFunction: 'SaveImage.save_images',
  },
  LoadImage: { run: loadImage, ...pictureFile('image'), pythonFunction: 'LoadImage.load_image' },
  LoadImageOutput: { run: loadImage, ...pictureFile('image') },
  SaveAnimatedWEBP: { run: saveAnimatedWebp, output: true },
  SaveAnimatedPNG: { run: saveAnimatedPng, output: true },
  EmptyImage: { run: emptyImage, pythonFunction: 'EmptyImage.generate' },
  GetImageSize: {
    run: (inputs) => {
      const { first, pictures } = imagesIn(inputs, 'image');
      return { outputs: [first.width, first.height, pictures.length] };
    },
  },
  ImageInvert: {
    ...editing('image', (_, picture) => mapBytes(opaque(picture), (value) => 255 - value)),
    pythonFunction: 'ImageInvert.invert',
  },
  ImageBlend: editing('image1', (inputs, picture, index) =>
    blendedPictures(picture, imagesIn(inputs, 'image2').at(index), numberIn(inputs, 'blend_factor')),
  ),
  ImageCompositeMasked: editing('destination', compositeImages),
  ImageBatch: {
    run: (inputs) => joined([imagesIn(inputs, 'image1'), imagesIn(inputs, 'image2')]),
    pythonFunction: 'ImageBatch.batch',
  },
  BatchImagesNode: {
    // Any number of inputs `images.image0`, `images.image1`, …
    run: (inputs) => {
      const names = Object.keys(inputs).filter((name) => name.startsWith('images.'));
      return joined(names.map((name) => imagesIn(inputs, name)));
    },
    specs: {
      images: [
        'COMFY_AUTOGROW_V3',
        { template: { input: { required: { image: ['IMAGE', {}] } }, prefix: 'image', min: 1, max: 50 } },
      ],
    },
  },
  RebatchImages: { run: rebatchImages, takesLists: true },
  RepeatImageBatch: {
    run: (inputs) => ({ outputs: [imagesIn(inputs, 'image').repeated(numberIn(inputs, 'amount'))] }),
  },
  ImageFromBatch: {
    run: (inputs) => ({
      outputs: [imagesIn(inputs, 'image').part(numberIn(inputs, 'batch_index'), numberIn(inputs, 'length'))],
    }),
  },
  ImageScale: { ...resizing(wantedSize), pythonFunction: 'ImageScale.upscale' },
  ImageScaleBy: resizing(by('scale_by')),
  ImageScaleToTotalPixels: resizing((inputs, own) =>
    ofPixels(own, numberIn(inputs, 'megapixels'), Number(inputs['resolution_steps'] ?? 1)),
  ),
  ImageScaleToMaxDimension: resizing(toLongerEdge('largest_size')),
  ResizeImagesByLongerEdge: resizing(toLongerEdge('longer_edge'), 'images'),
  FluxKontextImageScale: resizing((_, own) => ofPixels(own, 1, 16)),
  ResizeAndPadImage: resizing((inputs) => [
    numberIn(inputs, 'target_width'),
    numberIn(inputs, 'target_height'),
  ]),
  ImageCrop: resizing((inputs, { width, height }) => [
    Math.max(1, Math.min(numberIn(inputs, 'width'), width - numberIn(inputs, 'x'))),
    Math.max(1, Math.min(numberIn(inputs, 'height'), height - numberIn(inputs, 'y'))),
  ]),
  ImageStitch: resizing(besideOrBelow, 'image1'),
  ImagePadForOutpaint: {
    run: async (inputs, context) => {
      const { outputs } = await outpainted.run(inputs, context);
      const { width, height } = imagesIn({ padded: outputs[0] }, 'padded').first;
      return { outputs: [...outputs, Masks.plain(width, height, 255)] };
    },
  },
  ImageUpscaleWithModel: {
    run: async (inputs, context) => {
      await context.steps(1, 1);
      return resizing(upscaled).run(inputs, context);
    },
  },
};

const wholeVideo = { trim: { start_time: 0, duration: 0 } };

/** A duration of 0 goes on to the end. */
function trimVideo(inputs: Inputs): NodeResult {
  const { images, framesPerSecond } = videoIn(inputs, 'video');
  const { trim } = inputs['trim'] as { readonly trim?: { start_time?: number; duration?: number } };
  const first = Math.round((trim?.start_time ?? 0) * framesPerSecond);
  const count = Math.round((trim?.duration ?? 0) * framesPerSecond);
  const kept = images.pictures.slice(first, count === 0 ? undefined : first + count);
  return { outputs: [new Video(kept.length === 0 ? images : Images.of(kept), framesPerSecond)] };
}

/** Videos, without sound. */
export const videoNodes: Readonly<Record<string, NodeBehaviour>> = {
  CreateVideo: {
    run: (inputs) => ({ outputs: [new Video(imagesIn(inputs, 'images'), numberIn(inputs, 'fps'))] }),
  },
  VideoTrim: {
    run: trimVideo,
    specs: { trim: ['VIDEO_EDIT', { default: wholeVideo, socketless: true, features: ['trim'] }] },
  },
  SaveVideo: { run: saveVideo, output: true },
};
