/** A graph as saved by the ComfyUI editor: a plain picture of one color, saved. Node 1 links to node 2. */
export function smallGraph(width = 64): Record<string, unknown> {
  return {
    id: '0f6f6b1c-0000-4000-8000-000000000001',
    revision: 0,
    last_node_id: 2,
    last_link_id: 1,
    nodes: [
      {
        id: 1,
        type: 'EmptyImage',
        pos: [100, 100],
        size: [270, 130],
        flags: {},
        order: 0,
        mode: 0,
        inputs: [],
        outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [1] }],
        properties: { 'Node name for S&R': 'EmptyImage' },
        widgets_values: [width, 64, 1, 255],
      },
      {
        id: 2,
        type: 'SaveImage',
        pos: [450, 100],
        size: [270, 130],
        flags: {},
        order: 1,
        mode: 0,
        inputs: [{ name: 'images', type: 'IMAGE', link: 1 }],
        outputs: [],
        properties: {},
        widgets_values: ['graph'],
      },
    ],
    links: [[1, 1, 0, 2, 0, 'IMAGE']],
    groups: [],
    config: {},
    extra: {},
    version: 0.4,
  };
}

/** A subgraph with one image: its instance, which is node 3 of a graph, and its definition, with node 5. */
export function imageSubgraph(width = 32): { readonly instance: object; readonly definition: object } {
  const id = '7f6f6b1c-0000-4000-8000-000000000002';
  const image = {
    ...{ id: 5, type: 'EmptyImage', title: 'The inner image', pos: [200, 100], size: [270, 130], mode: 0 },
    inputs: [],
    outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [9] }],
    widgets_values: [width, 32, 1, 0],
  };
  const instance = {
    ...{ id: 3, type: id, pos: [100, 340], size: [270, 100], mode: 0, inputs: [], widgets_values: [] },
    outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [] }],
  };
  const definition = {
    ...{ id, version: 1, name: 'Part', nodes: [image], inputs: [] },
    links: [{ id: 9, origin_id: 5, origin_slot: 0, target_id: -20, target_slot: 0, type: 'IMAGE' }],
    outputs: [{ id: 'a', name: 'IMAGE', type: 'IMAGE', linkIds: [9] }],
    inputNode: { id: -10, bounding: [0, 100, 120, 60] },
    outputNode: { id: -20, bounding: [600, 100, 120, 80] },
  };
  return { instance, definition };
}
