import type { Catalog } from '../../catalog/catalog';
import { areCompatible } from '../../check/typeCompatibility';
import type { ExactValue } from '../../json/exactValue';
import type { Prompt, PromptNode } from '../../workflow/prompt';
import { type ClassEntry, classEntries } from '../classIndex';
import type { Completion, Slot } from './completion';
import { inputNamed, wantedType } from '../places/nodeInputs';
import { consumersOf } from '../places/promptLinks';

/** What an outgoing link requires of a node's outputs. */
export interface Need {
  readonly slot: number;
  readonly type: ExactValue;
}

/**
 * Node types: first those whose outputs match the node's outgoing links, then those used in the file, then the rest;
 * deprecated ones last.
 */
export function completeClassType(
  prompt: Prompt,
  node: PromptNode,
  slot: Slot,
  catalog: Catalog,
): Completion[] {
  const needs = consumersOf(prompt, node.id).flatMap((consumer): Need[] => {
    const input = inputNamed(consumer.node, consumer.input.name, catalog);
    return input ? [{ slot: consumer.slot, type: wantedType(input.spec) }] : [];
  });
  const uses = usesIn(prompt.nodes.filter((each) => each !== node).map(({ classType }) => classType));
  return classCompletions(slot, catalog, uses, (entry) => fitsNeeds(entry, needs));
}

/** How often each node type occurs. */
export function usesIn(classTypes: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const each of classTypes) if (each !== undefined) uses.set(each, (uses.get(each) ?? 0) + 1);
  return uses;
}

/** All node types of a catalog as suggestions. `fits` says which of them match. */
export function classCompletions(
  slot: Slot,
  catalog: Catalog,
  uses: ReadonlyMap<string, number>,
  fits: (entry: ClassEntry) => boolean,
): Completion[] {
  const { offset, length } = slot.range;
  return classEntries(catalog).map((entry, index) => {
    const { classType, text, detail, filterText, deprecated } = entry;
    const rank = rankOf(entry, uses.get(classType) ?? 0, fits(entry));
    return {
      kind: 'classType',
      label: classType,
      detail,
      edit: { offset, length, newText: text },
      isSnippet: false,
      filterText,
      // Both numbers have six digits: text order is their order.
      sortText: String(100_000 + rank) + String(100_000 + index),
      isDeprecated: deprecated,
    };
  });
}

function rankOf({ deprecated }: ClassEntry, uses: number, fits: boolean): number {
  return (fits ? 0 : 400) + (deprecated ? 200 : 0) + (uses > 0 ? 99 - Math.min(uses, 99) : 100);
}

/** Whether a node type has the outputs that links require. */
export function fitsNeeds({ outputTypes }: ClassEntry, needs: readonly Need[]): boolean {
  return needs.every(({ slot, type }) => {
    const output = outputTypes[slot];
    return output !== undefined && areCompatible(output, type);
  });
}
