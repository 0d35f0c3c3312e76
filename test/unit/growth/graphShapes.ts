import { numbers, type Shapes } from './shapes';

interface Node {
  readonly id: number | string;
  readonly type: string;
  readonly inputs?: readonly object[];
  readonly outputs?: readonly object[];
  readonly [member: string]: unknown;
}

type Link = readonly [
  id: number,
  origin: number,
  originSlot: number,
  target: number,
  targetSlot: number,
  type: string,
];

function graph(nodes: readonly Node[], links: readonly Link[], more: object = {}): string {
  return JSON.stringify({ last_node_id: nodes.length, nodes, links, version: 0.4, ...more });
}

const takes = (link: number | null, name = 'model'): object => ({ name, type: 'MODEL', link });
const gives = (links: readonly number[], name = 'MODEL'): object => ({ name, type: 'MODEL', links });

/** A chain of nodes that ends with a saver: link n leads from node n to node n + 1. */
function chainOf(size: number, type: string, mode = 0): string {
  const nodes = numbers(size).map((id) => ({
    id,
    type: id === 0 ? 'Source' : id === size - 1 ? 'Save' : type,
    mode: id === 0 || id === size - 1 ? 0 : mode,
    inputs: id === 0 ? [] : [takes(id - 1)],
    outputs: id === size - 1 ? [] : [gives([id])],
  }));
  const links = numbers(size - 1).map((id): Link => [id, id, 0, id + 1, 0, 'MODEL']);
  return graph(nodes, links);
}

function ringOf(size: number, type: string): string {
  const nodes = numbers(size).map((id) => ({
    id,
    type,
    inputs: [takes(id === 0 ? size - 1 : id - 1)],
    outputs: [gives([id])],
  }));
  const links = numbers(size).map((id): Link => [id, id, 0, (id + 1) % size, 0, 'MODEL']);
  return graph(
    [...nodes, { id: size, type: 'Save', inputs: [takes(size)] }],
    [...links, [size, 0, 0, size, 0, 'MODEL']],
  );
}

/** Each link of a source leads to a different node. */
function fanOf(size: number, source: object, type: string, mode = 0): string {
  const nodes = numbers(size).map((id) => ({
    id: id + 1,
    type,
    mode,
    inputs: [takes(id)],
    outputs: [gives([])],
  }));
  const links = numbers(size).map((id): Link => [id, 0, 0, id + 1, 0, 'MODEL']);
  const first = { id: 0, type: 'Source', outputs: [gives(numbers(size))], inputs: [], ...source };
  return graph([first, ...nodes], links);
}

interface SubgraphParts {
  readonly nodes: readonly Node[];
  readonly links: readonly object[];
  readonly inputs?: readonly object[];
  readonly outputs?: readonly object[];
}

function subgraphs(
  parts: readonly SubgraphParts[],
  nodes: readonly Node[],
  links: readonly Link[] = [],
): string {
  const definitions = parts.map((each, index) => ({ id: `sub ${index}`, name: `Sub ${index}`, ...each }));
  return graph(nodes, links, { definitions: { subgraphs: definitions } });
}

function between(id: number, origin: number, target: number, originSlot = 0, targetSlot = 0): object {
  return {
    id,
    origin_id: origin,
    origin_slot: originSlot,
    target_id: target,
    target_slot: targetSlot,
    type: 'MODEL',
  };
}

/** Each subgraph contains this many instances of the next. */
export function nested(depth: number, instances: number, idTail = '', words = 't'): string {
  const parts = numbers(depth).map((level) => ({
    nodes: numbers(level === depth - 1 ? 1 : instances).map((id) => ({
      id: idTail === '' ? id + 1 : `${id + 1}${idTail}`,
      type: level === depth - 1 ? 'Text' : `sub ${level + 1}`,
      inputs: [],
      outputs: [gives([1])],
      ...(level === depth - 1 ? { widgets_values: [words, 1, 'euler'] } : {}),
    })),
    links: idTail === '' ? [between(1, 1, -20)] : [],
    outputs: [{ name: 'MODEL', type: 'MODEL', linkIds: [1] }],
  }));
  return subgraphs(
    parts,
    [
      { id: 1, type: 'sub 0', inputs: [], outputs: [gives([1])] },
      { id: 2, type: 'Save', inputs: [takes(1)] },
    ],
    [[1, 1, 0, 2, 0, 'MODEL']],
  );
}

function wideSubgraph(size: number, properties: object = {}, values: unknown[] = []): string {
  const inside = numbers(size).map((id) => ({
    id: id + 1,
    type: 'Text',
    inputs: [{ name: 'text', type: 'STRING', link: id + 1, widget: { name: 'text' } }],
    outputs: [gives([])],
    widgets_values: ['t', 1, 'euler'],
  }));
  const part = {
    nodes: inside,
    links: numbers(size).map((id) => between(id + 1, -10, id + 1, id)),
    inputs: numbers(size).map((id) => ({ name: `text_${id}`, type: 'STRING', linkIds: [id + 1] })),
    outputs: [],
  };
  const instance = {
    id: 1,
    type: 'sub 0',
    inputs: numbers(size).map((id) => ({
      name: `text_${id}`,
      type: 'STRING',
      link: null,
      widget: { name: `text_${id}` },
    })),
    outputs: [],
    properties,
    widgets_values: values,
  };
  return subgraphs([part], [instance]);
}

function groupOf(
  size: number,
  inner: (id: number) => object,
  links: readonly (readonly number[])[],
  node: object = {},
): string {
  const group = {
    nodes: numbers(size).map((id) => ({ id, index: id, ...inner(id) })),
    links: links.map((each) => [...each, 'MODEL']),
    external: numbers(size).map((id) => [id, 0, 'MODEL']),
    config: Object.fromEntries(numbers(size).map((id) => [String(id), { input: {}, output: {} }])),
  };
  return graph([{ id: 1, type: 'workflow>Many', inputs: [], outputs: [], widgets_values: [], ...node }], [], {
    extra: { groupNodes: { Many: group } },
  });
}

/** Graphs with this many nodes or links. */
/** Nodes that broadcast to as many others, all of them in each of some groups. */
function broadcastOf(size: number, settings: (id: number) => object, title = 'a'): string {
  const count = size >> 1;
  const at = { pos: [0, 0], size: [100, 100] };
  const senders = numbers(count).map((id) => ({
    ...{ id: id + 1, type: 'Anything Everywhere', inputs: [takes(id, 'anything')], outputs: [], ...at },
    properties: { ue_properties: { version: '7.0', ...settings(id) } },
  }));
  const targets = numbers(count).map((id) => {
    return { id: count + id + 1, type: 'Save', title: `${title}${id}`, inputs: [takes(null)], ...at };
  });
  const source = { id: 0, type: 'Source', inputs: [], outputs: [gives(numbers(count))] };
  const links = numbers(count).map((id): Link => [id, 0, 0, id + 1, 0, 'MODEL']);
  const groups = numbers(count).map((id) => ({ title: `${title}${id}`, bounding: [-10, -10, 500, 500] }));
  const ue_links = numbers(count).map((id) => {
    return {
      downstream: count + id + 1,
      downstream_slot: 0,
      upstream: '0',
      upstream_slot: 0,
      controller: id + 1,
    };
  });
  return graph([source, ...senders, ...targets], links, { groups, extra: { ue_links } });
}

export const graphs: Shapes = {
  'nodes that broadcast': (size) => broadcastOf(size, (id) => ({ priority: id })),
  'nodes that broadcast within groups': (size) => broadcastOf(size, () => ({ group_restricted: 1 })),
  'nodes that broadcast to groups with titles': (size) =>
    broadcastOf(size, () => ({ group_regex: 'a*b*c$', title_regex: 'a*b*1' })),
  'nodes that broadcast by long patterns': (size) =>
    broadcastOf(size, () => ({ title_regex: 'a*a*b' }), 'a'.repeat(200)),
  'a chain of nodes': (size) => chainOf(size, 'Step'),
  'a chain of reroutes': (size) => chainOf(size, 'Reroute'),
  'a chain of bypassed nodes': (size) => chainOf(size, 'Step', 4),
  'a chain of muted nodes': (size) => chainOf(size, 'Step', 2),
  'a chain of reroutes that is read at every node': (size) => {
    const count = size >> 1;
    const reroutes = numbers(count).map((id) => ({
      id,
      type: id === 0 ? 'Source' : 'Reroute',
      inputs: id === 0 ? [] : [takes(id - 1)],
      outputs: [gives([id, count + id])],
    }));
    const savers = numbers(count).map((id) => ({
      id: count + id,
      type: 'Save',
      inputs: [takes(count + id)],
    }));
    const links = numbers(count).flatMap((id): Link[] => [
      [id, id, 0, id + 1, 0, 'MODEL'],
      [count + id, id, 0, count + id, 0, 'MODEL'],
    ]);
    return graph([...reroutes, ...savers], links);
  },
  'a ring of nodes': (size) => ringOf(size, 'Step'),
  'a ring of reroutes': (size) => ringOf(size, 'Reroute'),
  'one output into many nodes': (size) => fanOf(size, {}, 'Save'),
  'one muted output into many nodes': (size) => fanOf(size, { mode: 2 }, 'Save'),
  'one primitive into many widgets': (size) => {
    const nodes = numbers(size).map((id) => ({
      id: id + 1,
      type: 'Text',
      inputs: [{ name: 'seed', type: 'INT', link: id, widget: { name: 'seed' } }],
      outputs: [gives([])],
      widgets_values: ['t', 1, 'euler'],
    }));
    const links = numbers(size).map((id): Link => [id, 0, 0, id + 1, 0, 'INT']);
    const first = {
      id: 0,
      type: 'PrimitiveNode',
      outputs: [gives(numbers(size))],
      widgets_values: [7, 'fixed'],
    };
    return graph([first, ...nodes], links);
  },
  'one primitive into many inputs of one node': (size) => {
    const node = {
      id: 1,
      type: 'Text',
      inputs: numbers(size).map((id) => ({ name: `x${id}`, type: 'INT', link: id })),
    };
    const links = numbers(size).map((id): Link => [id, 0, 0, 1, id, 'INT']);
    const first = {
      id: 0,
      type: 'PrimitiveNode',
      outputs: [gives(numbers(size))],
      widgets_values: [7, 'fixed'],
    };
    return graph([first, node], links);
  },
  'many primitives': (size) => {
    const primitives = numbers(size).map((id) => ({
      id,
      type: 'PrimitiveNode',
      outputs: [gives([id])],
      widgets_values: [id, 'fixed'],
    }));
    const texts = numbers(size).map((id) => ({
      id: size + id,
      type: 'Text',
      inputs: [{ name: 'seed', type: 'INT', link: id, widget: { name: 'seed' } }],
      outputs: [],
      widgets_values: ['t', 1, 'euler'],
    }));
    return graph(
      [...primitives, ...texts],
      numbers(size).map((id): Link => [id, id, 0, size + id, 0, 'INT']),
    );
  },
  'one node with many linked inputs': (size) => {
    const node = { id: 1, type: 'Step', inputs: numbers(size).map((id) => takes(id, `x${id}`)), outputs: [] };
    const first = { id: 0, type: 'Source', inputs: [], outputs: [gives(numbers(size))] };
    return graph(
      [first, node],
      numbers(size).map((id): Link => [id, 0, 0, 1, id, 'MODEL']),
    );
  },
  'one unknown node with many linked inputs': (size) => {
    const node = {
      id: 1,
      type: 'Unknown',
      inputs: numbers(size).map((id) => takes(id, `x${id}`)),
      outputs: [],
    };
    const first = { id: 0, type: 'Source', inputs: [], outputs: [gives(numbers(size))] };
    return graph(
      [first, node],
      numbers(size).map((id): Link => [id, 0, 0, 1, id, 'MODEL']),
    );
  },
  'one bypassed node with many inputs, read often': (size) => {
    const node = {
      id: 1,
      type: 'Unknown',
      mode: 4,
      inputs: numbers(size).map((id) => ({ name: `x${id}`, type: 'IMAGE', link: id })),
      outputs: [gives(numbers(size).map((id) => size + id))],
    };
    const first = { id: 0, type: 'Source', inputs: [], outputs: [gives(numbers(size))] };
    const last = numbers(size).map((id) => ({ id: id + 2, type: 'Save', inputs: [takes(size + id)] }));
    return graph(
      [first, node, ...last],
      [
        ...numbers(size).map((id): Link => [id, 0, 0, 1, id, 'IMAGE']),
        ...numbers(size).map((id): Link => [size + id, 1, 0, id + 2, 0, 'MODEL']),
      ],
    );
  },
  'one node with many inputs of lost widgets': (size) =>
    graph(
      [
        {
          id: 1,
          type: 'Step',
          inputs: numbers(size).map((id) => ({
            name: `x${id}`,
            type: 'INT',
            link: null,
            widget: { name: `w${id}` },
          })),
          outputs: [],
        },
      ],
      [],
    ),
  'one node with many widget values': (size) =>
    graph([{ id: 1, type: 'Text', inputs: [], outputs: [gives([])], widgets_values: numbers(size) }], []),
  'links that no slot names': (size) =>
    graph(
      [
        { id: 0, type: 'Source', inputs: [], outputs: [gives([])] },
        { id: 1, type: 'Step', inputs: numbers(size).map((id) => takes(null, `x${id}`)), outputs: [] },
      ],
      numbers(size).map((id): Link => [id, 0, 0, 1, id, 'MODEL']),
    ),
  'slots that name links which are not there': (size) =>
    graph(
      [
        {
          id: 0,
          type: 'Source',
          inputs: numbers(size).map((id) => takes(id, `x${id}`)),
          outputs: [gives(numbers(size))],
        },
      ],
      [],
    ),
  'links between nodes that are not there': (size) =>
    graph(
      [{ id: 0, type: 'Source', inputs: [], outputs: [] }],
      numbers(size).map((id): Link => [id, id + 5, 0, id + 9, 0, 'MODEL']),
    ),
  'setters and getters': (size) => {
    const setters = numbers(size).map((id) => ({
      id,
      type: 'SetNode',
      inputs: [takes(null)],
      outputs: [gives([])],
      widgets_values: [`wire ${id}`],
    }));
    const getters = numbers(size).map((id) => ({
      id: size + id,
      type: 'GetNode',
      inputs: [],
      outputs: [gives([id])],
      widgets_values: [`wire ${id}`],
    }));
    const savers = numbers(size).map((id) => ({ id: 2 * size + id, type: 'Save', inputs: [takes(id)] }));
    const links = numbers(size).map((id): Link => [id, size + id, 0, 2 * size + id, 0, 'MODEL']);
    return graph([...setters, ...getters, ...savers], links);
  },
  'getters that hand on to each other': (size) => {
    const nodes = numbers(size).flatMap((id) => [
      {
        id: 2 * id,
        type: 'SetNode',
        inputs: [takes(id)],
        outputs: [],
        widgets_values: [`wire ${id}`],
      },
      {
        id: 2 * id + 1,
        type: 'GetNode',
        inputs: [],
        outputs: [gives([id + 1])],
        widgets_values: [`wire ${id}`],
      },
    ]);
    const links = numbers(size).map((id): Link => [id + 1, 2 * id + 1, 0, 2 * id + 2, 0, 'MODEL']);
    return graph([...nodes, { id: 2 * size, type: 'Save', inputs: [takes(size)] }], links);
  },
  'subgraphs of which each holds two of the next': (size) => nested(size, 2),
  'subgraphs of which each holds one of the next': (size) => nested(size, 1),
  'many subgraphs': (size) =>
    subgraphs(
      numbers(size).map(() => ({ nodes: [{ id: 1, type: 'Source' }], links: [] })),
      numbers(size).map((id) => ({ id: id + 1, type: `sub ${id}`, inputs: [], outputs: [] })),
    ),
  'many instances of one subgraph': (size) =>
    subgraphs(
      [{ nodes: [{ id: 1, type: 'Source' }], links: [] }],
      numbers(size).map((id) => ({ id: id + 1, type: 'sub 0', inputs: [], outputs: [] })),
    ),
  'a subgraph with many inputs': (size) => wideSubgraph(size),
  'a subgraph with many inputs and values': (size) => wideSubgraph(size, {}, numbers(size)),
  'a subgraph with many widgets shown in the older form': (size) =>
    wideSubgraph(size, { proxyWidgets: numbers(size).map((id) => [String(id + 1), 'text']) }, numbers(size)),
  'many instances with widgets shown in the older form': (size) =>
    subgraphs(
      [
        {
          nodes: [
            {
              id: 1,
              type: 'Text',
              widgets_values: ['t', 1, 'euler'],
              inputs: [{ name: 'text', type: 'STRING', link: null, widget: { name: 'text' } }],
            },
          ],
          links: [],
        },
      ],
      numbers(size).map((id) => ({
        id: id + 1,
        type: 'sub 0',
        inputs: [],
        outputs: [],
        properties: { proxyWidgets: [['1', 'text']] },
        widgets_values: ['x'],
      })),
    ),
  'an instance with many slots that are gone': (size) =>
    subgraphs(
      [{ nodes: [{ id: 1, type: 'Source' }], links: [] }],
      [
        {
          id: 1,
          type: 'sub 0',
          inputs: numbers(size).map((id) => takes(id, `x${id}`)),
          outputs: [gives(numbers(size), 'gone')],
        },
      ],
    ),
  'definitions within definitions': (size) => {
    const open = '{"id":"s","nodes":[],"links":[],"definitions":{"subgraphs":[';
    return `{"nodes":[{"id":1,"type":"Save"}],"links":[],"version":0.4,"definitions":{"subgraphs":[${numbers(
      size,
    )
      .map(() => `${open}]}}`)
      .join(',')}]}}`;
  },
  'a group node of many nodes': (size) =>
    groupOf(
      size,
      () => ({ type: 'Text', inputs: [], outputs: [gives([])], widgets_values: ['t', 1, 'euler'] }),
      [],
    ),
  'a group node of a chain': (size) =>
    groupOf(
      size,
      () => ({ type: 'Step', inputs: [takes(null)], outputs: [gives([])] }),
      numbers(size - 1).map((id) => [id, 0, id + 1, 0, id]),
    ),
  'a group node of reroutes': (size) =>
    groupOf(
      size,
      () => ({ type: 'Reroute', inputs: [takes(null, '')], outputs: [gives([])] }),
      numbers(size - 1).map((id) => [id, 0, id + 1, 0, id]),
    ),
  'a group node of primitives': (size) =>
    groupOf(
      size,
      () => ({ type: 'PrimitiveNode', outputs: [gives([])], widgets_values: [1, 'fixed'] }),
      numbers(size - 1).map((id) => [id, 0, id + 1, 0, id]),
    ),
  'many group nodes': (size) =>
    graph(
      numbers(size).map((id) => ({ id, type: 'workflow>Many', inputs: [], outputs: [], widgets_values: [] })),
      [],
      { extra: { groupNodes: { Many: { nodes: [{ type: 'Source', index: 0 }], links: [], external: [] } } } },
    ),
  'many nodes of one id in a graph': (size) =>
    graph(
      numbers(size).map(() => ({ id: 1, type: 'Source' })),
      [],
    ),
  'many unknown nodes': (size) =>
    graph(
      numbers(size).map((id) => ({ id, type: `Ste${id}`, inputs: [takes(null)] })),
      [],
    ),
  'names in a file name': (size) =>
    graph(
      [
        {
          id: 1,
          type: 'SaveImage',
          inputs: [takes(null)],
          widgets_values: [
            numbers(size)
              .map((id) => `%Node${id}.w%`)
              .join(''),
          ],
        },
      ],
      [],
    ),
  'models that the file asks for': (size) =>
    graph(
      [
        {
          id: 1,
          type: 'Text',
          inputs: [],
          outputs: [gives([])],
          properties: {
            models: numbers(size).map((id) => ({ name: `m${id}.bin`, directory: 'x', url: 'y' })),
          },
          widgets_values: ['t', 1, 'euler'],
        },
      ],
      [],
    ),
};

/** What only a drawing reads. */
export const drawn: Shapes = {
  'a note of short words in a wide box': (size) =>
    graph([{ id: 1, type: 'MarkdownNote', size: [1e9, 900], widgets_values: ['a '.repeat(size)] }], []),
  'a long title in a narrow node': (size) =>
    graph([{ id: 1, type: 'Text', title: 'W'.repeat(size), widgets_values: ['x', 1, 'y'.repeat(size)] }], []),
  'one node with many inputs and outputs': (size) =>
    graph(
      [
        { id: 1, type: 'Unknown', outputs: numbers(size).map((id) => gives([id], `o${id}`)) },
        { id: 2, type: 'Unknown', inputs: numbers(size).map((id) => takes(id, `i${id}`)) },
      ],
      numbers(size).map((id): Link => [id, 1, id, 2, id, 'MODEL']),
    ),
  'one link through many reroutes': (size) =>
    graph(
      [
        { id: 1, type: 'Unknown', outputs: [gives([1])] },
        { id: 2, type: 'Unknown', inputs: [takes(1)] },
      ],
      [[1, 1, 0, 2, 0, 'MODEL']],
      {
        extra: {
          reroutes: numbers(size).map((id) => ({ id, parentId: id - 1, pos: [id, 0] })),
          linkExtensions: [{ id: 1, parentId: size - 1 }],
        },
      },
    ),
  'a prompt of nodes in a row': (size) =>
    JSON.stringify(
      Object.fromEntries(
        numbers(size).map((id) => [id, { class_type: 'Step', inputs: { model: [String(id - 1), 0] } }]),
      ),
    ),
  'a prompt of nodes in a ring': (size) =>
    JSON.stringify(
      Object.fromEntries(
        numbers(size).map((id) => [
          id,
          { class_type: 'Join', inputs: { model: [String((id + 1) % size), 0], other: ['0', 0] } },
        ]),
      ),
    ),
};
