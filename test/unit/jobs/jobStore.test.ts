import { describe, expect, it } from 'vitest';
import { JobStore, type JobChange } from '../../../src/core/jobs/jobStore';
import { begin, event, id, listing, origin, server, start, submitted, success } from './observations';

function recording(store: JobStore): JobChange[] {
  const changes: JobChange[] = [];
  store.onDidChange((change) => changes.push(change));
  return changes;
}

describe('the store', () => {
  it('names what was added and changed, and says nothing where nothing is new', () => {
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

  it('does not take back a removed job because the server goes on listing it', () => {
    const store = new JobStore();
    store.observe(submitted());
    const changes = recording(store);
    store.remove(id);
    store.observe({ kind: 'listed', listing: listing('completed'), server, at: start });
    store.observe(event(success));
    expect([store.jobs(), changes]).toEqual([[], [{ added: [], changed: [], removed: [id] }]]);
    store.observe({ kind: 'submitted', id, origin, server, at: start });
    expect(store.jobs()).toHaveLength(1);
  });

  it('keeps what it knows over what is read back', () => {
    const store = new JobStore();
    store.observe(submitted());
    const [remembered] = store.jobs();
    store.observe(event(success));
    store.restore(remembered ? [remembered] : []);
    expect(store.get(id)?.state).toBe('completed');
  });

  it('forgets the oldest that have ended beyond its limit, and never one that lives', () => {
    const store = new JobStore({ limit: 10 });
    store.observe({ kind: 'submitted', id: 'alive', origin, server, at: start - 1e9 });
    for (let index = 0; index < 30; index++) {
      const told = listing('completed', { id: String(index), endedAt: start + index });
      store.observe({ kind: 'listed', listing: told, server, at: start });
    }
    const ids = store.jobs().map((job) => job.id);
    expect(ids.length).toBeLessThanOrEqual(11);
    expect(ids).toEqual(expect.arrayContaining(['alive', '29', '28']));
    expect(ids).not.toContain('0');
  });

  it('stops telling when asked to', () => {
    const store = new JobStore();
    const changes: JobChange[] = [];
    store.onDidChange((change) => changes.push(change))();
    store.observe(submitted());
    expect(changes).toEqual([]);
  });
});
