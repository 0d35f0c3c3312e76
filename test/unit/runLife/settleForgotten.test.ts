import { expect, it, vi } from 'vitest';
import { OwnedRun } from '../../../src/core/runLife/ownedRun';
import type { RunSession } from '../../../src/core/runLife/runSession';
import { settleForgotten } from '../../../src/core/runLife/settleForgotten';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { completed, tracked } from '../jobs/fakeServer';
import { server } from '../jobs/observations';
import { fakeTime } from '../jobs/trackerTime';
import { RunFolder, savedRun } from '../gallery/galleryRecords';
import { portsInMemory } from './ports';

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

it.each<[string, Partial<RunRecord>]>([
  ['another server', { server: 'http://127.0.0.1:1' }],
  ['a batch', { batch: { id: 'b', row: 0 } }],
  ['a sandbox of a window', { serverKind: 'sandbox' }],
  [
    'which outputs are known',
    { expected: [{ name: 'a.png', node: '1', area: 'output', original: 'a.png' }] },
  ],
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
