import { expect, it } from 'vitest';
import { recordNamed, recordsIn } from '../../../src/core/records/recordFile';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { writeRunRecord } from '../../../src/core/records/runRecord';
import { MemoryFolder } from '../outputs/memoryFolder';

class CountingFolder extends MemoryFolder {
  reads = 0;

  override read(name: string): Promise<string | undefined> {
    this.reads++;
    return super.read(name);
  }
}

it('reads one run record after the other: a folder may hold thousands of large ones', async () => {
  const folder = new CountingFolder();
  const record = sendingRecord({ server: 'http://127.0.0.1', label: 'a', seeds: {}, sentAt: 0 });
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
  const record = sendingRecord({ server: 'http://127.0.0.1', label: 'a', seeds: {}, sentAt: 0 });
  folder.files.set('a.run.json', Buffer.from('['.repeat(5_000)));
  folder.files.set('b.run.json', writeRunRecord(record));
  const skipped: string[] = [];
  const names: string[] = [];
  for await (const { name } of recordsIn(folder, ({ message }) => skipped.push(message))) names.push(name);
  expect(names).toEqual(['b.run.json']);
  expect(skipped).toEqual(["a.run.json is nested more than 900 levels deep, so it wasn't read."]);
  expect(await recordNamed(folder, 'a.run.json')).toBeUndefined();
});
