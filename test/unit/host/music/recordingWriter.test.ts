import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { MusicEvent } from '../../../../src/core/protocol/musicEvent';
import { MusicRecording, recordedMusic } from '../../../../src/host/music/recordingWriter';

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
