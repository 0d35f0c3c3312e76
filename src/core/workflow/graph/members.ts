import type { JsonNode, JsonNumber, JsonObject } from '../../json/node';

/** An id or a name as the editor compares them: 5 and "5" are equal. Undefined for anything but text and numbers. */
export function readId(node: JsonNode | undefined): string | undefined {
  if (node?.kind === 'string') return node.value;
  if (node?.kind === 'number') return node.isInteger ? node.text : String(node.value);
  return undefined;
}

/** An integer, or one written as text, as in the slots of old files. */
export function readSlotIndex(node: JsonNode | undefined): number | undefined {
  const id = readId(node);
  const slot = id === undefined || id === '' ? NaN : Number(id);
  return Number.isInteger(slot) ? slot : undefined;
}

export function textMember(object: JsonObject | undefined, name: string): string | undefined {
  const value = object?.get(name);
  return value?.kind === 'string' ? value.value : undefined;
}

/** The name of a slot; empty if the file gives none. */
export function nameMember(object: JsonObject): string {
  return textMember(object, 'name') ?? '';
}

export function objectMember(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = object?.get(name);
  return value?.kind === 'object' ? value : undefined;
}

export function listMember(object: JsonObject | undefined, name: string): readonly JsonNode[] {
  const value = object?.get(name);
  return value?.kind === 'array' ? value.items : [];
}

/** 0 if there is none. Longer numbers don't count: adding 1 to so large a float can change nothing. */
export function largestId(ids: Iterable<string | number | undefined>): number {
  let largest = 0;
  for (const id of ids) if (Number(id) > largest && Number(id) < 1e15) largest = Math.trunc(Number(id));
  return largest;
}

/** The counters from which editors number what is new in a level, one for each version of the format. */
export function levelCounters(level: JsonNode | undefined, what: 'node' | 'link'): JsonNumber[] {
  if (level?.kind !== 'object') return [];
  const [old, current] = what === 'node' ? ['last_node_id', 'lastNodeId'] : ['last_link_id', 'lastLinkId'];
  const counters = [level.get(old), objectMember(level, 'state')?.get(current)];
  return counters.filter((each) => each?.kind === 'number');
}

/** Beyond it, sums and hundredths are no numbers that programs can read. */
const farthest = 1e9;

export function readNumber(node: JsonNode | undefined): number | undefined {
  if (node?.kind !== 'number' || Number.isNaN(node.value)) return undefined;
  return Math.min(farthest, Math.max(-farthest, node.value));
}

/** A place or a size: a list of two numbers, or an object with the keys 0 and 1. */
export function readPoint(
  node: JsonNode | undefined,
): { readonly x: number; readonly y: number } | undefined {
  const [left, top] =
    node?.kind === 'array' ? node.items : node?.kind === 'object' ? [node.get('0'), node.get('1')] : [];
  const [x, y] = [readNumber(left), readNumber(top)];
  return x !== undefined && y !== undefined ? { x, y } : undefined;
}

/** If several slots share a name, the first counts. */
export function firstByName(slots: readonly { readonly name: string }[]): ReadonlyMap<string, number> {
  return new Map(slots.map(({ name }, slot) => [name, slot] as const).reverse());
}

export function isTrueNode(node: JsonNode | undefined): boolean {
  return node?.kind === 'boolean' && node.value;
}

export function objectsAmong(nodes: readonly JsonNode[]): JsonObject[] {
  return nodes.filter((each) => each.kind === 'object');
}

/** A slot type: a name; numbers and lists of names from old packs become text, as the editor compares them. */
export function readSlotType(node: JsonNode | undefined): string {
  if (node?.kind === 'array') return node.items.map((each) => readId(each) ?? '').join(',');
  const type = readId(node);
  return type === undefined || type === '0' || type === '-1' ? '*' : type;
}

export function readIds(nodes: readonly JsonNode[]): string[] {
  return nodes.map(readId).filter((id) => id !== undefined);
}

/** Whether the editor connects two slots: "*" and a missing type fit all; lists fit if they share a type (workflows 2, G). */
export function acceptsType(one: string, other: string): boolean {
  if (isAny(one) || isAny(other) || one === other) return true;
  const [left, right] = [one.toLowerCase(), other.toLowerCase()];
  if (!left.includes(',') && !right.includes(',')) return left === right;
  const rights = new Set(right.split(','));
  return [...rights].some(isAny) || left.split(',').some((each) => isAny(each) || rights.has(each));
}

function isAny(type: string): boolean {
  return type === '*' || type === '' || type === '0';
}

/** Core types that only nodes can produce. The ComfyUI editor shows packs' own types as widgets. */
export const typesMadeByNodes = new Set(
  (
    'IMAGE MASK LATENT MODEL CLIP VAE CONDITIONING CONTROL_NET CLIP_VISION CLIP_VISION_OUTPUT STYLE_MODEL GLIGEN ' +
    'UPSCALE_MODEL SAMPLER SIGMAS GUIDER NOISE AUDIO VIDEO HOOKS HOOK_KEYFRAMES PHOTOMAKER TIMESTEPS_RANGE MESH VOXEL ' +
    'LATENT_OPERATION AUDIO_ENCODER AUDIO_ENCODER_OUTPUT MODEL_PATCH WEBCAM_IMAGE SVG LORA_MODEL'
  ).split(' '),
);
