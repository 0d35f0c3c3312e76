import { describe, expect, it, vi } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { settleJob } from '../../../src/core/jobs/followedJobs';
import type { JobDetail } from '../../../src/core/protocol/jobRecord';
import { detail, failure, id, stored } from './observations';
import { fakeTime } from './trackerTime';

const never = new AbortController().signal;

fakeTime();

/** How many times the record of a job is read until nothing more is expected, or the error at the end. */
async function reads(job: Job | undefined, record: JobDetail | undefined, end = never): Promise<unknown> {
  const read = vi.fn(() => Promise.resolve(record));
  const settled = settleJob({ get: () => job, read }, id, end, never).then(
    () => read.mock.calls.length,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return settled;
}

const whole = detail('completed', { outputs: { '3': { text: ['a', 'b'] } }, outputsCount: 2 });
const partly = detail('completed', { outputs: { '3': { text: ['a'] } }, outputsCount: 2 });
const text = { text: 'a', nodeId: '3' };

describe('the record of a job that has ended is read', () => {
  it.each<[string, Job, JobDetail | undefined, number]>([
    ['its outputs are listed', stored('completed'), whole, 1],
    ['it was cancelled', stored('cancelled'), undefined, 1],
    ['it was lost', stored('lost'), undefined, 1],
    ['it failed and says why', { ...stored('failed'), failure: failure() }, detail('failed'), 1],
    ['it completed and lists fewer outputs than it counts', stored('completed'), partly, 9],
    ['it completed and lists none', stored('completed'), detail('completed', { outputsCount: 0 }), 9],
    ['it failed and does not say why', stored('failed'), detail('failed'), 9],
    ['it failed and has no record', stored('failed'), undefined, 9],
    ['it completed, has no record, and told a text', { ...stored('completed'), texts: [text] }, undefined, 9],
    ['its record never tells outputs', stored('completed'), detail('completed', { tellsOutputs: false }), 3],
  ])('until nothing more is expected: %s', async (_, job, record, times) => {
    expect(await reads(job, record)).toBe(times);
  });

  it('once where only events tell outputs, and the server has said that they are over', async () => {
    const record = detail('completed', { tellsOutputs: false });
    expect(await reads(stored('completed'), record, AbortSignal.abort())).toBe(1);
  });

  it('once if the job was taken from the list meanwhile', async () => {
    expect(await reads(undefined, undefined)).toBe(1);
  });

  it.each([['running', detail('in_progress')] as const, ['missing', undefined] as const])(
    'and a completed job whose record stays %s is no job without outputs, but trouble',
    async (_, record) => {
      expect(await reads(stored('completed'), record)).toMatchObject({
        reason: 'unexpectedShape',
        endpoint: `GET /api/jobs/${id}`,
        nextAction: expect.stringMatching(/You don't need to rerun the job/) as string,
      });
    },
  );

  it('no more once nobody waits for it', async () => {
    const read = vi.fn(() => Promise.resolve(undefined));
    const settled = settleJob({ get: () => stored('completed'), read }, id, never, AbortSignal.abort());
    await expect(settled).rejects.toThrow();
    expect(read).not.toHaveBeenCalled();
  });
});
