import { describe, expect, it } from 'vitest';
import { progressEnding } from '../../../src/core/batch/batchEndings';
import { writeStartedBatch, type StartedBatch } from '../../../src/core/batch/startedBatch';
import type { BatchAxis } from '../../../src/core/batch/batchTable';
import { rowsToRun } from '../../../src/core/batch/rowsToRun';
import { roomForList, rowsAfter, startedBatches, startedRows } from '../../../src/core/batch/startedBatches';
import { recordName, runPrefix } from '../../../src/core/outputs/outputNames';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { writeRunRecord, type RunRecord } from '../../../src/core/records/runRecord';
import { MemoryFolder } from '../outputs/memoryFolder';

const all = (): boolean => true;

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

async function start(folder: MemoryFolder, count: number, at: number, label = 'w.json', isPaid = false) {
  const column = { nodeId: '1', nodeName: 'Text', input: 'value', offset: 0, length: 1 };
  const axes: BatchAxis[] = [
    { columns: [column], steps: Array.from({ length: count }, (_, index) => [String(index)]) },
  ];
  return writeStartedBatch(folder, { label, workflow: 'w.json', workflowHash: '', isPaid, axes }, at);
}

function recordOf({ id, label }: StartedBatch, row: number, at: number, more: Partial<RunRecord>): RunRecord {
  const server = 'http://127.0.0.1:8188';
  const sent = { server, label, sourceUri: label, promptText: '{}', seeds: {}, sentAt: at };
  return { ...sendingRecord(sent), batch: { id, row }, ...more };
}

function put(
  folder: MemoryFolder,
  batch: StartedBatch,
  row: number,
  at: number,
  more: Partial<RunRecord>,
): string {
  const name = recordName(runPrefix(batch.label, at));
  folder.files.set(name, writeRunRecord(recordOf(batch, row, at, more)));
  return name;
}

describe('the started batches of a folder', () => {
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
    const found = await startedBatches(folder, all, roomForList());
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
      (await startedBatches(folder, all, { ...roomForList(), ...room })).map(
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
    const one = rowsAfter(none, batch, 'one.run.json', saved);
    expect(one?.map(({ state, record }) => [state, record])).toEqual([
      ['waiting', undefined],
      ['saved', 'one.run.json'],
    ]);
    const failed = recordOf(batch, 1, 12_000, { state: 'failed', job: 'b' });
    expect(rowsAfter(one ?? [], batch, 'two.run.json', failed)).toBeUndefined();
    expect(rowsAfter(none, { ...batch, id: 'another' }, 'one.run.json', saved)).toBeUndefined();
    const outside = recordOf(batch, 7, 11_000, { state: 'saved' });
    expect(rowsAfter(none, batch, 'one.run.json', outside)).toBeUndefined();
  });
});
