import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { check, lines, the, workflow } from './checkTexts';

describe('links', () => {
  it.each([
    [{ model: ['7', 0] }, 'error link-to-missing-node "7"'],
    [{ model: [1, 0] }, 'error link-id-not-text 1'],
    [{ model: ['1', 5] }, 'error link-slot 5'],
    [{ model: ['1', '0'] }, 'error link-slot-not-integer "0"'],
    [{ model: ['1', -3] }, 'warning link-slot-negative -3'],
  ])('%j: %s', (inputs, line) => {
    expect(lines(workflow(inputs))).toEqual([line]);
  });

  it('of other forms and types', () => {
    expect(the('link-shape', workflow({ model: ['1', 0, 0] })).input).toBe('model');
    expect(the('link-type', workflow({ model: ['1', 1] }))).toMatchObject({
      message: expect.stringContaining('needs MODEL') as string,
      related: [{ message: 'Load (node 1) is here.' }],
    });
    expect(the('link-to-missing-node', workflow({ text: ['a', 'b'] })).message).toContain('__value__');
  });

  it('into a dynamic slot fit only if they are of any type, as a server compares the name of its own type', () => {
    const slot = ['COMFY_DYNAMICSLOT_V3', { slotType: 'MODEL', inputs: {} }];
    const catalog = Catalog.fromDefinitions({
      Give: { input: {}, output: ['MODEL', '*'], output_name: ['MODEL', 'any'], python_module: 'nodes' },
      Take: { input: { optional: { slot } }, output: [], output_node: true, python_module: 'nodes' },
    });
    const found = (output: number): readonly (readonly unknown[])[] => {
      const nodes = {
        '1': { class_type: 'Give', inputs: {} },
        '2': { class_type: 'Take', inputs: { slot: ['1', output] } },
      };
      const { findings, verdict } = check(JSON.stringify(nodes), { catalog });
      const errors = [...(verdict?.nodeErrors.values() ?? [])].flatMap((each) => each.errors);
      return [errors.map(({ type }) => type), findings.map(({ code, message }) => `${code}: ${message}`)];
    };
    expect(found(0)).toEqual([
      ['return_type_mismatch'],
      [
        'link-type: Take (node 2): slot needs COMFY_DYNAMICSLOT_V3, but that output of Give (node 1) is MODEL. Link to a compatible output.',
      ],
    ]);
    expect(found(1)).toEqual([[], []]);
  });

  const loop = {
    '4': { class_type: 'Resize', inputs: { input: ['5', 0], mode: 'by factor', 'mode.factor': 1.5 } },
    '5': { class_type: 'Batch', inputs: { 'images.image0': ['6', 0] }, _meta: { title: 'Stack' } },
    '6': { class_type: 'Batch', inputs: { 'images.image0': ['4', 0], 'images.image1': ['4', 0] } },
  };

  it('in a cycle are reported once, with the path', () => {
    const text = workflow({ image: ['4', 0] }, loop);
    const found = check(text).findings;
    expect(found.map(({ code, nodeId, nodeIds, input }) => [code, nodeId, nodeIds, input])).toEqual([
      ['cycle', '4', ['4', '5', '6'], 'input'],
    ]);
    expect(found[0]?.message).toBe(
      'These nodes form a cycle: Resize (node 4) → Batch (node 6) → Stack (node 5) → Resize (node 4). Remove one of the links.',
    );
    expect(found[0]?.related?.map(({ message }) => message)).toEqual([
      'Stack (node 5) uses the output of Batch (node 6) here.',
      'Batch (node 6) uses the output of Resize (node 4) here.',
    ]);
    expect([...(check(text).verdict?.nodeErrors ?? [])].length).toBe(3);
  });

  it('in cycles that share nodes are reported with the shortest path', () => {
    const nodes = {
      ...loop,
      '5': { ...loop['5'], inputs: { 'images.image0': ['6', 0], 'images.image1': ['4', 0] } },
    };
    const [finding, ...more] = check(workflow({ image: ['4', 0] }, nodes)).findings;
    expect(more).toEqual([]);
    expect(finding?.message).toContain('Resize (node 4) → Stack (node 5) → Resize (node 4).');
    expect(finding?.nodeIds).toEqual(['4', '5', '6']);
  });

  it('from a node to itself are reported with its name', () => {
    const nodes = { '4': { class_type: 'Batch', inputs: { 'images.image0': ['4', 0] } } };
    expect(the('cycle', workflow({ image: ['4', 0] }, nodes)).message).toBe(
      'Batch (node 4) uses its own output as an input. Link to another node.',
    );
  });
});

describe('links at inputs that the node type lacks', () => {
  const severe = (inputs: object, nodes: object = {}): string[] =>
    lines(workflow(inputs as never, nodes as never)).map((line) => line.split(' ').slice(0, 2).join(' '));

  it('are accepted but fatal', () => {
    const text = workflow({ extra: ['1', 0] });
    expect(check(text).verdict?.valid).toBe(true);
    expect(severe({ extra: ['1', 0] })).toEqual(['error undeclared-link']);
    expect(severe({ extra: ['1', 9] })).toEqual(['error undeclared-link-slot']);
    expect(severe({ extra: ['3', 0] })).toEqual(['error undeclared-link-cycle']);
    expect(severe({ extra: ['2', 0] })).toEqual(['error undeclared-link-cycle']);
  });

  it('to a missing node are an error wherever the server follows them', () => {
    expect(severe({ extra: ['9', 0] })).toEqual(['error undeclared-link-to-missing-node']);
    const unused = workflow(
      {},
      { '8': { class_type: 'Picture', inputs: { image: 'here.png', extra: ['9', 0] } } },
    );
    expect(lines(unused)).toEqual([]);
    expect(the('undeclared-link-to-missing-node', unused)).toMatchObject({ severity: 'hint' });
  });

  it.each(['0', null, [1]])('are not links with the slot %j', (slot) => {
    expect(severe({ extra: ['1', slot] })).toEqual(['warning unknown-input']);
    expect(severe({ extra: ['9', slot] })).toEqual(['warning unknown-input']);
  });

  it.each([
    ['Preview3D', 'warning'],
    ['ModelMergeSDXL', 'warning'],
    ['PreviewAny', 'error'],
  ])(
    'are no error where the function takes any name, as a server ran them: %s, %s',
    (classType, severity) => {
      const catalog = Catalog.fromDefinitions({
        [classType]: { input: { required: {} }, output: [], output_node: true, python_module: 'nodes' },
        EmptyImage: { input: {}, output: ['IMAGE'], python_module: 'nodes' },
      });
      const nodes = {
        '1': { class_type: classType, inputs: { zz: ['2', 0] } },
        '2': { class_type: 'EmptyImage', inputs: {} },
      };
      expect(lines(JSON.stringify(nodes), { catalog })).toEqual([`${severity} undeclared-link ["2",0]`]);
    },
  );

  it('are judged by what is known about packs', () => {
    const of = (classType: string, inputs: object): string[] =>
      severe(
        { image: ['4', 0] },
        {
          '4': { class_type: classType, inputs },
          '5': { class_type: 'Picture', inputs: { image: 'here.png' } },
        },
      );
    expect(of('AnySwitch', { any_01: ['5', 0] })).toEqual(['information unknown-input']);
    expect(of('Joiner', { image_1: ['5', 0], image_2: ['5', 0] })).toEqual(['information unknown-input']);
    expect(of('Joiner', { image_1: ['5', 0], other: ['5', 0] })).toEqual(['warning undeclared-link']);
  });
});
