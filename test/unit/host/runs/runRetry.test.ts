import { expect, it } from 'vitest';
import { JobStore } from '../../../../src/core/jobs/jobStore';
import { RunRetry } from '../../../../src/host/runs/runRetry';
import { detail, id, server, stored } from '../../jobs/observations';

function world() {
  const store = new JobStore();
  const followed: string[] = [];
  const found = ({ id: jobId }: { readonly id: string }) => Promise.resolve(void followed.push(jobId));
  const unused = {} as never;
  const retry = new RunRetry({
    store,
    windowRuns: { found } as never,
    ...{ pointers: unused, servers: unused, log: unused, ready: () => Promise.resolve() },
  });
  const ended = () => store.observe({ kind: 'detail', detail: detail('completed'), server, at: 1 });
  return { store, followed, retry, ended };
}

it('a job of an earlier window that counted as lost is followed when its server tells of its end', () => {
  const { store, followed, ended } = world();
  store.restore([stored('lost')]);
  ended();
  ended();
  expect(followed).toEqual([id]);
});

it('a job that was never lost is left to those who follow it', () => {
  const { store, followed, ended } = world();
  store.restore([stored('running')]);
  ended();
  expect(followed).toEqual([]);
});
