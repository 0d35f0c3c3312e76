import { describe, expect, it } from 'vitest';
import { historyAnswer } from '../../../src/core/protocol/history';
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

  it.each(unusable)("is invalid if it can't be used in a request (case %#)", (id) => {
    expect(promptAnswer.safeParse({ prompt_id: id }).success).toBe(false);
    expect(jobListings.parse({ jobs: [{ id, status: 'pending' }] }).jobs).toEqual([]);
    expect(queueSnapshot.parse({ queue_running: [[1, id]], queue_pending: [[2, id]] })).toEqual({
      running: [],
      pending: [],
    });
    expect(historyAnswer.parse({ [id]: {} })).toEqual([]);
    expect(readMessage('executing', { node: '3', prompt_id: id })).toBeUndefined();
  });

  it('that is invalid does not affect other jobs of a list', () => {
    const jobs = [...unusable, 'p'].map((id) => ({ id, status: 'pending' }));
    expect(jobListings.parse({ jobs }).jobs.map(({ id }) => id)).toEqual(['p']);
  });
});
