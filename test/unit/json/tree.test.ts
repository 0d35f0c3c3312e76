import { describe, expect, it } from 'vitest';

import { parseJson } from '../../../src/core/json/tree';

describe('parseJson', () => {
  it('reads strict JSON without a problem', () => {
    const { root, problems } = parseJson('{"a": [1, 2.5, "x", true, null], "b": {}}');
    expect(problems).toEqual([]);
    expect(root?.kind).toBe('object');
  });
});
