import { expect, it } from 'vitest';
import {
  allRecordsIn,
  findRecord,
  newestRecords,
  recordNamed,
  recordsIn,
} from '../../../src/core/records/recordFile';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { writeRunRecord } from '../../../src/core/records/runRecord';
import { OutputError } from '../../../src/core/outputs/outputError';
import { MemoryFolder } from '../outputs/memoryFolder';

const record = sendingRecord({ server: 'http://127.0.0.1', label: 'a', seeds: {}, sentAt: 0 });

class CountingFolder extends MemoryFolder {
  reads = 0;

  override read(name: string): Promise<string | undefined> {
    this.reads++;
    return super.read(name);
  }
}

it('reads one run record after the other: a folder may hold thousands of large ones', async () => {
  const folder = new CountingFolder();
  for (const name of ['a', 'b', 'c']) folder.files.set(`${name}.run.json`, writeRunRecord(record));
  folder.files.set('d.run.json', Buffer.from('{"format":2,"seeds":{"__proto__":1}}'));
  const names: string[] = [];
  for await (const { name } of recordsIn(folder)) {
    names.push(name);
    expect(folder.reads).toBe(names.length);
  }
  expect(names).toEqual(['a.run.json', 'b.run.json', 'c.run.json']);
});

it('names what is too large for a run record, and reads the rest', async () => {
  const folder = new MemoryFolder();
  folder.files.set('a.run.json', Buffer.from('['.repeat(5_000)));
  folder.files.set('b.run.json', writeRunRecord(record));
  const skipped: string[] = [];
  const names: string[] = [];
  for await (const { name } of recordsIn(folder, ({ message }) => skipped.push(message))) names.push(name);
  expect(names).toEqual(['b.run.json']);
  expect(skipped).toEqual(["a.run.json is nested more than 900 levels deep, so it wasn't read."]);
  expect(await recordNamed(folder, 'a.run.json')).toBeUndefined();
});

async function namesOf(records: AsyncIterable<{ readonly name: string }>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of records) names.push(name);
  return names;
}

it('lists records by name, or the newest so many by their times, and no other files', async () => {
  const folder = new MemoryFolder();
  const stems = ['b-20260101-000000', 'a-20260102-000000', 'c-20260101-000000 (2)', 'c-20251231-235959'];
  for (const stem of stems) folder.files.set(`${stem}.run.json`, writeRunRecord(record));
  folder.files.set('a-20260103-000000.json', writeRunRecord(record));
  folder.files.set('a-20260103-000000.run.json', Buffer.from('{'));
  const [b, a, second, oldest] = stems.map((stem) => `${stem}.run.json`);
  expect(await namesOf(recordsIn(folder))).toEqual([a, b, second, oldest].sort());
  expect(await namesOf(newestRecords(folder, 9))).toEqual([a, second, b, oldest]);
  expect(await namesOf(newestRecords(folder, 3))).toEqual([a, second]);
  expect((await findRecord(folder, ({ label }) => label === 'a'))?.name).toBe(a);
  expect(await findRecord(folder, ({ label }) => label === 'b')).toBeUndefined();
});

it('finds no record under the name of anything else', async () => {
  const folder = new MemoryFolder();
  for (const name of ['a.json', '../a.run.json']) {
    folder.files.set(name, writeRunRecord(record));
    expect(await recordNamed(folder, name)).toBeUndefined();
  }
});

it('says why a record can not be read, and where all count does not go on without what the disk refuses', async () => {
  const folder = new MemoryFolder();
  for (const name of ['a.run.json', 'b.run.json']) folder.files.set(name, writeRunRecord(record));
  const read = folder.read.bind(folder);
  const refuseFirst = (error: Error) => {
    folder.read = (name) => (name === 'a.run.json' ? Promise.reject(error) : read(name));
  };
  const skipped: unknown[] = [];
  const tooLarge = new OutputError('It is too large.', 'notRead');
  refuseFirst(tooLarge);
  expect(await namesOf(recordsIn(folder, (error) => skipped.push(error)))).toEqual(['b.run.json']);
  expect(skipped.splice(0)).toEqual([tooLarge]);
  expect(await namesOf(allRecordsIn(folder))).toEqual(['a.run.json', 'b.run.json']);
  const refused = new OutputError('It is locked.', 'other', new Error('EBUSY'));
  refuseFirst(refused);
  expect(await namesOf(recordsIn(folder, (error) => skipped.push(error)))).toEqual(['b.run.json']);
  expect(skipped).toEqual([]);
  await expect(namesOf(allRecordsIn(folder))).rejects.toBe(refused);
  const bug = new TypeError('No function.');
  refuseFirst(bug);
  await expect(namesOf(recordsIn(folder))).rejects.toBe(bug);
});
