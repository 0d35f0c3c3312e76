import type { Catalog } from '../../catalog/catalog';
import type { TextEdit } from '../../json/textEdit';
import type { JsonArray } from '../../json/node';
import type { Prompt } from '../../workflow/prompt';
import { type Completion, completionsIn, type Slot, type Suggestion } from './completion';
import { isOnOneLine } from './completionSlot';
import { endOf } from '../places/jsonPlace';
import { type LinkSource, linkTargets, linkText } from '../places/linkTargets';
import { definitionOf, inputNamed, typeText } from '../places/nodeInputs';
import type { InputPlace } from '../places/promptPlace';

export function linkSuggestions(
  prompt: Prompt,
  { node, name }: InputPlace,
  catalog: Catalog | undefined,
): Suggestion[] {
  const targets = linkTargets(prompt, node, inputNamed(node, name, catalog), catalog);
  return targets.map((target) => suggestionOf(target, linkText(target.node.id, target.slot)));
}

/** In the first element of a list: inserts the complete link, both parts. */
export function completeLink(
  prompt: Prompt,
  place: InputPlace,
  slot: Slot,
  inserted: number,
  catalog: Catalog | undefined,
): Completion[] {
  const { text } = prompt.document;
  const list = place.input?.valueNode;
  if (list?.kind !== 'array') return [];
  if (inputNamed(place.node, place.name, catalog)?.spec.kind === 'combo') return [];
  const end = Math.max(place.json.offset, endOf(list) - inserted);
  const whole = { offset: list.offset, length: end - list.offset };
  if (inserted === 0 && isOnOneLine(text, whole)) {
    return completionsIn({ range: whole, before: '', after: '' }, linkSuggestions(prompt, place, catalog));
  }
  const targets = linkTargets(prompt, place.node, inputNamed(place.node, place.name, catalog), catalog);
  return completionsIn(
    { ...slot, before: '', after: '' },
    targets.map((target) => {
      const id = JSON.stringify(target.node.id);
      const further = slotEdit(list, target.slot, inserted);
      if (further) return { ...suggestionOf(target, id), furtherEdits: [further] };
      const isComplete = list.items.length > 1 && inserted === 0;
      return suggestionOf(target, isComplete ? id : `${id}, ${target.slot}${inserted > 0 ? ']' : ''}`);
    }),
  );
}

/** In the second element of a list: the outputs of the node in the first. */
export function completeSlot(
  prompt: Prompt,
  { node, name, input }: InputPlace,
  slot: Slot,
  catalog: Catalog | undefined,
): Completion[] {
  const id = input?.valueNode.kind === 'array' ? input.valueNode.items[0] : undefined;
  const source = id?.kind === 'string' ? prompt.node(id.value) : undefined;
  const outputs = (source && definitionOf(source, catalog)?.outputs) ?? [];
  const wanted = inputNamed(node, name, catalog);
  const fitting = linkTargets(prompt, node, wanted, catalog).filter((target) => target.node === source);
  return completionsIn(
    { ...slot, before: '', after: '' },
    outputs.map((output, index) => ({
      kind: 'slot',
      label: `${index} · ${output.name}`,
      newText: String(index),
      detail: typeText(output.type),
      documentation: output.tooltip,
      words: output.name,
      rank: fitting.some((target) => target.slot === index) ? 0 : 1,
    })),
  );
}

function suggestionOf({ node, label, type, rank, output }: LinkSource, newText: string): Suggestion {
  return {
    kind: 'link',
    label: `${node.id} · ${label}`,
    newText,
    detail: type,
    documentation: output?.tooltip,
    words: `${label} ${node.classType ?? ''}`,
    rank,
  };
}

function slotEdit(list: JsonArray, slot: number, inserted: number): TextEdit | undefined {
  const item = list.items[1];
  if (inserted > 0 || item?.kind !== 'number' || item.value === slot) return undefined;
  return { offset: item.offset, length: item.length, newText: String(slot) };
}
