import { numbers, type Shapes } from './shapes';

type Edge = readonly [from: number, to: number, input?: object | undefined];

/** Nodes, numbered from 0, with one output each, and an input for each edge into them. */
function graphOf(nodes: readonly object[], edges: readonly Edge[] = [], more: object = {}): string {
  const into = nodes.map((): object[] => []);
  const outOf = nodes.map((): number[] => []);
  const links = edges.map(([from, to, input], id) => {
    const slot = into[to]?.push({ name: 'model', type: 'MODEL', link: id, ...input }) ?? 1;
    outOf[from]?.push(id);
    return [id, from, 0, to, slot - 1, 'MODEL'];
  });
  const wired = nodes.map((node, id) => {
    return { id, inputs: into[id], outputs: [{ name: 'MODEL', type: 'MODEL', links: outOf[id] }], ...node };
  });
  return JSON.stringify({ last_node_id: nodes.length, nodes: wired, links, version: 0.4, ...more });
}

const source = { type: 'Source' };
const text = { type: 'Text', widgets_values: ['t', 1, 'euler'] };
const inRow = (count: number): Edge[] => numbers(count - 1).map((id) => [id, id + 1]);
const fromFirst = (count: number, input?: (id: number) => object): Edge[] =>
  numbers(count).map((id) => [0, id + 1, input?.(id)]);
const several = (count: number, node: object): object[] => numbers(count).map(() => node);

function withSubgraphs(
  parts: readonly object[],
  nodes: readonly object[],
  edges: readonly Edge[] = [],
): string {
  const subgraphs = parts.map((part, index) => ({ id: `sub ${index}`, name: `Sub ${index}`, ...part }));
  return graphOf(nodes, edges, { definitions: { subgraphs } });
}

const inside = (id: number, from: number, to: number, slot = 0): object => {
  return { id, origin_id: from, origin_slot: slot, target_id: to, target_slot: 0, type: 'MODEL' };
};

/** Each subgraph contains this many instances of the next. */
export function nested(depth: number, instances: number, idTail = '', words = 't'): string {
  const parts = numbers(depth).map((level) => {
    const node = level === depth - 1 ? { ...text, widgets_values: [words] } : { type: `sub ${level + 1}` };
    const outputs = [{ name: 'MODEL', type: 'MODEL', links: [1] }];
    return {
      nodes: numbers(level === depth - 1 ? 1 : instances).map((id) => {
        return { id: idTail === '' ? id + 1 : `${id + 1}${idTail}`, inputs: [], outputs, ...node };
      }),
      links: idTail === '' ? [inside(1, 1, -20)] : [],
      outputs: [{ name: 'MODEL', type: 'MODEL', linkIds: [1] }],
    };
  });
  return withSubgraphs(parts, [{ type: 'sub 0' }, { type: 'Save' }], [[0, 1]]);
}

/** Nodes that broadcast to as many others by patterns, all of them in each of some groups. */
function broadcasts(size: number): string {
  const at = { pos: [0, 0], size: [100, 100] };
  const ue_properties = { version: '7.0', group_regex: 'a*b*c$', title_regex: 'a*b*1' };
  const sender = { type: 'Anything Everywhere', outputs: [], ...at, properties: { ue_properties } };
  const targets = numbers(size).map((id) => {
    const inputs = [{ name: 'model', type: 'MODEL', link: null }];
    return { type: 'Save', title: `a${id}`, inputs, ...at };
  });
  const groups = numbers(size).map((id) => ({ title: `a${id}`, bounding: [-10, -10, 500, 500] }));
  const edges = fromFirst(size, () => ({ name: 'anything' }));
  return graphOf([source, ...several(size, sender), ...targets], edges, { groups });
}

/** Graphs with this many nodes or links, each of which was or could be slow. */
export const graphs: Shapes = {
  'nodes that broadcast to groups with titles': (size) => broadcasts(size >> 1),
  'a chain of nodes': (size) =>
    graphOf([source, ...several(size - 2, { type: 'Step' }), { type: 'Save' }], inRow(size)),
  'a chain of reroutes that is read at every node': (size) => {
    const count = size >> 1;
    const savers = numbers(count).map((id): Edge => [id, count + id]);
    const nodes = [source, ...several(count - 1, { type: 'Reroute' }), ...several(count, { type: 'Save' })];
    return graphOf(nodes, [...inRow(count), ...savers]);
  },
  'one unknown node with many linked inputs': (size) =>
    graphOf(
      [source, { type: 'Unknown' }],
      numbers(size).map((id) => [0, 1, { name: `x${id}` }]),
    ),
  'getters that hand on to each other': (size) =>
    graphOf(
      numbers(size).flatMap((id) => [
        { type: 'SetNode', widgets_values: [`wire ${id}`] },
        { type: 'GetNode', widgets_values: [`wire ${id}`] },
      ]),
      numbers(size - 1).map((id) => [2 * id + 1, 2 * id + 2]),
    ),
  'subgraphs of which each holds two of the next': (size) => nested(size, 2),
};

/** What only a drawing reads. */
export const drawn: Shapes = {
  'short words in a wide note, and long ones in a node': (size) =>
    graphOf([
      { type: 'MarkdownNote', size: [1e9, 900], widgets_values: ['a '.repeat(size)] },
      { type: 'Text', title: 'W'.repeat(size), widgets_values: ['x', 1, 'y'.repeat(size)] },
    ]),
  'one link through many reroutes': (size) =>
    graphOf([source, { type: 'Unknown' }], [[0, 1]], {
      extra: {
        reroutes: numbers(size).map((id) => ({ id, parentId: id - 1, pos: [id, 0] })),
        linkExtensions: [{ id: 0, parentId: size - 1 }],
      },
    }),
};
