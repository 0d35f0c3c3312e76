import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import type { CheckContext } from '../../../src/core/check/checkContext';
import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { readReplacements } from '../../../src/core/catalog/nodeReplacements';
import { classAliases } from '../../../src/core/check/rules/classTypes';
import { budgets } from '../../../src/core/safety/budgets';
import { catalog, check, lines, the, workflow } from './checkTexts';

const sampler = { model: ['1', 0], steps: 20, cfg: 7, seed: 1, add_noise: true, scheduler: 'normal' };

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
    ['width', '99', ['96']],
    ['width', '"100"', ['104']],
    ['width', '64', []],
    ['width', '7', []],
    ['seed', '18446744073709551614', ['18446744073709551615']],
    ['strength', '0.123', ['0.12']],
    ['strength', '0.12', []],
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
    expect(found.map(({ message }) => /changes it to (\S+) once/.exec(message)?.[1])).toEqual(expected);
    expect(found.every(({ severity, fix }) => severity === 'hint' && !fix)).toBe(true);
  });

  it('that the server converts are not reported', () => {
    expect(lines(workflow({ steps: ' 2_0 ', cfg: '7.5', add_noise: 1, seed: { __value__: 5 } }))).toEqual([]);
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
    [['5', 0], 'error value-type ["5",0]', "which a link can't provide"],
    [7, 'error value-type 7', '7 is not one'],
    [null, 'error value-type null', 'null is not one'],
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
      /nor next to the workflow/,
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

  it('that are misspelled get a rename fix', () => {
    const inputs = { ...sampler, steps: undefined, stepss: 20 };
    const text = workflow({}, { '2': { class_type: 'Sampler', inputs } });
    expect(the('unknown-input', text).fix).toMatchObject({ kind: 'renameInput', names: ['steps'] });
  });

  it('of editor buttons are not reported; those of node types that accept any input are information', () => {
    const buttons = { upload: 'image', 'choose file to upload': 'image', audioUI: '', refresh: 'refresh' };
    expect(lines(workflow(buttons), {}, true)).toEqual([]);
    const nodes = { '4': { class_type: 'AnySwitch', inputs: { any_01: 5 } } };
    expect(the('unknown-input', workflow({ image: ['4', 0] }, nodes)).severity).toBe('information');
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

describe('node types', () => {
  const node = (classType: unknown): string =>
    workflow({ image: ['4', 0] }, { '4': { class_type: classType, inputs: {} } });

  it('that are unknown are all reported, with similar names', () => {
    const text = workflow(
      {},
      { '4': { class_type: 'Lodaer', inputs: {} }, '5': { class_type: 'save ', inputs: {} } },
    );
    expect(check(text).findings.map(({ code, fix }) => [code, fix && 'texts' in fix && fix.texts])).toEqual([
      ['unknown-class', ['"Loader"']],
      ['unknown-class', ['"Save"']],
    ]);
    expect(the('unknown-class', node('Sharpen (rgthree)')).fix).toMatchObject({ pack: 'rgthree-comfy' });
    const aliases = (): ReadonlyMap<string, readonly string[]> => classAliases(catalog);
    expect(the('unknown-class', node('Open Model'), { aliases }).fix).toMatchObject({ texts: ['"Loader"'] });
  });

  it('that are unknown are reported once each, at their first node', () => {
    const gone = { class_type: 'Gone', inputs: {} };
    const titled = { ...gone, _meta: { title: 'Second' } };
    const text = workflow({}, { '4': gone, '5': titled, '6': { class_type: 'Lost (rgthree)', inputs: {} } });
    const found = check(text).findings.filter(({ code }) => code === 'unknown-class');
    expect(found.map(({ nodeId, nodeIds }) => [nodeId, nodeIds])).toEqual([
      ['4', ['4', '5']],
      ['6', undefined],
    ]);
    expect(found.map(({ message }) => message)).toEqual([
      "The server doesn't have the node type Gone (nodes 4 and 5). Install the pack that provides it, or use another node type.",
      "Probably rgthree-comfy: the server doesn't have the node type Lost (rgthree) (node 6). Install the pack, or use another node type.",
    ]);
    const [other, ...more] = found[0]?.related ?? [];
    expect(more).toEqual([]);
    expect(other?.message).toBe('Second (node 5) has this type too.');
    expect(check(text).verdict?.error?.type).toBe('missing_node_type');
  });

  it('that the sandbox lacks are one finding at the top; likely typos stay at the node', () => {
    const text = workflow(
      {},
      {
        '4': { class_type: 'Gone', inputs: {} },
        '5': { class_type: 'Gone', inputs: {} },
        '6': { class_type: 'Lost (rgthree)', inputs: {} },
        '7': { class_type: 'Lodaer', inputs: {} },
      },
    );
    const context: CheckContext = { isSandbox: true, serverName: 'Sandbox' };
    expect(lines(text, context)).toEqual(['error unknown-class {', 'error unknown-class "Lodaer"']);
    const [top] = check(text, context).findings;
    expect(top).toMatchObject({ offset: 0, length: 1, nodeIds: ['4', '5', '6'] });
    expect(top?.message).toBe(
      "Uses 2 node types that the sandbox doesn't have: Lost (rgthree) from rgthree-comfy, and Gone. To run this file, select a server that has them.",
    );
    expect(
      top?.related?.map(({ message, offset, length }) => [message, text.slice(offset, offset + length)]),
    ).toEqual([
      ['rgthree-comfy: Lost (rgthree) (node 6).', '"Lost (rgthree)"'],
      ['Gone (nodes 4 and 5).', '"Gone"'],
    ]);
    const one = workflow({}, { '4': { class_type: 'Gone', inputs: {} } });
    expect(the('unknown-class', one, context).message).toMatch(
      /^Uses 1 node type that the sandbox doesn't have: Gone\. To run this file, select a server that has it/,
    );
  });

  it('that the server replaces are a warning, or an error without _meta', () => {
    const replacements = readReplacements({
      OldPicture: [{ new_node_id: 'Picture', input_mapping: [{ new_id: 'image', old_id: 'file' }] }],
    });
    const old = { class_type: 'OldPicture', inputs: { file: 'here.png' } };
    const text = workflow({ image: ['4', 0] }, { '4': { ...old, _meta: { title: 'Old' } } });
    expect(lines(text, { replacements })).toEqual(['warning replaced-class "OldPicture"']);
    expect(the('replaced-class', text, { replacements }).fix).toMatchObject({
      kind: 'replaceNode',
      classType: 'Picture',
    });
    const bare = workflow({ image: ['4', 0] }, { '4': old });
    expect(lines(bare, { replacements })).toEqual(['error replacement-needs-meta "OldPicture"']);
    expect(check(bare, { replacements }).verdict?.crash?.exceptionType).toBe('KeyError');
  });

  it('are marked as deprecated, experimental and paid', () => {
    const nodes = {
      '4': { class_type: 'Fast Blur (rgthree)', inputs: { image: ['5', 0] } },
      '5': { class_type: 'Picture', inputs: { image: 'here.png' } },
    };
    const found = check(workflow({ image: ['4', 0] }, nodes)).findings;
    expect(found.map(({ code, tags }) => [code, tags])).toEqual([
      ['deprecated-class', ['deprecated']],
      ['experimental-class', undefined],
      ['paid-class', undefined],
    ]);
  });
});

describe('nodes that no output depends on', () => {
  it('are faded, and their problems are hints that say why', () => {
    const text = workflow({}, { '4': { class_type: 'Loader', inputs: { name: 'nothing.safetensors' } } });
    const found = check(text).findings;
    expect(found.map(({ severity, code, tags }) => [severity, code, tags])).toEqual([
      ['hint', 'unused-node', ['unnecessary']],
      ['hint', 'option-unknown', undefined],
    ]);
    expect(found[1]?.message).toContain("The server doesn't check this");
    expect(check(text).verdict?.valid).toBe(true);
  });

  it('are still checked when there is no output', () => {
    const text = JSON.stringify({ '1': { class_type: 'Loader', inputs: {} } });
    expect(lines(text)).toEqual(['error no-output-node {', 'error missing-input "Loader"']);
  });
});

describe('outputs that the server drops', () => {
  it('are reported, and the problems behind them are warnings', () => {
    const text = workflow(
      {},
      {
        '4': { class_type: 'Save', inputs: { images: ['5', 0], prefix: 'x' } },
        '5': { class_type: 'Batch', inputs: {} },
      },
    );
    expect(check(text).verdict).toMatchObject({ valid: true, goodOutputs: ['3'] });
    expect(lines(text)).toEqual(['warning output-dropped "Save"', 'warning missing-input "Batch"']);
    expect(the('output-dropped', text).related).toHaveLength(1);
  });
});

describe('the shape of the file', () => {
  const broken = (node: unknown): string => workflow({}, { '4': node });
  it.each([
    ['error class-type-missing "4"', broken({ inputs: {} })],
    ['error class-type-not-text 5', broken({ class_type: 5, inputs: {} })],
    ['warning inputs-missing "4"', broken({ class_type: 'Save' })],
    ['error inputs-not-an-object null', broken({ class_type: 'Picture', inputs: null })],
    ['error not-a-node "note"', broken('note')],
    ['error not-a-node "_meta"', workflow({}, { _meta: { title: 'x' } })],
    ['warning non-finite-number NaN', workflow().replace('"cfg": 7', '"cfg": NaN')],
    ['warning duplicate-input "cfg"', workflow().replace('"cfg": 7', '"cfg": 7, "cfg": 8')],
    [
      'warning duplicate-node "1"',
      workflow().replace('"1": {', '"1": {"class_type": "Loader", "inputs": {}}, "1": {'),
    ],
    ['error json-syntax ,', workflow().replace('"cfg": 7', '"cfg": 7,,')],
  ])('%s', (line, text) => {
    expect(lines(text)).toContain(line);
  });

  it('is unwrapped from a request body', () => {
    const report = check(`{"client_id": "x", "prompt": ${workflow({ steps: 0 })}}`);
    expect(report.format).toBe('wrapper');
    expect(report.findings.map(({ code }) => code)).toEqual(['wrapped-workflow', 'below-minimum']);
  });

  it('is not checked in other files', () => {
    for (const text of ['', '[1]', '{"name": "x", "version": "1"}', 'hello', '{"a": {"b": 1}}']) {
      expect(check(text)).toMatchObject({ findings: [] });
    }
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

describe('large and cancelled checks', () => {
  it('keep the 500 most severe findings and end with the number of the others', () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 700 }, (_, index) => [
        `n${index}`,
        { class_type: 'Loader', inputs: { name: 'x' } },
      ]),
    );
    const report = check(workflow({ steps: 0 }, nodes));
    expect(report.findings).toHaveLength(501);
    expect(report.omitted).toBe(901);
    expect(report.findings.at(-1)).toMatchObject({
      code: 'more-findings',
      message: '901 more findings are not shown. Fix these first.',
    });
    expect(report.findings.map(({ code }) => code)).toContain('below-minimum');
  });

  it('report that a file with too many nodes was not checked', () => {
    const node = '{"class_type":"Nope","inputs":{}}';
    const nodes = (count: number): string =>
      Array.from({ length: count }, (_, id) => `"${id}":${node}`).join(',');
    const codesOf = (count: number): string[] =>
      checkWorkflow(WorkflowDocument.of(`{${nodes(count)}}`), { catalog }).findings.map(({ code }) => code);
    expect(codesOf(budgets.checkedNodes + 1)).toEqual(['too-large-to-check']);
    expect(codesOf(budgets.checkedNodes)).not.toContain('too-large-to-check');
  });

  it('shorten a message that contains a very long name from the file', () => {
    const [finding] = check(
      workflow({}, { x: { class_type: 'N'.repeat(100_000), inputs: {} } }),
    ).findings.filter(({ code }) => code === 'unknown-class');
    expect(finding?.message.length).toBeLessThan(budgets.findingText + 10);
  });

  it('stop on the abort signal', () => {
    const abort = new AbortController();
    abort.abort();
    expect(() => check(workflow(), { signal: abort.signal })).toThrow(
      expect.objectContaining({ name: 'AbortError' }) as Error,
    );
  });

  it('handle chains of any length', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [
        `c${index}`,
        { class_type: 'Batch', inputs: { 'images.image0': [index === 4999 ? '2' : `c${index + 1}`, 0] } },
      ]),
    );
    expect(() =>
      check(
        workflow({}, { ...chain, '9': { class_type: 'Save', inputs: { images: ['c0', 0], prefix: '' } } }),
      ),
    ).not.toThrow();
  });
});
