import { createHash } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { type RunRecord, writeRunRecord } from '../../../src/core/records/runRecord';
import { findRun } from '../../../src/core/records/findRun';
import { OutputError } from '../../../src/core/outputs/outputError';
import { MemoryFolder } from '../outputs/memoryFolder';
import { lostRuns } from '../../../src/core/records/lostRuns';
import { RunFolder, savedRun } from '../gallery/galleryRecords';

const first = sendingRecord({ server: 'http://127.0.0.1', label: 'a', seeds: {}, sentAt: 0 });

/** A folder with the record and the only output of a run. */
function folderOf(stem: string, output: string, content = output): MemoryFolder {
  const bytes = Buffer.from(content);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { name: output, node: '1', area: 'output', original: output, sha256, bytes: bytes.length };
  const record: RunRecord = { ...first, state: 'saved', job: stem, expected: [file], files: [file] };
  const folder = new MemoryFolder();
  folder.files.set(`${stem}.run.json`, writeRunRecord(record));
  folder.files.set(output, bytes);
  return folder;
}

const jobOf = async (...args: Parameters<typeof findRun>): Promise<string | undefined> =>
  (await findRun(...args))?.record.job;

it('finds the run of an output by the start of its name, or in any record of the folder', async () => {
  expect(await jobOf(folderOf('w-1', 'w-1-a.png'), 'w-1-a.png', [])).toBe('w-1');
  expect(await jobOf(folderOf('w-1', 'other.png'), 'other.png', [])).toBe('w-1');
});

it('finds the run of a renamed or moved output by its content', async () => {
  const folder = folderOf('w-1', 'w-1-a.png');
  folder.files.set('best.png', Buffer.from('w-1-a.png'));
  expect(await jobOf(folder, 'best.png', [])).toBe('w-1');
  const elsewhere = new MemoryFolder();
  elsewhere.files.set('best.png', Buffer.from('w-1-a.png'));
  expect(await jobOf(elsewhere, 'best.png', [])).toBeUndefined();
  expect(await jobOf(elsewhere, 'best.png', [folder])).toBe('w-1');
});

it('finds the run that made an output, not a newer one that made the same', async () => {
  for (const output of ['w-1-a.png', 'other.png']) {
    const folder = folderOf('w-1', output, 'same');
    for (const [name, bytes] of folderOf('w-2', 'w-2-a.png', 'same').files) folder.files.set(name, bytes);
    expect(await jobOf(folder, output, [])).toBe('w-1');
  }
});

it('finds the run of an output that it has not saved yet', async () => {
  const folder = folderOf('w-1', 'other.png');
  const file = { name: 'later.png', node: '1', area: 'output', original: 'later.png' };
  folder.files.set(
    'w-2.run.json',
    writeRunRecord({ ...first, job: 'w-2', state: 'saving', expected: [file] }),
  );
  expect(await jobOf(folder, 'later.png', [])).toBe('w-2');
});

it('reads first the record that an output is named after', async () => {
  const folder = folderOf('w', 'w-x.png');
  for (const stem of ['w-1', 'w-2', 'v', 'w-1-b']) {
    const record = folderOf(stem, `${stem}-a.png`).files.get(`${stem}.run.json`);
    folder.files.set(`${stem}.run.json`, record ?? new Uint8Array());
  }
  const read = vi.spyOn(folder, 'read');
  expect(await jobOf(folder, 'w-1-a.png', [])).toBe('w-1');
  expect(read.mock.calls.map(([name]) => name)).toEqual(['w-1.run.json']);
});

it('finds none in a folder that can not be read, and hides no other error', async () => {
  const folder = folderOf('w-1', 'w-1-a.png');
  folder.list = () => Promise.reject(new OutputError('It is not writable.', 'notWritable'));
  expect(await jobOf(folder, 'w-1-a.png', [])).toBeUndefined();
  folder.list = () => Promise.reject(new TypeError('No function.'));
  await expect(jobOf(folder, 'w-1-a.png', [])).rejects.toThrow('No function.');
});

it('finds none for a file that no record lists, or that is not there', async () => {
  const folder = folderOf('w-1', 'w-1-a.png');
  folder.files.set('w-1-mine.png', Buffer.from('mine'));
  expect(await jobOf(folder, 'w-1-mine.png', [])).toBeUndefined();
  expect(await jobOf(folder, 'gone.png', [])).toBeUndefined();
});

const here = 'http://127.0.0.1:8188';
const forgotten = { state: 'lost', why: 'forgotten', job: 'job', promptText: '{"1": 1}' } as const;

/** Puts a run that its server forgot, sent so many seconds after the others. */
function put(folder: RunFolder, name: string, seconds: number, more: Partial<RunRecord> = {}): void {
  folder.put(`${name}.run.json`, savedRun(seconds * 1_000, [], { ...forgotten, ...more }));
}

async function lostIn(folder: RunFolder, server?: string): Promise<readonly string[]> {
  return (await lostRuns(folder, server)).map(({ name }) => name.replace('.run.json', ''));
}

it('lists the runs that their server forgot, oldest first, of one server or of all', async () => {
  const folder = new RunFolder();
  put(folder, 'a', 3, { promptText: '{"1": 3}' });
  put(folder, 'b', 1, { promptText: '{"1": 1}' });
  put(folder, 'c', 2, { promptText: '{"1": 2}', server: 'http://127.0.0.1:1' });
  expect(await lostIn(folder)).toEqual(['b', 'c', 'a']);
  expect(await lostIn(folder, here)).toEqual(['b', 'a']);
});

it.each<[string, Partial<RunRecord>]>([
  ['ended', { state: 'saved', why: undefined }],
  ['was never accepted', { job: undefined }],
  ['is too large to be written down', { promptText: undefined }],
  ['was given up for another reason', { why: 'givenUp' }],
  ['was sent to a sandbox', { serverKind: 'sandbox' }],
  ['is a row of a batch', { batch: { id: 'b', row: 0 } }],
])('leaves out a run that %s', async (_, more) => {
  const folder = new RunFolder();
  put(folder, 'a', 1, more);
  expect(await lostIn(folder)).toEqual([]);
});

it('leaves out what was run again on the same server since, however its prompt is indented', async () => {
  const folder = new RunFolder();
  put(folder, 'a', 1);
  put(folder, 'again', 2, { state: 'saved', why: undefined, promptText: '{ "1":\n1 }' });
  expect(await lostIn(folder)).toEqual([]);
  put(folder, 'again', 2, { state: 'saved', why: undefined, server: 'http://127.0.0.1:1' });
  expect(await lostIn(folder)).toEqual(['a']);
  put(folder, 'again', 0, { state: 'saved', why: undefined });
  expect(await lostIn(folder)).toEqual(['a']);
});

it('compares prompts that are no JSON as they are', async () => {
  const folder = new RunFolder();
  put(folder, 'a', 1, { promptText: '{' });
  put(folder, 'b', 2, { promptText: '{' });
  put(folder, 'c', 3, { promptText: '[' });
  expect(await lostIn(folder)).toEqual(['b', 'c']);
});
