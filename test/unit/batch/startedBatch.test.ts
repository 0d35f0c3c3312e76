import { expect, it, describe } from 'vitest';
import { progressEnding } from '../../../src/core/batch/batchEndings';
import {
  writeStartedBatch,
  readStartedBatch,
  batchesIn,
  requireStarted,
  roomForList,
  type NamedBatch,
  type StartedBatch,
} from '../../../src/core/batch/startedBatch';
import { rowText, type BatchAxis } from '../../../src/core/batch/batchTable';
import { rowsAfter, rowsLeft, rowsToRun, startedRows } from '../../../src/core/batch/batchRow';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { MemoryFolder } from '../outputs/memoryFolder';
import { Life } from './killedLife';
import { readRunRecord, type RunRecord, writeRunRecord } from '../../../src/core/records/runRecord';
import { RunFolder, savedRun } from '../gallery/galleryRecords';
import { recordName, runPrefix } from '../../../src/core/outputs/outputNames';

const column = { nodeId: '1', nodeName: 'Text', input: 'value', offset: 0, length: 1 };
const server = 'http://127.0.0.1:8188';

function about(texts: readonly string[]) {
  const axes: readonly BatchAxis[] = [{ columns: [column], steps: texts.map((text) => [text]) }];
  return { label: 'w.json', workflow: 'w.json', workflowHash: '', isPaid: false, axes };
}

it('a batch that could not be read again is not started', async () => {
  const folder = new MemoryFolder();
  await expect(
    writeStartedBatch(folder, about(Array<string>(700).fill('x'.repeat(100_000))), 0),
  ).rejects.toThrow('exceed 64 MB');
  expect(folder.names).toEqual([]);
});

it.each([
  ['nested lists', '['.repeat(5_000), "is nested more than 900 levels deep, so it wasn't read."],
  ['empty columns', `[${'{},'.repeat(1_000_000)}{}]`, "has more than 1,000,000 values, so it wasn't read."],
])('a started batch of %s is named, and the others are continued', async (_what, text, message) => {
  const folder = new MemoryFolder();
  const { name } = await writeStartedBatch(folder, about(['1']), 0);
  const bad = `other-20260101-000000${progressEnding}`;
  folder.files.set(bad, Buffer.from(text));
  await expect(readStartedBatch(folder, bad)).rejects.toThrow(`${bad} ${message}`);
  const skipped: string[] = [];
  const names: string[] = [];
  for await (const each of batchesIn(folder, (error) => skipped.push(error.message))) names.push(each.name);
  expect(names).toEqual([name]);
  expect(skipped).toEqual([`${bad} ${message}`]);
});

it.each([
  ['overlap', [column, { ...column, offset: 0, length: 2 }]],
  ['are outside of the workflow', [{ ...column, offset: 9 }]],
])('places that %s are the mistake of the batch', (_what, columns) => {
  const axes = [{ columns, steps: [columns.map(() => '1')] }];
  expect(() => rowText('{}', axes, 0)).toThrow(
    "The batch sets values at places that overlap or that the workflow doesn't have.",
  );
});

it('a batch whose folder was renamed is not told to continue', async () => {
  const folder = new MemoryFolder();
  const { name, batch } = await writeStartedBatch(folder, about(['1']), 0);
  await requireStarted(folder, name, batch.id);
  await expect(requireStarted(new MemoryFolder(), name, batch.id)).rejects.toThrow(
    `${name} is no longer in the output folder`,
  );
});

it('a batch whose program is killed while it is kept is there completely or not at all', async () => {
  const seen = new Set<boolean>();
  for (let steps = 0; steps < 12; steps++) {
    const folder = new MemoryFolder();
    const life = new Life(steps);
    const kept = writeStartedBatch(life.folder(folder), about(['1', '2', '3']), 0);
    await Promise.race([kept, life.died]);
    const names = folder.names.filter((name) => name.endsWith(progressEnding));
    for (const name of names) expect((await readStartedBatch(folder, name))?.axes[0]?.steps).toHaveLength(3);
    seen.add(names.length > 0);
  }
  expect(seen).toEqual(new Set([false, true]));
});

describe('of a started batch', () => {
  /** A started batch of which each row but the last has one record, in this order. */
  async function batchWith(records: readonly Partial<RunRecord>[], isPaid = false) {
    const folder = new RunFolder();
    const texts = [...records.map((_, row) => String(row)), 'last'];
    const { batch } = await writeStartedBatch(folder, { ...about(texts), isPaid }, 0);
    for (const [row, more] of records.entries()) {
      const record = savedRun(row * 1_000, [], { job: `job-${row}`, batch: { id: batch.id, row }, ...more });
      folder.put(nameOf(row), record);
    }
    return { folder, batch };
  }

  const nameOf = (row: number) => `w-20260501-09000${row}.run.json`;
  const hide = (text: string): string => text;
  const lost = { state: 'lost', why: 'forgotten' } as const;

  it.each<[Partial<RunRecord>, boolean, string]>([
    [{ state: 'saved' }, false, 'saved'],
    [{ state: 'failed' }, false, 'failed'],
    [{ state: 'outputsUnknown' }, false, 'failed'],
    [{ state: 'submitted' }, false, 'owed'],
    [{ state: 'cancelled' }, true, 'waiting'],
    [lost, false, 'failed'],
    [{ ...lost, job: undefined }, false, 'waiting'],
    [{ ...lost, job: undefined }, true, 'failed'],
    [{ ...lost, why: 'sandboxEnded' }, true, 'waiting'],
  ])('a row with the record %j (paid: %s) is %s', async (record, isPaid, state) => {
    const { folder, batch } = await batchWith([record], isPaid);
    const rows = await rowsToRun(folder, batch);
    expect(rows.map((row) => row.state)).toEqual([state, 'waiting']);
  });

  it('a row says which run it was, and what all its runs cost', async () => {
    const { folder, batch } = await batchWith([{ state: 'submitted', price: { credits: 2, nodes: {} } }]);
    expect((await rowsToRun(folder, batch))[0]).toMatchObject({
      index: 0,
      server,
      job: 'job-0',
      record: nameOf(0),
      prices: { 'job-0': 2 },
    });
  });

  it('rows that failed are run again if that is wanted, and no others', async () => {
    const { folder, batch } = await batchWith([
      { state: 'failed' },
      { state: 'saved' },
      { state: 'submitted' },
    ]);
    const states = async (retry: boolean) =>
      (await rowsLeft(folder, batch, { origins: new Set([server]), retry, hide })).map(({ state }) => state);
    expect(await states(false)).toEqual(['failed', 'saved', 'owed', 'waiting']);
    expect(await states(true)).toEqual(['waiting', 'saved', 'owed', 'waiting']);
  });

  it('jobs of a sandbox that ended are given up, and nothing else is', async () => {
    const sandbox = 'http://127.0.0.1:4';
    const owed = { state: 'submitted', serverKind: 'sandbox' } as const;
    const { folder, batch } = await batchWith([
      { ...owed, server: sandbox },
      owed,
      { ...owed, serverKind: 'local', server: sandbox },
      { ...owed, state: 'saved', server: sandbox },
    ]);
    const rows = await rowsLeft(folder, batch, { origins: new Set([server]), retry: false, hide });
    expect(rows.map(({ state }) => state)).toEqual(['waiting', 'owed', 'owed', 'saved', 'waiting']);
    const recorded = rows.slice(0, 4).map(({ index }) => {
      const record = readRunRecord(String(Buffer.from(folder.files.get(nameOf(index)) ?? [])));
      return [record?.state, record?.why];
    });
    expect(recorded).toEqual([
      ['lost', 'sandboxEnded'],
      ['submitted', undefined],
      ['submitted', undefined],
      ['saved', undefined],
    ]);
  });
});

describe('the started batches of a folder', () => {
  async function listed(folder: MemoryFolder, room = roomForList()): Promise<NamedBatch[]> {
    const found: NamedBatch[] = [];
    for await (const each of batchesIn(folder, undefined, { room })) found.push(each);
    return found;
  }

  /** Nothing may be changed by a look. */
  class ReadFolder extends MemoryFolder {
    isSealed = false;

    override create(name: string): ReturnType<MemoryFolder['create']> {
      return this.isSealed ? Promise.reject(new Error('It writes.')) : super.create(name);
    }

    override remove(name: string): Promise<void> {
      return this.isSealed ? Promise.reject(new Error('It removes.')) : super.remove(name);
    }
  }

  function start(folder: MemoryFolder, count: number, at: number, label = 'w.json') {
    const texts = Array.from({ length: count }, (_, index) => String(index));
    return writeStartedBatch(folder, { ...about(texts), label }, at);
  }

  function recordOf({ id, label }: StartedBatch, row: number, at: number, more: Partial<RunRecord>) {
    const sent = { server, label, sourceUri: label, promptText: '{}', seeds: {}, sentAt: at };
    return { ...sendingRecord(sent), batch: { id, row }, ...more };
  }

  function put(folder: MemoryFolder, batch: StartedBatch, row: number, at: number, more: Partial<RunRecord>) {
    const name = recordName(runPrefix(batch.label, at));
    folder.files.set(name, writeRunRecord(recordOf(batch, row, at, more)));
    return name;
  }

  it('are listed newest first, with what their records say, as far as the same records say for a run', async () => {
    const folder = new ReadFolder();
    const older = await start(folder, 2, 10_000);
    const newer = await start(folder, 5, 20_000, 'other.json');
    put(folder, older.batch, 0, 11_000, { state: 'saved', job: 'a' });
    put(folder, newer.batch, 0, 21_000, { state: 'failed', job: 'b' });
    put(folder, newer.batch, 0, 22_000, { state: 'saved', job: 'c', price: { credits: 3, nodes: {} } });
    put(folder, newer.batch, 1, 23_000, { state: 'saved', job: 'd', price: { credits: 2, nodes: {} } });
    put(folder, newer.batch, 1, 24_000, { state: 'failed', job: 'e', price: { credits: 4, nodes: {} } });
    put(folder, newer.batch, 2, 25_000, { state: 'submitted', job: 'f' });
    put(folder, newer.batch, 3, 26_000, { state: 'cancelled', job: 'g' });
    folder.isSealed = true;
    const found = await listed(folder);
    expect(found).toEqual([newer, older]);
    const rows = await startedRows(
      folder,
      found.map(({ batch }) => batch),
    );
    expect(rows.get(newer.batch.id)?.map(({ state }) => state)).toEqual([
      'saved',
      'saved',
      'owed',
      'waiting',
      'waiting',
    ]);
    expect(rows.get(newer.batch.id)?.[1]?.prices).toEqual({ d: 2, e: 4 });
    folder.isSealed = false;
    for (const { batch } of found) expect(rows.get(batch.id)).toEqual(await rowsToRun(folder, batch));
  });

  it('leave out what is none, and what there is no room for', async () => {
    const folder = new MemoryFolder();
    for (const second of [1, 2, 3]) await start(folder, second * 10, second * 1_000);
    folder.files.set(`bad-20260101-000000${progressEnding}`, Buffer.from('{"format":1'));
    const sizes = async (room: Partial<ReturnType<typeof roomForList>>): Promise<number[]> =>
      (await listed(folder, { ...roomForList(), ...room })).map(
        ({ batch }) => batch.axes[0]?.steps.length ?? 0,
      );
    expect(await sizes({})).toEqual([30, 20, 10]);
    expect(await sizes({ rows: 35 })).toEqual([30]);
    expect(await sizes({ rows: 25 })).toEqual([20]);
    expect(await sizes({ bytes: 0 })).toEqual([]);
  });

  it('take in a record that was written since, unless the row is saved by another', async () => {
    const folder = new MemoryFolder();
    const { batch } = await start(folder, 2, 10_000);
    const saved = recordOf(batch, 1, 11_000, { state: 'saved', job: 'a' });
    const none = (await startedRows(folder, [batch])).get(batch.id) ?? [];
    const one = rowsAfter(none, batch, { name: 'one.run.json', record: saved });
    expect(one?.map(({ state, record }) => [state, record])).toEqual([
      ['waiting', undefined],
      ['saved', 'one.run.json'],
    ]);
    const failed = recordOf(batch, 1, 12_000, { state: 'failed', job: 'b' });
    expect(rowsAfter(one ?? [], batch, { name: 'two.run.json', record: failed })).toBeUndefined();
    expect(
      rowsAfter(none, { ...batch, id: 'another' }, { name: 'one.run.json', record: saved }),
    ).toBeUndefined();
    const outside = recordOf(batch, 7, 11_000, { state: 'saved' });
    expect(rowsAfter(none, batch, { name: 'one.run.json', record: outside })).toBeUndefined();
  });
});
