import type { JsonNode } from '../../json/node';
import type { GraphNode } from '../graph/graphNode';
import { readId, isTrueNode, objectMember, textMember } from '../graph/members';

const mayHaveRegex = ['title', 'input', 'prompt', 'negative', 'group'] as const;

const types = new Set(['Anything Everywhere', 'Seed Everywhere', 'Prompts Everywhere']);

export function isEverywhere(type: string): boolean {
  return types.has(type) || type.startsWith('Anything Everywhere');
}

/** Whether a node broadcasts: a node of the pack, or any other whose outputs are set to. */
export function isBroadcasting({ type, properties }: GraphNode): boolean {
  return isEverywhere(type) || isTruthyNode(properties?.get('ue_convert'));
}

/** Whether a value is true in JavaScript. */
export function isTruthyNode(node: JsonNode | undefined): boolean {
  if (node?.kind === 'string') return node.value !== '';
  if (node?.kind === 'number') return node.value !== 0;
  return node?.kind === 'object' || node?.kind === 'array' || isTrueNode(node);
}

export function readSettingNumber(node: JsonNode | undefined): number {
  return isTrueNode(node) ? 1 : Number(readId(node)) || 0;
}

export type Settings = (name: string) => JsonNode | undefined;

/** The settings of a node, those of older versions as the pack converts them when it loads a graph. */
export function readEverywhereSettings({ type, properties, widgetsValues }: GraphNode): Settings {
  const saved = objectMember(properties, 'ue_properties');
  // The pack takes every version with two parts for a new one.
  const isConverted = textMember(saved, 'version')?.includes('.') === true;
  if (isConverted) return (name) => saved?.get(name);
  if (!isEverywhere(type)) {
    return (name) => {
      if (name === 'input_ue_unconnectable') return undefined;
      return saved?.get(name) ?? (name === 'widget_ue_connectable' ? properties?.get(name) : undefined);
    };
  }
  const texts = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
  const fields = new Map<string, JsonNode | undefined>([
    ['group_restricted', properties?.get('group_restricted')],
    ['color_restricted', properties?.get('color_restricted')],
    ['title_regex', texts[0]],
    ['input_regex', texts[1]],
    ['group_regex', texts[2]],
  ]);
  return (name) => fields.get(name);
}

export function readPattern(settings: Settings, what: string): string | undefined {
  const node = settings(`${what}_regex`);
  const text = isTruthyNode(node) ? readId(node) : undefined;
  return text === '.*' ? undefined : text;
}

export function standardPriority({ type }: GraphNode, settings: Settings, isRepeated: boolean): number {
  const hasRegex =
    type === 'Seed Everywhere' ||
    mayHaveRegex.some((what) => {
      const regex = settings(`${what}_regex`);
      return regex?.kind === 'string' && isTruthyNode(regex) && !(isEverywhere(type) && regex.value === '.*');
    });
  let priority = type === 'Prompts Everywhere' ? 20 : 10;
  if (hasRegex || isRepeated) priority += 20;
  if (readSettingNumber(settings('group_restricted')) > 0) priority += 3;
  if (readSettingNumber(settings('color_restricted')) > 0) priority += 6;
  return priority;
}
