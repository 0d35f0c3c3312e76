import { describe, it } from 'vitest';

import type { Job } from '../../../src/core/jobs/job';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { describeJob } from '../../../src/core/jobs/jobWords';
import { parseSocketText } from '../../../src/core/protocol/socketMessage';
import { budgets } from '../../../src/core/safety/budgets';
import { treeGroups } from '../../../src/host/jobs/treeGroups';
import { RunStore } from '../../../src/core/runLife/runStore';
import { expectGentleGrowth } from '../../support/growth';
import {
  detail,
  event,
  executed,
  id,
  observeJobs,
  origin,
  putRecordedJob,
  reduced,
  server,
  start,
  stored,
  storedElsewhere,
} from '../jobs/observations';
import { numbers } from './shapes';

function progressText(count: number, of: number): string {
  const nodes = numbers(count).map((index) => {
    const nodeId = `${of}:${index}`;
    return [
      nodeId,
      { value: 1, max: 20, state: 'running', node_id: nodeId, display_node_id: nodeId },
    ] as const;
  });
  return JSON.stringify({
    type: 'progress_state',
    data: { prompt_id: id, nodes: Object.fromEntries(nodes) },
  });
}

/** A store with this many ended jobs of other clients, and one running job of ours. */
function crowdedStore(count: number): JobStore {
  const store = new JobStore(count);
  store.observe({ kind: 'submitted', id, origin, server, at: start });
  observeJobs(
    store,
    numbers(count).map((index) => storedElsewhere('completed', `ended-${index}`)),
  );
  return store;
}

describe('time grows with the input', { timeout: 120_000 }, () => {
  it('of the outputs of one job, reported one by one and together', async () => {
    // Each report copies the list, 8 bytes per output: beyond this size it shows in the times without being noticed.
    await expectGentleGrowth({
      from: 250,
      to: 2_000,
      input: (size) => numbers(size).map((index) => `${index}.png`),
      run: (names) => {
        const images = names.map((filename) => ({ filename, subfolder: '', type: 'output' }));
        const told = detail('completed', { outputs: { '3': { images } } });
        return reduced([
          ...names.map((name) => event(executed('3', [name]))),
          { kind: 'detail', detail: told, server, at: start },
        ]);
      },
    });
  });

  it('of messages about many nodes of one job', async () => {
    await expectGentleGrowth({
      from: 500,
      to: budgets.nodesOfJob,
      input: (size) => numbers(5).map((of) => progressText(size, of)),
      run: (texts) => {
        const store = new JobStore();
        for (const [at, text] of texts.entries()) {
          const told = parseSocketText(text);
          if (told) store.observe(event(told, start + at));
        }
        return store.jobs().map((job) => describeJob(job, start));
      },
    });
  });

  it('of events and lookups while many runs are known', async () => {
    await expectGentleGrowth({
      from: 1_000,
      to: 16_000,
      input: (size) => {
        const store = new JobStore();
        const runs = new RunStore(store);
        store.observe({ kind: 'submitted', id, origin, server, at: start });
        for (const at of numbers(size)) putRecordedJob(runs, stored('completed', `ended-${at}`));
        return { store, runs };
      },
      run: ({ store, runs }) => {
        const file = { filename: 'a', subfolder: '', area: 'output', media: 'image', nodeId: '9' } as const;
        for (let value = 0; value < 1_000; value++) {
          store.observe(
            event({ type: 'progress', promptId: id, nodeId: '2', value, max: 1_000 }, start + value),
          );
          runs.job(`ended-${value}`);
          runs.fileOf(`ended-${value}`, file);
        }
        return runs.jobs();
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

  it('of showing many jobs', async () => {
    await expectGentleGrowth({
      from: 500,
      to: 16_000,
      input: (size) =>
        numbers(size).map((index): Job => {
          return { ...stored('completed', `${index}`), endedAt: start - index * 60_000 };
        }),
      run: (jobs) => treeGroups(jobs, start),
    });
  });
});
