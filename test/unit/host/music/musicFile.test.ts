import { describe, expect, it } from 'vitest';
import { mergeMusic, MusicFile } from '../../../../src/host/music/musicFile';
import { noMusic, type BegunMusic, type StoredMusic, type Track } from '../../../../src/host/music/track';
import { MemoryStorage } from '../memoryStorage';

/** No process has this id. */
const gone = 2 ** 30;

function track(id: string, createdAt: number, more: Partial<Track> = {}): Track {
  const uri = `file:///music/${id}.m4a`;
  const about = { title: id, tags: [], prompt: 'calm', asked: 30, partial: false };
  return { id, createdAt, fileName: `${id}.m4a`, uri, ...about, ...more };
}

function note(recording: string): BegunMusic {
  const known = { prompt: 'calm', seconds: 30, charges: true, server: 'https://music.test', startedAt: 1 };
  return { ...known, recording: `recording-${recording}.json` };
}

/** A window on the workspace: what it knows, and its file. */
class MusicWindow {
  stored: StoredMusic = noMusic;
  leftDeleted: readonly Track[] = [];
  othersMake = false;
  readonly #file: MusicFile;

  constructor(storage: MemoryStorage, pid: number, name: string) {
    this.#file = new MusicFile(storage, 'music-x.json', `${pid}-${name}`);
  }

  async look(): Promise<this> {
    const others = await this.#file.others();
    Object.assign(this, mergeMusic(this.stored, others));
    return this;
  }

  async keep(change: Partial<StoredMusic>): Promise<void> {
    this.stored = { ...this.stored, ...change };
    await this.#file.save(this.stored);
  }

  get ids(): readonly string[] {
    return this.stored.tracks.map(({ id }) => id);
  }
}

describe('music of windows that share a workspace', () => {
  it("is stored per window, and no window overwrites another's", async () => {
    const storage = new MemoryStorage();
    const one = await new MusicWindow(storage, process.pid, 'one').look();
    const two = await new MusicWindow(storage, process.pid, 'two').look();
    await Promise.all([one.keep({ tracks: [track('a', 1)] }), two.keep({ tracks: [track('b', 2)] })]);
    await one.keep({ tracks: [track('c', 3), ...one.stored.tracks], begun: note('of-one') });
    await two.keep({ begun: note('of-two') });
    const three = await new MusicWindow(storage, process.pid, 'three').look();
    expect(three.ids).toEqual(['c', 'b', 'a']);
    expect(three.stored.left, 'their windows tell of them').toEqual([]);
    expect(three.othersMake).toBe(true);
    expect((await one.look()).ids).toEqual(['c', 'b', 'a']);
    expect(one.stored.begun).toEqual(note('of-one'));
  });

  it('is taken over from closed windows, unfinished tracks included', async () => {
    const storage = new MemoryStorage();
    await storage.write(
      'music-x.json',
      JSON.stringify({ tracks: [track('early', 1)], begun: note('early') }),
    );
    for (const [index, name] of ['one', 'two'].entries()) {
      const dead = new MusicWindow(storage, gone, name);
      await dead.keep({ tracks: [track(name, 2 + index)], begun: note(name) });
    }
    const next = await new MusicWindow(storage, process.pid, 'next').look();
    expect(next.ids).toEqual(['two', 'one', 'early']);
    const left = ['early', 'one', 'two'].map(note);
    expect(next.stored.left).toHaveLength(3);
    expect(next.stored.left).toEqual(expect.arrayContaining(left));
    await next.keep({});
    expect(storage.files.size, 'one file holds it all').toBe(1);
    const later = await new MusicWindow(storage, process.pid, 'later').look();
    expect(later.ids).toEqual(['two', 'one', 'early']);
  });

  it('that a window was generating is offered by another once that window is gone', async () => {
    const storage = new MemoryStorage();
    const other = new MusicWindow(storage, process.pid, 'other');
    await other.keep({ begun: note('cut-off') });
    const here = await new MusicWindow(storage, process.pid, 'here').look();
    expect(here.stored.left).toEqual([]);
    const text = await storage.read(`music-x.${process.pid}-other.json`);
    await storage.remove(`music-x.${process.pid}-other.json`);
    await storage.write(`music-x.${gone}-other.json`, text ?? '');
    expect((await here.look()).stored.left).toEqual([note('cut-off')]);
    expect(here.othersMake).toBe(false);
    // Nobody reports it again once it was kept, though a window that died may still have known it.
    await here.keep({ left: [], removed: ['recording-cut-off.json'] });
    await new MusicWindow(storage, gone, 'stale').keep({ left: [note('cut-off')] });
    expect((await here.look()).stored.left).toEqual([]);
  });

  it('stays deleted even if another window still has it', async () => {
    const storage = new MemoryStorage();
    const one = new MusicWindow(storage, process.pid, 'one');
    await one.keep({ tracks: [track('a', 1), track('b', 2)] });
    const two = await new MusicWindow(storage, process.pid, 'two').look();
    await one.keep({ tracks: [track('b', 2)], deleted: track('a', 1) });
    expect((await two.look()).ids, 'it may come back').toEqual(['b']);
    expect(two.leftDeleted).toEqual([]);
    await one.keep({ tracks: [track('b', 2), track('a', 1)], deleted: undefined });
    expect((await two.look()).ids).toEqual(['b', 'a']);
    await two.keep({});
    await one.keep({ tracks: [track('b', 2)], removed: ['a'] });
    expect((await two.look()).ids).toEqual(['b']);
  });

  it('is deleted for good when the window that could undo the deletion is gone', async () => {
    const storage = new MemoryStorage();
    for (const name of ['one', 'two']) {
      await new MusicWindow(storage, gone, name).keep({ deleted: track('a', 1), tracks: [track('b', 2)] });
    }
    const next = await new MusicWindow(storage, process.pid, 'next').look();
    expect(next.leftDeleted.map(({ id }) => id)).toEqual(['a']);
    expect(next.ids).toEqual(['b']);
  });

  it("is not lost when a file can't be read for a moment", async () => {
    const storage = new MemoryStorage();
    await new MusicWindow(storage, gone, 'dead').keep({ tracks: [track('a', 1)] });
    const next = new MusicWindow(storage, process.pid, 'next');
    const read = storage.read.bind(storage);
    storage.read = () => Promise.resolve(undefined);
    await next.look();
    storage.read = read;
    await next.keep({ tracks: [track('b', 2)] });
    expect((await next.look()).ids).toEqual(['b', 'a']);
  });
});
