import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type PrunableRun,
  type PruneLimit,
  pruneRuns,
  runsOverLimit,
  changedFile,
  textMentionsFile,
  prunableRuns,
} from '../../../src/core/records/pruneRuns';
import { lockRecord } from '../../../src/core/records/claimRecord';
import { RunFolder, savedRun } from '../gallery/galleryRecords';

const run = (number: number, more: Partial<PrunableRun> = {}): PrunableRun => ({
  record: `${number}.run.json`,
  time: number,
  bytes: 10,
  files: [{ name: `${number}.png`, bytes: 100, sha256: '' }],
  stays: false,
  ...more,
});

const prune = (runs: readonly PrunableRun[], limit: PruneLimit, isNamed?: (file: string) => boolean) =>
  pruneRuns(runs, runsOverLimit([runs], limit), isNamed);

const numbers = (runs: readonly PrunableRun[], limit: PruneLimit): readonly string[] =>
  prune(runs, limit).runs.map(({ record }) => record.replace('.run.json', ''));

describe('pruning runs', () => {
  const runs = [run(3), run(1), run(4), run(2)];

  it.each<[string, PruneLimit, readonly string[]]>([
    ['by age', { kind: 'age', before: 3 }, ['1', '2']],
    ['by age, when all are new', { kind: 'age', before: 1 }, []],
    ['by size', { kind: 'size', most: 220 }, ['1', '2']],
    ['by size, to the last byte', { kind: 'size', most: 219 }, ['1', '2', '3']],
    ['by size, when all fit', { kind: 'size', most: 440 }, []],
  ])('%s', (_, limit, expected) => {
    expect(numbers(runs, limit)).toEqual(expected);
  });

  it('says how much goes', () => {
    expect(prune(runs, { kind: 'age', before: 3 })).toMatchObject({
      files: [
        { name: '1.png', bytes: 100 },
        { name: '2.png', bytes: 100 },
      ],
      bytes: 220,
    });
  });

  it('leaves what stays, and runs whose time is unknown', () => {
    const limit = { kind: 'size', most: 0 } as const;
    expect(numbers([run(1, { stays: true }), run(2), run(3, { time: undefined })], limit)).toEqual(['2']);
  });

  it('leaves files that another run names, in any spelling, until that goes too', () => {
    const shared = { name: 'Input-É.png', bytes: 50, sha256: '' };
    const two = [run(1, { files: [shared] }), run(2, { files: [{ ...shared, name: 'input-e\u0301.png' }] })];
    expect(prune(two, { kind: 'age', before: 2 })).toMatchObject({ files: [], bytes: 10 });
    expect(prune(two, { kind: 'age', before: 3 })).toMatchObject({ bytes: 70 });
    expect(prune(two, { kind: 'age', before: 3 }, () => true).files).toEqual([]);
  });

  it('takes a batch as a whole or not at all: rows without a record would be run again', () => {
    const batch = [1, 2, 3].map((number) => run(number, { batch: 'b' }));
    expect(numbers(batch, { kind: 'age', before: 3 })).toEqual([]);
    expect(prune(batch, { kind: 'age', before: 4 })).toMatchObject({ batches: ['b'] });
    expect(numbers([...batch, run(0, { batch: 'b', stays: true })], { kind: 'age', before: 4 })).toEqual([]);
  });

  it('never takes what stays, a file of a remaining run, or a part of a batch', () => {
    const name = fc.constantFrom('a.png', 'A.png', 'b.png', 'c.png', 'd.png');
    const file = fc.record({ name, bytes: fc.nat(100), sha256: fc.constant('') });
    const any = fc.record({
      record: fc.string(),
      time: fc.option(fc.nat(20), { nil: undefined }),
      bytes: fc.nat(20),
      files: fc.array(file, { maxLength: 3 }),
      batch: fc.constantFrom(undefined, undefined, 'x', 'y'),
      stays: fc.boolean(),
    });
    const limit = fc.oneof(
      fc.record({ kind: fc.constant('age' as const), before: fc.nat(20) }),
      fc.record({ kind: fc.constant('size' as const), most: fc.nat(600) }),
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 10 }), limit, (all, most) => {
        const pruning = prune(all, most);
        const rest = all.filter((each) => !pruning.runs.includes(each));
        expect(pruning.runs.every(({ stays, time }) => !stays && time !== undefined)).toBe(true);
        const named = new Set(rest.flatMap(({ files }) => files.map((each) => each.name.toLowerCase())));
        expect(pruning.files.filter((each) => named.has(each.name.toLowerCase()))).toEqual([]);
        const left = new Set<string | undefined>(rest.map(({ batch }) => batch));
        expect(pruning.batches.filter((batch) => left.has(batch))).toEqual([]);
        expect(pruning.runs.filter(({ batch }) => batch !== undefined && left.has(batch))).toEqual([]);
        // A higher limit never takes more.
        if (most.kind === 'size')
          expect(prune(all, { ...most, most: most.most + 1 }).runs.length).toBeLessThanOrEqual(
            pruning.runs.length,
          );
      }),
    );
  });
});

describe('the runs of a folder that may be pruned', () => {
  const sentAt = new Date(2026, 4, 1).getTime();
  const idle = new AbortController().signal;
  const facts = { isFavorite: () => false, rowCounts: new Map<string, number>() };

  const staying = async (folder: RunFolder, more: Partial<Parameters<typeof prunableRuns>[1]> = {}) => {
    const { runs } = await prunableRuns(folder, { ...facts, ...more }, idle);
    return runs.filter(({ stays }) => stays).map(({ record }) => record);
  };

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
    await lockRecord(folder, 'busy.run.json');
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
