import { expect, it } from 'vitest';
import { lostRuns } from '../../../src/core/records/lostRuns';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { RunFolder, savedRun } from '../gallery/galleryRecords';

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
