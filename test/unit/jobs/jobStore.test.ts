import { describe, expect, it } from 'vitest';
import type { JobObservation } from '../../../src/core/jobs/jobObservation';
import type { JobListing } from '../../../src/core/protocol/jobRecord';
import { JobStore, type JobChange } from '../../../src/core/jobs/jobStore';
import { begin, event, id, listing, origin, server, start, submitted, success } from './observations';

const listed = (raw: string, more: Partial<JobListing> = {}, of = server): JobObservation => ({
  kind: 'listed',
  listing: listing(raw, more),
  server: of,
  at: start,
});

function recording(store: JobStore): JobChange[] {
  const changes: JobChange[] = [];
  store.onDidChange((change) => changes.push(change));
  return changes;
}

describe('the store', () => {
  it('reports what was added and changed, and nothing if nothing is new', () => {
    const store = new JobStore();
    const changes = recording(store);
    for (const told of [submitted(), event(begin), event(begin), event(success)]) store.observe(told);
    expect(changes).toEqual([
      { added: [id], changed: [], removed: [] },
      { added: [], changed: [id], removed: [] },
      { added: [], changed: [id], removed: [] },
    ]);
    expect(store.get(id)?.state).toBe('completed');
  });

  it('gives the same list until something changes', () => {
    const store = new JobStore();
    store.observe(submitted());
    const jobs = store.jobs();
    expect(store.jobs()).toBe(jobs);
    store.observe(event(begin));
    expect(store.jobs()).not.toBe(jobs);
  });

  it('does not bring back a removed job that the server still lists', () => {
    const store = new JobStore();
    store.observe(submitted());
    const changes = recording(store);
    store.remove(id);
    store.observe(listed('completed'));
    store.observe(event(success));
    expect([store.jobs(), changes]).toEqual([[], [{ added: [], changed: [], removed: [id] }]]);
    store.observe({ kind: 'submitted', id, origin, server, at: start });
    expect(store.jobs()).toHaveLength(1);
  });

  it('forgets the oldest ended jobs beyond its limit, and never a live one', () => {
    const store = new JobStore(10);
    store.observe({ kind: 'submitted', id: 'alive', origin, server, at: start - 1e9 });
    for (let index = 0; index < 30; index++) {
      store.observe(listed('completed', { id: String(index), endedAt: start + index }));
    }
    const ids = store.jobs().map((job) => job.id);
    expect(ids.length).toBeLessThanOrEqual(12);
    expect(ids).toEqual(expect.arrayContaining(['alive', '29', '28']));
    expect(ids).not.toContain('0');
  });

  it('keeps our own jobs however many others a crowded server lists', () => {
    const store = new JobStore();
    for (const of of ['lives', 'ended'])
      store.observe({ kind: 'submitted', id: of, origin, server, at: start - 1e9 });
    store.observe(event({ type: 'executionSuccess', promptId: 'ended' }, start - 9e8));
    const crowd = Array.from({ length: 14_000 }, (_, index) => `crowd-${index}`);
    const changes = recording(store);
    store.observe({ kind: 'queued', running: [], pending: [...crowd, 'lives'], server, at: start });
    for (const one of crowd) store.observe(listed('completed', { id: one, endedAt: start }));
    expect(store.get('lives')).toMatchObject({ state: 'pending', queuePosition: 14_001 });
    expect(store.get('ended')?.state).toBe('completed');
    expect(changes.flatMap(({ removed }) => removed)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(lives|ended)$/)]),
    );
    expect(store.jobs().length).toBeLessThanOrEqual(2 + 500 + 1_100);
  });

  it('keeps no more live jobs of others than its budget, and accepts later ones', () => {
    const store = new JobStore(3);
    const queue = (pending: string[]) =>
      store.observe({ kind: 'queued', running: [], pending, server, at: start });
    queue(['a', 'b', 'c', 'd', 'e']);
    expect(store.live().map((job) => job.id)).toEqual(['a', 'b', 'c']);
    store.observe(submitted());
    expect(store.get(id)?.state, 'our own, whatever lives there').toBe('pending');
    store.remove(id);
    store.observe({ kind: 'gone', id: 'a', server, at: start });
    queue(['b', 'c', 'd', 'e']);
    expect(store.live(server).map((job) => job.id)).toEqual(['b', 'c', 'd']);
  });

  it("drops someone else's job that vanishes, and marks ours as lost", () => {
    const store = new JobStore();
    store.observe(submitted());
    store.observe({ kind: 'queued', running: [], pending: [id, 'theirs'], server, at: start });
    const changes = recording(store);
    for (const gone of ['theirs', id]) store.observe({ kind: 'gone', id: gone, server, at: start });
    expect(store.jobs()).toMatchObject([{ id, state: 'lost' }]);
    expect(changes[0]).toEqual({ added: [], changed: [], removed: ['theirs'] });
  });

  it('knows live and waiting jobs without scanning all', () => {
    const store = new JobStore();
    store.observe({ kind: 'queued', running: ['r'], pending: ['p', 'q'], server, at: start });
    store.observe({ kind: 'queued', running: ['s'], pending: [], server: 'http://other:1', at: start });
    store.observe({ kind: 'queued', running: ['r', 'p'], pending: ['q'], server, at: start });
    expect(store.live().map((job) => job.id)).toEqual(['r', 'p', 'q', 's']);
    expect(store.live(server)).toHaveLength(3);
    const places = store.live(server).map((job) => job.queuePosition);
    expect(places.filter((place) => place !== undefined)).toEqual([1]);
    store.remove('q');
    expect(store.live(server)).toHaveLength(2);
    expect(store.removed()).toEqual(['q']);
  });
});
