import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { knownValidators } from '../../../src/core/check/knownValidators';
import { readReplacements } from '../../../src/core/catalog/nodeReplacements';
import { type NodeValidators, readValidators } from '../../../src/core/check/validators';
import { predictVerdict, type Verdict } from '../../../src/core/check/verdict';
import { promptFromData } from '../../support/promptFromData';
import { goodPrompt, sampleServer } from '../check/sampleServer';

const moved = (new_id: string, old_id: string): object => ({ new_id, old_id });
const replacements = readReplacements({
  OldPass: [
    {
      ...{ new_node_id: 'Pass', input_mapping: [{ new_id: 'image', old_id: 'picture' }] },
      output_mapping: [{ new_idx: 0, old_idx: 2 }],
    },
  ],
  OldLoader: [
    { new_node_id: 'Loader', input_mapping: [{ new_id: 'name', set_value: 'b' }, moved('more', 'file')] },
  ],
  Swapped: [
    {
      ...{ new_node_id: 'Loader', input_mapping: [moved('name', 'name')] },
      output_mapping: [1, 0].map((new_idx) => ({ new_idx, old_idx: 1 - new_idx })),
    },
  ],
  Renamed: [{ new_node_id: 'Loader', input_mapping: null, output_mapping: null }],
  ToNowhere: [{ new_node_id: 'Nope' }],
  Pass: [{ new_node_id: 'Loader' }],
  Odd: 3,
});

function verdictOn(data: unknown): Verdict {
  return predictVerdict(promptFromData(data), sampleServer, { replacements });
}

describe('node replacements', () => {
  it('rename the node type, map the inputs and move the links of the outputs', () => {
    const prompt = {
      ...goodPrompt(),
      old: { class_type: 'OldPass', inputs: { picture: ['sample', 0], more: 1 }, _meta: {} },
      save: { class_type: 'Save', inputs: { images: ['old', 2] } },
    };
    const verdict = verdictOn(prompt);
    expect(verdict.valid).toBe(true);
    expect(verdict.prompt.get('old')).toMatchObject({
      classType: 'Pass',
      inputs: new Map([['image', ['sample', 0n]]]),
    });
    expect(verdict.prompt.get('save')?.inputs).toEqual(new Map([['images', ['old', 0n]]]));
  });

  it('set values and carry over what a mapping names, and nothing without a mapping', () => {
    const withClass = (class_type: string): unknown => ({
      ...goodPrompt(),
      load: { class_type, inputs: { name: 'a', file: 'f' }, _meta: {} },
    });
    const inputsOf = (classType: string): unknown =>
      verdictOn(withClass(classType)).prompt.get('load')?.inputs;
    expect(inputsOf('OldLoader')).toEqual(
      new Map([
        ['name', 'b'],
        ['more', 'f'],
      ]),
    );
    expect(inputsOf('Renamed')).toEqual(new Map());
    expect(verdictOn(withClass('Renamed')).nodeErrors.get('load')?.errors).toMatchObject([
      { type: 'required_input_missing', details: 'name' },
    ]);
  });

  it('move each link once, by its original slot', () => {
    const prompt = {
      load: { class_type: 'Swapped', inputs: { name: 'a' }, _meta: {} },
      old: { class_type: 'OldPass', inputs: { picture: ['load', 0] }, _meta: {} },
      both: {
        class_type: 'Pass',
        inputs: { image: ['load', 1], other: ['load', true], none: ['load', '1'] },
      },
    };
    const { prompt: served } = verdictOn(prompt);
    expect(served.get('old')?.inputs).toEqual(new Map([['image', ['load', 1n]]]));
    expect([...(served.get('both')?.inputs?.values() ?? [])]).toEqual([
      ['load', 0n],
      ['load', 0n],
      ['load', '1'],
    ]);
  });

  it('leave node types alone that the server has, or whose replacement it lacks', () => {
    expect(verdictOn({ ...goodPrompt(), x: { class_type: 'Pass', inputs: {} } }).valid).toBe(true);
    expect(verdictOn({ ...goodPrompt(), x: { class_type: 'ToNowhere', inputs: {} } }).error?.type).toBe(
      'missing_node_type',
    );
  });

  it.each([
    ['_meta', { class_type: 'Renamed', inputs: { name: 'a' } }, 'KeyError', "'_meta'"],
    [
      'an object as _meta',
      { class_type: 'Renamed', inputs: {}, _meta: null },
      'AttributeError',
      "'NoneType' object has no attribute 'copy'",
    ],
    ['an input to take over', { class_type: 'OldLoader', inputs: {}, _meta: {} }, 'KeyError', "'file'"],
  ])('make the server fail on a node without %s', (_what, load, exceptionType, message) => {
    expect(verdictOn({ ...goodPrompt(), load }).crash).toMatchObject({ exceptionType, message });
  });
});

describe('validators', () => {
  const bad = { ...goodPrompt(), load: { class_type: 'Loader', inputs: { name: 'zzz' } } };

  function withTable(validators: NodeValidators): string[] {
    const { nodeErrors } = predictVerdict(promptFromData(bad), sampleServer, { validators });
    return [...nodeErrors.values()].flatMap(({ errors }) =>
      errors.map(({ type, details }) => `${type} ${details}`),
    );
  }

  it('turn off range and list checks for the inputs they name, or for all', () => {
    expect(withTable(new Map())).toEqual(["value_not_in_list name: 'zzz' not in ['a', 'b']"]);
    expect(withTable(readValidators([['Loader', 'V1', ['name'], null, 'nodes']]))).toEqual([]);
    expect(withTable(readValidators([['Loader', 'V1', [], 'kwargs', 'nodes']]))).toEqual([]);
    expect(withTable(readValidators([['Loader', 'V1', ['other'], null, 'nodes'], 3, [4]]))).toHaveLength(1);
  });

  it('turn off link type checks when they receive the types', () => {
    const prompt = { ...goodPrompt(), save: { class_type: 'Save', inputs: { images: ['load', 0] } } };
    const validators = readValidators([['Save', 'V1', ['input_types'], null, 'nodes']]);
    expect(predictVerdict(promptFromData(prompt), sampleServer, { validators }).valid).toBe(true);
    expect(predictVerdict(promptFromData(prompt), sampleServer).valid).toBe(false);
  });

  it('may be functions that reject, with or without a reason, or throw', () => {
    const check = (answer: () => boolean | string): NodeValidators => {
      return new Map([
        ['Loader', { inputs: new Set(['name']), takesAll: false, takesTypes: false, check: answer }],
      ]);
    };
    expect(withTable(check(() => true))).toEqual([]);
    expect(withTable(check(() => false))).toEqual(['custom_validation_failed name']);
    expect(withTable(check(() => 'no such file'))).toEqual(['custom_validation_failed name - no such file']);
    const failing = check(() => {
      throw new TypeError('bad');
    });
    expect(withTable(failing)).toEqual(['exception_during_inner_validation bad']);
  });

  it.each([
    ['a link', ['other', 0], "'NoneType' object has no attribute 'endswith'"],
    ['a link of wrong length', ['other'], "'list' object has no attribute 'endswith'"],
    ['a number', 5, "'int' object has no attribute 'endswith'"],
    ['null', null, "'NoneType' object has no attribute 'endswith'"],
    ['a wrapped list', { __value__: ['a'] }, "'list' object has no attribute 'endswith'"],
    ['nothing', undefined, "Loader.VALIDATE_INPUTS() missing 1 required positional argument: 'name'"],
  ])('that open a file raise on %s and hide all other errors of the node', (_what, name, words) => {
    const open = { inputs: new Set(['name']), takesAll: false, takesTypes: false, opensFiles: true };
    const load = { class_type: 'Loader', inputs: { name } };
    const other = { class_type: 'Loader', inputs: { name: 'a' } };
    const errorsOf = (table: NodeValidators): string[] => {
      const prompt = promptFromData({ ...goodPrompt(), load, other });
      const { nodeErrors } = predictVerdict(prompt, sampleServer, { validators: table });
      return (nodeErrors.get('load')?.errors ?? []).map(({ type, details }) => `${type} ${details}`);
    };
    expect(errorsOf(new Map([['Loader', open]]))).toEqual([`exception_during_inner_validation ${words}`]);
    const lenient = { ...open, opensFiles: false, optional: open.inputs };
    expect(errorsOf(new Map([['Loader', lenient]])).join()).not.toContain('exception');
  });

  // As core servers answered to a loader of pictures and one of 3D models, where an empty choice is fine.
  it.each([
    ['LoadImage', 'image', [5, 1.5, true, false, null, 0, {}, { __value__: ['a'] }, [], ['a']], []],
    ['LoadAudio', 'audio', [5, null, ['a', 'b', 'c']], []],
    ['Load3D', 'model_file', [5, 1.5, true, { __value__: ['a'] }], [null, 0, false, {}, 'none', '']],
    ['SelectVAEDevice', 'device', [], [5, null, undefined]],
    ['CustomCombo', 'choice', [], [5, null]],
  ])('of %s raise on what is no file name, read from a table or known here', (classType, name, bad, good) => {
    const catalog = Catalog.fromDefinitions({
      [classType]: { input: { optional: { [name]: [['a']] } }, output: ['IMAGE'] },
      Save: { input: { required: { images: ['IMAGE'] } }, output: [], output_node: true },
    });
    const table = readValidators([
      ['LoadImage', 'V1', ['image'], null, 'nodes'],
      ['LoadAudio', 'V3', ['audio'], null, 'nodes'],
      ['Load3D', 'V3', ['model_file'], 'kwargs', 'nodes'],
      ['SelectVAEDevice', 'V3', ['device'], null, 'nodes'],
      ['CustomCombo', 'V3', ['choice', 'index'], 'kwargs', 'nodes'],
    ]);
    const types = (value: unknown, validators: NodeValidators): string[] => {
      const load = { class_type: classType, inputs: { [name]: value } };
      const prompt = promptFromData({ load, save: { class_type: 'Save', inputs: { images: ['load', 0] } } });
      const { nodeErrors, valid } = predictVerdict(prompt, catalog, { validators });
      expect(valid).toBe(nodeErrors.size === 0);
      return [...nodeErrors].flatMap(([id, { errors }]) => errors.map(({ type }) => `${id} ${type}`));
    };
    for (const validators of [table, knownValidators]) {
      const raised = ['load exception_during_inner_validation'];
      for (const value of bad) expect([value, types(value, validators)]).toEqual([value, raised]);
      for (const value of good) expect([value, types(value, validators)]).toEqual([value, []]);
    }
  });
});
