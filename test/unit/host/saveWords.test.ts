import { describe, expect, it } from 'vitest';
import type { SaveObstacle, SaveState } from '../../../src/core/runs/saveQueue';
import { commands } from '../../../src/host/platform/contributions';
import { presentSave } from '../../../src/host/runs/saveWords';

const notRun = (why: SaveObstacle): SaveState => ({ kind: 'notRun', why });

describe('the status item of run on save', () => {
  it('pauses and resumes on click', () => {
    expect(presentSave(false, undefined, undefined)).toMatchObject({ command: commands.pauseRunOnSave });
    const paused = presentSave(true, 'a.json', { kind: 'started' });
    expect(paused.command).toBe(commands.resumeRunOnSave);
    expect(paused.text.line()).toBe('$(debug-pause) Run on save: paused');
  });

  it.each<[SaveState, RegExp]>([
    [{ kind: 'waiting' }, /^a\.json will run when its current job has ended\.$/],
    [notRun({ kind: 'sameAsRun' }), /^a\.json was not run: its prompt is the same as in the last run\./],
    [notRun({ kind: 'serverChanged' }), /you selected another server/],
    [notRun({ kind: 'saidNo' }), /you declined to run this prompt/],
    [notRun({ kind: 'asked' }), /answer the notification/],
    [notRun({ kind: 'unclear' }), /may be running on the server/],
    [notRun({ kind: 'untrusted' }), /only in trusted workspaces/],
    [
      notRun({ kind: 'failed', problem: 'It was cancelled.' }),
      /^a\.json was not run\. It was cancelled\. Save it again to retry\.$/,
    ],
    [
      notRun({
        kind: 'failed',
        problem: 'No server is selected.',
        nextAction: 'Select where workflows run.',
      }),
      /^a\.json was not run\. No server is selected\. Select where workflows run\. Then save again\.$/,
    ],
    [
      notRun({
        kind: 'failed',
        problem: 'The server would reject it',
        nextAction: 'Fix it, then run again.',
      }),
      /^a\.json was not run\. The server would reject it\. Fix it, then run again\.$/,
    ],
  ])('says why for %o', (state, words) => {
    const { tooltip, spoken, text } = presentSave(false, 'a.json', state);
    const [, about = ''] = tooltip.lines().split('\n\n');
    expect(about).toMatch(words);
    expect(spoken.line()).toContain(about);
    expect(text.line()).not.toBe('$(save) Run on save');
  });

  it('warns when action is needed, and outside text never acts', () => {
    const state = notRun({ kind: 'failed', problem: '[x](command:y) $(z)' });
    const { warning, tooltip } = presentSave(false, 'a.json', state);
    expect(warning).toBe(true);
    expect(tooltip.markdown()).not.toContain('[x](command:y)');
    expect(presentSave(false, 'a.json', notRun({ kind: 'sameAsRun' })).warning).toBe(false);
  });
});
