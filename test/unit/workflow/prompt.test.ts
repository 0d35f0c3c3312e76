import { describe, expect, it } from 'vitest';

import { sourceTextIn } from '../../../src/core/json/textEdit';
import { promptFromText, exactInputValue } from '../../../src/core/workflow/prompt';
import { promptFromData } from '../../support/promptFromData';

const text = `{
  "10": {"class_type": "SaveImage", "inputs": {"images": ["2:4", 0], "filename_prefix": "a"}, "_meta": {"title": "Save"}},
  "2:4": {"inputs": {"seed": 18446744073709551615, "list": ["2:4", 0.5], "wrapped": {"__value__": [1, 2]}}, "class_type": "X"}
}`;

describe('readPrompt', () => {
  const prompt = promptFromText(text);

  it('keeps the nodes in file order, whatever their ids', () => {
    expect(prompt.nodes.map(({ id, classType, title }) => [id, classType, title])).toEqual([
      ['10', 'SaveImage', 'Save'],
      ['2:4', 'X', undefined],
    ]);
    expect(prompt.problems).toEqual([]);
  });

  it('distinguishes links from values', () => {
    const inputs = prompt.nodes.flatMap((node) => node.inputs);
    expect(inputs.map(({ name, link }) => [name, link])).toEqual([
      ['images', { nodeId: '2:4', slot: 0 }],
      ['filename_prefix', undefined],
      ['seed', undefined],
      ['list', undefined],
      ['wrapped', undefined],
    ]);
  });

  it('knows the place and the exact value of an input', () => {
    const seed = prompt.node('2:4')?.inputs[0];
    expect(seed && sourceTextIn(text, seed.valueNode)).toBe('18446744073709551615');
    expect(seed && sourceTextIn(text, seed.nameNode)).toBe('"seed"');
    expect(seed && exactInputValue(seed)).toBe(18446744073709551615n);
  });

  it.each<[string, string[]]>([
    ['[]', ['notAnObject']],
    ['null', ['notAnObject']],
    ['{"1": "x"}', ['nodeNotAnObject']],
    ['{"1": {}}', ['classTypeMissing', 'inputsMissing']],
    ['{"1": {"class_type": 3, "inputs": null}}', ['classTypeNotText', 'inputsNotAnObject']],
    ['{"1": {"class_type": "A", "inputs": {"x": 1, "x": 2}}}', ['duplicateInput']],
    ['{"1": {"class_type": "A", "inputs": {}}, "1": {"class_type": "B", "inputs": {}}}', ['duplicateNode']],
  ])('reports what is wrong with %s', (wrong, kinds) => {
    expect(promptFromText(wrong).problems.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('uses the last of two equal IDs at the place of the first', () => {
    const twice = promptFromText(
      '{"1": {"class_type": "A"}, "2": {"class_type": "B"}, "1": {"class_type": "C"}}',
    );
    expect(twice.nodes.map(({ classType }) => classType)).toEqual(['C', 'B']);
  });

  it('takes the last of two equal inputs at the place of the first, also among many', () => {
    for (const count of [3, 60]) {
      const members = Array.from({ length: count }, (_, index) => `"x${index}": ${index}`);
      const text = `{"1": {"class_type": "A", "inputs": {${members.join(', ')}, "x1": 99}}}`;
      const { nodes, problems } = promptFromText(text);
      expect(problems.map(({ kind }) => kind)).toEqual(['duplicateInput']);
      const values = nodes[0]?.inputs.map((input) => [input.name, exactInputValue(input)]);
      expect(values?.length).toBe(count);
      expect(values?.slice(0, 3)).toEqual([
        ['x0', 0n],
        ['x1', 99n],
        ['x2', 2n],
      ]);
    }
  });

  it('accepts plain data too', () => {
    const made = promptFromData({ a: { class_type: 'A', inputs: { seed: 2n ** 64n, x: ['b', 1] } } });
    expect(made.node('a')?.inputs.map(exactInputValue)).toEqual([18446744073709551616n, ['b', 1n]]);
  });
});
