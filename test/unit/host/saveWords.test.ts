import { describe, expect, it } from 'vitest';
import type { SaveObstacle, SaveState } from '../../../src/core/runs/saveQueue';
import { commands } from '../../../src/host/platform/contributions';
import { presentSave } from '../../../src/host/runs/saveWords';

const notRun = (why: SaveObstacle): SaveState => ({ kind: 'notRun', why });

describe('the status item of run on save', () => {
  it('pauses at a click, and resumes', () => {
    expect(presentSave(false, undefined, undefined)).toMatchObject({ command: commands.pauseRunOnSave });
    const paused = presentSave(true, 'a.json', { kind: 'started' });
    expect(paused.command).toBe(commands.resumeRunOnSave);
    expect(paused.text.line()).toBe('$(debug-pause) Run on save: paused');
  });

  it.each<[SaveState, RegExp]>([
    [{ kind: 'waiting' }, /^a\.json: Saved\. It will run when this file's current job has ended\.$/],
    [notRun({ kind: 'sameAsRun' }), /^a\.json: Not run: the prompt is the same as in the last run\./],
    [notRun({ kind: 'serverChanged' }), /you selected another server/],
    [notRun({ kind: 'saidNo' }), /you declined to run this prompt/],
    [notRun({ kind: 'asked' }), /answer the notification/],
    [notRun({ kind: 'unclear' }), /may be running on the server/],
    [notRun({ kind: 'untrusted' }), /only in trusted workspaces/],
    [
      notRun({ kind: 'failed', words: 'No server is selected.' }),
      /Not run: No server is selected\. Save again/,
    ],
    [
      notRun({ kind: 'failed', words: 'a.json: The server would reject it. Fix it.' }),
      /^a\.json: Not run: The server would reject it\. Fix it\. Save again/,
    ],
  ])('says of %o why', (state, words) => {
    const { tooltip, spoken, text } = presentSave(false, 'a.json', state);
    const [, about = ''] = tooltip.lines().split('\n\n');
    expect(about).toMatch(words);
    expect(spoken.line()).toContain(about);
    expect(text.line()).not.toBe('$(save) Run on save');
  });

  it('warns where something has to be done, and lets foreign words act nowhere', () => {
    const state = notRun({ kind: 'failed', words: '[x](command:y) $(z)' });
    const { warning, tooltip } = presentSave(false, 'a.json', state);
    expect(warning).toBe(true);
    expect(tooltip.markdown()).not.toContain('[x](command:y)');
    expect(presentSave(false, 'a.json', notRun({ kind: 'sameAsRun' })).warning).toBe(false);
  });
});
