import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MusicEvent } from '../../../../src/core/protocol/musicEvent';
import { MusicHistory } from '../../../../src/host/music/musicHistory';
import { MusicRecording, recordedMusic } from '../../../../src/host/music/recordingWriter';
import { readMusic, type Track } from '../../../../src/host/music/track';
import type { Storage } from '../../../../src/host/platform/storage';

async function recordingFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'recording-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return path.join(folder, 'made', 'music.json');
}

function chunk(streamIndex: number, text: string): MusicEvent {
  return { type: 'audioChunk', streamIndex, streams: 2, bytes: Buffer.from(text) };
}

const heard = (music: Awaited<ReturnType<typeof recordedMusic>>) =>
  music?.result.tracks.map(({ streamIndex, audio }) => [streamIndex, Buffer.from(audio).toString()]);

it('music is written to disk as it arrives and can be kept after the window closes', async () => {
  const file = await recordingFile();
  const recording = await MusicRecording.begin(file);
  for (const event of [chunk(0, 'first'), chunk(1, 'other'), chunk(0, ' half')]) recording.add(event);
  await recording.close();
  const broken = await recordedMusic(file);
  expect(broken?.complete).toBe(false);
  expect(heard(broken)).toEqual([
    [0, 'first half'],
    [1, 'other'],
  ]);
});

it('music that arrived completely is marked as complete', async () => {
  const file = await recordingFile();
  const recording = await MusicRecording.begin(file);
  recording.add(chunk(0, 'all'));
  recording.complete();
  await recording.close();
  expect(await recordedMusic(file)).toMatchObject({ complete: true });
});

it('a recording cut off within a line keeps what came before', async () => {
  const file = await recordingFile();
  const recording = await MusicRecording.begin(file);
  recording.add(chunk(0, 'first'));
  recording.add(chunk(0, 'second'));
  await recording.close();
  const text = await readFile(file, 'utf8');
  for (let cut = 0; cut < text.length; cut++) {
    await writeFile(file, text.slice(0, cut));
    const [, audio] = heard(await recordedMusic(file))?.[0] ?? [0, ''];
    expect('firstsecond'.startsWith(String(audio))).toBe(true);
  }
  expect(await recordedMusic(`${file}.missing`)).toBeUndefined();
});

it('a recording contains no text from the service', async () => {
  const file = await recordingFile();
  const canary = `canary-${'x'.repeat(24)}`;
  const recording = await MusicRecording.begin(file);
  recording.add({
    type: 'title',
    streamIndex: 0,
    promptIndex: 1,
    copyIndex: 2,
    title: canary,
    summary: canary,
  });
  recording.add({ type: 'error', message: canary });
  recording.add(chunk(0, 'music'));
  await recording.close();
  expect(await readFile(file, 'utf8')).not.toContain(canary);
  expect((await recordedMusic(file))?.result.tracks).toMatchObject([{ promptIndex: 1, copyIndex: 2 }]);
});

const begun = {
  ...{ prompt: 'Slow piano', seconds: 30, charges: true, server: 'https://music.test', startedAt: 1 },
  recording: 'recording-a.json',
};

it('music is shown once it is on disk that nothing of its generation is left to save', async () => {
  const files = new Map<string, string>();
  const storage = {
    read: (name: string) => Promise.resolve(files.get(name)),
    write: async (name: string, text: string) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      files.set(name, text);
    },
    list: () => Promise.resolve([...files.keys()].map((name) => ({ name, writtenAt: 0 }))),
    remove: () => Promise.resolve(),
  } as unknown as Storage;
  const history = new MusicHistory(storage, 'music.json', 'writer');
  await history.begin(begun);
  const stored = () => readMusic([...files.values()][0]);
  expect(stored().begun?.prompt).toBe(begun.prompt);
  let shown: ReturnType<typeof stored> | undefined;
  history.onDidChange(() => (shown = stored()));
  const track = { id: 'a', createdAt: 1, uri: 'file:///a.m4a' } as Track;
  await history.add([track], begun);
  expect(history.tracks).toEqual([track]);
  expect(shown?.begun).toBeUndefined();
});

describe('the stored history', () => {
  const about = { title: 'Slow Tide', tags: ['calm'], prompt: 'calm', asked: 30, partial: false };
  const track = { id: 'a', createdAt: 1, fileName: 'a.m4a', uri: 'file:///w/a.m4a', ...about };

  it('is read back, with deletions that can still be undone', () => {
    expect(readMusic(JSON.stringify({ tracks: [track], deleted: { ...track, id: 'b' } }))).toEqual({
      tracks: [track],
      deleted: { ...track, id: 'b' },
      left: [],
      removed: [],
    });
  });

  it('lists what was started but not finished', () => {
    expect(readMusic(JSON.stringify({ begun })).begun).toEqual(begun);
    for (const damaged of [
      7,
      null,
      { ...begun, recording: undefined },
      { ...begun, recording: '../recording-a.json' },
    ])
      expect(readMusic(JSON.stringify({ begun: damaged })).begun).toBeUndefined();
  });

  it('is shorter or empty when damaged', () => {
    for (const text of [undefined, '', 'null', '[]', '{"tracks":7}'])
      expect(readMusic(text)).toEqual({ tracks: [], left: [], removed: [] });
    const stored = {
      tracks: [{ ...track, uri: 'no address' }, { id: 'b' }, null, { ...track, peaks: [1, 'x'], record: 7 }],
    };
    expect(readMusic(JSON.stringify(stored)).tracks).toEqual([track]);
  });
});
