import type { Catalog } from '../catalog/catalog';

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

/** If node types here share a mark with the unknown one, their pack is installed in an older version. */
export function guessNodePack(classType: string, catalog: Catalog): string | undefined {
  const found = marks.find(([mark]) => mark.test(classType));
  if (!found) return undefined;
  const [mark, pack] = found;
  const known = installed.get(catalog) ?? new Map<RegExp, string | undefined>();
  installed.set(catalog, known);
  if (!known.has(mark)) known.set(mark, installedPack(mark, catalog));
  return known.get(mark) ?? pack;
}

/**
 * Results of earlier lookups: a file may have thousands of unknown node types, and a server thousands of known ones.
 */
const installed = new WeakMap<Catalog, Map<RegExp, string | undefined>>();

function installedPack(mark: RegExp, catalog: Catalog): string | undefined {
  const sibling = catalog.classTypes.find((name) => mark.test(name));
  const module = sibling === undefined ? '' : (catalog.get(sibling)?.pythonModule ?? '');
  return /^custom_nodes\.([^.]+)/.exec(module)?.[1];
}
