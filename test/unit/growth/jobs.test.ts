import { describe, it } from 'vitest';
import { groupJobs } from '../../../src/core/jobs/jobGroups';
import { mergeJobs, readJobs, writeJobs } from '../../../src/core/jobs/jobMemory';
import type { Job } from '../../../src/core/jobs/job';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { describeJob } from '../../../src/core/jobs/jobWords';
import { parseSocketText } from '../../../src/core/protocol/socketMessage';
import { queueSnapshot } from '../../../src/core/protocol/queue';
import { budgets } from '../../../src/core/safety/budgets';
import { treeGroups } from '../../../src/host/jobs/treeGroups';
import { expectGentleGrowth } from '../../support/growth';
import {
  detail,
  event,
  executed,
  id,
  listing,
  origin,
  reduced,
  server,
  start,
  stored,
} from '../jobs/observations';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

function progressText(count: number, of = 0): string {
  const nodes = numbers(count).map((index) => {
    const nodeId = `${of}:${index}`;
    return [nodeId, { value: 1, max: 20, state: 'running', node_id: nodeId, display_node_id: nodeId }];
  });
  const data = { prompt_id: id, nodes: Object.fromEntries(nodes) as Record<string, unknown> };
  return JSON.stringify({ type: 'progress_state', data });
}

/** A store with this many ended jobs of other clients, and one running job of ours. */
function crowdedStore(count: number): JobStore {
  const store = new JobStore({ foreignEnded: count, foreignLive: count });
  store.observe({ kind: 'submitted', id, origin, server, at: start });
  store.restore(numbers(count).map((index) => stored('completed', `ended-${index}`)));
  return store;
}

// Medians are slow on a machine that others use too.
describe('time grows with the input', { timeout: 120_000 }, () => {
  it('of outputs reported one by one', async () => {
    // Each report copies the list, 8 bytes per output: beyond this size it shows in the times without being noticed.
    await expectGentleGrowth({
      from: 250,
      to: 2_000,
      input: (size) => numbers(size).map((index) => event(executed('3', [`${index}.png`]))),
      run: (events) => reduced(events),
    });
  });

  it('of a message about the progress of many nodes', async () => {
    await expectGentleGrowth({
      from: 500,
      to: budgets.nodesOfJob,
      input: (size) => progressText(size),
      run: (text) => parseSocketText(text),
    });
  });

  it('of many messages about many nodes of one job', async () => {
    await expectGentleGrowth({
      from: 500,
      to: budgets.nodesOfJob,
      input: (size) => numbers(5).map((of) => parseSocketText(progressText(size, of))),
      run: (events) => {
        const store = new JobStore();
        for (const [at, told] of events.entries()) if (told) store.observe(event(told, start + at));
        return store.jobs();
      },
    });
  });

  it('of events while many jobs are kept', async () => {
    await expectGentleGrowth({
      from: 1_000,
      to: 16_000,
      input: crowdedStore,
      run: (store) => {
        for (let step = 0; step < 1_000; step++) {
          const progress = { type: 'progress', promptId: id, nodeId: '2', value: step, max: 1_000 } as const;
          store.observe(event(progress, start + step));
          store.live(server);
        }
        return store.get(id);
      },
    });
  });

  it('of a moving queue', async () => {
    await expectGentleGrowth({
      from: 250,
      to: 8_000,
      input: (size) => numbers(size).map((index) => `queued-${index}`),
      run: (pending) => {
        const store = new JobStore({ foreignLive: pending.length });
        for (let gone = 0; gone < 20; gone++) {
          const running = pending.slice(gone, gone + 1);
          store.observe({ kind: 'queued', running, pending: pending.slice(gone + 1), server, at: start });
        }
        return store.jobs();
      },
    });
  });

  it('of reading the queue', async () => {
    await expectGentleGrowth({
      from: 1_000,
      to: 64_000,
      input: (size) => ({
        queue_running: [],
        queue_pending: numbers(size).map((index) => [-index, `job-${index}`, {}, { create_time: start }, []]),
      }),
      run: (raw) => queueSnapshot.parse(raw),
    });
  });

  it("of listing other people's jobs", async () => {
    await expectGentleGrowth({
      from: 500,
      to: 16_000,
      input: (size) =>
        numbers(size).map((index) => listing('completed', { id: `job-${index}`, endedAt: index })),
      run: (listings) => {
        const store = new JobStore();
        for (const told of listings) store.observe({ kind: 'listed', listing: told, server, at: start });
        return store.jobs();
      },
    });
  });

  it('of the outputs of one job', async () => {
    await expectGentleGrowth({
      from: 250,
      to: 8_000,
      input: (size) => numbers(size).map((index) => `${index}.png`),
      run: (names) => {
        const images = names.map((filename) => ({ filename, subfolder: '', type: 'output' }));
        const told = detail('completed', { outputs: { '3': { images } } });
        return reduced([{ kind: 'detail', detail: told, server, at: start }, event(executed('3', names))]);
      },
    });
  });

  it('of the summary of a job with many nodes', async () => {
    await expectGentleGrowth({
      from: 1_000,
      to: 64_000,
      input: (size): Job => {
        const nodes = numbers(size).map((index) => [
          `${index}`,
          { nodeId: `${index}`, state: 'running', value: 1, max: 2 },
        ]);
        const names = numbers(size).map((index) => [`${index}`, 'Sampler']);
        return {
          ...stored('running'),
          nodes: Object.fromEntries(nodes) as Job['nodes'],
          origin: { ...origin, nodeNames: Object.fromEntries(names) as Record<string, string> },
        };
      },
      run: (job) => describeJob(job, start),
    });
  });

  it.each([
    ['the groups', groupJobs],
    ['the tree', treeGroups],
  ])('of %s of many jobs', async (_what, group) => {
    await expectGentleGrowth({
      from: 1_000,
      to: 32_000,
      input: (size) =>
        numbers(size).map((index): Job => ({
          ...stored('completed', `${index}`),
          endedAt: start - index * 60_000,
        })),
      run: (jobs) => group(jobs, start),
    });
  });

  it('of writing and reading jobs', async () => {
    await expectGentleGrowth({
      from: 500,
      to: 8_000,
      input: (size) => numbers(size).map((index) => stored('completed', `${index}`)),
      run: (jobs) => mergeJobs([readJobs(writeJobs(jobs, {}, jobs.length)), jobs]),
    });
  });
});
