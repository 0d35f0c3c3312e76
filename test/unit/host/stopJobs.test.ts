import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { foreignRecord, sendingRecord, submittedRecord } from '../../../src/core/records/recordSteps';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { RunsElsewhere } from '../../../src/host/jobs/runsElsewhere';
import { StopJobs } from '../../../src/host/jobs/stopJobs';
import type { RecordedRun } from '../../../src/host/ledger/windowLedger';
import { told } from '../../support/inMemoryVscode';
import { origin, server, start, stored, storedElsewhere } from '../jobs/observations';

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
    expect(told[0]).toContain('Cancel 2 jobs on One?');
    expect(cancelled).toEqual([]);
  });
});

const promptText = JSON.stringify({ '3': { class_type: 'KSampler', inputs: { seed: 5 } } });
const facts = { server, label: origin.label, seeds: { '3.seed': '5' }, promptText, sentAt: start };
const sent = submittedRecord(sendingRecord(facts), 'theirs', start);

function setUp(run: RunRecord | undefined, { isOurs = false } = {}) {
  const store = new JobStore();
  const known: string[] = [];
  const recorded = run && { record: run, folder: '/outputs', isOurs };
  const runOf = vi.fn(({ id }: { readonly id: string }): Promise<RecordedRun | undefined> =>
    Promise.resolve(id === 'theirs' ? recorded : undefined),
  );
  const runs = new RunsElsewhere({
    store,
    pointers: { read: () => Promise.resolve() },
    ledger: {
      runOf,
      noteChange: () => undefined,
      onDidChange: (() => ({ dispose: () => undefined })) as never,
    },
    log: { error: (_what, error) => expect.unreachable(String(error)) },
    pauses: [0, 5, 5],
  });
  runs.onDidChange((ids) => known.push(...ids));
  onTestFinished(() => runs.dispose());
  return { store, known, runs, runOf };
}

const named = async (known: readonly string[], id: string): Promise<void> =>
  vi.waitFor(() => expect(known).toContain(id), 20_000);

describe('a job that this window did not submit', () => {
  it.each([
    { isOurs: true, from: 'window' },
    { isOurs: false, from: 'record' },
  ] as const)('has its name from the record that its sender wrote: $from', async ({ isOurs, from }) => {
    const { store, known, runs } = setUp(sent, { isOurs });
    store.restore([storedElsewhere('running', 'theirs'), storedElsewhere('running', 'unknown')]);
    await named(known, 'theirs');
    expect(known).toEqual(['theirs']);
    expect(runs.of(storedElsewhere('running', 'theirs'))).toMatchObject({
      from,
      origin: { label: origin.label, seeds: { '3.seed': '5' }, nodeNames: { '3': 'KSampler' } },
    });
    // A cloned repository has records as well.
    expect(runs.isMine(runs.named(storedElsewhere('running', 'theirs')))).toBe(isOurs);
    expect(runs.named(storedElsewhere('running', 'unknown')).origin).toBeUndefined();
    const elsewhere = { ...storedElsewhere('running', 'theirs'), server: 'http://127.0.0.1:1' };
    expect(runs.of(elsewhere)).toBeUndefined();
  });

  it('is looked up again while it is alive: its record may appear late', async () => {
    const { store, known, runOf } = setUp(sent);
    runOf.mockResolvedValueOnce(undefined).mockResolvedValueOnce(undefined);
    store.restore([storedElsewhere('running', 'theirs')]);
    await named(known, 'theirs');
    expect(runOf).toHaveBeenCalledTimes(3);
  });

  it('is not looked up for ever', async () => {
    const { store, runOf } = setUp(undefined);
    store.restore([storedElsewhere('running', 'theirs'), storedElsewhere('completed', 'ended')]);
    await vi.waitFor(() => expect(runOf).toHaveBeenCalledTimes(4), 20_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(runOf).toHaveBeenCalledTimes(4);
  });

  it("remains someone else's even after its outputs were saved here", async () => {
    const job = storedElsewhere('completed', 'theirs');
    const { store, known, runOf } = setUp(foreignRecord(job, undefined), { isOurs: true });
    store.restore([job]);
    await vi.waitFor(() => expect(runOf).toHaveBeenCalled(), 20_000);
    expect(known).toEqual([]);
  });
});
