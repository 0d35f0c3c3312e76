import { describe, expect, it } from 'vitest';
import type { ViewAnswer } from '../../../src/core/client/view';
import type { Job, JobFile } from '../../../src/core/jobs/job';
import { OutputError } from '../../../src/core/outputs/outputError';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { OutputsNotSavedError } from '../../../src/core/runLife/outputsNotSaved';
import { saveRunOutputs } from '../../../src/core/runLife/saveOutputs';
import { followedRun, jobThat, made, pictureOf } from './followedRun';

const signal = new AbortController().signal;
const [a, b] = [made('a.png'), made('b.png')];

/** A run whose outputs are saved, again and again; `asked`: what was fetched. */
async function saving() {
  const { folder, run } = await followedRun();
  const asked: string[] = [];
  const view = (file: JobFile): Promise<ViewAnswer> => {
    asked.push(file.filename);
    return Promise.resolve(pictureOf(file));
  };
  const save = (job: Job) => saveRunOutputs({ job, client: { view }, folder, run: run.file, signal });
  const change = (step: (record: RunRecord) => RunRecord) => run.change(step);
  return { folder, run, asked, save, change };
}

const both = jobThat('completed', a, b);

describe('outputs that are saved again', () => {
  it('are not fetched again while they are on disk, and are all the same told', async () => {
    const { asked, save, run } = await saving();
    const first = await save(both);
    expect(await save(both)).toEqual(first);
    expect(asked).toEqual(['a.png', 'b.png']);
    expect(run.record).toMatchObject({
      state: 'saved',
      files: [{ original: 'a.png' }, { original: 'b.png' }],
    });
  });

  it('are on disk also if there was no time to record that', async () => {
    const { asked, save, change } = await saving();
    const first = await save(both);
    await change((record) => ({ ...record, state: 'saving', files: [] }));
    expect(await save(both)).toEqual(first);
    expect(asked).toEqual(['a.png', 'b.png']);
  });

  it('are fetched again once they are gone, under the same name', async () => {
    const { folder, asked, save } = await saving();
    const [first] = await save(both);
    await folder.remove(first?.name ?? '');
    expect((await save(both))[0]).toEqual(first);
    expect(asked).toEqual(['a.png', 'b.png', 'a.png']);
  });

  it('are fetched again if another file has their name, which stays as it is', async () => {
    const { folder, asked, save, run } = await saving();
    const [first] = await save(both);
    folder.files.set(first?.name ?? '', Buffer.from('drawn over'));
    const [again] = await save(both);
    expect(asked).toEqual(['a.png', 'b.png', 'a.png']);
    expect(again?.name).toBe(`${run.file.stem}-a (2).png`);
    expect(await folder.read(first?.name ?? '')).toBe('drawn over');
    expect(run.record.expected[0]?.name).toBe(again?.name);
  });

  it('are fetched again if the disk cannot be asked', async () => {
    const { folder, asked, save } = await saving();
    await save(both);
    folder.fingerprint = () => Promise.reject(new OutputError('No.', 'missing'));
    await save(both);
    expect(asked).toEqual(['a.png', 'b.png', 'a.png', 'b.png']);
  });

  it.each([
    ['of another run', 'readme-a.png', 'readme-a.png'],
    ['that would be a program', '{stem}-a.exe', '{stem}-a.exe'],
  ])('never take a name %s from a record that others may have edited', async (_, name, avoided) => {
    const { folder, save, change, run } = await saving();
    const named = (text: string) => text.replace('{stem}', run.file.stem);
    const expected = [{ name: named(name), node: '3', area: 'output', original: 'a.png' }];
    await change((record) => ({ ...record, state: 'saving', expected }));
    const [saved] = await save(jobThat('completed', a));
    expect(saved?.name).toBe(`${run.file.stem}-a.png`);
    expect(folder.names).not.toContain(named(avoided));
  });

  it('keep the name that was chosen for them', async () => {
    const { save, change, run } = await saving();
    const name = `${run.file.stem}-chosen.png`;
    const expected = [{ name, node: '3', area: 'output', original: 'a.png' }];
    await change((record) => ({ ...record, state: 'saving', expected }));
    expect((await save(both)).map((each) => each.name)).toEqual([name, `${run.file.stem}-b.png`]);
  });
});

it.each([
  [1, [], 'The server reports 1 output for this job but lists 0.'],
  [3, [], 'The server reports 3 outputs for this job but lists 0.'],
  [3, [a], 'The server reports 3 outputs for this job but lists 1. 1 output saved.'],
] as const)('outputs counted and not listed are owed: %i of %j', async (outputsCount, listed, message) => {
  const { save, run } = await saving();
  const job = { ...jobThat('completed', ...listed), outputsCount };
  await expect(save(job)).rejects.toMatchObject({
    message,
    failed: [{ error: { reason: 'notListed' } }],
    saved: listed.map((file) => ({ file })),
  });
  expect(run.record).toMatchObject({ state: 'incomplete', unlisted: outputsCount - listed.length });
});

describe('a folder that fails', () => {
  it('before the first file is the reason why none is saved', async () => {
    const { folder, save } = await saving();
    const closed = new OutputError('The folder is closed.', 'notWritable');
    folder.list = () => Promise.reject(closed);
    const error = await save(both).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OutputsNotSavedError);
    expect(error).toMatchObject({ saved: [], failed: [{ error: closed }], message: closed.message });
  });

  it('when a file gets its name leaves nothing unfinished, and saves the others', async () => {
    const { folder, save } = await saving();
    const rename = folder.rename.bind(folder);
    folder.rename = (from, to) =>
      to.endsWith('-a.png') ? Promise.reject(new OutputError('No.', 'broken')) : rename(from, to);
    await expect(save(both)).rejects.toMatchObject({ saved: [{ file: b }], failed: [{ file: a }] });
    expect(folder.names.filter((name) => !name.endsWith('.stamp'))).toHaveLength(3);
    expect(folder.names.filter((name) => name.includes('b.png'))).toHaveLength(1);
  });

  it('when the record is completed keeps nothing from being saved', async () => {
    const { folder, save } = await saving();
    const replace = folder.replace.bind(folder);
    let writes = 0;
    const full = new OutputError('The disk is full.', 'diskFull');
    // The record is written before the files, and when all is done.
    folder.replace = (from, to) => (++writes > 1 ? Promise.reject(full) : replace(from, to));
    expect(await save(jobThat('completed', a))).toMatchObject([{ file: a }]);
  });
});
