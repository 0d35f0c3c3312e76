import type { Catalog } from '../catalog/catalog';
import type { NodeDefinition } from '../catalog/nodeDefinition';
import type { ExactValue } from '../json/exactValue';

/** What lists of classes show and compare, without the definitions themselves. */
export interface ClassEntry {
  readonly classType: string;
  readonly displayName: string;
  readonly category: string;
  readonly aliases: readonly string[];
  readonly outputTypes: readonly ExactValue[];
  readonly isDeprecated: boolean;
  readonly isExperimental: boolean;
  readonly isPaid: boolean;
}

/** An index belongs to its catalog and goes with it. */
const indexes = new WeakMap<Catalog, readonly ClassEntry[]>();

/** All classes of a catalog, read once. The first call reads every definition; see {@link indexClasses}. */
export function classEntries(catalog: Catalog): readonly ClassEntry[] {
  const known = indexes.get(catalog);
  if (known) return known;
  for (const steps = indexClasses(catalog); ;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Makes the index ahead of the first completion, a few classes at a time: an editor takes the next step when it is
 * idle, so that thousands of definitions never hold up a keystroke.
 */
export function* indexClasses(catalog: Catalog, perStep = 50): Generator<void, readonly ClassEntry[]> {
  const entries: ClassEntry[] = [];
  for (const definition of catalog.definitions()) {
    entries.push(entryOf(definition));
    if (entries.length % perStep === 0) yield;
  }
  indexes.set(catalog, entries);
  return entries;
}

function entryOf(definition: NodeDefinition): ClassEntry {
  const { classType, displayName, category, searchAliases, outputs } = definition;
  return {
    classType,
    displayName,
    category,
    aliases: searchAliases,
    outputTypes: outputs.map(({ type }) => (typeof type === 'string' ? type : 'COMBO')),
    isDeprecated: definition.deprecated,
    isExperimental: definition.experimental,
    isPaid: definition.apiNode,
  };
}
