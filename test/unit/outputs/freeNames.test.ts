import { describe, expect, it } from 'vitest';
import { FreeNames } from '../../../src/core/outputs/freeNames';

describe('free names', () => {
  it('count up before the extension', () => {
    const names = new FreeNames(['a.png', 'a (2).png']);
    expect(names.take('a.png')).toBe('a (3).png');
    expect(names.take('a.png')).toBe('a (4).png');
    expect(names.take('b')).toBe('b');
    expect(names.take('b')).toBe('b (2)');
  });

  it('differ in more than case and Unicode normalization', () => {
    const names = new FreeNames(['Caf\u00e9.png']);
    expect(names.take('cafe\u0301.PNG')).toBe('cafe\u0301 (2).PNG');
    expect(names.take('CAFÉ (2).png')).toBe('CAFÉ (2) (2).png');
  });
});
