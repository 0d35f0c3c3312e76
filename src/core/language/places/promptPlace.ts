import type { JsonNode } from '../../json/node';
import type { Prompt, PromptInput, PromptNode } from '../../workflow/prompt';
import { type JsonPlace, jsonPlaceAt } from './jsonPlace';

export type PromptPlace =
  NewNodePlace | NodePlace | NewMemberPlace | NewInputPlace | MemberPlace | InputPlace;

interface NewNodePlace {
  readonly kind: 'newNode';
  readonly json: JsonPlace;
}
interface NodePlace {
  readonly kind: 'nodeId' | 'classType' | 'title';
  readonly json: JsonPlace;
  readonly node: PromptNode;
}
interface NewMemberPlace {
  readonly kind: 'newMember';
  readonly json: JsonPlace;
  readonly node: PromptNode;
}
interface NewInputPlace {
  readonly kind: 'newInput';
  readonly json: JsonPlace;
  readonly node: PromptNode;
}
interface MemberPlace {
  readonly kind: 'member';
  readonly json: JsonPlace;
  readonly node: PromptNode;
  readonly name: string;
}

export type AdditionPlace = NewNodePlace | NewMemberPlace;
export type InputNamePlace = NewInputPlace | InputPlace;

/** A position at an input: its name, its value, or one of the two parts of a link. */
export interface InputPlace {
  readonly kind: 'inputName' | 'inputValue' | 'linkNode' | 'linkSlot';
  readonly json: JsonPlace;
  readonly node: PromptNode;
  readonly name: string;
  readonly input: PromptInput | undefined;
}

export function promptPlaceAt(prompt: Prompt, offset: number): PromptPlace | undefined {
  const json = jsonPlaceAt(prompt.document, offset);
  const depth = json && prompt.root ? json.containers.indexOf(prompt.root) : -1;
  if (!json || depth < 0) return undefined;
  const [nodeObject, ...inner] = json.containers.slice(depth + 1);
  if (!nodeObject) return atRoot(prompt, json);
  const node = nodeWith(prompt, nodeObject);
  return node && inNode(node, json, inner);
}

function atRoot(prompt: Prompt, json: JsonPlace): PromptPlace | undefined {
  if (json.at === 'newName') return { kind: 'newNode', json };
  const node = json.property?.value && nodeWith(prompt, json.property.value);
  return json.at === 'name' && node ? { kind: 'nodeId', json, node } : undefined;
}

function inNode(node: PromptNode, json: JsonPlace, inner: readonly JsonNode[]): PromptPlace | undefined {
  const [member, list] = inner;
  if (!member) {
    if (json.at === 'newName') return { kind: 'newMember', json, node };
    if (!json.property) return undefined;
    const { name } = json.property;
    if (json.at === 'name') return { kind: 'member', json, node, name };
    return name === 'class_type' ? { kind: 'classType', json, node } : undefined;
  }
  if (member !== node.inputsNode) return inMeta(node, json, inner);
  if (!list) {
    if (json.at === 'newName') return { kind: 'newInput', json, node };
    const name = json.property?.name ?? '';
    return {
      kind: json.at === 'name' ? 'inputName' : 'inputValue',
      json,
      node,
      name,
      input: inputOf(node, name),
    };
  }
  const input = node.inputs.find(({ valueNode }) => valueNode === list);
  if (list.kind !== 'array' || inner.length > 2 || !input || json.index === undefined) return undefined;
  const kind = json.index === 0 ? 'linkNode' : 'linkSlot';
  return { kind, json, node, name: input.name, input };
}

function inMeta(node: PromptNode, json: JsonPlace, inner: readonly JsonNode[]): PromptPlace | undefined {
  const isTitle = inner.length === 1 && json.at === 'value' && json.property?.name === 'title';
  return isTitle ? { kind: 'title', json, node } : undefined;
}

function inputOf(node: PromptNode, name: string): PromptInput | undefined {
  return node.inputs.find((input) => input.name === name);
}

function nodeWith(prompt: Prompt, value: JsonNode): PromptNode | undefined {
  return prompt.nodes.find(({ node }) => node === value);
}
