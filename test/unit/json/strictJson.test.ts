import { describe, expect, it } from 'vitest';
import { strictJson } from '../../../src/core/json/strictJson';
import { parseJson } from '../../../src/core/json/tree';

describe('strictJson', () => {
  it('replaces comments and trailing commas with spaces', () => {
    const text = '// mine\r\n{ /* a,\n b */ "a": [1, 2,], // end\n  "b": 3 /* x */ , }\n/* over */';
    const strict = strictJson(text);
    expect(strict).toBe('       \r\n{      \n      "a": [1, 2 ],       \n  "b": 3           }\n          ');
    expect(strict).toHaveLength(text.length);
    expect(JSON.parse(strict)).toEqual({ a: [1, 2], b: 3 });
  });

  it('leaves the inside of strings alone', () => {
    const text = '\uFEFF{"a": "// no", "b": "/* no */ ,}", "c": "\\"//", "d": [1,2]}';
    expect(strictJson(text)).toBe(text);
    expect(strictJson(`${text}//`)).toBe(`${text}  `);
  });

  it('leaves broken JSON broken', () => {
    for (const text of [
      '{,}',
      '[,]',
      '[1,,]',
      '{"a": /',
      '[1 / 2]',
      '{"a" "b",,}',
      '{"a": "open // ',
      '',
      ',',
      '{ /* open',
    ])
      expect(parseJson(strictJson(text)).problems.length, text).toBeGreaterThan(0);
  });
});
