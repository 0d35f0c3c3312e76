import { describe, expect, it } from 'vitest';

import { HandSaves } from '../../../src/host/runs/handSaves';

describe('saves by hand', () => {
  it('are told from automatic ones, file by file', () => {
    const saves = new HandSaves();
    saves.begins('a', true);
    saves.begins('b', false);
    expect([saves.ends('a'), saves.ends('b'), saves.ends('a')]).toEqual([true, false, false]);
  });

  it('that failed make no automatic save one by hand', () => {
    const saves = new HandSaves();
    saves.begins('a', true);
    saves.begins('a', false);
    expect(saves.ends('a')).toBe(false);
  });
});
