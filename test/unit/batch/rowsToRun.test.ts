import { describe, expect, it } from 'vitest';
import { rowsLeft, rowsToRun } from '../../../src/core/batch/rowsToRun';
import { writeStartedBatch } from '../../../src/core/batch/startedBatch';
import { readRunRecord, type RunRecord } from '../../../src/core/records/runRecord';
import { RunFolder, savedRun } from '../gallery/galleryRecords';

const server = 'http://127.0.0.1:8188';
const column = { nodeId: '1', nodeName: 'Text', input: 'value', offset: 0, length: 1 };

/** A started batch of which each row but the last has one record, in this order. */
async function batchWith(records: readonly Partial<RunRecord>[], isPaid = false) {
  const folder = new RunFolder();
  const steps = [...records.map((_, row) => [String(row)]), ['last']];
  const about = { label: 'w.json', workflow: 'w.json', workflowHash: '', isPaid };
  const { batch } = await writeStartedBatch(folder, { ...about, axes: [{ columns: [column], steps }] }, 0);
  for (const [row, more] of records.entries()) {
    const record = savedRun(row * 1_000, [], { job: `job-${row}`, batch: { id: batch.id, row }, ...more });
    folder.put(nameOf(row), record);
  }
  return { folder, batch };
}

function nameOf(row: number): string {
  return `w-20260501-09000${row}.run.json`;
}

const hide = (text: string): string => text;
const lost = { state: 'lost', why: 'forgotten' } as const;

describe('of a batch that was started', () => {
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

  it('a row that went to another server waits', async () => {
    const { folder, batch } = await batchWith([lost], true);
    folder.put(
      nameOf(0),
      savedRun(0, [], { ...lost, job: 'a', batch: { id: batch.id, row: 0, moved: true } }),
    );
    expect((await rowsToRun(folder, batch)).map(({ state }) => state)).toEqual(['waiting', 'waiting']);
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
});

describe('of a batch that goes on', () => {
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
