import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExactValue } from '../../../../src/core/json/exactValue';
import { parseJson } from '../../../../src/core/json/tree';
import { printPrompt, type PromptEntry } from '../../../../src/core/workflow/graph/printPrompt';

const entry = (inputs: Record<string, ExactValue>): PromptEntry => ({
  classType: 'Load',
  title: 'A "title"',
  pack: {},
  inputs: new Map(Object.entries(inputs)),
});

/** Every value with its place and text, on which a parser and the printer must agree. */
function shapeOf(text: string, node: ReturnType<typeof parseJson>['root']): unknown {
  if (!node) return undefined;
  const { kind, offset, length } = node;
  const place = { kind, offset, length, text: text.slice(offset, offset + length) };
  if (node.kind === 'object') {
    const members = node.properties.map(({ name, key, value }) => [
      name,
      key.offset,
      key.length,
      shapeOf(text, value),
    ]);
    return { ...place, members };
  }
  if (node.kind === 'array') return { ...place, items: node.items.map((item) => shapeOf(text, item)) };
  return { ...place, value: node.kind === 'number' ? node.text : node.value };
}

describe('a printed prompt', () => {
  test('is compact JSON with every digit, and integer names first', () => {
    const inputs = { b: 18446744073709551615n, a: 0.1, '2': true, c: [null, 'x'] };
    const entries = new Map([
      ['1:2', entry({})],
      ['3', entry(inputs)],
    ]);
    expect(printPrompt(entries, 1_000)?.text).toBe(
      '{"3":{"inputs":{"2":true,"b":18446744073709551615,"a":0.1,"c":[null,"x"]},"class_type":"Load","_meta":{"title":"A \\"title\\""}},' +
        '"1:2":{"inputs":{},"class_type":"Load","_meta":{"title":"A \\"title\\""}}}',
    );
  });

  test('is rejected when it would be longer than allowed', () => {
    const entries = new Map(['a', 'b', 'c'].map((id) => [id, entry({ text: 'x'.repeat(100) })]));
    expect(printPrompt(entries, 300)).toBeUndefined();
  });

  test('has the tree that a parser would produce from its text', () => {
    const leaf = fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.bigInt(),
      fc.double(),
      fc.string({ unit: 'binary' }),
    );
    const { value } = fc.letrec<{ value: ExactValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('value')),
        fc.array(fc.tuple(fc.string(), tie('value'))).map((members) => new Map(members)),
      ),
    }));
    // Few nodes with few inputs: every kind of value is among them, and a run takes a moment.
    const inputs = fc.dictionary(fc.string(), value, { maxKeys: 4 });
    const prompts = fc.array(fc.tuple(fc.string(), inputs), { maxLength: 4 });
    fc.assert(
      fc.property(prompts, (nodes) => {
        const printed = printPrompt(new Map(nodes.map(([id, inputs]) => [id, entry(inputs)])), 1_000_000);
        if (!printed) throw new Error('too long');
        const parsed = parseJson(printed.text);
        expect(shapeOf(printed.text, printed.root)).toEqual(shapeOf(printed.text, parsed.root));
        expect(JSON.parse(printed.text)).toBeDefined();
      }),
      { seed: 7, numRuns: 100 },
    );
  });
});
