import { nodeTable } from './nodeTable';
import type { SandboxNode } from './sandboxNode';
import {
  addImageNoise,
  batchImages,
  batchManyImages,
  blendImages,
  blurImage,
  compositeImages,
  cropImage,
  emptyImage,
  findEdges,
  flipImage,
  imageFromBatch,
  imageSize,
  invertImage,
  joinAlpha,
  padForOutpaint,
  quantizeImage,
  rebatchImages,
  repeatImages,
  rotateImage,
  sharpenImage,
  splitAlpha,
  stitchImages,
} from './pictureEdits';
import {
  resizeAndPad,
  scaleForKontext,
  scaleImage,
  scaleImageBy,
  scaleToLongerEdge,
  scaleToPixels,
  scaleToSide,
  upscaleImage,
} from './pictureScaling';
import { loadImage, previewImages, saveAnimatedPng, saveAnimatedWebp, saveImages } from './savers';
import { pictureFile } from './inputFiles';

/** Pictures: loaded, made, edited, shown and saved. */
export const pictureNodes: readonly SandboxNode[] = [
  ...nodeTable({ module: 'nodes', category: 'image' }, [
    [
      `SaveImage(images: IMAGE, filename_prefix: STRING="ComfyUI") -> images: IMAGE`,
      saveImages,
      {
        about: 'Saves pictures in the output folder, with the workflow inside.',
        output: true,
        hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
        pythonFunction: 'SaveImage.save_images',
      },
    ],
    [
      `PreviewImage(images: IMAGE) -> images: IMAGE`,
      previewImages,
      {
        about: 'Shows pictures without keeping them.',
        output: true,
        hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
        pythonFunction: 'SaveImage.save_images',
      },
    ],
    [
      `LoadImage(image: @* image_upload) -> IMAGE, MASK`,
      loadImage,
      {
        ...pictureFile('image'),
        title: 'Load Image',
        about: 'Opens a picture of the input folder.',
        pythonFunction: 'LoadImage.load_image',
      },
    ],
    [`LoadImageOutput(image: COMBO@* image_upload) -> IMAGE, MASK`, loadImage, { ...pictureFile('image') }],
    [
      `EmptyImage(
      width: INT=512 1..16384, height: INT=512 1..16384, batch_size: INT=1 1..4096,
      color: INT=0 0..16777215
    ) -> IMAGE`,
      emptyImage,
      { about: 'A picture of one color.', pythonFunction: 'EmptyImage.generate' },
    ],
  ]),
  ...nodeTable({ module: 'nodes', category: 'image/upscaling' }, [
    [
      `ImageScale(
      image: IMAGE, upscale_method: $resizing, width: INT=512 0..16384, height: INT=512 0..16384,
      crop: [disabled|center]
    ) -> IMAGE`,
      scaleImage,
      {
        title: 'Upscale Image',
        about: 'Brings pictures to a given size.',
        pythonFunction: 'ImageScale.upscale',
      },
    ],
    [
      `ImageScaleBy(image: IMAGE, upscale_method: $resizing, scale_by: FLOAT=1 0.01..8 /0.01) -> IMAGE`,
      scaleImageBy,
      { about: 'Makes pictures larger or smaller by a factor.' },
    ],
  ]),
  ...nodeTable({ module: 'nodes', category: 'image/color' }, [
    [
      `ImageInvert(image: IMAGE) -> IMAGE`,
      invertImage,
      { about: 'The negative of a picture.', pythonFunction: 'ImageInvert.invert' },
    ],
  ]),
  ...nodeTable({ module: 'nodes', category: 'image/batch' }, [
    [
      `ImageBatch(image1: IMAGE, image2: IMAGE) -> IMAGE`,
      batchImages,
      { about: 'Puts pictures into one batch.', pythonFunction: 'ImageBatch.batch' },
    ],
  ]),
  ...nodeTable({ module: 'nodes', category: 'image/transform' }, [
    [
      `ImagePadForOutpaint(
      image: IMAGE, left: INT=0 0..16384 /8, top: INT=0 0..16384 /8, right: INT=0 0..16384 /8,
      bottom: INT=0 0..16384 /8, feathering: INT=40 0..16384
    ) -> IMAGE, MASK`,
      padForOutpaint,
      { title: 'Pad Image for Outpainting', about: 'Adds room around a picture, and a mask of it.' },
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_upscale_model', category: 'image/upscaling' }, [
    [
      `ImageUpscaleWithModel(upscale_model: UPSCALE_MODEL, image: IMAGE) -> IMAGE`,
      upscaleImage,
      { title: 'Upscale Image (using Model)', about: 'Makes pictures larger with an upscale model.' },
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_post_processing', category: 'image/filters' }, [
    [
      `ImageBlend(
      image1: IMAGE, image2: IMAGE, blend_factor: FLOAT=0.5 0..1 /0.01,
      blend_mode: COMBO[normal|multiply|screen|overlay|soft_light|difference]
    ) -> IMAGE`,
      blendImages,
      { about: 'Lays one picture over another.' },
    ],
    [`ImageBlur(image: IMAGE, blur_radius: INT=1 1..31, sigma: FLOAT=1 0.1..10 /0.1) -> IMAGE`, blurImage],
    [
      `ImageQuantize(
      image: IMAGE, colors: INT=256 1..256,
      dither: COMBO[none|floyd-steinberg|bayer-2|bayer-4|bayer-8|bayer-16]
    ) -> IMAGE`,
      quantizeImage,
    ],
    [
      `ImageSharpen(
      image: IMAGE, sharpen_radius: INT=1 1..31, sigma: FLOAT=1 0.1..10 /0.01,
      alpha: FLOAT=1 0..5 /0.01
    ) -> IMAGE`,
      sharpenImage,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_post_processing', category: 'image/upscaling' }, [
    [
      `ImageScaleToTotalPixels(
      image: IMAGE, upscale_method: COMBO$resizing, megapixels: FLOAT=1 0.01..16 /0.01,
      resolution_steps?: INT=1 1..256
    ) -> IMAGE`,
      scaleToPixels,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_mask', category: 'image/compositing' }, [
    [
      `ImageCompositeMasked(
      destination: IMAGE, source: IMAGE, x: INT=0 0..16384, y: INT=0 0..16384,
      resize_source: BOOLEAN=false, mask?: MASK
    ) -> IMAGE`,
      compositeImages,
      { about: 'Puts one picture onto another, where a mask allows it.' },
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_compositing', category: 'image/compositing' }, [
    [
      `PorterDuffImageComposite(
      source: IMAGE, source_alpha: MASK, destination: IMAGE, destination_alpha: MASK,
      mode: COMBO[ADD|CLEAR|DARKEN|DST|DST_ATOP|DST_IN|DST_OUT|DST_OVER|LIGHTEN|MULTIPLY|OVERLAY|SCREEN|SRC|SRC_ATOP|SRC_IN|SRC_OUT|SRC_OVER|XOR]="DST"
    ) -> IMAGE, MASK`,
    ],
    [`SplitImageWithAlpha(image: IMAGE) -> IMAGE, MASK`, splitAlpha],
    [`JoinImageWithAlpha(image: IMAGE, alpha: MASK) -> IMAGE`, joinAlpha],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_rebatch', category: 'image/batch' }, [
    [
      `RebatchImages(images: IMAGE, batch_size: INT=1 1..4096) -> IMAGE[]`,
      rebatchImages,
      { takesLists: true },
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_canny', category: 'image/filters' }, [
    [
      `Canny(
      image: IMAGE, low_threshold: FLOAT=0.4 0.01..0.99 /0.01,
      high_threshold: FLOAT=0.8 0.01..0.99 /0.01
    ) -> IMAGE`,
      findEdges,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_images', category: 'image/transform' }, [
    [
      `ImageCrop(
      image: IMAGE, width: INT=512 1..16384, height: INT=512 1..16384, x: INT=0 0..16384,
      y: INT=0 0..16384
    ) -> IMAGE`,
      cropImage,
      { about: 'Cuts a part out of a picture.' },
    ],
    [
      `ImageStitch(
      image1: IMAGE, direction: COMBO[right|down|left|up], match_image_size: BOOLEAN=true,
      spacing_width: INT=0 0..1024 /2, spacing_color: COMBO[white|black|red|green|blue],
      image2?: IMAGE
    ) -> IMAGE`,
      stitchImages,
    ],
    [
      `ResizeAndPadImage(
      image: IMAGE, target_width: INT=512 1..16384, target_height: INT=512 1..16384,
      padding_color: COMBO[white|black],
      interpolation: COMBO[area|bicubic|nearest-exact|bilinear|lanczos]
    ) -> IMAGE`,
      resizeAndPad,
    ],
    [
      `ImageRotate(image: IMAGE, rotation: COMBO[none|90 degrees|180 degrees|270 degrees]) -> IMAGE`,
      rotateImage,
    ],
    [
      `ImageFlip(image: IMAGE, flip_method: COMBO[x-axis: vertically|y-axis: horizontally]) -> IMAGE`,
      flipImage,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_images', category: 'image/batch' }, [
    [`RepeatImageBatch(image: IMAGE, amount: INT=1 1..4096) -> IMAGE`, repeatImages],
    [
      `ImageFromBatch(image: IMAGE, batch_index: INT=0 -16384..16384, length: INT=1 1..4096) -> IMAGE`,
      imageFromBatch,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_images', category: 'image/filters' }, [
    [`ImageAddNoise(image: IMAGE, seed: SEED, strength: FLOAT=0.5 0..1 /0.01) -> IMAGE`, addImageNoise],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_images', category: 'image' }, [
    [
      `SaveAnimatedWEBP(
      images: IMAGE, filename_prefix: STRING="ComfyUI", fps: FLOAT=6 0.01..1000 /0.01,
      lossless: BOOLEAN=true, quality: INT=80 0..100, method: COMBO[default|fastest|slowest]
    ) -> images: IMAGE`,
      saveAnimatedWebp,
      { about: 'Saves a batch as one animated WebP.', output: true },
    ],
    [
      `SaveAnimatedPNG(
      images: IMAGE, filename_prefix: STRING="ComfyUI", fps: FLOAT=6 0.01..1000 /0.01,
      compress_level: INT=4 0..9
    ) -> images: IMAGE`,
      saveAnimatedPng,
      { about: 'Saves a batch as one animated PNG.', output: true },
    ],
    [
      `GetImageSize(image: IMAGE) -> width: INT, height: INT, batch_size: INT`,
      imageSize,
      { about: 'Width and height of a picture, and how many there are.' },
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_images', category: 'image/upscaling' }, [
    [
      `ImageScaleToMaxDimension(
      image: IMAGE, upscale_method: COMBO[area|lanczos|bilinear|nearest-exact|bilinear|bicubic],
      largest_size: INT=512 0..16384
    ) -> IMAGE`,
      scaleToSide,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_dataset', category: 'image/transform' }, [
    [
      `ResizeImagesByLongerEdge(images: IMAGE, longer_edge: INT=1024 1..8192) -> images: IMAGE`,
      scaleToLongerEdge,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_morphology', category: 'image/filters' }, [
    [
      `Morphology(
      image: IMAGE, operation: COMBO[erode|dilate|open|close|gradient|bottom_hat|top_hat],
      kernel_size: INT=3 3..999
    ) -> IMAGE`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_morphology', category: 'image/color' }, [
    [`ImageRGBToYUV(image: IMAGE) -> Y: IMAGE, U: IMAGE, V: IMAGE`],
    [`ImageYUVToRGB(Y: IMAGE, U: IMAGE, V: IMAGE) -> IMAGE`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_flux', category: 'model/conditioning/flux' }, [
    [`FluxKontextImageScale(image: IMAGE) -> IMAGE`, scaleForKontext],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_frame_interpolation', category: 'video' }, [
    [`FrameInterpolate(interp_model: INTERP_MODEL, images: IMAGE, multiplier: INT=2 2..16) -> IMAGE`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_post_processing', category: 'image/batch' }, [
    [
      `BatchImagesNode(images: COMFY_AUTOGROW_V3) -> IMAGE`,
      batchManyImages,
      {
        title: 'Batch Images',
        about: 'Puts any number of pictures into one batch.',
        specs: {
          images: [
            'COMFY_AUTOGROW_V3',
            { template: { input: { required: { image: ['IMAGE', {}] } }, prefix: 'image', min: 1, max: 50 } },
          ],
        },
      },
    ],
  ]),
];
