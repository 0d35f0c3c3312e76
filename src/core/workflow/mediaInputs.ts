import type { Catalog } from '../catalog/catalog';
import type { UploadKind } from '../catalog/inputSpec';
import type { JsonString } from '../json/node';
import { inputSpecs, type Prompt, type PromptNode } from './prompt';

/** The server folders that can follow a name, as in `mask.png [temp]`; `input` if none does. */
export type MediaFolder = (typeof mediaFolders)[number];

const mediaFolders = ['input', 'output', 'temp'] as const;

/** An input with a file that must be on the server before the prompt runs. */
export interface MediaInput {
  readonly nodeId: string;
  readonly input: string;
  readonly valueNode: JsonString;
  readonly value: string;
  /** The file's name without the folder in brackets; it may contain a subfolder. */
  readonly fileName: string;
  readonly folder: MediaFolder;
  readonly kind: UploadKind;
}

/** The loaders that every server has, for use without a catalog. */
const wellKnown = new Map<string | undefined, ReadonlyMap<string, UploadKind>>([
  ['LoadImage', new Map([['image', 'image']])],
  ['LoadImageMask', new Map([['image', 'image']])],
  ['LoadAudio', new Map([['audio', 'audio']])],
  ['LoadVideo', new Map([['file', 'video']])],
]);

/** The inputs that name media files: combos marked for upload (workflows 3), or those of well-known loaders without a catalog. */
export function findMediaInputs(prompt: Prompt, catalog: Catalog | undefined): MediaInput[] {
  return prompt.nodes.flatMap((node) => {
    const kinds = uploadKindsOf(node, catalog);
    return node.inputs.flatMap(({ name, valueNode }) => {
      const kind = kinds.get(name);
      if (!kind || valueNode.kind !== 'string' || valueNode.value === '') return [];
      const { value } = valueNode;
      return [{ nodeId: node.id, input: name, valueNode, value, ...splitFolderNote(value), kind }];
    });
  });
}

/** `a.png [output]` is `a.png` in the server's output folder. Any other bracket belongs to the name. */
export function splitFolderNote(value: string): { fileName: string; folder: MediaFolder } {
  const folder = mediaFolders.find((each) => value.endsWith(` [${each}]`));
  if (folder === undefined) return { fileName: value, folder: 'input' };
  return { fileName: value.slice(0, -` [${folder}]`.length), folder };
}

function uploadKindsOf(node: PromptNode, catalog: Catalog | undefined): ReadonlyMap<string, UploadKind> {
  const kinds = new Map<string, UploadKind>();
  if (node.classType === undefined) return kinds;
  if (!catalog?.get(node.classType)) return wellKnown.get(node.classType) ?? kinds;
  for (const [name, spec] of inputSpecs(node, catalog)) {
    if (spec.kind === 'combo' && spec.upload) kinds.set(name, spec.upload);
  }
  return kinds;
}
