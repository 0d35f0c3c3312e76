import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { classEntries, indexClasses } from '../../../src/core/language/classIndex';
import { catalog } from './sample';

describe('the index of node types', () => {
  it('can be built step by step before the first completion', () => {
    const own = Catalog.fromText(catalog.toText());
    const steps = indexClasses(own, 3);
    let pauses = 0;
    while (steps.next().done !== true) pauses++;
    expect(pauses).toBe(Math.floor(catalog.size / 3));
    expect(classEntries(own)).toEqual(classEntries(catalog));
    expect(classEntries(own)).toBe(classEntries(own));
  });
});
