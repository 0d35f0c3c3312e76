import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { InputSpec } from '../../../src/core/catalog/inputSpec';
import { type NodeDefinition, readNodeDefinition } from '../../../src/core/catalog/nodeDefinition';
import { readInputSpec } from '../../../src/core/catalog/readInputSpec';
import { parseExact } from '../../../src/core/json/boundedJson';
import { exactFrom, type ExactObject } from '../../../src/core/json/exactValue';

function spec(declaration: string): InputSpec {
  return readInputSpec(parseExact(declaration));
}

function definition(data: object): NodeDefinition {
  return readNodeDefinition('Class', exactFrom(data) as ExactObject);
}

describe('readInputSpec', () => {
  it.each<[string, object]>([
    ['["INT"]', { kind: 'int', controlAfterGenerate: false }],
    [
      '["INT", {"default": 20, "min": -1, "step": 8, "control_after_generate": "fixed"}]',
      { kind: 'int', default: 20n, min: -1n, step: 8n, controlAfterGenerate: 'fixed' },
    ],
    ['["FLOAT", {"min": 0, "max": 1.5, "round": false}]', { kind: 'float', min: 0, max: 1.5 }],
    ['["FLOAT", {"round": 0.01}]', { kind: 'float', round: 0.01 }],
    ['["STRING", {"multiline": true, "placeholder": "p"}]', { kind: 'string', dynamicPrompts: false }],
    ['["BOOLEAN", {"label_on": "yes", "default": true}]', { kind: 'boolean', labelOn: 'yes', default: true }],
    ['[["a", 1, true, null], {}]', { kind: 'combo', type: 'COMBO', choices: ['a', 1n, true, null] }],
    ['[[]]', { kind: 'combo', choices: [] }],
    [
      '["COMBO", {"options": ["m", "n"], "multiselect": true}]',
      { kind: 'combo', choices: ['m', 'n'], multiselect: true },
    ],
    [
      '["COMBO", {"remote": {"route": "/models"}}]',
      { kind: 'combo', choices: [], remote: new Map([['route', '/models']]) },
    ],
    ['[["a.png"], {"image_upload": true}]', { kind: 'combo', upload: 'image' }],
    ['["COMBO", {"options": [], "animated_image_upload": true}]', { kind: 'combo', upload: 'video' }],
    [
      '["IMAGE", {"tooltip": "t", "lazy": true, "forceInput": true}]',
      { kind: 'socket', type: 'IMAGE', tooltip: 't', lazy: true, forceInput: true },
    ],
    ['["*"]', { kind: 'any' }],
    ['["IMAGE, MASK"]', { kind: 'union', types: ['IMAGE', 'MASK'] }],
    ['["FLOAT,INT", {"widgetType": "FLOAT"}]', { kind: 'union', widgetType: 'FLOAT' }],
    [
      '["COMFY_MATCHTYPE_V3", {"template": {"template_id": "t", "allowed_types": "IMAGE,MASK"}}]',
      { kind: 'matchType', allowedTypes: ['IMAGE', 'MASK'] },
    ],
    [
      '["COMFY_AUTOGROW_V3", {"template": {"input": {"required": {"x": ["IMAGE"]}}, "prefix": "i", "min": 2, "max": 3}}]',
      { kind: 'autogrow', names: ['i0', 'i1', 'i2'], min: 2 },
    ],
    [
      '["COMFY_AUTOGROW_V3", {"template": {"input": {"optional": {"x": ["IMAGE"]}}, "names": ["a", "b"]}}]',
      { kind: 'autogrow', names: ['a', 'b'], min: 1 },
    ],
    ['["COMFY_AUTOGROW_V3", {}]', { kind: 'autogrow', template: undefined }],
    [
      '["COMFY_DYNAMICCOMBO_V3", {"options": [{"key": "k", "inputs": {"required": {"w": ["INT"]}}}, 3]}]',
      {
        kind: 'dynamicCombo',
        branches: [{ key: 'k', inputs: [expect.objectContaining({ name: 'w', section: 'required' })] }],
      },
    ],
    [
      '["COMFY_DYNAMICSLOT_V3", {"slotType": "IMAGE", "inputs": {"optional": {"s": ["INT"]}}}]',
      {
        kind: 'dynamicSlot',
        slotType: 'IMAGE',
        inputs: [expect.objectContaining({ name: 's', section: 'optional' })],
      },
    ],
    [
      '["COMFY_DYNAMICGROUP_V3", {"template": {"required": {"f": ["INT"]}}, "min": 1, "max": 4, "group_name": "g"}]',
      { kind: 'dynamicGroup', min: 1, max: 4, groupName: 'g' },
    ],
    ['["COMFY_DYNAMICGROUP_V3", {"min": 1000000000}]', { kind: 'dynamicGroup', min: 1000, max: 20 }],
  ])('reads %s', (declaration, expected) => {
    expect(spec(declaration)).toMatchObject(expected);
  });

  it("keeps the declaration for the server's input_config", () => {
    const read = spec('[["a"], {"tooltip": "t"}]');
    expect([read.rawType, read.options]).toEqual([['a'], new Map([['tooltip', 't']])]);
    expect(spec('["INT"]').options).toEqual(new Map());
  });

  const odd = ['[]', '["INT", [1]]', '["INT", {"min": "low", "max": []}]', '["COMBO", {"options": "x"}]'];
  it.each(odd)('tolerates %s', (declaration) => {
    expect(spec(declaration).kind).toBeTypeOf('string');
  });
});

describe('readNodeDefinition', () => {
  it('puts inputs in display order: input_order first, then the rest', () => {
    const { inputs } = definition({
      input: { optional: { o: ['INT'] }, required: { c: ['INT'], a: ['INT'], b: ['INT'] } },
      input_order: { required: ['b', 'gone', 'a'] },
    });
    expect(inputs.map(({ name, section }) => `${section} ${name}`)).toEqual([
      'required b',
      'required a',
      'required c',
      'optional o',
    ]);
  });

  it('reads outputs with names, lists, tooltips and match types', () => {
    const { outputs } = definition({
      output: ['IMAGE', ['x', 'y'], 'COMFY_MATCHTYPE_V3'],
      output_name: ['picture'],
      output_is_list: [true],
      output_tooltips: [null, 'a choice'],
      output_matchtypes: [null, null, 't'],
    });
    expect(outputs).toEqual([
      { name: 'picture', type: 'IMAGE', isList: true },
      { name: 'COMBO', type: ['x', 'y'], isList: false, tooltip: 'a choice' },
      { name: 'COMFY_MATCHTYPE_V3', type: 'COMFY_MATCHTYPE_V3', isList: false },
    ]);
  });

  it('accepts a string instead of a list for output names', () => {
    expect(
      definition({ output: ['INT', 'INT'], output_name: 'number' }).outputs.map(({ name }) => name),
    ).toEqual(['number', 'INT']);
  });

  it('accepts a string for the only output', () => {
    expect(definition({ output: 'INT', output_name: 'found' }).outputs).toEqual([
      { name: 'found', type: 'INT', isList: false },
    ]);
  });

  it('reads null as absent and an absent flag as false', () => {
    const read = definition({
      display_name: null,
      name: null,
      api_node: null,
      search_aliases: null,
      price_badge: null,
    });
    expect(read).toMatchObject({
      displayName: 'Class',
      apiNode: false,
      deprecated: false,
      searchAliases: [],
      isV3: false,
    });
    expect(read.priceBadge).toBeUndefined();
  });

  it('recognizes partner nodes by flag, or by module on old servers without the flag', () => {
    expect(definition({ api_node: true }).apiNode).toBe(true);
    expect(definition({ python_module: 'comfy_api_nodes.nodes_bfl' }).apiNode).toBe(true);
    expect(definition({ python_module: 'comfy_extras.nodes_x', api_node: false }).apiNode).toBe(false);
  });

  it('reads hidden inputs given as a string or a list', () => {
    const { hiddenInputs } = definition({ input: { hidden: { id: 'UNIQUE_ID', prompt: ['PROMPT'] } } });
    expect([...hiddenInputs]).toEqual([
      ['id', 'UNIQUE_ID'],
      ['prompt', 'PROMPT'],
    ]);
  });

  it('never throws', () => {
    const members = [
      'input',
      'required',
      'optional',
      'hidden',
      'output',
      'output_name',
      'input_order',
    ] as const;
    const options = ['options', 'template', 'min', 'max', 'names', 'prefix', 'inputs', 'key'] as const;
    const types = ['COMBO', 'COMFY_AUTOGROW_V3', 'COMFY_DYNAMICCOMBO_V3', 'COMFY_DYNAMICGROUP_V3'] as const;
    const fields = fc.constantFrom(...members, ...options);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom(...types),
        fc.tuple(fc.constantFrom(...types), tie('tree')),
        fc.dictionary(fields, tie('tree')),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(fields, tree), (data) => {
        expect(definition(data).classType).toBe('Class');
      }),
    );
  });
});
