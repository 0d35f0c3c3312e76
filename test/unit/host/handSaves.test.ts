import { describe, expect, it } from 'vitest';

import { ManualSaves } from '../../../src/host/runs/manualSaves';

describe('saves by hand', () => {
  it('are told from automatic ones, file by file', () => {
    const saves = new ManualSaves();
    saves.begins('a', true);
    saves.begins('b', false);
    expect([saves.ends('a'), saves.ends('b'), saves.ends('a')]).toEqual([true, false, false]);
  });

  it('that failed make no automatic save one by hand', () => {
    const saves = new ManualSaves();
    saves.begins('a', true);
    saves.begins('a', false);
    expect(saves.ends('a')).toBe(false);
  });
});
