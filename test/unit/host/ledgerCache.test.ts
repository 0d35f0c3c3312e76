import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { budgets } from '../../../src/core/safety/budgets';
import type { SavedFile } from '../../../src/host/outputs/savedOutputs';
import { LedgerCache, type StoredRuns } from '../../../src/host/ledger/ledgerCache';
import { stored, storedElsewhere } from '../jobs/observations';
import { MemoryStorage } from './memoryStorage';

const ids = ({ jobs }: { readonly jobs: readonly Job[] }) => jobs.map(({ id }) => id).sort();

const nothing: StoredRuns = { jobs: [], files: [], folders: [], removed: [] };
const saved: SavedFile = {
  file: { filename: 'a.png', subfolder: '', area: 'output', nodeId: '9', media: 'image' },
  location: '/project/outputs/w-a.png',
  bytes: 4,
};

describe('the runs of windows that share a folder', () => {
  it("are stored per window, and no window overwrites another's", async () => {
    const storage = new MemoryStorage();
    const [one, two] = ['1-a', '1-b'].map((writer) => new LedgerCache(storage, 'x', writer));
    await one?.read();
    await two?.read();
    await one?.write({ ...nothing, jobs: [stored('completed', 'of one')] });
    await two?.write({ ...nothing, jobs: [stored('completed', 'of two')] });
    await one?.write({ ...nothing, jobs: [stored('completed', 'of one'), stored('running', 'later')] });
    expect(ids(await new LedgerCache(storage, 'x').read())).toEqual(['later', 'of one', 'of two']);
  });

  it('combine what all windows know', async () => {
    const storage = new MemoryStorage();
    await new LedgerCache(storage, 'x', '1-a').write({ ...nothing, jobs: [stored('completed', 'job')] });
    storage.today = 1;
    await new LedgerCache(storage, 'x', '1-b').write({ ...nothing, jobs: [stored('running', 'job')] });
    expect((await new LedgerCache(storage, 'x').read()).jobs).toMatchObject([
      { id: 'job', state: 'completed' },
    ]);
  });

  it("stay removed even if another window's file still has them", async () => {
    const storage = new MemoryStorage();
    const jobs = [stored('completed', 'kept'), stored('failed', 'bad')];
    await new LedgerCache(storage, 'x', '1-a').write({ ...nothing, jobs });
    await new LedgerCache(storage, 'x', '1-b').write({ ...nothing, removed: ['bad'] });
    const three = new LedgerCache(storage, 'x', '1-c');
    const read = await three.read();
    expect([ids(read), read.removed]).toEqual([['kept'], ['bad']]);
    await three.write(read);
    await storage.remove('list-x.1-b.json');
    expect(ids(await new LedgerCache(storage, 'x').read())).toEqual(['kept']);
  });

  it('of other people are not stored: their server lists them again', async () => {
    const storage = new MemoryStorage();
    const jobs = [stored('completed', 'ours'), storedElsewhere('completed', 'theirs')];
    await new LedgerCache(storage, 'x', '1-a').write({ ...nothing, jobs });
    expect(ids(await new LedgerCache(storage, 'x').read())).toEqual(['ours']);
  });
});

describe('what is stored of a workspace', () => {
  it('has the folders and what was removed, also when the cache of its rows was deleted', async () => {
    const storage = new MemoryStorage();
    const files = [['job', [saved]]] as const;
    await new LedgerCache(storage, 'x', '1-a').write({
      ...nothing,
      files,
      folders: ['/far'],
      removed: ['bad'],
    });
    const whole = await new LedgerCache(storage, 'x').read();
    expect([...whole.files]).toEqual(files);
    expect(whole.folders).toEqual(['/far', '/project/outputs']);
    await storage.remove('ledger-x.1-a.json');
    const { jobs, folders, removed } = await new LedgerCache(storage, 'x').read();
    expect([jobs, folders, removed]).toEqual([[], ['/far'], ['bad']]);
  });

  it('is nothing when a crash has left only parts of it', async () => {
    const storage = new MemoryStorage();
    await storage.write('ledger-x.1-a.json', '{"format":1,"jobs":[{"id"');
    await storage.write(
      'ledger-x.1-b.json',
      '{"format":1,"jobs":[7],"files":[["job",[{"location":"no"}]],3]}',
    );
    await storage.write('list-x.1-a.json', '{"folders":[7,"/far"],"removed":{}}');
    const { jobs, files, folders, removed } = await new LedgerCache(storage, 'x').read();
    expect([jobs, [...files], folders, removed]).toEqual([[], [], ['/far'], []]);
  });
});

describe('a cache of large runs', () => {
  it('stays below a limit, and has those that live and the newest', async () => {
    const storage = new MemoryStorage();
    const text = 'x'.repeat(budgets.storedJobs / 8);
    const large = (id: string, createdAt: number, state: Job['state'] = 'completed'): Job => ({
      ...stored(state, id),
      createdAt,
      texts: [{ nodeId: '9', text }],
    });
    const ended = Array.from({ length: 20 }, (_, index) => large(`ended ${index}`, index + 2));
    const jobs = [large('live', 1, 'running'), ...ended];
    const files = jobs.map(({ id }) => [id, [saved]] as const);
    await new LedgerCache(storage, 'x', '1-a').write({ ...nothing, jobs, files });
    expect(storage.files.get('ledger-x.1-a.json')?.text.length).toBeLessThan(budgets.storedJobs + 1_000);
    const read = await new LedgerCache(storage, 'x').read();
    expect(ids(read)).toEqual([...[14, 15, 16, 17, 18, 19].map((index) => `ended ${index}`), 'live']);
    expect(new Map(read.files).get('ended 19')).toEqual([saved]);
  });
});

describe('a cache that was cut, or is of another version', () => {
  it('loses nothing beyond what is wrong', async () => {
    const storage = new MemoryStorage();
    const wrong = [
      null,
      5,
      ['a'],
      ['b', 'text'],
      ['c', [null, { location: 5 }, { location: '/project/c.png' }]],
    ];
    const files = [...wrong, ['job', [saved]]];
    await storage.write(
      'ledger-x.1-a.json',
      JSON.stringify({ format: 1, jobs: [stored('completed')], files }),
    );
    const read = await new LedgerCache(storage, 'x').read();
    expect([...read.files]).toEqual([['job', [saved]]]);
    expect(ids(read)).toEqual(['job']);
  });

  it('keeps what was removed last, whichever window removed it', async () => {
    const storage = new MemoryStorage();
    const removedBy = (window: string) =>
      Array.from({ length: budgets.keptJobs }, (_, index) => `${window}-${index}`);
    await new LedgerCache(storage, 'x', '1-a').write({ ...nothing, removed: removedBy('old') });
    storage.today = 1;
    await new LedgerCache(storage, 'x', '1-b').write({ ...nothing, removed: removedBy('new') });
    const next = new LedgerCache(storage, 'x', '1-c');
    storage.today = 2;
    await next.write(await next.read());
    expect((await new LedgerCache(storage, 'x').read()).removed).toContain('new-0');
    storage.files.delete('list-x.1-a.json');
    storage.files.delete('list-x.1-b.json');
    expect((await new LedgerCache(storage, 'x').read()).removed).toContain('new-0');
  });
});
