import { describe, expect, it, vi } from 'vitest';
import {
  lockFileName,
  lockRecord,
  isRecordLocked,
  removeDeadLocks,
} from '../../../src/core/records/claimRecord';
import { OutputError } from '../../../src/core/outputs/outputError';
import type { OutputFolder } from '../../../src/core/outputs/outputFolder';
import { MemoryFolder } from '../outputs/memoryFolder';
import { fakeTimers } from '../jobs/trackerTime';

const record = 'cat-20261122-101500.run.json';
const other = 'dog-20261122-101500.run.json';
const lock = lockFileName(record);
const lifetime = 5_500;
let count = 0;

/** Another program of this machine or another one, as far as the folder shows it. */
class Program {
  readonly stamp = `.comfy-deck-00000000-0000-4000-8000-${String(++count).padStart(12, '0')}.stamp`;
  readonly claim = `${this.stamp} 1\n`;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(readonly folder: MemoryFolder) {}

  locks(...names: readonly string[]): this {
    for (const name of names.length > 0 ? names : [lock])
      this.folder.files.set(name, Buffer.from(this.claim));
    return this.works();
  }

  works(): this {
    const renew = (): unknown => this.folder.files.set(this.stamp, Buffer.from(`${++this.#count}`));
    renew();
    this.#timer = setInterval(renew, 1_000);
    return this;
  }

  /** Killed, or asleep with its machine. */
  stops(): this {
    clearInterval(this.#timer);
    return this;
  }
}

/** What a promise becomes within some time; `pending` if nothing. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | 'pending'> {
  let result: T | 'pending' = 'pending';
  void promise.then((value) => (result = value));
  await vi.advanceTimersByTimeAsync(ms);
  return result;
}

const claimedIn = (folder: OutputFolder): Promise<boolean> =>
  lockRecord(folder, record).then((claim) => claim !== undefined);

fakeTimers();

describe('the lock of another program', () => {
  it('counts as soon as its stamp is seen to change, and says nothing of any clock', async () => {
    const folder = new MemoryFolder();
    new Program(folder).locks();
    expect(await within(1_300, isRecordLocked(folder, record))).toBe(true);
    expect(await within(1_300, claimedIn(folder))).toBe(false);
  });

  it('is taken after its stamp was watched for a lifetime and did not change', async () => {
    const folder = new MemoryFolder();
    new Program(folder).locks().stops();
    const claiming = claimedIn(folder);
    expect(await within(4_000, claiming)).toBe('pending');
    expect(await within(lifetime, claiming)).toBe(true);
  });

  it('whose stamp is gone is watched as well', async () => {
    const folder = new MemoryFolder();
    const owner = new Program(folder).locks().stops();
    folder.files.delete(owner.stamp);
    const claimed = isRecordLocked(folder, record);
    expect(await within(4_000, claimed)).toBe('pending');
    expect(await within(lifetime, claimed)).toBe(false);
  });

  it('is taken if its owner lets go meanwhile', async () => {
    const folder = new MemoryFolder();
    const owner = new Program(folder).locks().stops();
    const claiming = claimedIn(folder);
    await within(600, claiming);
    folder.files.delete(lock);
    folder.files.delete(owner.stamp);
    expect(await within(lifetime, claiming)).toBe(true);
  });

  it('that was watched in vain is not watched again, however many locks it has', async () => {
    const folder = new MemoryFolder();
    const owner = new Program(folder).locks(lock, lockFileName(other)).stops();
    expect(await within(lifetime, isRecordLocked(folder, record))).toBe(false);
    expect(await within(0, isRecordLocked(folder, other))).toBe(false);
    // Its machine wakes up.
    owner.works();
    expect(await within(1_300, isRecordLocked(folder, other))).toBe(true);
  });

  it('tells that it takes a while, and only then', async () => {
    const folder = new MemoryFolder();
    const onWait = vi.fn();
    const claim = await lockRecord(folder, record, { onWait });
    await claim?.release();
    expect(onWait).not.toHaveBeenCalled();
    new Program(folder).locks().stops();
    await within(lifetime, lockRecord(folder, record, { onWait }));
    expect(onWait).toHaveBeenCalledOnce();
  });

  it.each(['', 'somebody 1', '.comfy-deck-0-1-2.part 3', '../x.stamp 1'])(
    'that names no stamp is nobody’s: %j',
    async (text) => {
      const folder = new MemoryFolder();
      folder.files.set(lock, Buffer.from(text));
      expect(await isRecordLocked(folder, record)).toBe(false);
      expect(await claimedIn(folder)).toBe(true);
    },
  );
});

describe('an own lock', () => {
  it('is renewed while it is held, and leaves nothing', async () => {
    const folder = new MemoryFolder();
    const claim = await lockRecord(folder, record);
    const texts = new Set<string | undefined>();
    const stamp = folder.names.find((name) => name.endsWith('.stamp')) ?? '';
    for (let second = 0; second < 4; second++) {
      texts.add(await folder.read(stamp));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(texts.size).toBe(4);
    await claim?.release();
    expect(folder.names).toEqual([]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(folder.names).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps others out at once, in this program too', async () => {
    const folder = new MemoryFolder();
    await lockRecord(folder, record);
    expect(await claimedIn(folder)).toBe(false);
    expect(await lockRecord(folder, other)).toBeDefined();
  });

  it('that another took while this machine slept is no longer its own', async () => {
    const folder = new MemoryFolder();
    const claim = await lockRecord(folder, record);
    await claim?.requireOwn();
    const taker = new Program(folder).locks();
    await expect(claim?.requireOwn()).rejects.toMatchObject({ reason: 'taken' });
    await claim?.release();
    expect(await folder.read(lock)).toBe(taker.claim);
  });

  it('is not had in a folder that is not writable', async () => {
    const folder = new MemoryFolder();
    folder.create = () => Promise.reject(new OutputError('No.', 'notWritable'));
    await expect(lockRecord(folder, record)).rejects.toMatchObject({ reason: 'notWritable' });
    folder.stamp = () => Promise.reject(new OutputError('No.', 'notWritable'));
    await expect(lockRecord(folder, record)).rejects.toMatchObject({ reason: 'notWritable' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('taking a lock that is nobody’s', () => {
  async function stale(): Promise<MemoryFolder> {
    const folder = new MemoryFolder();
    folder.files.set(lock, Buffer.from(''));
    return Promise.resolve(folder);
  }

  it('tries again if it was released in between', async () => {
    const folder = await stale();
    const read = folder.read.bind(folder);
    folder.read = (name) => {
      if (name === lock && folder.files.get(lock)?.length === 0) folder.files.delete(lock);
      return read(name);
    };
    expect(await claimedIn(folder)).toBe(true);
  });

  it('tries again if another program removed it first', async () => {
    const folder = await stale();
    const rename = folder.rename.bind(folder);
    folder.rename = (from, to) => {
      if (from === lock) folder.files.delete(lock);
      return rename(from, to);
    };
    expect(await claimedIn(folder)).toBe(true);
  });

  it('puts back what another program locked meanwhile', async () => {
    const folder = await stale();
    const rename = folder.rename.bind(folder);
    const taker = new Program(folder);
    folder.rename = (from, to) => {
      if (from === lock) folder.files.set(lock, Buffer.from(taker.claim));
      return rename(from, to);
    };
    expect(await claimedIn(folder)).toBe(false);
    expect(folder.names).toEqual([lock]);
    expect(await folder.read(lock)).toBe(taker.claim);
  });

  it('ends after three attempts', async () => {
    const folder = await stale();
    let removed = 0;
    const remove = folder.remove.bind(folder);
    folder.remove = async (name) => {
      await remove(name);
      if (folder.files.has(lock) || !name.endsWith('.part')) return;
      removed++;
      folder.files.set(lock, Buffer.from(''));
    };
    expect(await claimedIn(folder)).toBe(false);
    expect(removed).toBe(3);
  });
});

describe('removing what programs that are gone have left', () => {
  it('leaves every other file, and what is in use', async () => {
    const folder = new MemoryFolder();
    const live = new Program(folder).locks(lockFileName(other));
    const gone = new Program(folder).locks().stops();
    folder.files.set('notes.txt', Buffer.from('mine'));
    await within(lifetime, removeDeadLocks(folder));
    expect(folder.names).toEqual([lockFileName(other), live.stamp, 'notes.txt'].sort());
    expect(folder.names).not.toContain(gone.stamp);
  });

  it('continues after one that cannot be moved', async () => {
    const folder = new MemoryFolder();
    for (const name of [lock, lockFileName(other)]) folder.files.set(name, Buffer.from(''));
    const rename = folder.rename.bind(folder);
    folder.rename = (from, to) =>
      from === lock ? Promise.reject(new OutputError('No.', 'notWritable')) : rename(from, to);
    await removeDeadLocks(folder);
    expect(folder.names).toEqual([lock]);
  });
});
