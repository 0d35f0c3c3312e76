import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { check, lines, sampler, the, workflow } from './checkTexts';
import { dynamicCombo } from '../../support/dynamicInputs';

describe('a valid workflow', () => {
  it('has no findings and a valid verdict', () => {
    const report = check(workflow());
    expect(report).toMatchObject({ format: 'api', findings: [], omitted: 0, checked: 'full' });
    expect(report.verdict).toMatchObject({ valid: true, goodOutputs: ['3'] });
  });
});

describe('values', () => {
  it.each([
    [{ steps: 'abc' }, 'error value-type "abc"'],
    [{ steps: null }, 'error value-type null'],
    [{ steps: 0 }, 'error below-minimum 0'],
    [{ steps: 101 }, 'error above-maximum 101'],
    [{ scheduler: 'norml' }, 'error option-unknown "norml"'],
    [{ scheduler: 'Normal' }, 'error option-spelling "Normal"'],
    [{ add_noise: 'false' }, 'warning text-for-boolean "false"'],
    [{ text: 5 }, 'warning value-not-text 5'],
    [{ steps: 20.5 }, 'information fraction-cut 20.5'],
    [{ image: 'hello' }, 'warning literal-on-socket "hello"'],
    [{ model: null }, 'warning literal-on-socket null'],
    [{ stepz: 3 }, 'warning unknown-input "stepz"'],
  ])('%j: %s', (inputs, line) => {
    expect(lines(workflow(inputs))).toEqual([line]);
  });

  it.each<[string, string, readonly string[]]>([
    ['width', '100', ['104']],
    ['width', '"100"', ['104']],
    ['width', '7', []],
    ['seed', '18446744073709551614', ['18446744073709551615']],
    ['strength', '0.123', ['0.12']],
    ['strength', '0.30000000000000004', []],
    ['strength', 'NaN', []],
    ['factor', '0.25', ['0.3']],
    ['free', '0.123456', []],
    ['plain', '0.55', ['0.6']],
  ])('between two steps get a hint with the nearest step: %s %s', (name, json, expected) => {
    const steps = Catalog.fromText(
      `{"Steps": {"input": {"optional": {
        "width": ["INT", {"min": 16, "max": 4096, "step": 8}],
        "seed": ["INT", {"min": 0, "max": 18446744073709551615, "step": 5}],
        "strength": ["FLOAT", {"step": 0.05, "round": 0.01}], "factor": ["FLOAT", {"step": 0.1}],
        "free": ["FLOAT", {"step": 0.1, "round": false}], "plain": ["FLOAT"]
      }}, "output": [], "output_node": true}}`,
    );
    const text = `{"1": {"class_type": "Steps", "inputs": {"${name}": ${json}}}}`;
    const found = check(text, { catalog: steps }).findings.filter(({ code }) => code === 'off-step');
    expect(found.map(({ message }) => /changes it to (\S+) when/.exec(message)?.[1])).toEqual(expected);
    expect(found.every(({ severity, fix }) => severity === 'hint' && !fix)).toBe(true);
  });

  it('are compared with every digit', () => {
    const text = workflow({ seed: 'SEED' }).replace('"SEED"', '18446744073709551616');
    expect(lines(text)).toEqual(['error above-maximum 18446744073709551616']);
    expect(lines(text.replace('551616', '551615'))).toEqual([]);
    expect(the('above-maximum', text).fix).toMatchObject({ texts: ['18446744073709551615'] });
  });

  it('get suggestions for what was meant', () => {
    expect(the('option-unknown', workflow({ scheduler: 'norml' }))).toMatchObject({
      message: expect.stringContaining('Did you mean "normal"?') as string,
      fix: { kind: 'replaceText', texts: ['"normal"', '"simple"'] },
    });
    expect(the('value-type', workflow({ steps: '20.5' })).fix).toMatchObject({ texts: ['20'] });
    expect(the('text-for-boolean', workflow({ add_noise: 'false' })).fix).toMatchObject({ texts: ['false'] });
  });

  it('are matched when only separators, case or folder of a file differ', () => {
    const loader = (name: string): string =>
      workflow({}, { '1': { class_type: 'Loader', inputs: { name } } });
    expect(the('option-spelling', loader('SUB\\B.safetensors')).fix).toMatchObject({
      texts: ['"sub/b.safetensors"'],
    });
    expect(the('option-in-other-folder', loader('old/a.safetensors')).fix).toMatchObject({
      texts: ['"a.safetensors"'],
    });
    expect(lines(loader('z.safetensors'))).toEqual(['error option-unknown "z.safetensors"']);
  });

  it.each([
    [['5', 0], 'error value-type ["5",0]', "image can't be a link"],
    [7, 'error value-type 7', "and 7 isn't one"],
    [null, 'error value-type null', "and null isn't one"],
    [['5'], 'error link-shape ["5"]', 'A list is read as a link'],
  ])('that are not file names for a node type that opens a file: %j', (image, line, words) => {
    const nodes = {
      '4': { class_type: 'LoadImage', inputs: { image } },
      '5': { class_type: 'Loader', inputs: { name: 'a.safetensors' } },
    };
    const text = workflow({ image: ['4', 0] }, nodes);
    const report = check(text);
    const named = report.findings.filter(({ severity }) => severity === 'error');
    expect(named.map(({ message }) => message)).toEqual([expect.stringContaining(words)]);
    expect(lines(text).map((each) => each.replace(/\s*\n\s*/g, ''))).toEqual([line.replace('",0', '",0')]);
    expect(report.verdict?.nodeErrors.get('4')?.errors.map(({ type }) => type)).toEqual([
      'exception_during_inner_validation',
    ]);
  });

  it('that name files to upload are never errors', () => {
    // The node type has its own check, so the server does not look at its list.
    const picture = (image: string): string =>
      workflow({ image: ['4', 0] }, { '4': { class_type: 'LoadImage', inputs: { image } } });
    expect(the('file-not-on-server', picture('mine.png')).severity).toBe('warning');
    const isLocal = (name: string, kind: string): boolean => name === 'mine.png' && kind === 'image';
    expect(check(picture('mine.png'), { isLocal }).findings).toEqual([]);
    expect(the('file-not-on-server', picture('other.png'), { isLocal }).message).toMatch(
      /on the server or next to the workflow/,
    );
    const isAnything = (): boolean => true;
    expect(the('file-not-on-server', picture(''), { isLocal: isAnything }).message).toContain(
      'No file is selected.',
    );
    for (const image of ['here.png', 'here.png [input]', 'mine.png [output]', 'x.png [temp]']) {
      expect(lines(picture(image))).toEqual([]);
    }
  });
});

describe('inputs', () => {
  it('that are missing offer a value to insert or a link to choose', () => {
    const text = workflow(
      {},
      { '2': { class_type: 'Sampler', inputs: { ...sampler, steps: undefined, model: undefined } } },
    );
    const found = check(text).findings.filter(({ code }) => code === 'missing-input');
    expect(found.map(({ code, input, fix }) => [code, input, fix])).toEqual([
      ['missing-input', 'model', { kind: 'chooseLink', nodeId: '2', input: 'model', type: 'MODEL' }],
      ['missing-input', 'steps', { kind: 'insertInput', nodeId: '2', input: 'steps', text: '20' }],
    ]);
  });

  it.each([
    [
      ['COMFY_MATCHTYPE_V3', { template: { template_id: 'a', allowed_types: 'IMAGE,MASK' } }],
      'an output of type IMAGE or MASK',
    ],
    [['COMFY_MATCHTYPE_V3', { template: { template_id: 'a' } }], 'any output'],
    [['*'], 'any output'],
    [['MODEL'], 'an output of type MODEL'],
    [['IMAGE,MASK'], 'an output of type IMAGE or MASK'],
  ])('of type %j are described in familiar words', (spec, words) => {
    const match = Catalog.fromDefinitions({
      Match: { input: { required: { one: spec } }, output: [], output_node: true },
    });
    const text = JSON.stringify({ '1': { class_type: 'Match', inputs: {} } });
    const { message } = the('missing-input', text, { catalog: match });
    expect(message).toContain(`Input one is missing. Link it to ${words}.`);
  });

  it('of editor buttons are not reported; those of node types that accept any input are information', () => {
    const buttons = { upload: 'image', 'choose file to upload': 'image', audioUI: '', refresh: 'refresh' };
    expect(lines(workflow(buttons), {}, true)).toEqual([]);
    const nodes = { '4': { class_type: 'AnySwitch', inputs: { any_01: 5 } } };
    expect(the('unknown-input', workflow({ image: ['4', 0] }, nodes)).severity).toBe('information');
  });

  it.each([
    ['CustomCombo', ['index', 'option1', 'option14'], ['image', 'options']],
    ['Preview3D', ['image'], ['option1']],
    ['SaveGLB', ['image'], ['clear']],
    ['Load3D', ['upload 3d model', 'upload extra resources', 'clear'], ['index']],
    ['WebcamCapture', ['waiting for camera...'], ['clear']],
  ])('that the ComfyUI editor writes for %s are not reported', (classType, written, mistaken) => {
    const declared = classType === 'Load3D' ? { view: ['LOAD_3D'] } : {};
    const editors = Catalog.fromDefinitions({
      [classType]: { input: { required: declared }, output: [], output_node: true, python_module: 'nodes' },
    });
    const findingsWith = (names: readonly string[]): string[] => {
      const inputs = Object.fromEntries([...Object.keys(declared), ...names].map((name) => [name, '']));
      const text = JSON.stringify({ '1': { class_type: classType, inputs } });
      const { findings } = check(text, { catalog: editors, validators: new Map() });
      return findings.map(({ code, input }) => `${code} ${input ?? ''}`);
    };
    expect(findingsWith(written)).toEqual([]);
    expect(findingsWith(mistaken)).toEqual(mistaken.map((name) => `unknown-input ${name}`));
  });

  it.each(['CustomCombo', 'Power Lora Loader (rgthree)', 'VHS_VideoCombine'])(
    'of any name may be used by %s',
    (classType) => {
      const input = { required: {}, optional: { model: ['MODEL'] } };
      const takers = Catalog.fromDefinitions({ [classType]: { input, output: [], output_node: true } });
      const text = JSON.stringify({ '1': { class_type: classType, inputs: { crf: 19 } } });
      expect(lines(text, { catalog: takers, validators: new Map() })).toEqual([
        'information unknown-input "crf"',
      ]);
    },
  );

  it('of an option that another choice brings may be missing: the node may have another way to choose', () => {
    const codec = dynamicCombo({ auto: {}, h264: {} });
    const format = dynamicCombo({ auto: { codec } });
    const of = (inputs: object, python_module = 'comfy_extras.nodes_video'): string[] => {
      const saver = {
        input: { required: { format }, optional: { codec } },
        output: [],
        output_node: true,
        python_module,
      };
      const text = JSON.stringify({ '1': { class_type: 'SaveClip', inputs } });
      return lines(text, { catalog: Catalog.fromDefinitions({ SaveClip: saver }) }, true);
    };
    expect(of({ format: 'auto', codec: 'auto' })).toEqual(['hint dynamic-key-missing "SaveClip"']);
    expect(of({ format: 'auto', 'format.codec': 'h264' })).toEqual([]);
    expect(of({ format: 'auto', 'format.codec': 'vp9' })).toEqual(['error dynamic-key-unknown "vp9"']);
    expect(of({ format: 'gif' })).toEqual(['error dynamic-key-unknown "gif"']);
    expect(of({ codec: 'auto' })).toEqual(['error dynamic-key-missing "SaveClip"']);
    // That of a pack may have a default.
    expect(of({ codec: 'auto' }, 'custom_nodes.clips')).toEqual(['hint dynamic-key-missing "SaveClip"']);
  });

  it('of a dynamic combo depend on its value', () => {
    const resize = (inputs: object): string =>
      workflow(
        { image: ['4', 0] },
        {
          '4': { class_type: 'Resize', inputs: { input: ['5', 0], ...inputs } },
          '5': { class_type: 'Picture', inputs: { image: 'here.png' } },
        },
      );
    expect(lines(resize({ mode: 'by size', 'mode.width': 5 }))).toEqual([]);
    expect(lines(resize({ mode: 'by size', 'mode.width': 5, 'mode.factor': 5 }))).toEqual([
      'warning input-of-other-option "mode.factor"',
    ]);
    expect(lines(resize({ mode: 'by sise', 'mode.width': 5 }))).toEqual([
      'error dynamic-key-unknown "by sise"',
    ]);
    expect(the('dynamic-key-unknown', resize({ mode: 'by sise' })).fix).toMatchObject({
      texts: ['"by size"', '"by factor"'],
    });
    expect(lines(resize({ 'mode.width': 5 }))).toEqual(['error dynamic-key-missing "Resize"']);
    expect(lines(resize({ mode: 'by size' }))).toEqual(['error missing-input "Resize"']);
  });

  it('of a growing list have their own names', () => {
    const batch = (inputs: object): string =>
      workflow(
        { image: ['4', 0] },
        {
          '4': { class_type: 'Batch', inputs: { 'images.image0': ['5', 0], ...inputs } },
          '5': { class_type: 'Picture', inputs: { image: 'here.png' } },
        },
      );
    expect(lines(batch({ 'images.image2': ['5', 0] }))).toEqual([]);
    expect(the('growing-input-name', batch({ 'images.foo': 5 })).fix).toMatchObject({
      names: ['images.image1'],
    });
  });
});

describe('findings in a single-line file', () => {
  it('name their node, because the position says little there', () => {
    const pretty = workflow({ steps: 0 });
    const line = JSON.stringify(JSON.parse(pretty));
    const { message } = the('below-minimum', pretty);
    expect(the('below-minimum', line).message).toBe(`Sample (node 2): ${message}`);
    expect(the('below-minimum', `${line}\n`).message).toBe(`Sample (node 2): ${message}`);
  });

  it('do not name it twice', () => {
    const nodes = { '4': { class_type: 'Batch', inputs: { 'images.image0': ['4', 0] } } };
    const line = JSON.stringify(JSON.parse(workflow({ image: ['4', 0] }, nodes)));
    expect(the('cycle', line).message).toMatch(/^Batch \(node 4\) uses/);
  });
});

describe('without definitions', () => {
  it('the structure is checked, and the report says so', () => {
    const report = check(workflow({ model: ['9', 0], cfg: 'x', seed: [1, 0] }), { catalog: undefined });
    expect(report.checked).toBe('structure');
    expect(report.verdict).toBeUndefined();
    expect(report.findings.map(({ code }) => code)).toEqual(['link-to-missing-node', 'link-id-not-text']);
  });
});

describe('settings', () => {
  const text = workflow({ steps: 0 });
  it('change severities and turn codes off', () => {
    expect(lines(text, { severities: { 'below-minimum': 'warning' } })).toEqual(['warning below-minimum 0']);
    expect(lines(text, { severities: { 'below-minimum': 'off' } })).toEqual([]);
    expect(lines(text, { suppressed: new Set(['below-minimum'] as const) })).toEqual([]);
  });

  it('name the server', () => {
    expect(the('unknown-input', workflow({ zz: 1 }), { serverName: 'Studio' }).message).toContain(
      'so Studio ignores it',
    );
    expect(the('unknown-class', workflow({}, { '4': { class_type: 'Zzzz', inputs: {} } })).message).toMatch(
      /^The server does/,
    );
  });
});

describe('the rows of a group', () => {
  const g = ['COMFY_DYNAMICGROUP_V3', { template: { required: { t: ['STRING', {}] } }, min: 1, max: 2 }];
  const grouped = Catalog.fromDefinitions({
    Rows: { input: { required: { g } }, output: [], output_node: true },
  });

  it.each([
    [{ 'g.0.t': 'a', 'g.0.u': 1 }, ['error group-size "g.0.u"']],
    [{ 'g.0.t': 'a', 'g.2.t': 'b' }, ['error group-size "g.2.t"']],
    [{}, ['error group-size "Rows"']],
  ])('%j: one finding for each fault', (inputs, expected) => {
    const text = JSON.stringify({ 1: { class_type: 'Rows', inputs } });
    expect(lines(text, { catalog: grouped })).toEqual(expected);
  });
});
