import { afterEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { StopJobs } from '../../../src/host/jobs/stopJobs';
import { origin, stored, storedElsewhere } from '../jobs/observations';
import { told } from '../../support/inMemoryVscode';

afterEach(() => {
  told.length = 0;
});

/** A window with a job of its own, and one that only a record of the workspace names; every question is closed. */
function world(state: 'pending' | 'running') {
  const jobs = [stored(state, 'own'), storedElsewhere(state, 'recorded')];
  const cancelled: string[] = [];
  const cancel = (id: string) => {
    cancelled.push(id);
    return Promise.resolve('cancelled');
  };
  const session = {
    origin: jobs[0]?.server,
    server: { name: 'One' },
    tracker: { cancel },
  };
  const elsewhere = {
    named: (job: Job): Job => ({ ...job, origin: job.origin ?? origin }),
    isMine: ({ id }: Job) => id === 'own',
  };
  const servers = {
    nameOf: () => 'One',
    sessionOf: () => Promise.resolve(session),
    quietSession: () => Promise.resolve(session),
  };
  const store = { live: () => jobs };
  const stop = new StopJobs(
    servers as never,
    store as never,
    { expectCancelled: () => undefined } as never,
    elsewhere,
  );
  return { stop, cancelled, jobs: jobs.map((job) => elsewhere.named(job)) };
}

describe('a job that only a run record names', () => {
  it('is cancelled only after a question, and without it nothing else is', async () => {
    const { stop, cancelled, jobs } = world('running');
    await stop.cancel(jobs);
    expect(told).toEqual([`Cancel ${origin.label} on One?`]);
    expect(cancelled).toEqual([]);
    await stop.cancel(jobs.slice(0, 1));
    expect(cancelled).toEqual(['own']);
  });

  it("is named as someone else's before the queue is emptied", async () => {
    const { stop, cancelled } = world('pending');
    await stop.cancelPending();
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('Cancel 2 queued jobs on One?');
    expect(cancelled).toEqual([]);
  });
});
