import { isExactObject } from '../json/exactValue';
import type { NodeDefinition } from '../catalog/nodeDefinition';

/**
 * Whether a node type may accept inputs that its definition does not list. No server says so. Packs do it in two ways:
 * an optional section that accepts every name and looks empty in JSON, and inputs that grow by number (`image_1`,
 * `image_2`), of which only the first are listed (workflows 3). A few are known to accept
 * everything.
 */
export function isFlexible(definition: NodeDefinition, input: string): boolean {
  const { raw, inputs, classType } = definition;
  if (acceptsAll.has(classType)) return true;
  if (!isOfPack(definition)) return false;
  const sections = raw.get('input');
  const optional = isExactObject(sections) ? sections.get('optional') : undefined;
  if (isExactObject(optional) && optional.size === 0) return true;
  const stem = stemOf(input);
  return stem !== input && inputs.some(({ name }) => stemOf(name) === stem);
}

const acceptsAll = new Set(['CustomCombo', 'Power Lora Loader (rgthree)', 'VHS_VideoCombine']);

/** Core node types whose functions take every name, though they may use none of it (workflows 3). */
const takesAnyName = /^(?:ModelMerge|Load3D|Preview3D|WebcamCapture|OpenAI|Gemini|Recraft|Tripo)/;

export function mayTakeAnyName(definition: NodeDefinition): boolean {
  return isOfPack(definition) || takesAnyName.test(definition.classType);
}

/** Whether a pack provides the node type; old servers don't say. */
export function isOfPack({ pythonModule }: NodeDefinition): boolean {
  return pythonModule === '' || pythonModule.startsWith('custom_nodes');
}

function stemOf(name: string): string {
  return name.replace(/\d+/, '#');
}
