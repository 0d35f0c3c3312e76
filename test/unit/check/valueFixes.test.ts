import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import type { Finding } from '../../../src/core/check/finding';
import { the } from './checkTexts';

/* The message about a value that does not fit, and its replacement. */

/** The finding of a node with one required input `value`; `inputs`: JSON text. */
function told(code: string, spec: readonly unknown[], inputs: string): Finding {
  const catalog = Catalog.fromDefinitions({
    Node: { input: { required: { value: spec } }, output: [], output_node: true },
  });
  return the(code, `{\n"1": {"class_type": "Node", "inputs": {${inputs}}}\n}`, { catalog });
}

describe('a value that is no number', () => {
  it.each([
    ['INT', { default: 20 }, '"abc"', ['20'], 'value must be an integer, not "abc". Use 20.'],
    ['INT', { default: 20 }, '"31.7"', ['31', '20'], 'value must be an integer, not "31.7". Use 31.'],
    ['INT', { default: 20 }, '"20,7"', ['20'], 'value must be an integer, not "20,7". Use 20.'],
    ['INT', { default: 20 }, '""', ['20'], 'value must be an integer, not "". Use 20.'],
    ['INT', { default: 20 }, '"Infinity"', ['20'], 'value must be an integer, not "Infinity". Use 20.'],
    ['INT', { default: 20 }, 'null', ['20'], 'value must be an integer, not null. Use 20.'],
    ['FLOAT', { default: 7 }, '"2,5"', ['2.5', '7.0'], 'value must be a number, not "2,5". Use 2.5.'],
    ['FLOAT', {}, '"much"', [], 'value must be a number, not "much".'],
    ['INT', { default: [1] }, '"much"', [], 'value must be an integer, not "much".'],
  ])('of %s %j, %s, is replaced by %j', (type, options, json, texts, message) => {
    const finding = told('value-type', [type, options], `"value": ${json}`);
    expect(finding).toMatchObject({ message, fix: { kind: 'replaceText', texts } });
  });
});

describe('a number beyond a limit', () => {
  it.each([
    ['below-minimum', { min: 1, max: 100 }, '0', '1', 'value must be at least 1; 0 is too small.'],
    ['above-maximum', { min: 1, max: 9 }, '10', '9', 'value must be at most 9; 10 is too large.'],
  ])('is %s of %j: %s becomes %s', (code, options, json, text, message) => {
    const finding = told(code, ['INT', options], `"value": ${json}`);
    expect(finding).toMatchObject({ message, fix: { kind: 'replaceText', texts: [text] } });
  });
});

describe('an input that is missing', () => {
  it.each([
    ['INT', { default: 20, min: 1 }, '20'],
    ['INT', { min: 3 }, '3'],
    ['INT', {}, '0'],
    ['FLOAT', { min: 0.5 }, '0.5'],
    ['FLOAT', {}, '0.0'],
    ['STRING', {}, '""'],
    ['BOOLEAN', {}, 'false'],
    ['COMBO', { options: ['normal', 'simple'] }, '"normal"'],
    ['COMBO', { options: [] }, '""'],
  ])('of type %s %j is added as it begins: %s', (type, options, text) => {
    expect(told('missing-input', [type, options], '')).toMatchObject({
      message: `Input value is missing. Add it, for example as ${text}.`,
      fix: { kind: 'insertInput', nodeId: '1', input: 'value', text },
    });
  });

  it('is to be linked where it takes links only, though it has a default', () => {
    const finding = told('missing-input', ['INT', { default: 5, forceInput: true }], '');
    expect(finding.fix).toEqual({ kind: 'chooseLink', nodeId: '1', input: 'value', type: 'INT' });
  });
});

describe('a value that is no option', () => {
  const files = [
    'v1-5-pruned-emaonly.safetensors',
    'dreamshaper_8.safetensors',
    'flux1-dev.safetensors',
    'sd3_medium.safetensors',
    'realistic_vision.safetensors',
    'sd_xl_refiner_1.0.safetensors',
    'sd_xl_base_1.0.safetensors',
  ];
  const fixOf = (options: readonly string[], value: string) =>
    told('option-unknown', ['COMBO', { options }], `"value": ${JSON.stringify(value)}`).fix;

  it('is replaced by what has most of the words of its base name, by five values at most', () => {
    expect(fixOf(files, 'sdxl\\sd_xl_base_1.0_0.9vae.safetensors')).toMatchObject({
      texts: [
        '"sd_xl_base_1.0.safetensors"',
        '"sd_xl_refiner_1.0.safetensors"',
        '"sd3_medium.safetensors"',
        '"v1-5-pruned-emaonly.safetensors"',
        '"dreamshaper_8.safetensors"',
      ],
      choices: files,
    });
  });

  it('is replaced by a likely slip first', () => {
    expect(fixOf(['flux2-dev', 'flux1-schnell', 'flux1-dev'], 'flux1-dve')).toMatchObject({
      texts: ['"flux1-dev"', expect.anything(), expect.anything()],
    });
  });

  it('has no other options when all are proposed', () => {
    expect(fixOf(['a', 'b'], 'c')).not.toHaveProperty('choices');
  });
});
