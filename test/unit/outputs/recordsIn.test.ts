import { expect, it } from 'vitest';
import { recordsIn } from '../../../src/core/outputs/recordFile';
import { sendingRecord } from '../../../src/core/outputs/recordSteps';
import { writeRunRecord } from '../../../src/core/outputs/runRecord';
import { MemoryFolder } from './memoryFolder';

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
