import { expect, it } from 'vitest';
import { durationText } from '../../../../src/core/jobs/jobSummary';
import { elapsedText } from '../../../../src/webview/preview/elapsed';

it.each([1_000, 59_999, 60_000, 185_000, 3_599_999, 3_600_000, 7_800_000])(
  'the time of an ongoing run reads as in the Jobs view: %i ms',
  (ms) => {
    expect(elapsedText(ms)).toBe(durationText(ms));
  },
);

it('no time has passed when the clock of the server is ahead', () => {
  expect(elapsedText(-5_000)).toBe('0 s');
});
