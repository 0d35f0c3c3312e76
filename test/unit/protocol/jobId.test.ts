import { describe, expect, it } from 'vitest';
import { history } from '../../../src/core/protocol/history';
import { jobListings } from '../../../src/core/protocol/jobRecord';
import { promptAnswer } from '../../../src/core/protocol/promptAnswer';
import { queueSnapshot } from '../../../src/core/protocol/queue';
import { readMessage } from '../../../src/core/protocol/socketMessage';
import { isJobId } from '../../../src/core/protocol/wire';

const unusable = ['', ' ', '.', '..', 'a\nb', 'a\u001b[2Jb', '\ud800', 'a\u202eb', 'x'.repeat(100_000)];

describe('the id of a job', () => {
  it.each(['p', '11111111-2222-4333-8444-555555555555', 'a/../b', '-x', '...', 'Größe 1'])(
    'may be %j',
    (id) => {
      expect(isJobId(id)).toBe(true);
    },
  );

  it.each(unusable)('by which nothing can be asked names no job (case %#)', (id) => {
    expect(promptAnswer.safeParse({ prompt_id: id }).success).toBe(false);
    expect(jobListings.parse({ jobs: [{ id, status: 'pending' }] }).jobs).toEqual([]);
    expect(queueSnapshot.parse({ queue_running: [[1, id]], queue_pending: [[2, id]] })).toEqual({
      running: [],
      pending: [],
    });
    expect(history.parse({ [id]: {} })).toEqual([]);
    expect(readMessage('executing', { node: '3', prompt_id: id })).toBeUndefined();
  });

  it('does not keep the other jobs of a list from being read', () => {
    const jobs = [...unusable, 'p'].map((id) => ({ id, status: 'pending' }));
    expect(jobListings.parse({ jobs }).jobs.map(({ id }) => id)).toEqual(['p']);
  });
});
