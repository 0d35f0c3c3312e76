import { describe, expect, it } from 'vitest';

import { predictVerdict, type Verdict, type VerdictOptions } from '../../../src/core/check/verdict';
import { sourceTextIn } from '../../../src/core/json/textEdit';
import { promptFromText } from '../../../src/core/workflow/prompt';
import { promptFromData } from '../../support/promptFromData';
import { goodPrompt, sampleServer } from './sampleServer';

function verdictOn(data: unknown, options?: VerdictOptions): Verdict {
  return predictVerdict(promptFromData(data), sampleServer, options);
}

/** `node input: type | details` of every node error. */
function errorsOf(verdict: Verdict): string[] {
  return [...verdict.nodeErrors].flatMap(([id, { errors }]) => {
    return errors.map(
      ({ type, details, place }) => `${id} ${place?.input?.name ?? '-'}: ${type} | ${details}`,
    );
  });
}

/** The errors of the sample prompt with other inputs of its sampler. */
function samplerErrors(inputs: Record<string, unknown>): string[] {
  const prompt = goodPrompt();
  Object.assign(prompt.sample?.inputs ?? {}, inputs);
  return errorsOf(verdictOn(JSON.parse(JSON.stringify(prompt))));
}

/** The same with one input given as JSON text. */
function withText(name: string, json: string): string[] {
  const prompt = goodPrompt();
  Object.assign(prompt.sample?.inputs ?? {}, { [name]: '@@' });
  return errorsOf(predictVerdict(promptFromText(JSON.stringify(prompt).replace('"@@"', json)), sampleServer));
}

describe('predictVerdict', () => {
  it('accepts a valid prompt', () => {
    expect(verdictOn(goodPrompt())).toMatchObject({
      valid: true,
      error: null,
      goodOutputs: ['save'],
      nodeErrors: new Map(),
    });
  });

  it.each<[string, string, string[]]>([
    ['cfg', '"7,5"', ["sample cfg: invalid_input_type | cfg, 7,5, could not convert string to float: '7,5'"]],
    ['cfg', '100.5', ['sample cfg: value_bigger_than_max | cfg']],
    ['seed', '18446744073709551615', []],
    ['seed', '18446744073709551616', ['sample seed: value_bigger_than_max | seed']],
    ['seed', '-1', ['sample seed: value_smaller_than_min | seed']],
    ['seed', '{"__value__": 5}', []],
    ['seed', '[]', ['sample seed: bad_linked_input | seed']],
    [
      'seed',
      '["load", 0]',
      ['sample seed: return_type_mismatch | seed, received_type(MODEL) mismatch input_type(INT)'],
    ],
    ['mode', '"m99"', ["sample mode: value_not_in_list | mode: 'm99' not in (list of length 21)"]],
    ['model', '"text"', []],
    ['model', '["load", -3]', []],
    ['model', '["load", false]', []],
    ['note', 'null', []],
    ['flag', '"false"', []],
    ['any', '["load", 2]', []],
    [
      'slot',
      '["load", 0]',
      [
        'sample slot: return_type_mismatch | slot, received_type(MODEL) mismatch input_type(COMFY_DYNAMICSLOT_V3)',
      ],
    ],
    ['many', '6', ['sample many: value_bigger_than_max | many']],
    ['unknown', '["nowhere", 0]', []],
  ])('checks %s: %s', (name, json, expected) => {
    expect(withText(name, json)).toEqual(expected);
  });

  it.each<[unknown, string]>([
    [['nowhere', 0], "KeyError 'nowhere'"],
    [[1, 0], 'KeyError 1'],
    [['load', 3], 'IndexError tuple index out of range'],
    [['load', -4], 'IndexError tuple index out of range'],
    [['load', 0.5], 'TypeError tuple indices must be integers or slices, not float'],
  ])('reports what the server raises for the link %j, at the link itself', (link, expected) => {
    const prompt = goodPrompt();
    Object.assign(prompt.sample?.inputs ?? {}, { model: link, seed: -1 });
    const errors = verdictOn(prompt).nodeErrors.get('sample')?.errors ?? [];
    expect(
      errors.map(({ type, extra_info, details }) => [
        type,
        extra_info.get('input_name'),
        `${extra_info.get('exception_type') as string} ${details}`,
      ]),
    ).toEqual([['exception_during_inner_validation', 'images', expected]]);
    expect(errors[0]?.place?.input?.name).toBe('model');
  });

  it('reports a missing input, a dynamic one by its last part', () => {
    const prompt = {
      batch: { class_type: 'Batch', inputs: {} },
      save: { class_type: 'Save', inputs: { images: ['batch', 0] } },
    };
    const [error] = verdictOn(prompt).nodeErrors.get('batch')?.errors ?? [];
    expect([error?.details, error?.extra_info.get('input_name')]).toEqual(['i0', 'images.i0']);
    expect(samplerErrors({ mode: undefined })).toEqual(['sample -: required_input_missing | mode']);
  });

  it('reports the first wrong name in a group of rows, and nothing else in the node', () => {
    const rows = (inputs: object): string[] => {
      const save = { class_type: 'Save', inputs: { images: ['rows', 0] } };
      return errorsOf(verdictOn({ rows: { class_type: 'Rows', inputs }, save }));
    };
    expect(rows({ 'g.0.t': 'a', 'g.0.u': 'b', 'g.x': 'c' })).toEqual([
      "rows g.0.u: invalid_dynamic_input | Invalid DynamicGroup input key 'g.0.u'; expected 'g.<index>.<template field>'.",
    ]);
    expect(rows({ 'g.0.t': 'a', 'g.2.t': 'b' })).toEqual([
      "rows g.2.t: invalid_dynamic_input | DynamicGroup input 'g.2.t' exceeds the index limit of 1 (max=2).",
    ]);
  });

  it('checks each member of a multi-select, and leaves lists of other routes alone', () => {
    const save = { class_type: 'Save', inputs: { images: ['multi', 0] } };
    const multi = (tags: unknown): string[] =>
      errorsOf(verdictOn({ multi: { class_type: 'Multi', inputs: { tags } }, save }));
    expect(multi({ __value__: ['x', 'y'] })).toEqual([]);
    expect(multi({ __value__: ['x', 'q', 1] })).toEqual([
      "multi tags: value_not_in_list | tags: 'q', 1 not in ['x', 'y']",
    ]);
    const remote = { multi: { class_type: 'Remote', inputs: { file: 'anything' } }, save };
    expect(verdictOn(remote).valid).toBe(true);
  });

  it('finds a cycle once and reports it at each of its nodes', () => {
    const prompt = {
      a: { class_type: 'Pass', inputs: { image: ['b', 0] } },
      b: { class_type: 'Pass', inputs: { image: ['a', 0] } },
      save: { class_type: 'Save', inputs: { images: ['b', 0] } },
    };
    expect(errorsOf(verdictOn(prompt))).toEqual([
      'b image: dependency_cycle | b (Pass) -> a (Pass) -> b (Pass)',
      'a image: dependency_cycle | b (Pass) -> a (Pass) -> b (Pass)',
    ]);
  });

  it('reports one cycle at a node that is in two', () => {
    const inputs = { one: ['b', 0], two: ['a', 0] };
    const prompt = {
      save: { class_type: 'Save', inputs: { images: ['a', 0] } },
      a: { class_type: 'Pass', inputs: { image: ['b', 0] } },
      b: { class_type: 'Pass', inputs: { image: ['c', 0] } },
      c: { class_type: 'Join', inputs },
    };
    expect(errorsOf(verdictOn(prompt)).map((each) => each.split(':')[0])).toEqual([
      'b image',
      'c two',
      'a image',
    ]);
  });

  it('drops bad outputs beside good ones and says so', () => {
    const prompt = { ...goodPrompt(), bad: { class_type: 'Save', inputs: {} } };
    const verdict = verdictOn(prompt);
    expect(verdict).toMatchObject({ valid: true, error: null, goodOutputs: ['save'] });
    expect(verdict.nodeErrors.get('bad')).toMatchObject({ dependentOutputs: ['bad'], classType: 'Save' });
  });

  it('checks only the requested outputs', () => {
    const prompt = { ...goodPrompt(), bad: { class_type: 'Save', inputs: {} } };
    expect(verdictOn(prompt, { partialTargets: ['save'] }).nodeErrors.size).toBe(0);
    expect(verdictOn(prompt, { partialTargets: ['load'] }).error?.type).toBe('prompt_no_outputs');
  });

  it("ends in the details of the output nodes' own errors", () => {
    const details = verdictOn({
      bad: { class_type: 'Save', inputs: {} },
      worse: { class_type: 'Save', inputs: { images: [1] } },
    }).error?.details;
    expect(details).toBe(
      'Required input is missing: images\nBad linked input, must be a length-2 list of [node_id, slot_index]: images',
    );
  });

  const unknown = { class_type: 'Nope', inputs: {} };
  const notFound = (name: string): string =>
    `Node '${name}' not found. The custom node may not be installed.`;
  const noClass =
    "Node 'ID #x' has no class_type. The workflow may be corrupted or a custom node is missing.";
  it.each<[string, unknown, string, string | null]>([
    ['an unknown class', { ...unknown, _meta: { title: 'Mine' } }, notFound('Mine'), 'Mine'],
    ['an unknown class without a title', unknown, notFound('Nope'), 'Nope'],
    ['no class', { inputs: {} }, noClass, null],
  ])('stops at %s, connected or not', (_what, node, message, title) => {
    const { error } = verdictOn({ x: node, ...goodPrompt() });
    expect(error).toMatchObject({ type: 'missing_node_type', message, details: "Node ID '#x'" });
    expect(error?.extra_info.get('node_title')).toBe(title);
  });

  it('uses the messages of an old server on request', () => {
    const old = (data: unknown): string[] => {
      const { error, nodeErrors } = verdictOn(data, { generation: '0.3' });
      return [error?.type ?? '', error?.message ?? '', String(nodeErrors.size)];
    };
    expect(old({ x: { class_type: 'Nope', inputs: {} } })).toEqual([
      'invalid_prompt',
      'Cannot execute because node Nope does not exist.',
      '0',
    ]);
    expect(old({ x: { inputs: {} } })[1]).toBe(
      'Cannot execute because a node is missing the class_type property.',
    );
    const loop = {
      a: { class_type: 'Pass', inputs: { image: ['a', 0] } },
      save: { class_type: 'Save', inputs: { images: ['a', 0] } },
    };
    expect(old(loop)).toEqual(['prompt_outputs_failed_validation', 'Prompt outputs failed validation', '0']);
  });

  it.each<[string, unknown, string]>([
    ['a prompt that is a list', [], 'TypeError the prompt is not an object'],
    ['a number', { a: 5 }, "TypeError argument of type 'int' is not iterable"],
    ['a text', { a: 'x' }, "AttributeError 'str' object has no attribute 'get'"],
    ['the words of a node', { a: 'class_type' }, "TypeError string indices must be integers, not 'str'"],
    [
      'inputs that are null',
      { a: { class_type: 'Save', inputs: null } },
      "AttributeError 'NoneType' object has no attribute 'items'",
    ],
    [
      'a class that is a list',
      { a: { class_type: ['Save'], inputs: {} } },
      "TypeError unhashable type: 'list'",
    ],
  ])('predicts that the server fails on %s', (_what, data, words) => {
    const { valid, error, crash } = verdictOn(data);
    expect([valid, error, `${crash?.exceptionType} ${crash?.message}`]).toEqual([false, null, words]);
  });

  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['a list', []],
    ['a class that is a list, without inputs', { class_type: ['Save'] }],
  ])('reports an unknown node type before %s', (_what, entry) => {
    const data = { nope: { class_type: 'Nope', inputs: {} }, x: entry };
    expect(verdictOn(data)).toMatchObject({ error: { type: 'missing_node_type' } });
    expect(verdictOn({ first: entry, ...data }).crash).toBeDefined();
  });

  it('fails on a number before an unknown node type', () => {
    expect(verdictOn({ nope: { class_type: 'Nope', inputs: {} }, x: 5 }).crash).toBeDefined();
  });

  it('ignores all inputs of a node without a node type', () => {
    expect(verdictOn({ x: { inputs: null } }).error?.type).toBe('missing_node_type');
  });

  it('locates a finding at the wrong text', () => {
    const text = '{"a": {"class_type": "Save", "inputs": {"images": ["zz", 0]}}}';
    const place = predictVerdict(promptFromText(text), sampleServer).nodeErrors.get('a')?.errors[0]?.place;
    expect(place && sourceTextIn(text, place.range)).toBe('["zz", 0]');
  });

  it('returns the prompt that the server continues with: unwrapped, converted', () => {
    const prompt = goodPrompt();
    Object.assign(prompt.sample?.inputs ?? {}, {
      seed: '20',
      cfg: { __value__: 3 },
      flag: 'false',
      note: null,
    });
    const inputs = verdictOn(prompt).prompt.get('sample')?.inputs;
    expect([inputs?.get('seed'), inputs?.get('cfg'), inputs?.get('flag'), inputs?.get('note')]).toEqual([
      20n,
      3,
      true,
      'None',
    ]);
  });
});
