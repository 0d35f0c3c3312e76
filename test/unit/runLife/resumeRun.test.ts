import type { EndPhase } from '../../../src/core/runLife/run';
import { describe, expect, it, vi } from 'vitest';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { resumeRun } from '../../../src/core/runLife/takeUpRun';
import { OwnedRun } from '../../../src/core/runLife/ownedRun';
import { completed, tracked } from '../jobs/fakeServer';
import { server } from '../jobs/observations';
import { fakeTime } from '../jobs/trackerTime';
import { followedRun, portsInMemory } from './followedRun';
import type { RunSession } from '../../../src/core/runLife/runSession';
import { settleForgotten } from '../../../src/core/runLife/settleForgotten';
import { RunFolder, savedRun } from '../gallery/galleryRecords';

const promptText = JSON.stringify({
  '1': { class_type: 'KSampler', inputs: {}, _meta: { title: 'Base pass' } },
  '3': { class_type: 'SaveImage', inputs: { images: ['1', 0] } },
});

/**
 * A submitted run whose program ended, and a server that knows its job after the given time, in ms.
 * @param more what the record says besides
 */
async function world(knownAfter: number, more: (record: RunRecord) => RunRecord = (record) => record) {
  const { run, ports } = await followedRun({ promptText, quiet: true });
  await run.accepted('job');
  await run.change(more);
  await run.close();
  const { source, store, tracker } = tracked();
  if (Number.isFinite(knownAfter)) setTimeout(() => source.records.set('job', completed), knownAfter);
  const picture = () => Promise.resolve({ body: new Blob(['a picture']).stream(), size: 9, resumable: true });
  const session = { tracker, client: { view: picture } } as unknown as Parameters<typeof resumeRun>[1];
  const resume = async (wait: boolean): Promise<{ end: EndPhase; run: OwnedRun }> => {
    const resumed = await OwnedRun.open(run.name, ports);
    if (!(resumed instanceof OwnedRun)) throw new Error(String(resumed));
    const ended = resumeRun(resumed, session, ports, { wait }, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(180_000);
    return { end: await ended, run: resumed };
  };
  return { resume, store, source };
}

fakeTime();

describe('a submitted run that is taken up again', () => {
  it.each([true, false])('is not lost if its server forgets it for 30 seconds (wait: %s)', async (wait) => {
    const { resume } = await world(30_000);
    const { end, run } = await resume(wait);
    expect(end).toMatchObject({ kind: 'saved' });
    expect(run.record.state).toBe('saved');
  });

  it.each([true, false])('is lost once its server keeps not knowing it (wait: %s)', async (wait) => {
    const { resume, source } = await world(Number.POSITIVE_INFINITY);
    const { end, run } = await resume(wait);
    expect(end).toMatchObject({ kind: 'lost', why: 'forgotten' });
    expect(run.record).toMatchObject({ state: 'lost', why: 'forgotten' });
    expect(source.count('job job')).toBeGreaterThanOrEqual(4);
  });

  it.each([
    { state: 'cancelled', end: 'cancelled' },
    { state: 'failed', end: 'failed', error: { message: 'No memory left', node: '1' } },
    { state: 'saved', end: 'saved', texts: [{ node: '3', text: 'a word' }] },
    // Some of its outputs were on disk when it was last asked.
    { state: 'incomplete', end: 'failed', error: { message: 'No memory left' } },
  ] as const)('keeps its end when the server has forgotten it: $state', async ({ state, end, ...more }) => {
    const { resume } = await world(Number.POSITIVE_INFINITY, (record) => ({ ...record, state, ...more }));
    const { end: ended, run } = await resume(true);
    expect(ended.kind).toBe(end);
    expect(run.record).toMatchObject({ state: end, ...more });
  });
});

describe('runs that a server forgot', () => {
  fakeTime();

  /** A folder with runs of these names, each open and with a job of the same name, unless told otherwise. */
  function runs(all: Readonly<Record<string, Partial<RunRecord>>>) {
    const folder = new RunFolder();
    for (const [job, more] of Object.entries(all))
      folder.put(`${job}.run.json`, savedRun(1_000, [], { state: 'submitted', server, job, ...more }));
    const { source, tracker } = tracked();
    const ports = portsInMemory({ folder });
    const session = { origin: server, tracker } as unknown as RunSession;
    const missing: number[] = [];
    const settle = async (): Promise<void> => {
      const settling = settleForgotten(session, ports, new AbortController().signal, (count) =>
        missing.push(count),
      );
      await vi.advanceTimersByTimeAsync(60_000);
      await settling;
    };
    const stateOf = async (job: string): Promise<string> => {
      const run = await OwnedRun.open(`${job}.run.json`, ports);
      return run instanceof OwnedRun ? run.record.state : String(run);
    };
    return { source, tracker, ports, missing, settle, stateOf };
  }

  it('asks for all runs together, and waits once', async () => {
    const { source, missing, settle, stateOf } = runs({ a: {}, b: {}, c: {}, d: {} });
    source.records.set('a', completed);
    source.running.push('b');
    await settle();
    expect([await stateOf('a'), await stateOf('b')]).toEqual(['submitted', 'submitted']);
    expect([await stateOf('c'), await stateOf('d')]).toEqual(['lost', 'lost']);
    expect(missing).toEqual([2]);
  });

  it('keeps a run that its server forgets for half a minute', async () => {
    const { source, settle, stateOf } = runs({ a: {} });
    setTimeout(() => source.records.set('a', completed), 30_000);
    await settle();
    expect(await stateOf('a')).toBe('submitted');
  });

  const known = { name: 'a.png', node: '1', area: 'output', original: 'a.png' };

  it.each<[string, Partial<RunRecord>]>([
    ['another server', { server: 'http://127.0.0.1:1' }],
    ['a batch', { batch: { id: 'b', row: 0 } }],
    ['a sandbox of a window', { serverKind: 'sandbox' }],
    ['which outputs are known', { expected: [known] }],
    ['which nobody knows whether it was accepted', { state: 'sending', job: undefined }],
  ])('does not ask for a run of %s', async (_, more) => {
    const { source, settle } = runs({ a: more });
    await settle();
    expect(source.asked).toEqual([]);
  });

  it('leaves a run to who follows it', async () => {
    const { source, ports, settle } = runs({ a: {} });
    await OwnedRun.open('a.run.json', ports);
    await settle();
    expect(source.asked).toEqual([]);
  });
});
