import { uptime } from 'node:os';
import { describe, expect, it } from 'vitest';
import { claimRecord, isClaimed, sweepClaims } from '../../../src/core/records/claimRecord';
import { OutputError } from '../../../src/core/outputs/outputError';
import { partOwner, temporaryName } from '../../../src/core/outputs/temporaryName';
import { budgets } from '../../../src/core/safety/budgets';
import { MemoryFolder } from '../outputs/memoryFolder';

const record = 'cat-20261122-101500.run.json';
const other = 'dog-20261122-101500.run.json';
const own = partOwner(temporaryName());

/** A claim as a process would write it; by default this one's, taken now. */
function claim({
  place = own?.place,
  start = own?.start,
  takenAt = Date.now(),
}: { place?: string; start?: string; takenAt?: number | string } = {}): string {
  const id = '00000000-0000-4000-8000-000000000000';
  return `.comfy-deck-${place}-${process.pid}-${start}-${id}.part ${takenAt}\n`;
}

/** A folder in which the record is claimed like this, and the name of the claim. */
async function claimedBy(text: string): Promise<{ folder: MemoryFolder; lock: string }> {
  const folder = new MemoryFolder();
  await claimRecord(folder, record);
  const [lock = ''] = folder.names;
  folder.files.set(lock, Buffer.from(text));
  return { folder, lock };
}

async function counts(text: string): Promise<boolean> {
  const { folder } = await claimedBy(text);
  return isClaimed(folder, record);
}

describe('the claim of a process of this machine', () => {
  it('counts while it runs, however long that is', async () => {
    expect(await counts(claim({ takenAt: Date.now() - 2 * budgets.unfinishedFileAge }))).toBe(true);
  });

  it('without a known start counts if it was taken since the machine started, give or take a minute', async () => {
    const startedAt = Date.now() - uptime() * 1000;
    expect(await counts(claim({ start: '0', takenAt: startedAt + 30_000 }))).toBe(true);
    expect(await counts(claim({ start: '0', takenAt: startedAt - 30_000 }))).toBe(true);
    expect(await counts(claim({ start: '0', takenAt: startedAt - 90_000 }))).toBe(false);
  });
});

describe('the claim of another machine', () => {
  it('counts for a day', async () => {
    const takenAt = Date.now() - budgets.unfinishedFileAge;
    expect(await counts(claim({ place: '00000000', takenAt: takenAt + 60_000 }))).toBe(true);
    expect(await counts(claim({ place: '00000000', takenAt: takenAt - 60_000 }))).toBe(false);
  });
});

describe('a claim from the future', () => {
  it.each([
    ['another machine', { place: '00000000' }],
    ['another machine that does not tell its start', { place: '00000000', start: '0' }],
    ['a process without a known start', { start: '0' }],
  ])('of %s counts for a day at most, since its time may never come', async (_whose, owner) => {
    const latest = Date.now() + budgets.unfinishedFileAge;
    expect(await counts(claim({ ...owner, takenAt: latest - 60_000 }))).toBe(true);
    expect(await counts(claim({ ...owner, takenAt: latest + 60_000 }))).toBe(false);
  });

  it('counts if its process is known to run', async () => {
    expect(await counts(claim({ takenAt: Date.now() + 2 * budgets.unfinishedFileAge }))).toBe(true);
  });
});

describe('a claim that cannot be read', () => {
  it.each([
    ['is empty', ''],
    ['names no process', `somebody ${Date.now()}`],
    ['has no time', claim({ place: '00000000', takenAt: 'soon' })],
  ])('because it %s does not count', async (_, text) => {
    expect(await counts(text)).toBe(false);
  });
});

describe('claiming a record', () => {
  it('does not touch the claims of other records', async () => {
    const folder = new MemoryFolder();
    expect(await claimRecord(folder, record)).toBeDefined();
    expect(await claimRecord(folder, other)).toBeDefined();
  });

  it('fails if the folder is not writable', async () => {
    const folder = new MemoryFolder();
    folder.create = () => Promise.reject(new OutputError('No.', 'notWritable'));
    await expect(claimRecord(folder, record)).rejects.toMatchObject({ reason: 'notWritable' });
  });

  it('tries again if the other claim was released in between', async () => {
    const { folder, lock } = await claimedBy(claim());
    const read = folder.read.bind(folder);
    folder.read = (name) => {
      folder.files.delete(lock);
      return read(name);
    };
    expect(await claimRecord(folder, record)).toBeDefined();
  });

  it('tries again if another process removed the stale claim first', async () => {
    const { folder, lock } = await claimedBy('');
    const rename = folder.rename.bind(folder);
    folder.rename = (from, to) => {
      if (from === lock) folder.files.delete(lock);
      return rename(from, to);
    };
    expect(await claimRecord(folder, record)).toBeDefined();
  });

  it('puts back what another process claimed while the stale claim was being removed', async () => {
    const { folder, lock } = await claimedBy('');
    const rename = folder.rename.bind(folder);
    const live = claim();
    folder.rename = (from, to) => {
      if (from === lock) folder.files.set(lock, Buffer.from(live));
      return rename(from, to);
    };
    expect(await claimRecord(folder, record)).toBeUndefined();
    expect(folder.names).toEqual([lock]);
    expect(await folder.read(lock)).toBe(live);
  });

  it('ends after three attempts', async () => {
    const { folder, lock } = await claimedBy('');
    let removed = 0;
    const remove = folder.remove.bind(folder);
    folder.remove = async (name) => {
      await remove(name);
      if (folder.files.has(lock)) return;
      removed++;
      folder.files.set(lock, Buffer.from(''));
    };
    expect(await claimRecord(folder, record)).toBeUndefined();
    expect(removed).toBe(3);
  });
});

describe('releasing a claim', () => {
  it('leaves the claim of another process', async () => {
    const folder = new MemoryFolder();
    const release = await claimRecord(folder, record);
    const [lock = ''] = folder.names;
    folder.files.set(lock, Buffer.from(claim({ place: '00000000' })));
    await release?.();
    expect(folder.names).toEqual([lock]);
  });
});

describe('removing stale claims', () => {
  it('leaves every other file', async () => {
    const { folder } = await claimedBy('');
    folder.files.set('notes.txt', Buffer.from('mine'));
    await sweepClaims(folder);
    expect(folder.names).toEqual(['notes.txt']);
  });

  it('goes on after one that cannot be moved', async () => {
    const { folder, lock } = await claimedBy('');
    await claimRecord(folder, other);
    const second = folder.names.find((name) => name !== lock) ?? '';
    folder.files.set(second, Buffer.from(''));
    const rename = folder.rename.bind(folder);
    folder.rename = (from, to) =>
      from === lock ? Promise.reject(new OutputError('No.', 'notWritable')) : rename(from, to);
    await sweepClaims(folder);
    expect(folder.names).toEqual([lock]);
  });
});
