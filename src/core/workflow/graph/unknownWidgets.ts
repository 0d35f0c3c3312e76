import { type ExactValue, exactValue } from '../../json/exactValue';
import type { JsonNode } from '../../json/node';
import { isControlMode } from './extraWidgets';
import type { GraphNode } from './graphNode';

interface NamedValue {
  readonly name: string;
  readonly valueNode: JsonNode;
}

/** What a file contains about the values of a node without a known definition. */
export interface SavedValues {
  readonly named: readonly NamedValue[];
  /** How many values in the file have no name. */
  readonly lost: number;
}

/**
 * The values of a node of an unknown type, as far as the file names the widgets: an object by name, names next to the
 * list, or slots for all widgets in order.
 */
export function savedValues({ widgetsValues, namedValues, inputs }: GraphNode): SavedValues {
  const byName = widgetsValues?.kind === 'object' ? widgetsValues : namedValues;
  if (byName) {
    const named = byName.properties.flatMap(({ name, value }) => {
      // Packs store displayed content in objects; no widget sends one.
      return value && value.kind !== 'object' ? [{ name, valueNode: value }] : [];
    });
    return { named, lost: 0 };
  }
  const values = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
  const names = inputs.flatMap(({ widget }) => (widget === undefined ? [] : [widget]));
  const named = inOrder(names, values) ?? inOrder(names, withoutControls(names, values));
  return named ? { named, lost: 0 } : { named: [], lost: values.length };
}

export interface ListedValue {
  /** If the file names its values. */
  readonly name: string | undefined;
  readonly value: ExactValue;
  readonly place: JsonNode;
}

/** The values of such a node as the file lists them. */
export function listedValues(source: GraphNode): readonly ListedValue[] {
  const { widgetsValues } = source;
  if (widgetsValues?.kind === 'object') {
    return widgetsValues.properties.flatMap((each) => {
      const { name, value: place } = each;
      // Of two with one name, the last counts.
      const isRead = place && widgetsValues.property(name) === each;
      return isRead ? [{ name, value: exactValue(place), place }] : [];
    });
  }
  const places = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
  const { named } = savedValues(source);
  return places.map((place, index) => {
    const name = named.length === places.length ? named[index]?.name : undefined;
    return { name, value: exactValue(place), place };
  });
}

function inOrder(names: readonly string[], values: readonly JsonNode[]): readonly NamedValue[] | undefined {
  if (names.length !== values.length) return undefined;
  return names.flatMap((name, index) => {
    const valueNode = values[index];
    return valueNode ? [{ name, valueNode }] : [];
  });
}

function withoutControls(names: readonly string[], values: readonly JsonNode[]): readonly JsonNode[] {
  const kept: JsonNode[] = [];
  for (const value of values) {
    // The editor stores one of four words after the value of a seed.
    const isControl = value.kind === 'string' && isControlMode(value.value);
    const isBehindSeed = /seed/i.test(names[kept.length - 1] ?? '');
    if (!isControl || !isBehindSeed) kept.push(value);
  }
  return kept;
}
