import { expect, it } from 'vitest';
import { MusicHistory } from '../../../../src/host/music/musicHistory';
import type { Storage } from '../../../../src/host/platform/storage';
import { readMusic, type Track } from '../../../../src/host/music/track';

const begun = {
  ...{ prompt: 'Slow piano', seconds: 30, charges: true, server: 'https://music.test', startedAt: 1 },
  recording: 'recording-a.json',
};
const track = {
  id: 'a',
  prompt: 'Slow piano',
  title: 'Rain',
  tags: [],
  seconds: 30,
  createdAt: 1,
  uri: 'file:///a.m4a',
} as unknown as Track;

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
  await history.add([track], begun);
  expect(history.tracks).toEqual([track]);
  expect(shown?.begun).toBeUndefined();
});
