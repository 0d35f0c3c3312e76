import { describe, expect, it } from 'vitest';
import { FreeNames } from '../../../src/core/outputs/freeNames';
import { expectGentleGrowth } from '../../support/growth';

describe('free names', () => {
  it('count up before the extension', () => {
    const names = new FreeNames(['a.png', 'a (2).png']);
    expect(names.take('a.png')).toBe('a (3).png');
    expect(names.take('a.png')).toBe('a (4).png');
    expect(names.take('b')).toBe('b');
    expect(names.take('b')).toBe('b (2)');
  });

  it('differ by more than case and the way accents are written', () => {
    const names = new FreeNames(['Caf\u00e9.png']);
    expect(names.take('cafe\u0301.PNG')).toBe('cafe\u0301 (2).PNG');
    expect(names.take('CAFÉ (2).png')).toBe('CAFÉ (2) (2).png');
  });

  it('of thousands of outputs with one name take linear time', async () => {
    await expectGentleGrowth({
      from: 1_000,
      to: 64_000,
      input: (size) => ({ size, names: new FreeNames([]) }),
      run: ({ size, names }) => {
        for (let index = 0; index < size; index++) names.take('portrait-20260102-030405-ComfyUI.png');
      },
    });
  });

  it('take linear time beside as many that are there already', async () => {
    await expectGentleGrowth({
      from: 1_000,
      to: 32_000,
      input: (size) => Array.from({ length: size }, (_, index) => `a (${index + 2}).png`).concat('a.png'),
      run: (there) => {
        const names = new FreeNames(there);
        for (let index = 0; index < there.length; index++) names.take(`a (${index}).png`);
      },
    });
  });
});
