import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../src/core/json/node';
import {
  applyEdits,
  insertProperty,
  removeProperty,
  replaceValue,
  TextEditError,
} from '../../../src/core/json/textEdit';
import { parseJson } from '../../../src/core/json/tree';

function rootOf(text: string): JsonObject {
  const { root } = parseJson(text);
  if (root?.kind !== 'object') throw new Error('not an object');
  return root;
}

describe('insertProperty', () => {
  it.each(['{', '{ ', '{\n'])('inserts into an unclosed object: %j', (text) => {
    const edit = insertProperty(text, rootOf(text), 'a', '1');
    expect(edit.length).toBeGreaterThanOrEqual(0);
    expect(applyEdits(text, [edit])).toMatch(/^\{\s*"a": 1/);
  });
});

describe('applyEdits', () => {
  it('makes edits in any order', () => {
    const edits = [
      { offset: 4, length: 1, newText: 'E' },
      { offset: 0, length: 1, newText: 'AA' },
      { offset: 2, length: 0, newText: '-' },
    ];
    expect(applyEdits('abcde', edits)).toBe('AAb-cdE');
  });

  it('rejects overlapping edits and edits outside the text', () => {
    const overlapping = [
      { offset: 0, length: 2, newText: '' },
      { offset: 1, length: 1, newText: '' },
    ];
    expect(() => applyEdits('abc', overlapping)).toThrow(TextEditError);
    expect(() => applyEdits('abc', [{ offset: 2, length: 5, newText: '' }])).toThrow(TextEditError);
  });

  it('keeps everything outside a replaced value as it was', () => {
    const values = fc.dictionary(fc.string(), fc.jsonValue(), {
      minKeys: 1,
      maxKeys: 8,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(values, fc.nat(), fc.constantFrom(undefined, 2, '\t'), (data, pick, indent) => {
        const text = JSON.stringify(data, undefined, indent);
        const { properties } = rootOf(text);
        const value = properties[pick % properties.length]?.value;
        if (!value) throw new Error('no value');
        const edited = applyEdits(text, [replaceValue(value, '"new"')]);
        expect(edited.slice(0, value.offset)).toBe(text.slice(0, value.offset));
        expect(edited.slice(value.offset + 5)).toBe(text.slice(value.offset + value.length));
        expect(parseJson(edited).problems).toEqual([]);
      }),
    );
  });
});

describe('insertProperty', () => {
  it.each([
    ['{}', '{"c": 3}'],
    ['{"a":1}', '{"a":1,"c":3}'],
    ['{"a": 1}', '{"a": 1, "c": 3}'],
    ['{ "a": 1, "b": 2 }', '{ "a": 1, "b": 2, "c": 3 }'],
    ['{\n  "a": 1\n}', '{\n  "a": 1,\n  "c": 3\n}'],
    ['{\r\n\t"a" : 1\r\n}', '{\r\n\t"a" : 1,\r\n\t"c" : 3\r\n}'],
    ['{\n    "a": {\n        "x": 1\n    }\n}', '{\n    "a": {\n        "x": 1\n    },\n    "c": 3\n}'],
  ])('formats the new property like its neighbors in %j', (text, expected) => {
    expect(applyEdits(text, [insertProperty(text, rootOf(text), 'c', '3')])).toBe(expected);
  });

  it('puts the first member of an empty object on its own line in a multi-line file', () => {
    const text = '{\n  "a": {}\n}';
    const inner = rootOf(text).get('a');
    const edit = insertProperty(text, inner as JsonObject, 'x', '1');
    expect(applyEdits(text, [edit])).toBe('{\n  "a": {\n    "x": 1\n  }\n}');
  });
});

describe('removeProperty', () => {
  it.each([
    ['{"a": 1, "b": 2, "c": 3}', 'a', '{"b": 2, "c": 3}'],
    ['{"a": 1, "b": 2, "c": 3}', 'b', '{"a": 1, "c": 3}'],
    ['{"a": 1, "b": 2, "c": 3}', 'c', '{"a": 1, "b": 2}'],
    ['{\n  "a": 1,\n  "b": 2\n}', 'b', '{\n  "a": 1\n}'],
    ['{"a": 1}', 'a', '{}'],
  ])('removes the comma too: %j without %s', (text, name, expected) => {
    const edit = removeProperty(rootOf(text), name);
    expect(applyEdits(text, edit ? [edit] : [])).toBe(expected);
  });

  it('does nothing for a missing name', () => {
    expect(removeProperty(rootOf('{"a": 1}'), 'b')).toBeUndefined();
  });
});
