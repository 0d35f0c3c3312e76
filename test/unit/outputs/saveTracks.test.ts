import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GeneratedTrack } from '../../../src/core/client/music/musicTake';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { OutputError } from '../../../src/core/outputs/outputError';
import type { OutputFolder } from '../../../src/core/outputs/outputFolder';
import { saveTracks, TracksNotSavedError, type MusicRun } from '../../../src/core/outputs/saveTracks';

function track(streamIndex: number): GeneratedTrack {
  const audio = new TextEncoder().encode(`music ${streamIndex}`);
  return { streamIndex, title: 'Slow Tide', tags: ['calm'], bytes: audio.length, audio };
}

const run: MusicRun = {
  prompt: 'calm',
  seconds: 30,
  server: 'https://music.example.org',
  startedAt: Date.UTC(2024, 0, 2, 3, 4, 5),
  endedAt: Date.UTC(2024, 0, 2, 3, 5, 5),
  result: { tracks: [track(0), track(1)], creditsUsed: 15.8, skippedLines: 0 },
  complete: true,
  charges: true,
};

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tracks-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A folder whose disk is full when the file with this number is created; 0 for none. */
function fullAt(root: string, number: number): OutputFolder {
  const folder = new NodeFolder(root);
  let made = 0;
  const create = folder.create.bind(folder);
  folder.create = (name) =>
    ++made === number ? Promise.reject(new OutputError('The disk is full.', 'diskFull')) : create(name);
  return folder;
}

async function refusal(work: Promise<unknown>): Promise<TracksNotSavedError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!(error instanceof TracksNotSavedError)) throw new Error(`Not refused: ${String(error)}`);
  return error;
}

async function files(root: string): Promise<string[]> {
  return (await readdir(root)).sort();
}

describe('generated music', () => {
  it('is saved as one file per variant, with one record next to them', async () => {
    const root = await emptyFolder();
    const { tracks, record } = await saveTracks(run, new NodeFolder(root));
    const [first, second, told, ...others] = await files(root);
    expect(others).toEqual([]);
    expect(tracks.map(({ name }) => name)).toEqual([first, told]);
    expect(record).toBe(path.join(root, second ?? ''));
    expect(JSON.parse(await readFile(record ?? '', 'utf8'))).toMatchObject({
      format: 1,
      kind: 'music',
      server: 'https://music.example.org',
      prompt: 'calm',
      duration: 30,
      complete: true,
      startedAt: '2024-01-02T03:04:05.000Z',
      endedAt: '2024-01-02T03:05:05.000Z',
      creditsUsed: 15.8,
      tracks: [
        { title: 'Slow Tide', tags: ['calm'], streamIndex: 0, bytes: 7 },
        { title: 'Slow Tide', tags: ['calm'], streamIndex: 1, bytes: 7 },
      ],
    });
  });

  it('is reported as far as it was saved, and a second try saves only the rest', async () => {
    const root = await emptyFolder();
    const error = await refusal(saveTracks(run, fullAt(root, 2)));
    expect(error).toMatchObject({ reason: 'diskFull', nextAction: 'Free some space on the disk.' });
    expect(error.saved.tracks.map(({ track: { streamIndex } }) => streamIndex)).toEqual([0]);
    expect((await files(root)).filter((name) => name.endsWith('.part'))).toEqual([]);

    const { tracks, record } = await saveTracks(run, new NodeFolder(root), error.saved.tracks);
    expect(tracks.map(({ track: { streamIndex } }) => streamIndex)).toEqual([0, 1]);
    expect((await files(root)).filter((name) => name.endsWith('.m4a'))).toHaveLength(2);
    const told = JSON.parse(await readFile(record ?? '', 'utf8')) as { readonly tracks: readonly unknown[] };
    expect(told.tracks).toHaveLength(2);
  });

  it('keeps its time and its record, whatever letters its title contains', async () => {
    for (const letter of ['x', 'é', '東', '🎹']) {
      const root = await emptyFolder();
      const titled = { ...track(0), title: letter.repeat(200) };
      const result = { ...run.result, tracks: [titled, { ...titled, streamIndex: 1 }] };
      await saveTracks({ ...run, result }, new NodeFolder(root));
      const names = (await readdir(root)).sort();
      expect(names, letter).toHaveLength(3);
      for (const name of names) expect(name).toMatch(/-\d{8}-\d{6}-[12]\.(m4a|run\.json)$/);
    }
  });

  it('is named after its prompt where it has no title, in one line, and without a number when it is alone', async () => {
    const root = await emptyFolder();
    const untitled = { ...track(0), title: undefined };
    const result = { ...run.result, tracks: [untitled] };
    await saveTracks({ ...run, prompt: ' calm / slow \n\n tide ', result }, new NodeFolder(root));
    expect((await files(root)).map((name) => name.replace(/-\d{8}-\d{6}/, ''))).toEqual([
      'calm slow tide.m4a',
      'calm slow tide.run.json',
    ]);
  });

  it('has no record when nothing of it was saved', async () => {
    const root = await emptyFolder();
    const error = await refusal(saveTracks(run, fullAt(root, 1)));
    expect([error.saved.record, error.reason, await files(root)]).toEqual([undefined, 'diskFull', []]);
  });

  it('is not saved twice when only its record failed', async () => {
    const root = await emptyFolder();
    const error = await refusal(saveTracks(run, fullAt(root, 3)));
    expect(error.saved.tracks).toHaveLength(2);
    expect(error.saved.record).toBeUndefined();
    await saveTracks(run, new NodeFolder(root), error.saved.tracks);
    expect(await files(root)).toHaveLength(3);
  });
});
