import { expect, it, vi } from 'vitest';
import { JobStore } from '../../../src/core/jobs/jobStore';
import type { RunSession } from '../../../src/core/runLife/runSession';
import { FoundJobs } from '../../../src/host/runs/foundJobs';
import { detail, id, server, stored } from '../jobs/observations';

function world() {
  const store = new JobStore();
  const followed: string[] = [];
  // Only passed on.
  const session: unknown = {};
  const found = new FoundJobs({
    store,
    servers: { sessionOf: () => Promise.resolve(session as RunSession) },
    ends: { follow: (jobId) => followed.push(jobId) },
    log: { error: () => undefined },
  });
  const ended = () => store.observe({ kind: 'detail', detail: detail('completed'), server, at: 1 });
  return { store, followed, found, ended };
}

it('a job of an earlier window that counted as lost is followed when its server tells of its end', async () => {
  const { store, followed, ended } = world();
  store.restore([stored('lost')]);
  ended();
  ended();
  await vi.waitFor(() => expect(followed).toEqual([id]), { timeout: 20_000 });
});

it('a job that was never lost is left to those who follow it', async () => {
  const { store, followed, ended } = world();
  store.restore([stored('running')]);
  ended();
  await Promise.resolve();
  expect(followed).toEqual([]);
});
