export type Slot = Readonly<Record<string, unknown>>;

export const loader = {
  id: 1,
  type: 'Loader',
  mode: 0,
  inputs: [],
  outputs: [
    { name: 'MODEL', type: 'MODEL', links: [1] },
    { name: 'CLIP', type: 'CLIP', links: null },
    { name: 'VAE', type: 'VAE', links: null },
  ],
  properties: { 'Node name for S&R': 'Loader' },
  widgets_values: ['a.safetensors'],
};

export const sampler = {
  id: 2,
  type: 'Sampler',
  mode: 0,
  inputs: [{ name: 'model', type: 'MODEL', link: 1 }],
  outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [2] }],
  properties: { 'Node name for S&R': 'Sampler' },
  widgets_values: [20, 7, 1, 'fixed', true, 'normal', ''],
};

export const save = {
  id: 3,
  type: 'Save',
  mode: 0,
  inputs: [{ name: 'images', type: 'IMAGE', link: 2 }],
  outputs: [],
  properties: { 'Node name for S&R': 'Save' },
  widgets_values: ['out'],
};

export const links: readonly (readonly unknown[])[] = [
  [1, 1, 0, 2, 0, 'MODEL'],
  [2, 2, 0, 3, 0, 'IMAGE'],
];

export interface Changes {
  readonly loader?: Slot;
  readonly sampler?: Slot;
  readonly save?: Slot;
  readonly more?: readonly Slot[];
  readonly links?: readonly unknown[];
  /** Other members of the file. */
  readonly rest?: Slot;
}

/** The text of a valid graph, with changes to its nodes. */
export function graph(changes: Changes = {}): string {
  const nodes = [
    { ...loader, ...changes.loader },
    { ...sampler, ...changes.sampler },
    { ...save, ...changes.save },
    ...(changes.more ?? []),
  ];
  return JSON.stringify({
    last_node_id: 9,
    last_link_id: 9,
    nodes,
    links: changes.links ?? links,
    version: 0.4,
    ...changes.rest,
  });
}
