import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../../src/core/catalog/catalog';
import { graphOf } from './graphs';
import { dynamicCombo } from '../../../support/dynamicInputs';
import { promptOfGraph } from '../../../support/sentInputs';

function typeOf(required: object, more: object = {}): object {
  return { input: { required, ...more }, output: ['THING'] };
}

const rows = {
  template: {
    required: { name: [['a', 'b']], strength: ['FLOAT', { default: 1 }] },
    optional: { seed: ['INT', { control_after_generate: true, defaultInput: true }] },
  },
  min: 1,
  max: 3,
  group_name: 'Lora',
};

const catalog = Catalog.fromDefinitions({
  Video: {
    ...typeOf(
      { file: ['COMBO', { options: ['v.mp4'], video_upload: true }] },
      { optional: { edit: ['VIDEO_EDIT', { features: ['trim'] }] } },
    ),
    input_order: { required: ['file'], optional: ['edit'] },
  },
  Rows: typeOf({ text: ['STRING', {}], g: ['COMFY_DYNAMICGROUP_V3', rows], after: ['INT', { default: 5 }] }),
  Nested: typeOf({
    m: dynamicCombo({ many: { g: ['COMFY_DYNAMICGROUP_V3', rows] } }),
    after: ['INT', {}],
  }),
  Images: typeOf({
    g: [
      'COMFY_DYNAMICGROUP_V3',
      { template: { required: { image: ['IMAGE'], w: ['FLOAT', {}] } }, min: 0, max: 3 },
    ],
    after: ['INT', {}],
  }),
  Deep: typeOf({
    g: [
      'COMFY_DYNAMICGROUP_V3',
      { template: { required: { inner: ['COMFY_DYNAMICGROUP_V3', rows] } }, min: 1 },
    ],
    after: ['INT', {}],
  }),
  Text: typeOf({ many: ['STRING', { multiline: true }], one: ['STRING', {}] }),
  Curve: typeOf({ curve: ['CURVE', {}], n: ['INT', { default: 3 }] }),
  Compare: typeOf({ a: ['INT', {}], shown: ['IMAGECOMPARE', {}], c: ['INT', {}] }),
  Size: typeOf({ ratio: [['1:1', '16:9']], preview: ['RESOLUTION_PREVIEW', {}], mp: ['FLOAT', {}] }),
  Camera: typeOf({
    state: ['CAMERA_INFO_STATE', {}],
    angle: ['CAMERA_ANGLE_VIEW', {}],
    lights: ['LIGHT_INFO_PREVIEW', {}],
    n: ['INT', { default: 3 }],
  }),
  Branch: typeOf({
    autogrow: ['COMFY_AUTOGROW_V3', { template: { input: { required: { value: ['*'] } }, prefix: 'value' } }],
    branch: ['COMFY_BRANCH_SELECTOR', {}],
    names: ['COMFY_BRANCH_INPUT_NAMES', {}],
    n: ['INT', {}],
  }),
  Boxes: typeOf({
    box: ['BOUNDING_BOX', {}],
    boxes: ['BOUNDING_BOXES', {}],
    colors: ['COLORS', {}],
    range: ['RANGE', {}],
    chart: ['CHART', {}],
    n: ['INT', {}],
  }),
  Steps: typeOf({
    fixed: ['INT', { control_after_generate: 'fixed' }],
    named: ['INT', { control_after_generate: 'after' }],
    part: ['FLOAT', { control_after_generate: true }],
  }),
  CustomCombo: typeOf({ choice: ['COMBO', { options: [] }] }),
  Twice: typeOf({ audio: ['AUDIO_RECORD', {}], n: ['INT', {}] }),
  Old: { ...typeOf({ a: ['INT', {}], b: ['INT', {}] }), fallbackWidgetsValuesNames: ['b', 'gone', 'a'] },
  Source: typeOf({}),
});

/** The inputs that are sent for node 1 of a graph. */
function inputsIn(graph: object): Record<string, unknown> {
  return { ...promptOfGraph(graph, catalog)['1']?.inputs };
}

/** The inputs that are sent for one node with these values. */
function sent(type: string, values: unknown, more: object = {}): Record<string, unknown> {
  return inputsIn(graphOf([{ id: 1, type, widgets_values: values, ...more }], []));
}

const source = { id: 2, type: 'Source', outputs: [{ name: 'THING', type: 'THING', links: [1, 2] }] };

describe('values of a node', () => {
  it('have no holes for widgets that store nothing, or nulls', () => {
    const all = { a: 4, shown: { __value__: ['', ''] }, c: 6 };
    expect(sent('Compare', [4, 6])).toEqual(all);
    expect(sent('Compare', [4, null, 6])).toEqual(all);
    expect(sent('Size', ['16:9', 2])).toEqual({ ratio: '16:9', mp: 2 });
    expect(sent('Size', ['16:9', null, 2])).toEqual({ ratio: '16:9', mp: 2 });
  });

  it('are read by name if the file has only names, or the node type asks for it', () => {
    const names = { widgets_values_named: { a: 7, c: 8 } };
    expect(sent('Compare', undefined, names)).toMatchObject({ a: 7, c: 8 });
    expect(sent('Compare', [4, 6], names)).toMatchObject({ a: 4, c: 6 });
    expect(sent('Old', [1, 2, 3])).toEqual({ a: 3, b: 1 });
    expect(sent('Old', [1, 2, 3], { widgets_values_named: { a: 5, b: 6 } })).toEqual({ a: 5, b: 6 });
  });

  it('become text in a multi-line field, and stay as they are in one of a single line', () => {
    const texts = [5, true, null, { a: 1 }, [1, null, 'x'], 'text'].map((value) =>
      sent('Text', [value, value]),
    );
    const many = ['5', 'true', '', '[object Object]', '1,,x', 'text'];
    expect(texts.map((each) => each.many)).toEqual(many);
    expect(texts.map((each) => each.one).slice(0, 3)).toEqual([5, true, null]);
  });

  it('become text when a primitive writes them', () => {
    const outputs = [{ type: 'STRING', links: [1] }];
    const primitive = { id: 3, type: 'PrimitiveNode', widgets_values: [5], outputs };
    const many = { name: 'many', type: 'STRING', widget: { name: 'many' }, link: 1 };
    const text = { id: 1, type: 'Text', inputs: [many], widgets_values: ['kept', ''] };
    const links = [[1, 3, 0, 1, 0, 'STRING']];
    expect(inputsIn(graphOf([primitive, text], links)).many).toBe('5');
    // What was saved for another type of widget does not count.
    const other = { ...primitive, outputs: [{ type: 'INT', links: [1] }] };
    expect(inputsIn(graphOf([other, text], links)).many).toBe('kept');
  });

  it('leave an edit of a video at its default if an older button took its place', () => {
    const whole = { trim: { start_time: 0, duration: 0 } };
    expect(sent('Video', ['v.mp4', 'image'])).toEqual({ file: 'v.mp4', edit: whole });
    expect(sent('Video', ['v.mp4', { trim: { start_time: 1 } }, 'image']).edit).toEqual({
      trim: { start_time: 1 },
    });
  });

  it('say what a curve is, unless it is null', () => {
    const points = [
      [0, 0],
      [1, 1],
    ];
    const typed = (value: unknown): object => ({ __type__: 'CURVE', __value__: value });
    expect(sent('Curve', [points, 9])).toEqual({ curve: typed(points), n: 9 });
    expect(sent('Curve', [null, 9])).toEqual({ curve: null, n: 9 });
    expect(sent('Curve', [])).toEqual({ curve: typed({ points, interpolation: 'monotone_cubic' }), n: 3 });
  });

  it('default to what the editor starts with', () => {
    expect(sent('Boxes', [])).toEqual({
      box: { x: 0, y: 0, width: 512, height: 512 },
      boxes: { __value__: [] },
      colors: { __value__: [] },
      range: { min: 0, max: 1 },
      chart: {},
      n: 0,
    });
  });

  it('of cameras stay in the file, and those of lights are a list', () => {
    expect(sent('Camera', ['front', [{ x: 1 }], 9])).toEqual({ lights: { __value__: [{ x: 1 }] }, n: 9 });
    expect(sent('Camera', [])).toEqual({ lights: { __value__: [] }, n: 3 });
  });

  it('are followed by those that control them, under their names', () => {
    expect(sent('Steps', [1, 'fixed', 2, 'fixed', 0.5, 'fixed'])).toEqual({ fixed: 1, named: 2, part: 0.5 });
    const names = { control_after_generate: 'fixed', after: 'fixed', fixed: 4, named: 5, part: 6 };
    expect(sent('Steps', undefined, { widgets_values_named: names })).toEqual({
      fixed: 4,
      named: 5,
      part: 6,
    });
    expect(sent('Twice', ['a.wav', 'left', 3])).toEqual({ audio: 'a.wav', n: 3 });
  });

  it('name the linked inputs that a branch chooses from', () => {
    const inputs = [
      { name: 'autogrow.value0', type: '*', link: 1, label: 'day' },
      { name: 'autogrow.value1', type: '*', link: 2 },
      { name: 'autogrow.value2', type: '*', link: null },
    ];
    const branch = { id: 1, type: 'Branch', inputs, widgets_values: ['day', ['old'], 4] };
    const links = [
      [1, 2, 0, 1, 0, '*'],
      [2, 2, 0, 1, 1, '*'],
    ];
    expect(inputsIn(graphOf([source, branch], links))).toMatchObject({
      branch: 'day',
      names: { __value__: ['day', 'value1'] },
      n: 4,
    });
  });

  it('tell the place of a choice among the options, whatever the file says', () => {
    expect(sent('CustomCombo', ['b', 0, 'a', 'b', ''])).toMatchObject({ choice: 'b', index: 1 });
    expect(sent('CustomCombo', ['gone', 0, 'a', 'b', '']).index).toBe(-1);
  });
});

describe('rows of a node', () => {
  const row = (number: number, name: string, strength: number, seed: number): object => ({
    [`g.${number}.name`]: name,
    [`g.${number}.strength`]: strength,
    [`g.${number}.seed`]: seed,
  });

  it('follow their number in the file, each with its fields and their controls', () => {
    expect(sent('Rows', ['x', 2, 'b', 0.5, 7, 'fixed', 'a', 2, 8, 'fixed', 9])).toEqual({
      text: 'x',
      ...row(0, 'b', 0.5, 7),
      ...row(1, 'a', 2, 8),
      after: 9,
    });
    const names = { g: 1, 'g.0.name': 'b', 'g.0.seed': 4, 'g.0.seed.0': 'fixed', after: 9 };
    expect(sent('Rows', undefined, { widgets_values_named: names })).toMatchObject({
      ...row(0, 'b', 1, 4),
      after: 9,
    });
  });

  it('may be below a dynamic combo', () => {
    const values = ['many', 2, 'b', 0.5, 7, 'fixed', 'a', 2, 8, 'fixed', 9];
    const below = Object.entries({ ...row(0, 'b', 0.5, 7), ...row(1, 'a', 2, 8) });
    expect(sent('Nested', values)).toEqual({
      m: 'many',
      ...Object.fromEntries(below.map(([name, value]) => [`m.${name}`, value])),
      after: 9,
    });
  });

  it.each([
    ['a fraction', 2.9, ['0', '1']],
    ['too few', 0, ['0']],
    ['no number', 'two', ['0']],
  ])('are made as the editor makes them for %s', (_, count, expected) => {
    const inputs = Object.keys(sent('Rows', ['x', count]));
    expect(inputs.filter((name) => name.endsWith('.name'))).toEqual(expected.map((each) => `g.${each}.name`));
  });

  it('beyond the maximum are made if the file has values for them, else nothing more is read', () => {
    const values = ['b', 0.5, 7, 'fixed'];
    const four = ['x', 4, ...values, ...values, ...values, ...values, 9];
    expect(sent('Rows', four)).toMatchObject({ ...row(3, 'b', 0.5, 7), after: 9 });
    expect(sent('Rows', ['x', 40, ...values, 9])).toEqual({ text: 'x', ...row(0, 'a', 1, 0), after: 5 });
  });

  it('have slots for links', () => {
    const strength = { name: 'g.1.strength', type: 'FLOAT', widget: { name: 'g.1.strength' }, link: 1 };
    const node = { id: 1, type: 'Rows', inputs: [strength], widgets_values: ['x', 2] };
    const inputs = inputsIn(graphOf([source, node], [[1, 2, 0, 1, 0, 'FLOAT']]));
    expect(inputs).toMatchObject({ 'g.0.strength': 1, 'g.1.strength': ['2', 0] });
  });

  it('have no rows inside: servers reject their names', () => {
    expect(sent('Deep', [1, 1, 9])).toEqual({ after: 9 });
  });

  it('with fields that the editor does not show are sent all the same', () => {
    const image = { name: 'g.0.image', type: 'IMAGE', link: 1 };
    const node = { id: 1, type: 'Images', inputs: [image], widgets_values: [2, 0.1, 0.2, 9] };
    expect(inputsIn(graphOf([source, node], [[1, 2, 0, 1, 0, 'IMAGE']]))).toEqual({
      'g.0.image': ['2', 0],
      'g.0.w': 0.1,
      'g.1.w': 0.2,
      after: 9,
    });
  });
});
