import type { Catalog } from '../catalog/catalog';
import type { NodeDefinition } from '../catalog/nodeDefinition';
import type { ExactValue } from '../json/exactValue';

/** An entry of lists of node types, computed once because lists are long and rebuilt at every keystroke. */
export interface ClassEntry {
  readonly classType: string;
  /** The node type as JSON. */
  readonly text: string;
  readonly detail: string;
  /** The JSON text with the node type's other names. */
  readonly filterText: string;
  readonly displayName: string;
  readonly searchAliases: readonly string[];
  readonly outputTypes: readonly ExactValue[];
  readonly deprecated: boolean;
}

const indexes = new WeakMap<Catalog, readonly ClassEntry[]>();

/** The node types of a catalog if its index exists already: for callers that can't wait. */
export function indexedClasses(catalog: Catalog): readonly ClassEntry[] | undefined {
  return indexes.get(catalog);
}

/** All node types of a catalog, read once. The first call reads every definition; see {@link indexClasses}. */
export function classEntries(catalog: Catalog): readonly ClassEntry[] {
  const known = indexes.get(catalog);
  if (known) return known;
  for (const steps = indexClasses(catalog); ;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Builds the index a few node types at a time, whenever the editor is idle, so that typing is never delayed. */
export function* indexClasses(catalog: Catalog, perStep = 20): Generator<void, readonly ClassEntry[]> {
  const entries: ClassEntry[] = [];
  for (const definition of catalog.definitions()) {
    entries.push(entryOf(definition));
    if (entries.length % perStep === 0) yield;
  }
  indexes.set(catalog, entries);
  return entries;
}

function entryOf(definition: NodeDefinition): ClassEntry {
  const { classType, displayName, category, searchAliases, outputs, deprecated } = definition;
  const text = JSON.stringify(classType);
  const marks = [
    displayName === classType ? '' : displayName,
    deprecated ? 'deprecated' : '',
    definition.experimental ? 'experimental' : '',
    definition.apiNode ? 'paid' : '',
    category,
  ];
  return {
    classType,
    text,
    detail: marks.filter((mark) => mark !== '').join(' · '),
    filterText: [text, displayName, ...searchAliases].join(' '),
    displayName,
    searchAliases,
    outputTypes: outputs.map(({ type }) => (typeof type === 'string' ? type : 'COMBO')),
    deprecated,
  };
}
