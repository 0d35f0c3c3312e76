import { expect } from 'vitest';
import { canvasChange, type CanvasChange, type CanvasEdits } from '../../../src/core/canvas/canvasChange';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';

export interface Slot {
  name: string;
  type: string;
  label?: string;
  localized_name?: string;
  link?: number | null;
  links?: number[] | null;
  widget?: { name: string };
}

export interface StateNode {
  id: number;
  type: string;
  pos: [number, number];
  size: [number, number];
  mode: number;
  order: number;
  flags: Record<string, unknown>;
  title?: string;
  color?: string;
  inputs: Slot[];
  outputs: Slot[];
  properties: Record<string, unknown>;
  widgets_values?: unknown[];
  widgets_values_named?: Record<string, unknown>;
}

export type Row = [number, number, number, number, number, string];

export interface InnerLink {
  id: number;
  origin_id: number;
  origin_slot: number;
  target_id: number;
  target_slot: number;
  type: string;
}

export interface EdgeSlot {
  id: string;
  name: string;
  type: string;
  linkIds: number[];
  pos?: [number, number];
}

export interface Definition {
  id: string;
  name: string;
  version: number;
  state: Record<string, number>;
  nodes: StateNode[];
  links: InnerLink[];
  groups: unknown[];
  inputs: EdgeSlot[];
  outputs: EdgeSlot[];
  inputNode: unknown;
  outputNode: unknown;
}

export interface Group {
  id?: number;
  title: string;
  bounding: [number, number, number, number];
  flags?: Record<string, unknown>;
}

/** What the page serializes. */
export interface State {
  id: string;
  revision: number;
  last_node_id: number;
  last_link_id: number;
  nodes: StateNode[];
  links: Row[];
  groups: Group[];
  definitions?: { subgraphs: Definition[] };
  config: Record<string, unknown>;
  extra: Record<string, unknown> & {
    reroutes?: { id: number; pos: [number, number]; linkIds: number[] }[];
  };
  extensions?: Record<string, unknown>;
  version: number;
}

export function node(id: number, type: string, rest: Partial<StateNode> = {}): StateNode {
  return {
    id,
    type,
    pos: [100 * id, 50],
    size: [210, 80],
    flags: {},
    order: id,
    mode: 0,
    inputs: [],
    outputs: [],
    properties: { 'Node name for S&R': type },
    ...rest,
  };
}

/** An image that two nodes take: a small file as people have it. */
export function smallState(): State {
  return {
    id: '11111111-1111-4111-8111-111111111111',
    revision: 0,
    last_node_id: 3,
    last_link_id: 2,
    nodes: [
      node(1, 'MakeImage', {
        outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [1, 2] }],
        widgets_values: [512, 'sharp', true],
      }),
      node(2, 'ShowImage', { inputs: [{ name: 'images', type: 'IMAGE', link: 1 }], widgets_values: ['out'] }),
      node(3, 'ScaleImage', {
        inputs: [
          { name: 'image', type: 'IMAGE', link: 2 },
          { name: 'mask', type: 'MASK', link: null },
        ],
        outputs: [{ name: 'IMAGE', type: 'IMAGE', links: null }],
        widgets_values: ['area', 2],
      }),
    ],
    links: [
      [1, 1, 0, 2, 0, 'IMAGE'],
      [2, 1, 0, 3, 0, 'IMAGE'],
    ],
    groups: [],
    config: {},
    extra: {},
    version: 0.4,
  };
}

/**
 * What the page makes of a file without an edit: sockets for widgets, names in its language, second copies of the
 * values, a view, an order, and counters.
 */
export function loadedState(file: State): State {
  const state = structuredClone(file);
  state.extra.ds = { scale: 1, offset: [0, 0] };
  const levels = [state, ...(state.definitions?.subgraphs ?? [])];
  for (const each of levels.flatMap(({ nodes }) => nodes)) {
    for (const slot of [...each.inputs, ...each.outputs]) slot.localized_name = slot.name;
    each.inputs.push(
      ...(each.widgets_values ?? []).map((_, index) => ({
        name: `w${index}`,
        type: 'ANY',
        link: null,
        widget: { name: `w${index}` },
      })),
    );
    each.widgets_values_named = Object.fromEntries(
      (each.widgets_values ?? []).map((value, index) => [`w${index}`, value]),
    );
  }
  state.groups.forEach((group, index) => {
    group.id ??= index + 1;
    group.flags ??= {};
  });
  return state;
}

/** Node types that no page of these tests knows begin with this. */
const unknownType = /^Lost/;

/** The change of an edit on the page: made in its state after it loaded the file. */
export function changeOf(
  text: string,
  edit: (state: State) => void,
  loaded: State = loadedState(JSON.parse(text) as State),
): CanvasChange {
  const shown = structuredClone(loaded);
  edit(shown);
  return canvasChange(
    WorkflowDocument.of(text),
    JSON.stringify(loaded),
    JSON.stringify(shown),
    (type) => !unknownType.test(type),
  );
}

export function editsOf(...args: Parameters<typeof changeOf>): CanvasEdits {
  const change = changeOf(...args);
  if (change.kind === 'refused') expect.fail(`refused: ${change.reason} ${change.id ?? ''}`);
  return change;
}

/** The lines that an edit of the page takes out of a file, and those that it puts in, as a diff shows them. */
export function lineChanges(old: string, written: string): string[] {
  const [before, after] = [old.split('\n'), written.split('\n')];
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end))
    end++;
  const cut = (lines: string[], sign: string): string[] =>
    lines.slice(start, lines.length - end).map((line) => `${sign} ${line.trim()}`);
  return [...cut(before, '-'), ...cut(after, '+')];
}

export function find(state: { readonly nodes: StateNode[] }, id: number): StateNode {
  const found = state.nodes.find((each) => each.id === id);
  if (!found) throw new Error(`There is no node ${id}.`);
  return found;
}

/** The later state has a link more, or another one at an input. */
export function connect(state: State, row: Row, names: readonly [output: string, input: string]): void {
  const [id, origin, , target] = row;
  state.links.push(row);
  state.last_link_id = Math.max(state.last_link_id, id);
  const output = find(state, origin).outputs.find(({ name }) => name === names[0]);
  const input = find(state, target).inputs.find(({ name }) => name === names[1]);
  if (!output || !input) throw new Error('There is no such slot.');
  output.links = [...(output.links ?? []), id];
  input.link = id;
}

export function disconnect(state: State, id: number): void {
  state.links = state.links.filter((row) => row[0] !== id);
  for (const each of state.nodes) {
    for (const input of each.inputs) if (input.link === id) input.link = null;
    for (const output of each.outputs) output.links = output.links?.filter((link) => link !== id) ?? null;
  }
}

export function remove(state: State, id: number): void {
  for (const row of state.links.filter((each) => each[1] === id || each[3] === id)) disconnect(state, row[0]);
  state.nodes = state.nodes.filter((each) => each.id !== id);
}

export const subgraphId = 'aaaaaaaa-0000-4000-8000-000000000001';

export function subgraphDefinition(): Definition {
  return {
    id: subgraphId,
    name: 'Twice',
    version: 1,
    state: { lastNodeId: 11 },
    nodes: [
      node(10, 'ScaleImage', {
        inputs: [{ name: 'image', type: 'IMAGE', link: 1 }],
        outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [2] }],
        widgets_values: ['area', 2],
      }),
      node(11, 'ScaleImage', {
        inputs: [{ name: 'image', type: 'IMAGE', link: 2 }],
        outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [3] }],
        widgets_values: ['area', 18446744073],
      }),
    ],
    links: [
      { id: 1, origin_id: -10, origin_slot: 0, target_id: 10, target_slot: 0, type: 'IMAGE' },
      { id: 2, origin_id: 10, origin_slot: 0, target_id: 11, target_slot: 0, type: 'IMAGE' },
      { id: 3, origin_id: 11, origin_slot: 0, target_id: -20, target_slot: 0, type: 'IMAGE' },
    ],
    groups: [],
    inputs: [{ id: 'i1', name: 'image', type: 'IMAGE', linkIds: [1] }],
    outputs: [{ id: 'o1', name: 'IMAGE', type: 'IMAGE', linkIds: [3] }],
    inputNode: { id: -10, bounding: [0, 0, 10, 10] },
    outputNode: { id: -20, bounding: [90, 0, 10, 10] },
  };
}

/** A workflow that shows a subgraph once. */
export function withSubgraph(): State {
  const state = smallState();
  state.nodes[2] = node(3, subgraphId, {
    inputs: [{ name: 'image', type: 'IMAGE', link: 2 }],
    outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [] }],
  });
  state.definitions = { subgraphs: [subgraphDefinition()] };
  return state;
}

export function inner(state: State, at = 0): Definition {
  const found = state.definitions?.subgraphs[at];
  if (!found) throw new Error('There is no subgraph.');
  return found;
}

/** The page makes a promoted widget an input of the subgraph, and its value one of the node that shows it. */
export function promoting(): { readonly text: string; readonly before: State } {
  const file = withSubgraph();
  find(file, 3).properties.proxyWidgets = [['10', 'factor']];
  Object.assign(find(inner(file), 11), { widgets_values: ['area', 7] });
  const before = withSubgraph();
  Object.assign(find(inner(before), 11), { widgets_values: ['area', 7] });
  inner(before).inputs.push({ id: 'random', name: 'factor', type: 'INT', linkIds: [9] });
  inner(before).links.push({
    id: 9,
    origin_id: -10,
    origin_slot: 1,
    target_id: 10,
    target_slot: 1,
    type: 'INT',
  });
  find(inner(before), 10).inputs.push({ name: 'factor', type: 'INT', link: 9, widget: { name: 'factor' } });
  Object.assign(find(before, 3), { widgets_values: [2] });
  find(before, 3).inputs.push({ name: 'factor', type: 'INT', link: null, widget: { name: 'factor' } });
  const long = JSON.stringify(file, undefined, 2).replace(/"area",\s*7\n/, (found) =>
    found.replace('7', '18446744073709551615'),
  );
  return {
    text: long,
    before: JSON.parse(JSON.stringify(before).replace('"area",7', '"area",18446744073709551615')) as State,
  };
}
