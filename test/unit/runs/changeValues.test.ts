import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeValues,
  inputFields,
  type ValueChange,
  wrongChanges,
} from '../../../src/core/runs/changeValues';
import { catalog } from './definitions';

const prompt = `{
  "3": {"class_type": "KSampler", "_meta": {"title": "Sampler"}, "inputs":
    {"seed": 18446744073709551615, "cfg": 7.50, "on": true, "model": ["4", 0], "sizes": [1.0, 2.00]}},
  "4": {"class_type": "Loader", "inputs": {"name": "a\\u0062.safetensors"}}
}`;

const changed = (...changes: readonly ValueChange[]): string => {
  const result = changeValues(prompt, changes);
  if (result.kind === 'problem') throw new Error(result.message);
  return result.promptText;
};

const problemOf = (...changes: readonly ValueChange[]): string => {
  const result = changeValues(prompt, changes);
  return result.kind === 'problem' ? result.message : 'changed';
};

/** Half characters too. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

describe('other values for a prompt', () => {
  it('change nothing else, not even a digit', () => {
    expect(changed()).toBe(prompt);
    expect(changed({ node: '3', input: 'cfg', text: ' 8.250 ' })).toBe(prompt.replace('7.50', '8.250'));
    expect(
      changed(
        { node: '4', input: 'name', text: 'c "d"\n' },
        { node: '3', input: 'seed', text: '18446744073709551614' },
        { node: '3', input: 'on', text: 'false' },
        { node: '3', input: 'sizes', text: '[1.0, 3.00]' },
      ),
    ).toBe(
      prompt
        .replace('"a\\u0062.safetensors"', '"c \\"d\\"\\n"')
        .replace('709551615', '709551614')
        .replace('true', 'false')
        .replace('2.00', '3.00'),
    );
  });

  it('keep their kind', () => {
    expect(problemOf({ node: '3', input: 'cfg', text: 'seven' })).toBe(
      'Sampler (3), cfg: seven is not a number.',
    );
    for (const text of ['', '01', '1,5', 'NaN', '1 2', '"1"', '0x10'])
      expect(problemOf({ node: '3', input: 'seed', text }), text).toMatch(/not a number/);
    expect(problemOf({ node: '3', input: 'on', text: '1' })).toMatch(/true or false/);
    expect(problemOf({ node: '3', input: 'sizes', text: '[1,' })).toMatch(/valid JSON/);
    expect(problemOf({ node: '3', input: 'sizes', text: '["4", 0]' })).toMatch(/not a link/);
  });

  it('are only for values that are there, never for links', () => {
    for (const [node, input] of [
      ['3', 'model'],
      ['3', 'more'],
      ['9', 'seed'],
      ['__proto__', 'seed'],
    ] as const)
      expect(problemOf({ node, input, text: '1' })).toMatch(/has no input/);
  });

  it('give the server exactly the text that was typed', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = JSON.parse(changed({ node: '4', input: 'name', text })) as Record<
          string,
          { inputs: Record<string, unknown> }
        >;
        expect(parsed['4']?.inputs.name).toBe(text);
      }),
    );
  });
});

describe('the fields for the values of a prompt', () => {
  const promptText = JSON.stringify({
    1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64 } },
    2: { class_type: 'Noise', inputs: { seed: 7, image: ['1', 0] } },
    3: { class_type: 'Unheard', inputs: { width: 64 } },
  });

  it('are those of the definitions, and links have none', () => {
    expect(
      inputFields(promptText, catalog).map(({ node, input, field }) => [node, input, field.max]),
    ).toEqual([
      ['1', 'width', '4096'],
      ['1', 'height', '4096'],
      ['2', 'seed', '18446744073709551615'],
    ]);
  });

  it('judge what is changed, and nothing else', () => {
    const wrong = wrongChanges(
      promptText,
      [
        { node: '1', input: 'width', text: '5000' },
        { node: '1', input: 'height', text: 'tall' },
        { node: '2', input: 'seed', text: '8' },
        { node: '2', input: 'image', text: '8' },
        { node: '3', input: 'width', text: '-1' },
        { node: '9', input: 'width', text: '-1' },
      ],
      catalog,
    );
    expect(wrong).toEqual([
      { node: '1', input: 'width', message: 'width must be at most 4096; 5000 is too large.' },
      {
        node: '1',
        input: 'height',
        message: 'height: tall is not a number. Enter a number such as 20 or 7.5.',
      },
    ]);
    expect(wrongChanges(promptText, [{ node: '1', input: 'width', text: '5000' }], undefined)).toEqual([]);
  });
});
