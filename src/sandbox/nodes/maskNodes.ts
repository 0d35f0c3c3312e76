import { nodeTable } from './nodeTable';
import type { SandboxNode } from './sandboxNode';
import {
  colorToMask,
  compositeMasks,
  cropMask,
  featherMask,
  growMask,
  imageToMask,
  invertMask,
  loadImageMask,
  maskToImage,
  previewMask,
  solidMask,
  thresholdMask,
} from './maskEdits';
import { pictureFile } from './inputFiles';

/** Masks. */
export const maskNodes: readonly SandboxNode[] = [
  ...nodeTable({ module: 'nodes', category: 'image' }, [
    [
      `LoadImageMask(image: @* image_upload, channel: [alpha|red|green|blue]) -> MASK`,
      loadImageMask,
      { ...pictureFile('image'), about: 'Opens one channel of a picture as a mask.' },
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_mask', category: 'image/mask' }, [
    [`MaskToImage(mask: MASK) -> IMAGE`, maskToImage],
    [`ImageToMask(image: IMAGE, channel: COMBO[red|green|blue|alpha]) -> MASK`, imageToMask],
    [`ImageColorToMask(image: IMAGE, color: INT=0 0..16777215) -> MASK`, colorToMask],
    [
      `SolidMask(value: FLOAT=1 0..1 /0.01, width: INT=512 1..16384, height: INT=512 1..16384) -> MASK`,
      solidMask,
      { about: 'A mask of one value.' },
    ],
    [`InvertMask(mask: MASK) -> MASK`, invertMask, { about: 'Swaps inside and outside of a mask.' }],
    [
      `CropMask(
      mask: MASK, x: INT=0 0..16384, y: INT=0 0..16384, width: INT=512 1..16384,
      height: INT=512 1..16384
    ) -> MASK`,
      cropMask,
    ],
    [
      `MaskComposite(
      destination: MASK, source: MASK, x: INT=0 0..16384, y: INT=0 0..16384,
      operation: COMBO[multiply|add|subtract|and|or|xor]
    ) -> MASK`,
      compositeMasks,
    ],
    [
      `FeatherMask(
      mask: MASK, left: INT=0 0..16384, top: INT=0 0..16384, right: INT=0 0..16384,
      bottom: INT=0 0..16384
    ) -> MASK`,
      featherMask,
      { about: 'Lets a mask fade at its edges.' },
    ],
    [
      `GrowMask(mask: MASK, expand: INT=0 -16384..16384, tapered_corners: BOOLEAN=true) -> MASK`,
      growMask,
      { about: 'Makes a mask larger or smaller.' },
    ],
    [`ThresholdMask(mask: MASK, value: FLOAT=0.5 0..1 /0.01) -> MASK`, thresholdMask],
    [`MaskPreview(mask: MASK) -> mask: MASK`, previewMask, { output: true }],
  ]),
];
