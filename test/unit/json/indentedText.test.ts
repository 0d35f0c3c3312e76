import { describe, expect, it } from 'vitest';
import { indented, onOneLine } from '../../../src/core/json/indentedText';

const nested = (depth: number): string => `{"junk": ${'['.repeat(depth)}1${']'.repeat(depth)}}`;

describe('JSON laid out for people', () => {
  it.each([
    ['{}', '{}'],
    ['[ ]', '[]'],
    ['{"a":1,"b":[1.0,2e5]}', '{\n  "a": 1,\n  "b": [\n    1.0,\n    2e5\n  ]\n}'],
    ['{"a":{ },"b":""}', '{\n  "a": {},\n  "b": ""\n}'],
    [
      '{"images":["12",0],"pair":["a","b"]}',
      '{\n  "images": ["12", 0],\n  "pair": [\n    "a",\n    "b"\n  ]\n}',
    ],
    ['{"a": [["1" , 0],["2",1]]}', '{\n  "a": [\n    ["1", 0],\n    ["2", 1]\n  ]\n}'],
    [String.raw`{"a\"{":"\\","b":"] , :"}`, '{\n  "a\\"{": "\\\\",\n  "b": "] , :"\n}'],
    ['18446744073709551615', '18446744073709551615'],
  ])('%s', (text, laidOut) => {
    expect(indented(text)).toBe(laidOut);
    expect(JSON.parse(laidOut)).toEqual(JSON.parse(text));
  });

  it.each([1, 24, 25, 99, 100, 101, 200, 300])('keeps values that are nested %i levels deep', (depth) => {
    const text = nested(depth);
    expect(JSON.parse(indented(text))).toEqual(JSON.parse(text));
    expect(JSON.parse(onOneLine(text))).toEqual(JSON.parse(text));
  });

  it('does not let a long list deep inside grow by its indentation', () => {
    const text = nested(200).replace('1', Array(1000).fill('1').join());
    expect(indented(text).length).toBeLessThan(4 * text.length);
  });

  it('reads a string of any length', () => {
    const text = JSON.stringify({ image: 'A'.repeat(12_000_000) });
    expect(indented(text)).toHaveLength(text.length + 4 + 1);
    expect(onOneLine(text)).toHaveLength(text.length);
  });
});
