import { describe, expect, it } from 'vitest';
import { sendingRecord } from '../../../src/core/outputs/recordSteps';

describe('the first record of a run', () => {
  const run = { server: 'http://127.0.0.1:8188', label: 'w.json', seeds: {}, sentAt: 0 };

  it('contains only what records should, whatever else its run knows', () => {
    const knowing = {
      ...run,
      origin: { sourceUri: 'file:///elsewhere/w.json' },
      workflowText: 'Bearer of a secret',
      folder: '/elsewhere/outputs',
    };
    expect(sendingRecord(knowing)).toEqual(sendingRecord(run));
  });
});
