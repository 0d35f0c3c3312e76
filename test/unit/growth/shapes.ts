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
  Choice: {
    input: {
      required: {
        mode: [
          'COMFY_DYNAMICCOMBO_V3',
          {
            options: [
              { key: 'a', inputs: { required: { x: ['INT', {}] } } },
              { key: 'b', inputs: { required: { y: ['INT', {}] } } },
            ],
          },
        ],
      },
    },
    output: ['MODEL'],
  },
  Growing: {
    input: {
      required: {
        images: [
          'COMFY_AUTOGROW_V3',
          { template: { input: { required: { image: ['MODEL'] } }, prefix: 'image', min: 1, max: 1000 } },
        ],
      },
    },
    output: ['MODEL'],
  },
  Rows: {
    input: {
      required: {
        rows: ['COMFY_DYNAMICGROUP_V3', { template: { required: { size: ['INT', {}] } }, min: 0, max: 1000 }],
      },
    },
    output: ['MODEL'],
  },
  Multi: {
    input: { required: { picks: ['COMBO', { options: ['a', 'b'], multiselect: true }] } },
    output: ['MODEL'],
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

/** A quarter as many loops side by side, each with another one inside. */
export function loopsInLoops(size: number): string {
  return prompt(
    numbers(size / 4).flatMap((id) => [
      [`start${id}`, 'StartLoop', ''],
      [`inner${id}`, 'StartLoop', link(`start${id}`)],
      [`body${id}`, 'Join', `${link(`inner${id}`)},${link(`start${id}`, 'other')}`],
      [`done${id}`, 'EndLoop', link(`body${id}`)],
      [`end${id}`, 'EndLoop', link(`done${id}`)],
      [`save${id}`, 'Save', link(`end${id}`)],
    ]),
  );
}

/** Prompts with this many nodes, or one node with this many parts. */
export const prompts: Shapes = {
  'one cycle': (size) =>
    prompt([...numbers(size).map((id) => [String(id), 'Step', link((id + 1) % size)] as const), save(0)]),
  'a cycle of outputs that nothing else reads': (size) =>
    prompt(numbers(size).map((id) => [String(id), 'Save', link((id + 1) % size)] as const)),
  'many small cycles': (size) =>
    prompt([...numbers(size).map((id) => [String(id), 'Step', link(id ^ 1)] as const), save(0)]),
  'cycles within cycles': (size) =>
    prompt([
      ...numbers(size).map(
        (id) => [String(id), 'Join', `${link((id + 1) % size)},${link(id >> 1, 'other')}`] as const,
      ),
      save(0),
    ]),
  'a chain': (size) =>
    prompt([
      ...numbers(size).map(
        (id) => [String(id), id === 0 ? 'Source' : 'Step', id === 0 ? '' : link(id - 1)] as const,
      ),
      save(size - 1),
    ]),
  'a chain written from its end': (size) =>
    prompt([
      save(0),
      ...numbers(size).map(
        (id) =>
          [String(id), id === size - 1 ? 'Source' : 'Step', id === size - 1 ? '' : link(id + 1)] as const,
      ),
    ]),
  'a chain in which every node takes the one before it twice': (size) =>
    prompt([
      ...numbers(size).map(
        (id) =>
          [
            String(id),
            id === 0 ? 'Source' : 'Join',
            id === 0 ? '' : `${link(id - 1)},${link(id - 1, 'other')}`,
          ] as const,
      ),
      save(size - 1),
    ]),
  'one output for many nodes': (size) =>
    prompt([
      ['source', 'Source', ''],
      ...numbers(size).map((id) => [String(id), 'Save', link('source')] as const),
    ]),
  'outputs that all fail': (size) =>
    prompt([['source', 'Source', ''], ...numbers(size).map((id) => [String(id), 'Save', ''] as const)]),
  'outputs that all fail for a fault of their own above them': (size) =>
    prompt([
      ...numbers(size).map((id) => [`step ${id}`, 'Step', ''] as const),
      ...numbers(size).map((id) => [String(id), 'Save', link(`step ${id}`)] as const),
    ]),
  'many faults above outputs, and one output without': (size) =>
    prompt([
      ['source', 'Source', ''],
      save('source'),
      ...numbers(size).map((id) => [`step ${id}`, 'Step', ''] as const),
      ...numbers(size).map((id) => [String(id), 'Save', link(`step ${id}`)] as const),
    ]),
  'links to nodes that are not there': (size) =>
    prompt(numbers(size).map((id) => [`node ${id}`, 'Save', link(`node x${id}`)] as const)),
  'links of unknown classes to nodes that are not there': (size) =>
    prompt(numbers(size).map((id) => [`node ${id}`, 'Unknown', link(`node x${id}`)] as const)),
  'unknown classes of many names': (size) =>
    prompt(numbers(size).map((id) => [`${id}`, `Ste${id}`, ''] as const)),
  'one node with many unknown inputs': (size) =>
    prompt([
      [
        '0',
        'Source',
        numbers(size)
          .map((id) => `"input ${id}":${id}`)
          .join(','),
      ],
      save(0),
    ]),
  'one node with many undeclared links': (size) =>
    prompt([
      [
        '0',
        'Source',
        numbers(size)
          .map((id) => `"input ${id}":["0",0]`)
          .join(','),
      ],
      save(0),
    ]),
  'many undeclared links in loops': (size) =>
    prompt([
      ...numbers(size).map((id) => [String(id), 'Source', `"x":["${(id + 1) % size}",0]`] as const),
      save(0),
    ]),
  'one growing node with many inputs of wrong names': (size) =>
    prompt([
      [
        '0',
        'Growing',
        numbers(size)
          .map((id) => `"images.x${id}":${id}`)
          .join(','),
      ],
      save(0),
    ]),
  'one choice with many inputs of another option': (size) =>
    prompt([
      [
        '0',
        'Choice',
        `"mode":"a",${numbers(size)
          .map((id) => `"mode.${id}":${id}`)
          .join(',')}`,
      ],
      save(0),
    ]),
  'one group with many rows': (size) =>
    prompt([
      [
        '0',
        'Rows',
        numbers(size)
          .map((id) => `"rows.${id}.size":${id}`)
          .join(','),
      ],
      save(0),
    ]),
  'one group with many keys of another form': (size) =>
    prompt([
      [
        '0',
        'Rows',
        numbers(size)
          .map((id) => `"rows.${id}":${id}`)
          .join(','),
      ],
      save(0),
    ]),
  'one list of many choices': (size) =>
    prompt([
      [
        '0',
        'Multi',
        `"picks":{"__value__":[${numbers(size)
          .map((id) => `"c${id}"`)
          .join(',')}]}`,
      ],
      save(0),
    ]),
  'one link of many parts': (size) =>
    prompt([['0', 'Step', `"model":[${numbers(size).join(',')}]`], save(0)]),
  'many nodes of one id': (size) => prompt(numbers(size).map(() => ['0', 'Source', ''] as const)),
  'one input written many times': (size) =>
    prompt([
      [
        '0',
        'Step',
        numbers(size)
          .map(() => link(0))
          .join(','),
      ],
      save(0),
    ]),
  'many wrong values': (size) =>
    prompt([
      ...numbers(size).map((id) => [String(id), 'Text', '"text":5,"seed":"x","sampler":"eule"'] as const),
      save(0),
    ]),
  'numbers that are not finite': (size) =>
    prompt(
      numbers(size).map((id) => [String(id), 'Text', '"text":"","seed":NaN,"sampler":"euler"'] as const),
    ),
  'entries that are no nodes': (size) =>
    `{"0":{"class_type":"Source","inputs":{}},${numbers(size)
      .map((id) => `"x${id}":{"class_type":5,"inputs":[]}`)
      .join(',')}}`,
  'a class of a long name': (size) => prompt([['0', 'S'.repeat(size), ''], save(0)]),
  'an id of a long name': (size) => prompt([['0'.repeat(size), 'Step', link('1'.repeat(size))], save(0)]),
  'a value of a long text': (size) =>
    prompt([
      [
        '0',
        'Text',
        `"text":"${'{a|b'.repeat(size)}","seed":"${' '.repeat(size)}x","sampler":"${'e'.repeat(size)}"`,
      ],
      save(0),
    ]),
  'a number of many digits': (size) =>
    prompt([
      ['0', 'Text', `"text":${'9'.repeat(size)},"seed":${'9'.repeat(size)},"sampler":${'9'.repeat(size)}`],
      save(0),
    ]),
  'many titles that are no objects': (size) =>
    `{${numbers(size)
      .map((id) => `"${id}":{"class_type":"Source","inputs":{},"_meta":${id}}`)
      .join(',')}}`,
  'objects within objects': (size) =>
    `{"0":{"class_type":"Text","inputs":{"text":${'{"a":'.repeat(size)}1${'}'.repeat(size)}}}}`,
  'lists within lists': (size) =>
    `{"0":{"class_type":"Text","inputs":{"text":${'['.repeat(size)}1${']'.repeat(size)}}}}`,
  'brackets that never close': (size) => `{"0":{"class_type":"Text","inputs":{"text":${'['.repeat(size)}`,
  'commas and nothing else': (size) => `{"0":{"class_type":"Text","inputs":{}}${','.repeat(size)}}`,
  'quotes and nothing else': (size) => `{"0":{"class_type":"Text","inputs":{}}${'"'.repeat(size)}}`,
  'a text of backslashes': (size) => `{"0":{"class_type":"Text","inputs":{"text":"${'\\"'.repeat(size)}`,
  'blank lines': (size) =>
    `{${' \n'.repeat(size)}"0":{"class_type":"Text","inputs":{}}${'\t\r\n'.repeat(size)}}`,
};
