import { describe, expect, it } from 'vitest';
import type { RunOnSaveObstacle, RunOnSaveState } from '../../../src/core/runs/runOnSaveQueue';
import { SavedByHand } from '../../../src/host/runs/runOnSave';
import { presentRunOnSave } from '../../../src/host/runs/runOnSaveWords';

const notRun = (why: RunOnSaveObstacle): RunOnSaveState => ({ kind: 'notRun', why });

describe('the status item of run on save', () => {
  it.each<[RunOnSaveState, RegExp]>([
    [{ kind: 'waiting' }, /^a\.json will run when its current job finishes\.$/],
    [
      notRun({ kind: 'sameAsRun' }),
      /^a\.json wasn't run, because nothing that affects the result has changed\./,
    ],
    [notRun({ kind: 'serverChanged' }), /wasn't run\. You selected another server/],
    [notRun({ kind: 'needsAnswer' }), /a run needs your approval\. Use Run Workflow/],
    [notRun({ kind: 'unclear' }), /may still be running/],
    [notRun({ kind: 'untrusted' }), /wasn't run\. Workflows run only in trusted workspaces/],
    [
      notRun({ kind: 'failed', problem: 'It was cancelled.' }),
      /^a\.json wasn't run\. It was cancelled\. Save it again to retry\.$/,
    ],
    [
      notRun({
        kind: 'failed',
        problem: 'The server would reject it',
        nextAction: 'Fix the value, then run again.',
      }),
      /^a\.json wasn't run\. The server would reject it\. Fix the value, then run again\.$/,
    ],
  ])('says why for %o', (state, words) => {
    const { tooltip, spoken, text } = presentRunOnSave(true, 'a.json', state);
    const [, about = ''] = tooltip.lines().split('\n\n');
    expect(about).toMatch(words);
    expect(spoken.line()).toContain(about);
    expect(text.line()).not.toBe('$(save) Run on Save');
  });

  it("doesn't say that files run before the user has agreed to it", () => {
    const { tooltip } = presentRunOnSave(false, 'a.json', undefined);
    expect(tooltip.lines()).toMatch(/but you haven't confirmed it\.\n\nSave a workflow file to be asked\./);
  });

  it('warns when action is needed, and outside text never acts', () => {
    const state = notRun({ kind: 'failed', problem: '[x](command:y) $(z)' });
    const { warning, tooltip } = presentRunOnSave(true, 'a.json', state);
    expect(warning).toBe(true);
    expect(tooltip.markdown()).not.toContain('[x](command:y)');
    expect(presentRunOnSave(true, 'a.json', notRun({ kind: 'sameAsRun' })).warning).toBe(false);
  });
});

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
