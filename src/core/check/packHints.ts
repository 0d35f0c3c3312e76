import type { Catalog } from '../catalog/catalog';

/** Marks that packs put on the names of all their classes, and the packs they stand for. */
const marks: readonly (readonly [mark: RegExp, pack: string])[] = [
  [/\(rgthree\)$/, 'rgthree-comfy'],
  [/\|pysssss$/, 'ComfyUI-Custom-Scripts'],
  [/\/\/ ?Inspire$/, 'ComfyUI-Inspire-Pack'],
  [/^VHS_/, 'ComfyUI-VideoHelperSuite'],
  [/^easy /, 'ComfyUI-Easy-Use'],
  [/^CR /, 'ComfyUI_Comfyroll_CustomNodes'],
  [/^Layer(?:Utility|Mask|Style|Color|Filter): /, 'ComfyUI_LayerStyle'],
  [/^IPAdapter/, 'ComfyUI_IPAdapter_plus'],
  [/^ADE_/, 'ComfyUI-AnimateDiff-Evolved'],
  [/^WanVideo/, 'ComfyUI-WanVideoWrapper'],
  [/^HyVideo/, 'ComfyUI-HunyuanVideoWrapper'],
  [/^CogVideo/, 'ComfyUI-CogVideoXWrapper'],
  [/^SUPIR_/, 'ComfyUI-SUPIR'],
  [/^ETN_/, 'comfyui-tooling-nodes'],
  [/^PulidFlux/, 'ComfyUI-PuLID-Flux'],
  [/^ttN /, 'ComfyUI_tinyterraNodes'],
  [/^Impact|^SAMDetector|^FaceDetailer|^UltralyticsDetector/, 'ComfyUI-Impact-Pack'],
  [/\+$/, 'ComfyUI_essentials'],
];

/**
 * The pack that an unknown class seems to belong to: the one whose classes on this server carry the same mark in their
 * name (an older version of it is installed then), else one that is known for the mark.
 */
export function packOf(classType: string, catalog: Catalog): string | undefined {
  const found = marks.find(([mark]) => mark.test(classType));
  if (!found) return undefined;
  const [mark, pack] = found;
  const known = installed.get(catalog) ?? new Map<RegExp, string | undefined>();
  installed.set(catalog, known);
  if (!known.has(mark)) known.set(mark, installedPack(mark, catalog));
  return known.get(mark) ?? pack;
}

/** What was looked up before: a file may have thousands of unknown classes, and a server thousands of known ones. */
const installed = new WeakMap<Catalog, Map<RegExp, string | undefined>>();

function installedPack(mark: RegExp, catalog: Catalog): string | undefined {
  const sibling = catalog.classTypes.find((name) => mark.test(name));
  const module = sibling === undefined ? '' : (catalog.get(sibling)?.pythonModule ?? '');
  return /^custom_nodes\.([^.]+)/.exec(module)?.[1];
}
