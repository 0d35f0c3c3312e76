import { exactEquals } from '../json/exactEquals';
import type { ExactValue } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';
import { storedValue } from '../workflow/graph/extraWidgets';
import type { NodeMode } from '../workflow/graph/graphNode';
import { groupByKey } from '../workflow/graph/grouped';
import { matchByContent, matchById, type Matches } from './matchNodes';
import type { MeantNode, Meaning, Source } from './meaning';

export interface ComparedSides<T> {
  readonly before: T;
  readonly after: T;
}

/** One difference in meaning between two workflows; the node is undefined where there is none. */
export type WorkflowChange = { readonly node: ComparedSides<MeantNode | undefined> } & (
  | { readonly kind: 'added' | 'removed' }
  | ({ readonly kind: 'retyped' } & ComparedSides<string>)
  | ({ readonly kind: 'retitled' } & ComparedSides<string | undefined>)
  | ({ readonly kind: 'mode' } & ComparedSides<NodeMode>)
  | ({ readonly kind: 'value'; readonly input: string } & ComparedSides<ExactValue | undefined>)
  | ({ readonly kind: 'link'; readonly input: string } & ComparedSides<Source | undefined>)
);

export interface WorkflowDifferences {
  /** Changes of one node after the other, in the order of the later file; removed nodes last. */
  readonly changes: readonly WorkflowChange[];
  /** How many nodes only moved, or look different. */
  readonly layout: number;
  readonly matches: Matches;
}

export function workflowDifferences(before: Meaning, after: Meaning): WorkflowDifferences {
  const byId = differencesOf(before, after, matchById(before, after));
  if (!byId.changes.some(({ kind }) => kind === 'added' || kind === 'removed' || kind === 'retyped'))
    return byId;
  const byContent = differencesOf(before, after, matchByContent(before, after));
  // IDs count, unless they clearly say nothing, as in a file that was renumbered.
  return byContent.changes.length * 2 < byId.changes.length ? byContent : byId;
}

function differencesOf(before: Meaning, after: Meaning, matches: Matches): WorkflowDifferences {
  const changes: WorkflowChange[] = [];
  const earlier = new Map([...matches].map(([one, other]) => [other, one]));
  let layout = 0;
  for (const node of after.values()) {
    const id = earlier.get(node.id);
    const old = id === undefined ? undefined : before.get(id);
    const own = old ? nodeChanges(old, node, matches) : [];
    if (!old && isOutermost(node, (id) => after.has(id) && !earlier.has(id)))
      own.push({ kind: 'added', node: { before: undefined, after: node } });
    const isDrawn = old?.layout !== undefined && node.layout !== undefined;
    if (own.length === 0 && isDrawn && old.layout !== node.layout) layout++;
    changes.push(...own);
  }
  for (const [id, drawn] of after.drawnBeside ?? []) {
    const old = before.drawnBeside?.get(id);
    if (old !== undefined && old !== drawn) layout++;
  }
  for (const node of before.values()) {
    if (!matches.has(node.id) && isOutermost(node, (id) => before.has(id) && !matches.has(id)))
      changes.push({ kind: 'removed', node: { before: node, after: undefined } });
  }
  return { changes, layout, matches };
}

function isOutermost({ parent }: MeantNode, isAlone: (id: string) => boolean): boolean {
  return parent === undefined || !isAlone(parent);
}

function nodeChanges(before: MeantNode, after: MeantNode, matches: Matches): WorkflowChange[] {
  const node = { before, after };
  const changes: WorkflowChange[] = [];
  const isRetyped = before.kind !== after.kind && before.type !== after.type;
  if (isRetyped) changes.push({ kind: 'retyped', node, before: before.type, after: after.type });
  const hasTitles = before.title !== undefined && after.title !== undefined;
  if (!isRetyped && hasTitles && before.title !== after.title)
    changes.push({ kind: 'retitled', node, before: before.title, after: after.title });
  if (before.mode !== after.mode)
    changes.push({ kind: 'mode', node, before: before.mode, after: after.mode });
  return [...changes, ...valueChanges(node, isRetyped), ...linkChanges(node, matches)];
}

function valueChanges(node: ComparedSides<MeantNode>, isRetyped: boolean): WorkflowChange[] {
  const { before, after } = node;
  if (before.isUnnamed !== after.isUnnamed) return unnamedChanges(node);
  const changed: WorkflowChange[] = [];
  const names = new Set<string>();
  for (const name of new Set([...before.values.keys(), ...after.values.keys()])) {
    if (before.links.has(name) || after.links.has(name)) continue;
    const [old, now] = [before.values.get(name)?.value, after.values.get(name)?.value];
    // Another type has other inputs, another choice has inputs of its own, and what is missing of an unknown type is
    // a default.
    const isDefault = before.isUndefined || after.isUndefined;
    const isConsequence = isRetyped || isDefault || [...names].some((each) => name.startsWith(`${each}.`));
    if ((old === undefined || now === undefined) && isConsequence) continue;
    if (old !== undefined && now !== undefined && isSame(old, now)) continue;
    names.add(name);
    changed.push({ kind: 'value', node, input: name, before: old, after: now });
  }
  return changed;
}

/**
 * The changed values of a node that only one side names: position by position if both sides list them, else each named
 * value is looked for in the list. Values that one side has in addition, such as defaults, need a definition.
 */
function unnamedChanges(node: ComparedSides<MeantNode>): WorkflowChange[] {
  const { before, after } = node;
  const [named, other] = before.isUnnamed ? [after, before] : [before, after];
  const change = (input: string, own: ExactValue, listed: ExactValue): WorkflowChange[] => {
    if (isSame(storedValue(input, own), storedValue(input, listed))) return [];
    const [old, now] = before.isUnnamed ? [listed, own] : [own, listed];
    return [{ kind: 'value', node, input, before: old, after: now }];
  };
  if (named.listed.length > 0) {
    return named.listed.flatMap(({ name = '', value }, index) => {
      const listed = other.listed[index];
      const isLinked = named.links.has(name) || other.links.has(name);
      return listed && !isLinked ? change(name === '' ? String(index) : name, value, listed.value) : [];
    });
  }
  const left = new Set(other.listed);
  const alike = groupByKey(other.listed.toReversed(), ({ value }) => valueKey(value));
  const unmatched = [...named.values].filter(([, { value }]) => {
    const same = alike.get(valueKey(value))?.pop();
    return !same || !left.delete(same);
  });
  const rest = groupByKey([...left].reverse(), ({ value }) => typeof value);
  return unmatched.flatMap(([name, { value }]) => {
    const listed = rest.get(typeof value)?.pop();
    return listed ? change(name, value, listed.value) : [];
  });
}

/** One text for values that {@link isSame} treats as equal. */
function valueKey(value: ExactValue): string {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : writeExact(value);
}

/** Numbers of one value are one; unlike in Python, true is no number. */
function isSame(one: ExactValue, other: ExactValue): boolean {
  return (typeof one === 'boolean') === (typeof other === 'boolean') && exactEquals(one, other);
}

function linkChanges(node: ComparedSides<MeantNode>, matches: Matches): WorkflowChange[] {
  const { before, after } = node;
  return [...new Set([...before.links.keys(), ...after.links.keys()])].flatMap((name): WorkflowChange[] => {
    const [old, now] = [before.links.get(name), after.links.get(name)];
    // The links of a removed node went with it.
    if (old && !now && !matches.has(old[0])) return [];
    if (old && now && matches.get(old[0]) === now[0] && old[1] === now[1]) return [];
    return [{ kind: 'link', node, input: name, before: old, after: now }];
  });
}
