import { Catalog } from '../../../src/core/catalog/catalog';

/** Texts of a given size that are as hard to read as possible: one generator per kind of trouble. */
export type Shapes = Readonly<Record<string, (size: number) => string>>;

const model = { required: { model: ['MODEL'] } };
const ofLoop = {
  input: { optional: { model: ['*'] } },
  output: ['*'],
  python_module: 'comfy_extras.nodes_loop',
};

/** The node types in the shapes. */
export const catalog = Catalog.fromDefinitions({
  Source: { input: { required: {} }, output: ['MODEL'], output_name: ['MODEL'] },
  Step: { input: model, output: ['MODEL'], output_name: ['MODEL'] },
  Join: {
    input: { required: { model: ['MODEL'], other: ['MODEL'] } },
    output: ['MODEL'],
    output_name: ['MODEL'],
  },
  Save: { input: model, output: [], output_node: true },
  StartLoop: ofLoop,
  EndLoop: ofLoop,
  SaveImage: {
    input: { required: { ...model.required, filename_prefix: ['STRING', {}] } },
    output: [],
    output_node: true,
  },
  Text: {
    input: {
      required: {
        text: ['STRING', { multiline: true, dynamicPrompts: true }],
        seed: ['INT', { default: 0, min: 0, max: 1000, step: 8 }],
        sampler: [['euler', 'heun'], {}],
      },
    },
    output: ['MODEL'],
    output_name: ['MODEL'],
  },
});

export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function prompt(nodes: Iterable<readonly [id: string, classType: string, inputs: string]>): string {
  const members = Array.from(
    nodes,
    ([id, classType, inputs]) => `${JSON.stringify(id)}:{"class_type":"${classType}","inputs":{${inputs}}}`,
  );
  return `{${members.join(',\n')}}`;
}

const link = (id: number | string, name = 'model'): string => `"${name}":["${id}",0]`;
const save = (from: number | string): readonly [string, string, string] => ['save', 'Save', link(from)];

/** So many members, each written by its number. */
export const members = (count: number, member: (id: number) => string): string =>
  numbers(count).map(member).join(',');

/** Prompts with this many nodes, or one node with this many parts, each of which was or could be slow. */
export const prompts: Shapes = {
  'cycles within cycles': (size) =>
    prompt([
      ...numbers(size).map(
        (id) => [String(id), 'Join', `${link((id + 1) % size)},${link(id >> 1, 'other')}`] as const,
      ),
      save(0),
    ]),
  'a chain in which every node takes the one before it twice': (size) =>
    prompt([
      ['0', 'Source', ''],
      ...numbers(size - 1).map((id) => [String(id + 1), 'Join', `${link(id)},${link(id, 'other')}`] as const),
      save(size - 1),
    ]),
  'outputs that all fail': (size) =>
    prompt([['source', 'Source', ''], ...numbers(size).map((id) => [String(id), 'Save', ''] as const)]),
  'loops in loops, side by side': (size) =>
    prompt(
      numbers(size / 8).flatMap((id) => [
        [`start${id}`, 'StartLoop', ''],
        [`inner${id}`, 'StartLoop', link(`start${id}`)],
        [`body${id}`, 'Join', `${link(`inner${id}`)},${link(`start${id}`, 'other')}`],
        [`done${id}`, 'EndLoop', link(`body${id}`)],
        [`end${id}`, 'EndLoop', link(`done${id}`)],
        [`save${id}`, 'Save', link(`end${id}`)],
      ]),
    ),
  'links to nodes that are not there': (size) =>
    prompt(numbers(size).map((id) => [`node ${id}`, 'Save', link(`node x${id}`)] as const)),
  'one node with many undeclared inputs': (size) =>
    prompt([['0', 'Source', members(size, (id) => `"input ${id}":["0",0]`)], save(0)]),
  'many nodes of one id': (size) => prompt(numbers(size).map(() => ['0', 'Source', ''] as const)),
  'long values': (size) =>
    prompt([
      [
        '0',
        'Text',
        `"text":"${'{a|b'.repeat(size)}","seed":${'9'.repeat(size)},"sampler":"${'e'.repeat(size)}"`,
      ],
      save(0),
    ]),
  'objects within objects': (size) =>
    `{"0":{"class_type":"Text","inputs":{"text":${'{"a":'.repeat(size)}1${'}'.repeat(size)}}}}`,
  'brackets that never close': (size) => `{"0":{"class_type":"Text","inputs":{"text":${'['.repeat(size)}`,
};
