import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { makeValueField, optionTexts, wrongValues } from '../../../src/core/check/valueField';
import { dynamicCombo } from '../../support/dynamicInputs';

const catalog = Catalog.fromDefinitions({
  KSampler: {
    input: {
      required: {
        model: ['MODEL'],
        seed: ['INT', { default: 0, min: 0, max: 2n ** 64n - 1n }],
        width: ['INT', { min: 16, max: 4096, step: 8 }],
        cfg: ['FLOAT', { default: 8, min: 0, max: 100, step: 0.1 }],
        sampler_name: [['euler', 'euler_ancestral', 'dpmpp_2m']],
        image: [['here.png'], { image_upload: true }],
        odd: ['INT', { min: NaN, max: Infinity, step: -1 }],
        add_noise: ['BOOLEAN', {}],
        text: ['STRING', { multiline: true }],
        mode: dynamicCombo({ size: { side: ['INT', { max: 64 }] }, factor: { side: ['INT', { max: 8 }] } }),
      },
    },
    output: ['LATENT'],
  },
});

const specs = new Map(catalog.get('KSampler')?.inputs.map(({ name, spec }) => [name, spec]));

describe('the field for a value', () => {
  it.each([
    ['seed', { kind: 'int', min: '0', max: '18446744073709551615' }],
    [
      'width',
      { kind: 'int', min: '16', max: '4096', step: '8', hint: 'Whole number from 16 to 4096, in steps of 8' },
    ],
    [
      'cfg',
      { kind: 'float', min: '0', max: '100', step: '0.1', hint: 'Number from 0 to 100, in steps of 0.1' },
    ],
    ['odd', { kind: 'int', min: undefined, max: undefined, step: undefined, hint: 'Whole number' }],
    ['sampler_name', { kind: 'options', options: ['euler', 'euler_ancestral', 'dpmpp_2m'] }],
    ['add_noise', { kind: 'boolean', options: ['true', 'false'] }],
    ['text', { kind: 'text' }],
    ['mode', { kind: 'options', options: ['size', 'factor'] }],
    ['model', { kind: 'other' }],
  ])('%s has its limits and options from the definition', (name, field) => {
    expect(makeValueField(specs.get(name), undefined)).toMatchObject(field);
  });

  it('has options that can be told apart', () => {
    expect(optionTexts(['euler', 1n, true])).toEqual(['euler', '1', 'true']);
    expect(optionTexts(['1', 1n, 'one', 'one'])).toEqual(['"1"', '1', '"one"', '"one"']);
  });
});

describe('a value of a field', () => {
  const wrong = (input: string, ...texts: string[]): string[] =>
    wrongValues(
      { classType: 'KSampler', values: new Map([['mode', '"factor"']]) },
      input,
      texts,
      catalog,
    ).map(({ text, message }) => `${text}: ${message}`);

  it.each([
    ['sampler_name', '"eulr"', /"eulr" is not one of the options: .* Did you mean "euler"\?$/],
    ['cfg', '1000', /at most 100; 1000 is too large/],
    ['seed', '18446744073709551616', /too large/],
    ['width', '77.5', /integer/],
    ['cfg', '"high"', /must be a number/],
    ['mode', '"none"', /mode/],
    // By what the other inputs are.
    ['mode.side', '9', /at most 8/],
  ])('that the server would refuse is wrong: %s %s', (input, text, message) => {
    expect(wrong(input, text)).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    ['sampler_name', '"euler"'],
    ['cfg', '100'],
    // The server takes them, and so does the ComfyUI editor until they are edited.
    ['cfg', '0.123'],
    ['image', '"not-uploaded-yet.png"'],
    ['text', '"{a|b}"'],
    ['unknown', '1'],
  ])('that it takes is not: %s %s', (input, text) => {
    expect(wrong(input, text)).toEqual([]);
  });

  it('is named once, and of many only the first', () => {
    expect(wrong('cfg', '1', '101', '101', '102', '103', '104').map((each) => each.split(':')[0])).toEqual([
      '101',
      '102',
      '103',
    ]);
    expect(wrongValues({ classType: 'Unheard', values: new Map() }, 'cfg', ['101'], catalog)).toEqual([]);
  });

  it('is found among ten thousand beside a very long text', () => {
    const values = new Map([['text', JSON.stringify('x'.repeat(1_000_000))]]);
    const texts = Array.from({ length: 10_000 }, (_, index) => (index === 9_000 ? '101' : '1'));
    const found = wrongValues({ classType: 'KSampler', values }, 'cfg', texts, catalog);
    expect(found.map(({ text }) => text)).toEqual(['101']);
  });
});
