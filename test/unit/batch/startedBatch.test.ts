import { expect, it } from 'vitest';
import { progressEnding } from '../../../src/core/batch/batchEndings';
import {
  writeStartedBatch,
  readStartedBatch,
  batchesIn,
  requireStarted,
} from '../../../src/core/batch/startedBatch';
import { rowText, type BatchAxis } from '../../../src/core/batch/batchTable';
import { rowsLeft, rowsToRun } from '../../../src/core/batch/rowsToRun';
import { RecordFile } from '../../../src/core/records/recordFile';
import { sendingRecord, submittedRecord } from '../../../src/core/records/recordSteps';
import { MemoryFolder } from '../outputs/memoryFolder';
import { Life } from './killedLife';

const column = { nodeId: '1', nodeName: 'Text', input: 'value', offset: 0, length: 1 };

function about(texts: readonly string[]) {
  const axes: readonly BatchAxis[] = [{ columns: [column], steps: texts.map((text) => [text]) }];
  return { label: 'w.json', workflow: 'w.json', workflowHash: '', isPaid: false, axes };
}

it('a batch with many long values can be read again', async () => {
  const folder = new MemoryFolder();
  const { name, batch } = await writeStartedBatch(
    folder,
    about(Array<string>(10_000).fill('x'.repeat(1_700))),
    0,
  );
  expect(await readStartedBatch(folder, name)).toEqual(batch);
});

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

class CountingFolder extends MemoryFolder {
  reads = 0;

  override read(name: string): Promise<string | undefined> {
    this.reads++;
    return super.read(name);
  }
}

it('started batches are read one at a time, the newest first: each may be large', async () => {
  const folder = new CountingFolder();
  const kept = [];
  for (const second of [1, 3, 3, 2]) kept.push(await writeStartedBatch(folder, about(['1']), second * 1_000));
  const names: string[] = [];
  for await (const { name } of batchesIn(folder)) {
    names.push(name);
    expect(folder.reads).toBe(names.length);
  }
  expect(names).toEqual([kept[2], kept[1], kept[3], kept[0]].map((each) => each?.name));
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

it('a row of a sandbox that has ended is run again, and its old record is not owed for ever', async () => {
  const folder = new MemoryFolder();
  const { batch } = await writeStartedBatch(folder, about(['1', '2']), 0);
  const hide = (text: string): string => text;
  const server = 'http://127.0.0.1:9';
  for (const [row, serverKind] of (['sandbox', 'local'] as const).entries()) {
    const facts = { server, serverKind, label: 'w.json', promptText: '{}', seeds: {}, sentAt: 1 };
    const record = sendingRecord({ ...facts, batch: { id: batch.id, row } });
    const file = await RecordFile.create(folder, `w-${row}`, submittedRecord(record, `job ${row}`, 1), hide);
    await file.close();
  }
  expect((await rowsToRun(folder, batch)).map(({ state }) => state)).toEqual(['owed', 'owed']);
  const rows = await rowsLeft(folder, batch, { origins: new Set(), retry: false, hide });
  expect(rows.map(({ state }) => state)).toEqual(['waiting', 'owed']);
  expect((await rowsToRun(folder, batch)).map(({ state }) => state)).toEqual(['waiting', 'owed']);
  const record = await folder.read('w-0.run.json');
  expect(JSON.parse(record ?? '')).toMatchObject({ state: 'lost', why: 'sandboxEnded' });
});
