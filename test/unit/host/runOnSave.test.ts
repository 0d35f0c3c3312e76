import { describe, expect, it } from 'vitest';
import { SavedByHand } from '../../../src/host/runs/runOnSave';

describe('manual saves', () => {
  it('are distinguished from automatic ones for each file', () => {
    const saves = new SavedByHand();
    saves.begins('a', true);
    saves.begins('b', false);
    expect([saves.ends('a'), saves.ends('b'), saves.ends('a')]).toEqual([true, false, false]);
  });

  it("that failed don't make a later auto save manual", () => {
    const saves = new SavedByHand();
    saves.begins('a', true);
    saves.begins('a', false);
    expect(saves.ends('a')).toBe(false);
  });
});
