import { describe, expect, it } from 'vitest';

import { parseExact } from '../../../src/core/json/boundedJson';
import { pythonRepr, pythonStr, pythonTypeName } from '../../../src/core/workflow/values';

describe('pythonRepr', () => {
  it.each([
    ['null', 'None'],
    ['true', 'True'],
    ['20', '20'],
    ['1.0', '1.0'],
    ['1e-7', '1e-07'],
    ['1e16', '1e+16'],
    ['123456789012345680.0', '1.2345678901234568e+17'],
    ['NaN', 'nan'],
    ['-Infinity', '-inf'],
    ['"euler"', "'euler'"],
    ['"it\'s"', '"it\'s"'],
    ['"it\'s \\"x\\""', "'it\\'s \"x\"'"],
    ['"a\\\\b\\n\\t\\u0000\\u00e9\\u00a0\\u200b"', "'a\\\\b\\n\\t\\x00é\\xa0\\u200b'"],
    ['"猫🐈\\udb40\\udc01"', "'猫🐈\\U000e0001'"],
    ['[1, "a", [null]]', "[1, 'a', [None]]"],
    ['{"a": {"b": false}}', "{'a': {'b': False}}"],
    ['[]', '[]'],
  ])('prints %s as %s', (json, expected) => {
    expect(pythonRepr(parseExact(json))).toBe(expected);
  });

  it('prints strings without quotes only where str() would', () => {
    expect(pythonStr('a b')).toBe('a b');
    expect(pythonStr(['a b'])).toBe("['a b']");
  });

  it('knows the names of the types', () => {
    const types = ['null', '[]', '{}', '1', '1.0', 'true', '"x"'].map((json) =>
      pythonTypeName(parseExact(json)),
    );
    expect(types).toEqual(['NoneType', 'list', 'dict', 'int', 'float', 'bool', 'str']);
  });
});
