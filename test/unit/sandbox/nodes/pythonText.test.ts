import { expect, it } from 'vitest';
import { sandboxRepr } from '../../../../src/sandbox/nodes/pythonText';

it.each([
  [5e-7, '5e-07'],
  [0.1, '0.1'],
  [1e22, '10000000000000000000000'],
  [-0.5, '-0.5'],
  [NaN, 'nan'],
  [-Infinity, '-inf'],
  ["it's\u00a0\n", '"it\'s\\xa0\\n"'],
  [[1, { a: 1e-5 }, null, true], "[1, {'a': 1e-05}, None, True]"],
])('writes %s as Python does', (value, text) => {
  expect(sandboxRepr(value)).toBe(text);
});
