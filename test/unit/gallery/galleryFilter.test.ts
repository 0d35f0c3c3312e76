import { describe, expect, it } from 'vitest';
import {
  galleryChoices,
  filterRows,
  type GalleryFilter,
  type GalleryRow,
  type GalleryOrder,
  runsBeside,
  sortRows,
  type Rating,
} from '../../../src/core/gallery/galleryFilter';
import { localDay } from '../../../src/core/safety/timeText';
import type { RunFacts, RunFile } from '../../../src/core/runLife/run';

const first = new Date(2026, 4, 1, 9).getTime();
const second = new Date(2026, 4, 2, 23, 59).getTime();

type More = Partial<Pick<RunFile, 'name' | 'kind'> & RunFacts & { record: string }>;

function row(
  id: number,
  { record = `${id}.run.json`, name = `${id}.png`, kind = 'image', ...more }: More,
): GalleryRow {
  const facts: RunFacts = {
    ...{ state: 'saved', time: first, label: 'portrait.json', server: 'http://127.0.0.1:8188' },
    ...{ seeds: [], search: '', isSent: true, ...more },
  };
  const run = { place: { folder: '/', record }, facts, phase: { kind: 'saved' } as const, files: [] };
  const file: RunFile = { id, name, kind, node: '9', key: name, sha256: '', bytes: 1 };
  return { run: { ...run, isOurs: false, isElsewhere: false }, file };
}

const rows = [
  row(4, { time: second, search: 'a red fox in the snow', seeds: ['18446744073709551615'] }),
  row(3, { time: second, label: 'song.json', kind: 'audio', name: 'Rain.flac', batch: 'b2' }),
  row(2, { server: 'https://cloud.comfy.org', batch: 'b1' }),
  row(1, { search: 'a red car', batch: 'b1', time: first - 1 }),
];

function found(filter: GalleryFilter): readonly number[] {
  return filterRows(rows, filter, ({ file }) => file.id === 2).map(({ file }) => file.id);
}

describe('a filter of outputs', () => {
  it.each<[string, GalleryFilter, readonly number[]]>([
    ['nothing', {}, [4, 3, 2, 1]],
    ['a workflow', { workflow: 'song.json' }, [3]],
    ['the addresses of a server', { servers: ['https://cloud.comfy.org', 'http://127.0.0.1:1'] }, [2]],
    ['a server without outputs', { servers: [] }, []],
    ['a kind', { kind: 'audio' }, [3]],
    ['a day', { day: '2026-05-02' }, [4, 3]],
    ['a batch', { batch: 'b1' }, [2, 1]],
    ['favorites', { favoritesOnly: true }, [2]],
    ['a word of the prompt', { text: 'Fox' }, [4]],
    ['several words, in any order', { text: ' car  RED ' }, [1]],
    ['a name', { text: 'rain' }, [3]],
    ['a seed', { text: '18446744073709551615' }, [4]],
    ['two things at once', { kind: 'image', text: 'red', day: '2026-05-01' }, [1]],
    ['words of different outputs', { text: 'fox car' }, []],
  ])('by %s', (_, filter, expected) => {
    expect(found(filter)).toEqual(expected);
  });

  it('offers what there is, newest first', () => {
    expect(galleryChoices(rows)).toEqual({
      workflows: ['portrait.json', 'song.json'],
      days: ['2026-05-02', '2026-05-01'],
      servers: ['http://127.0.0.1:8188', 'https://cloud.comfy.org'],
      batches: [
        { id: 'b2', label: 'song.json', time: second },
        { id: 'b1', label: 'portrait.json', time: first },
      ],
      kinds: ['image', 'audio'],
    });
  });

  it('goes by local days', () => {
    expect(localDay(new Date(2026, 0, 31, 23, 59, 59).getTime())).toBe('2026-01-31');
    expect(localDay(new Date(2026, 1, 1, 0, 0, 0).getTime())).toBe('2026-02-01');
  });
});

describe('the order of outputs', () => {
  it.each<[GalleryOrder, readonly number[]]>([
    ['newest', [4, 3, 2, 1]],
    ['oldest', [1, 2, 3, 4]],
    ['workflow', [4, 2, 1, 3]],
    ['rating', [2, 1, 4, 3]],
  ])('is by %s, and newest first among equals', (order, expected) => {
    const stars = new Map<number, Rating>([
      [2, 5],
      [1, 3],
    ]);
    const sorted = sortRows(rows, order, ({ file }) => stars.get(file.id) ?? 0);
    expect(sorted.map(({ file }) => file.id)).toEqual(expected);
    expect(rows.map(({ file }) => file.id)).toEqual([4, 3, 2, 1]);
  });
});

describe('the runs beside an output', () => {
  const runs = Array.from({ length: 50 }, (_, index) => row(50 - index, {}));
  const beside = (...wanted: readonly number[]): readonly (readonly number[])[] =>
    runsBeside(runs, new Set(wanted)).map((group) => group.flat().map(({ file }) => file.id));

  it('are those of its workflow around it', () => {
    const [group = [], ...others] = beside(30);
    expect(others).toEqual([]);
    expect([group[0], group.at(-1)]).toEqual([25, 48]);
  });

  it('stay the same when a new run is saved', () => {
    expect(runsBeside([row(51, {}), ...runs], new Set([30]))).toEqual(runsBeside(runs, new Set([30])));
  });

  it('are never none where there are others', () => {
    const newest = runsBeside(runs.slice(1), new Set([49])).map((group) =>
      group.flat().map(({ file }) => file.id),
    );
    expect(newest).toEqual([[48, 49]]);
  });

  it('keep the outputs of a run together', () => {
    const two = [row(2, { record: 'a' }), row(1, { record: 'a' })];
    expect(runsBeside(two, new Set([1]))).toEqual([[[two[1], two[0]]]]);
  });

  it('are found at once for a run with as many outputs as a gallery lists', () => {
    const many = Array.from({ length: 50_000 }, (_, at) => row(at, { record: 'a' }));
    expect(runsBeside(many, new Set([1]))).toHaveLength(1);
  });
});
