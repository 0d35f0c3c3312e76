import { afterEach, describe, expect, it } from 'vitest';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { RunStore } from '../../../src/core/runLife/runStore';
import { StopJobs } from '../../../src/host/jobs/stopJobs';
import { told } from '../../support/inMemoryVscode';
import { observeJobs, origin, putRecordedJob, stored, storedElsewhere } from '../jobs/observations';

afterEach(() => {
  told.length = 0;
});

/** A window with a job of its own, and one that only a record of the workspace names; every question is closed. */
function world(state: 'pending' | 'running') {
  const store = new JobStore();
  const runs = new RunStore(store);
  observeJobs(store, [stored(state, 'own'), storedElsewhere(state, 'recorded')]);
  putRecordedJob(runs, stored('pending', 'recorded'), { state: 'submitted' });
  const jobs = runs.jobs();
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
  const servers = {
    nameOf: () => 'One',
    sessionOf: () => Promise.resolve(session),
    quietSession: () => Promise.resolve(session),
  };
  const stop = new StopJobs(servers as never, runs, { expectCancelled: () => undefined } as never);
  return { stop, cancelled, jobs };
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
    expect(told[0]).toContain('Cancel 2 jobs on One?');
    expect(cancelled).toEqual([]);
  });
});
