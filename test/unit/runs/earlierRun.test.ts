import { describe, expect, it } from 'vitest';

import type { Job } from '../../../src/core/jobs/job';
import { earlierRun } from '../../../src/core/runs/runOnSaveQueue';

const file = 'file:///a.json';
const asked = { file, sourceHash: 's1', promptHash: 'p1' };

function job(createdAt: number, sourceHash: string, promptHash?: string, more: Partial<Job> = {}): Job {
  return {
    id: String(createdAt),
    server: 'http://127.0.0.1:1',
    origin: {
      label: 'a',
      sourceUri: file,
      sourceHash,
      promptHash,
      nodeNames: {},
      seeds: {},
    },
    state: 'completed',
    cancelling: false,
    createdAt,
    nodes: {},
    outputs: [],
    texts: [],
    blocked: [],
    ...more,
  };
}

describe('what is known about earlier runs of a saved prompt', () => {
  it("nothing when the file's last run had another prompt", () => {
    expect(earlierRun(asked, false, [], [])).toBeUndefined();
    expect(earlierRun(asked, false, [job(1, 's1', 'p1'), job(2, 's2', 'p2')], [])).toBeUndefined();
    const other = {
      ...job(3, 's1', 'p1'),
      origin: { label: 'b', sourceUri: 'file:///b.json', nodeNames: {}, seeds: {} },
    };
    expect(earlierRun(asked, false, [other], [])).toBeUndefined();
  });

  it('that it ran: by the prompt, for older jobs by the text', () => {
    expect(earlierRun(asked, false, [job(2, 'other blanks', 'p1'), job(1, 's2', 'p2')], [])).toBe(
      'sameAsRun',
    );
    expect(earlierRun(asked, false, [job(1, 's1')], [])).toBe('sameAsRun');
    expect(earlierRun({ ...asked, promptHash: undefined }, false, [job(1, 's9')], [])).toBeUndefined();
  });

  it('that it ran before an old job was run again, and after its row was removed', () => {
    expect(earlierRun(asked, true, [job(1, 's1', 'p1'), job(2, 's2', 'p2')], [])).toBe('sameAsRun');
    expect(earlierRun(asked, true, [], [])).toBe('sameAsRun');
  });

  it('that its fate is unclear, whatever has run since', () => {
    const { origin } = job(1, 's1', 'p1');
    if (!origin) throw new Error('no origin');
    expect(earlierRun(asked, false, [job(2, 's2', 'p2')], [origin])).toBe('unclear');
    expect(earlierRun({ ...asked, sourceHash: 's3', promptHash: 'p3' }, false, [], [origin])).toBeUndefined();
  });

  it('nothing when the server accepted and then refused it; a failed node counts as a run', () => {
    const failure = (message: string): Partial<Job> => ({
      state: 'failed',
      failure: { exceptionType: 'ValidationError', message, traceback: [] },
    });
    const late = JSON.stringify({
      error: { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation' },
      node_errors: {
        '1': { class_type: 'A', errors: [{ type: 'x', message: 'm', details: '', extra_info: {} }] },
      },
    });
    expect(earlierRun(asked, true, [job(1, 's1', 'p1', failure(late))], [])).toBeUndefined();
    expect(earlierRun(asked, true, [job(1, 's1', 'p1', failure('out of memory'))], [])).toBe('sameAsRun');
    const words = { ...failure(late).failure, exceptionType: 'X', message: late, traceback: [], nodeId: '1' };
    expect(earlierRun(asked, true, [job(1, 's1', 'p1', { failure: words })], [])).toBe('sameAsRun');
  });
});
