import type { Prompt } from '../workflow/prompt';
import { type Completion, completionsIn, type Slot, type Suggestion } from './completion';
import { freeId } from './promptLinks';
import type { AdditionPlace } from './promptPlace';

const members: readonly (readonly [name: string, value: string, detail: string])[] = [
  ['class_type', '"$1"', 'which class of node it is'],
  ['inputs', '{$1}', 'values and links'],
  ['_meta', '{ "title": "$1" }', 'the title that people see'],
];

/** A new node under a free id, or the members that a node lacks. */
export function completeNode(prompt: Prompt, place: AdditionPlace, slot: Slot): Completion[] {
  if (place.kind === 'newNode') {
    const id = freeId(prompt);
    const newText = `"${id}": {\n  "class_type": "$1",\n  "inputs": {$2},\n  "_meta": { "title": "$3" }\n}`;
    return completionsIn(slot, [
      { kind: 'node', label: id, newText, detail: 'new node', rank: 0, isSnippet: true },
    ]);
  }
  const { node } = place.node;
  const missing = members.filter(([name]) => node.kind === 'object' && !node.property(name));
  const suggestions = missing.map(([name, value, detail], rank): Suggestion => ({
    kind: 'member',
    label: name,
    newText: `"${name}": ${value}`,
    detail,
    rank,
    isSnippet: true,
  }));
  return completionsIn(slot, suggestions);
}
