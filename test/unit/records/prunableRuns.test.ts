import { describe, expect, it } from 'vitest';
import { claimRecord } from '../../../src/core/records/claimRecord';
import { changedFile, textMentionsFile, prunableRuns } from '../../../src/core/records/pruneRuns';
import { RunFolder, savedRun } from '../gallery/galleryRecords';

const sentAt = new Date(2026, 4, 1).getTime();
const idle = new AbortController().signal;
const facts = { isFavorite: () => false, rowCounts: new Map<string, number>() };

const staying = async (folder: RunFolder, more: Partial<Parameters<typeof prunableRuns>[1]> = {}) => {
  const { runs } = await prunableRuns(folder, { ...facts, ...more }, idle);
  return runs.filter(({ stays }) => stays).map(({ record }) => record);
};

describe('the runs of a folder that may be pruned', () => {
  it('have their files with sizes and hashes, those that are there', async () => {
    const folder = new RunFolder();
    const input = { node: '1', input: 'image', name: 'a.png', path: 'a.png', bytes: 3, sha256: 'ab' };
    folder.put(
      'a.run.json',
      savedRun(sentAt, ['a.png', 'b.png'], { inputs: [{ ...input, kept: 'kept.png' }] }),
    );
    folder.files.set('kept.png', Buffer.from('abc'));
    folder.files.delete('b.png');
    const { runs } = await prunableRuns(folder, facts, idle);
    expect(runs).toMatchObject([
      {
        record: 'a.run.json',
        time: sentAt,
        stays: false,
        batch: undefined,
        files: [
          { name: 'a.png', bytes: 5, sha256: 'hash of a.png' },
          { name: 'kept.png', bytes: 3, sha256: 'ab' },
        ],
      },
    ]);
  });

  it('do not take the record of another run for a file of theirs', async () => {
    const folder = new RunFolder();
    folder.put('evil.run.json', savedRun(sentAt, ['good.run.json', 'good.batch-run.json', 'own.png']));
    const { runs } = await prunableRuns(folder, facts, idle);
    expect(runs.flatMap(({ files }) => files.map(({ name }) => name))).toEqual(['own.png']);
  });

  it('are not those with something owed, a favorite, or a record that is being written', async () => {
    const folder = new RunFolder();
    for (const state of ['sending', 'submitted', 'saving', 'incomplete', 'failed'] as const)
      folder.put(`${state}.run.json`, savedRun(sentAt, [], { state }));
    folder.put('favorite.run.json', savedRun(sentAt, ['x.png']));
    folder.put('busy.run.json', savedRun(sentAt, []));
    await claimRecord(folder, 'busy.run.json');
    expect((await staying(folder, { isFavorite: (name) => name === 'x.png' })).sort()).toEqual([
      'busy.run.json',
      'favorite.run.json',
      'incomplete.run.json',
      'saving.run.json',
      'sending.run.json',
      'submitted.run.json',
    ]);
  });

  it('are not those of a batch with rows left', async () => {
    const folder = new RunFolder();
    folder.put('1.run.json', savedRun(sentAt, [], { batch: { id: 'b', row: 0 } }));
    folder.put('2.run.json', savedRun(sentAt, [], { batch: { id: 'b', row: 0 }, state: 'failed' }));
    folder.put('3.run.json', savedRun(sentAt, [], { batch: { id: 'b', row: 1 }, state: 'cancelled' }));
    expect(await staying(folder, { rowCounts: new Map([['b', 2]]) })).toHaveLength(3);
    folder.put('4.run.json', savedRun(sentAt, [], { batch: { id: 'b', row: 1 } }));
    expect(await staying(folder, { rowCounts: new Map([['b', 2]]) })).toEqual([]);
    // Without the file of the batch, nobody can resume it.
    expect((await prunableRuns(folder, facts, idle)).runs.map(({ batch }) => batch)).not.toContain('b');
  });

  it('leave files that an unreadable record mentions', async () => {
    const folder = new RunFolder();
    folder.files.set('new.run.json', Buffer.from('{"format": 99, "files": [{"name": "a \\"b\\".png"}]}'));
    const { runs, unreadable } = await prunableRuns(folder, facts, idle);
    expect(runs).toEqual([]);
    expect(
      unreadable.map((text) => [textMentionsFile(text, 'a "b".png'), textMentionsFile(text, 'c.png')]),
    ).toEqual([[true, false]]);
  });

  it('tell which file was changed since', async () => {
    const folder = new RunFolder();
    folder.put('a.run.json', savedRun(sentAt, ['a.png']));
    const [run] = (await prunableRuns(folder, facts, idle)).runs;
    if (!run) throw new Error('no run');
    expect(await changedFile(folder, run)).toBe('a.png');
    const now = await folder.fingerprint('a.png');
    const files = [{ name: 'a.png', bytes: 5, sha256: now?.sha256 ?? '' }];
    expect(await changedFile(folder, { ...run, files })).toBeUndefined();
    folder.files.delete('a.png');
    expect(await changedFile(folder, { ...run, files })).toBeUndefined();
  });
});
