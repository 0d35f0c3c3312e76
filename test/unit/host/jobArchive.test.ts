import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { JobArchive } from '../../../src/host/jobs/jobArchive';
import { JobFile } from '../../../src/host/jobs/jobHistory';
import { listing, origin, server, start, stored } from '../jobs/observations';
import { MemoryStorage } from './memoryStorage';

function windowOn(storage: MemoryStorage, writer: string) {
  const store = new JobStore();
  const resume = vi.fn<(job: Job) => unknown>();
  const archive = new JobArchive({
    store,
    memory: new JobFile(storage, 'jobs-here.json', writer),
    workspaceState: { keys: () => [], get: () => undefined, update: () => Promise.resolve() },
    loadRest: () => Promise.resolve(),
    prune: () => Promise.resolve(),
    resume,
  });
  onTestFinished(() => archive.dispose());
  return { store, archive, resume };
}

describe('the jobs of an earlier window', () => {
  it('are known before the server of one that lives has answered', async () => {
    const storage = new MemoryStorage();
    const earlier = windowOn(storage, '0-earlier');
    earlier.store.restore([stored('running', 'lives')]);
    await earlier.archive.flush();

    const { store, archive, resume } = windowOn(storage, '0-reloaded');
    resume.mockReturnValue(new Promise(() => undefined));
    await archive.load();
    expect(store.get('lives')).toMatchObject({ state: 'running', origin });
    expect(resume).toHaveBeenCalledOnce();
  });

  it('stay ours, and stored, when the server lists them before they are read', async () => {
    const storage = new MemoryStorage();
    const earlier = windowOn(storage, '0-earlier');
    earlier.store.restore([stored('completed', 'ended'), stored('running', 'lives')]);
    await earlier.archive.flush();

    const { store, archive, resume } = windowOn(storage, '0-reloaded');
    for (const [id, state] of [
      ['ended', 'completed'],
      ['lives', 'in_progress'],
    ] as const) {
      store.observe({ kind: 'listed', listing: listing(state, { id }), server, at: start });
    }
    await archive.flush();
    expect(store.jobs()).toMatchObject([
      { id: 'ended', origin, state: 'completed' },
      { id: 'lives', origin, state: 'running' },
    ]);
    expect(resume.mock.calls.map(([{ id }]) => id)).toEqual(['lives']);

    const next = windowOn(storage, '0-next');
    await next.archive.load();
    expect(next.store.jobs()).toMatchObject([
      { id: 'lives', origin },
      { id: 'ended', origin },
    ]);
  });
});
