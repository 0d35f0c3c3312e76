import type { Prompt } from '../../workflow/prompt';
import { type Completion, completionsIn, type Slot, type Suggestion } from './completion';
import { freeId } from '../places/promptLinks';
import type { AdditionPlace } from '../places/promptPlace';
import { layoutAt } from './snippetLayout';
import { t } from '../../safety/localize';

const members = (): readonly (readonly [name: string, value: string, detail: string])[] => [
  ['class_type', '"$1"', t`the node type`],
  ['inputs', '{$1}', t`values and links`],
  ['_meta', '{ "title": "$1" }', t`the title shown in the editor`],
];

/** A new node under a free id, or the members that a node lacks. */
export function completeNode(prompt: Prompt, place: AdditionPlace, slot: Slot): Completion[] {
  if (place.kind === 'newNode') {
    const id = String(freeId(prompt.nodes.map((node) => node.id)));
    if (!prompt.root) return [];
    const { before, inner, outer, after } = layoutAt(prompt.document.text, prompt.root, slot);
    const lines = ['"class_type": "$1"', '"inputs": {$2}', '"_meta": { "title": "$3" }'].join(`,${inner}`);
    const newText = `${before}"${id}": {${inner}${lines}${outer}}${after}`;
    return completionsIn(slot, [
      { kind: 'node', label: id, newText, detail: t`new node`, rank: 0, isSnippet: true },
    ]);
  }
  const { node } = place.node;
  const missing = members().filter(([name]) => node.kind === 'object' && !node.property(name));
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
