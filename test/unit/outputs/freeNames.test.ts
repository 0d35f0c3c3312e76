import { describe, expect, it, vi } from 'vitest';
import { FreeNames } from '../../../src/core/outputs/outputNames';

describe('free names', () => {
  it('count up before the extension', () => {
    const names = new FreeNames(['a.png', 'a (2).png']);
    expect(names.take('a.png')).toBe('a (3).png');
    expect(names.take('a.png')).toBe('a (4).png');
    expect(names.take('b')).toBe('b');
    expect(names.take('b')).toBe('b (2)');
  });

  it('keep the whole ending of a run record, and are compared as the disk does', () => {
    const names = new FreeNames(['A.png', 'b (2).png', 'run.run.json']);
    expect(
      ['a.png', 'a.png', 'b.png', 'b.png', 'c', 'c', 'run.run.json'].map((name) => names.take(name)),
    ).toEqual(['a (2).png', 'a (3).png', 'b.png', 'b (3).png', 'c', 'c (2)', 'run (2).run.json']);
  });

  it('are found at once for thousands of outputs of one name', () => {
    const names = new FreeNames(['a.png']);
    const asked = vi.spyOn(Set.prototype, 'has');
    for (let count = 2; count <= 3_000; count++) expect(names.take('a.png')).toBe(`a (${count}).png`);
    const calls = asked.mock.calls.length;
    asked.mockRestore();
    expect(calls).toBeLessThan(10_000);
  });

  it('differ in more than case and Unicode normalization', () => {
    const names = new FreeNames(['Caf\u00e9.png']);
    expect(names.take('cafe\u0301.PNG')).toBe('cafe\u0301 (2).PNG');
    expect(['CAFÉ.png', 'café.jpg'].map((name) => names.has(name))).toEqual([true, false]);
    expect(names.take('CAFÉ (2).png')).toBe('CAFÉ (2) (2).png');
  });
});
