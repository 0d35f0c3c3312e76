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
