import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { budgets } from '../../../src/core/safety/budgets';
import { LedgerCache, type StoredRuns } from '../../../src/host/ledger/ledgerCache';
import type { SavedFile } from '../../../src/host/outputs/savedOutputs';
import { ClientIds } from '../../../src/host/servers/clientIds';
import { stored, storedElsewhere } from '../jobs/observations';
import { MemoryStorage } from './memoryStorage';

const ids = ({ jobs }: { readonly jobs: readonly Job[] }) => jobs.map(({ id }) => id).sort();

const nothing: StoredRuns = { jobs: [], files: [], folders: [], removed: [] };
const saved: SavedFile = {
  file: { filename: 'a.png', subfolder: '', area: 'output', nodeId: '9', media: 'image' },
  location: '/project/outputs/w-a.png',
  bytes: 4,
};

const readBy = (storage: MemoryStorage) => new LedgerCache(storage, 'x').read();
const writeBy = (storage: MemoryStorage, writer: string, runs: Partial<StoredRuns>) =>
  new LedgerCache(storage, 'x', writer).write({ ...nothing, ...runs });

describe('the runs of windows that share a folder', () => {
  it("are stored per window, and no window overwrites another's", async () => {
    const storage = new MemoryStorage();
    const [one, two] = ['1-a', '1-b'].map((writer) => new LedgerCache(storage, 'x', writer));
    await one?.read();
    await two?.read();
    await one?.write({ ...nothing, jobs: [stored('completed', 'of one')] });
    await two?.write({ ...nothing, jobs: [stored('completed', 'of two')] });
    await one?.write({ ...nothing, jobs: [stored('completed', 'of one'), stored('running', 'later')] });
    expect(ids(await readBy(storage))).toEqual(['later', 'of one', 'of two']);
  });

  it('combine what all windows know', async () => {
    const storage = new MemoryStorage();
    await writeBy(storage, '1-a', { jobs: [stored('completed', 'job')] });
    storage.today = 1;
    await writeBy(storage, '1-b', { jobs: [stored('running', 'job')] });
    expect((await readBy(storage)).jobs).toMatchObject([{ id: 'job', state: 'completed' }]);
  });

  it("stay removed even if another window's file still has them", async () => {
    const storage = new MemoryStorage();
    const jobs = [stored('completed', 'kept'), stored('failed', 'bad')];
    await writeBy(storage, '1-a', { jobs });
    await writeBy(storage, '1-b', { removed: ['bad'] });
    const three = new LedgerCache(storage, 'x', '1-c');
    const read = await three.read();
    expect([ids(read), read.removed]).toEqual([['kept'], ['bad']]);
    await three.write(read);
    await storage.remove('list-x.1-b.json');
    expect(ids(await readBy(storage))).toEqual(['kept']);
  });

  it('of other people are not stored: their server lists them again', async () => {
    const storage = new MemoryStorage();
    const jobs = [stored('completed', 'ours'), storedElsewhere('completed', 'theirs')];
    await writeBy(storage, '1-a', { jobs });
    expect(ids(await readBy(storage))).toEqual(['ours']);
  });
});

describe('what is stored of a workspace', () => {
  it('has the folders and what was removed, also when the cache of its rows was deleted', async () => {
    const storage = new MemoryStorage();
    const files = [['job', [saved]]] as const;
    await writeBy(storage, '1-a', { files, folders: ['/far'], removed: ['bad'] });
    const whole = await readBy(storage);
    expect([...whole.files]).toEqual(files);
    expect(whole.folders).toEqual(['/far', '/project/outputs']);
    await storage.remove('ledger-x.1-a.json');
    const { jobs, folders, removed } = await readBy(storage);
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
    const { jobs, files, folders, removed } = await readBy(storage);
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
    await writeBy(storage, '1-a', { jobs, files });
    expect(storage.files.get('ledger-x.1-a.json')?.text.length).toBeLessThan(budgets.storedJobs + 1_000);
    const read = await readBy(storage);
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
    const read = await readBy(storage);
    expect([...read.files]).toEqual([['job', [saved]]]);
    expect(ids(read)).toEqual(['job']);
  });

  it('keeps what was removed last, whichever window removed it', async () => {
    const storage = new MemoryStorage();
    const removedBy = (window: string) =>
      Array.from({ length: budgets.keptJobs }, (_, index) => `${window}-${index}`);
    await writeBy(storage, '1-a', { removed: removedBy('old') });
    storage.today = 1;
    await writeBy(storage, '1-b', { removed: removedBy('new') });
    const next = new LedgerCache(storage, 'x', '1-c');
    storage.today = 2;
    await next.write(await next.read());
    expect((await readBy(storage)).removed).toContain('new-0');
    storage.files.delete('list-x.1-a.json');
    storage.files.delete('list-x.1-b.json');
    expect((await readBy(storage)).removed).toContain('new-0');
  });
});

/** No process has this ID. */
const gone = 2 ** 30;
const server = 'http://127.0.0.1:8188';

describe('the client ID of a window', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'client-ids-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const storage = {
    path: (name: string) => path.join(folder, name),
    read: (name: string) => Promise.resolve(readFileSync(path.join(folder, name), 'utf8')),
    write: (name: string, text: string) => writeFile(path.join(folder, name), text),
    remove: (name: string) => rm(path.join(folder, name)),
    list: (prefix: string) =>
      Promise.resolve(
        readdirSync(folder)
          .filter((name) => name.startsWith(prefix))
          .map((name) => ({ name, writtenAt: statSync(path.join(folder, name)).mtimeMs })),
      ),
  };
  const window = (writer: string, startedAt = 0, workspace = 'w'): ClientIds =>
    new ClientIds(storage, workspace, writer, startedAt);

  it('is the same for every session with a server, and another for another server', async () => {
    const ids = window(`${process.pid}-me`);
    const first = await ids.of(server);
    expect(await ids.of(server)).toBe(first);
    expect(await ids.of('http://127.0.0.1:8189')).not.toBe(first);
  });

  it('goes to the next window of the workspace, whether this one ended or was killed', async () => {
    const killed = await window(`${gone}-killed`).of(server);
    const next = window(`${process.pid}-next`);
    expect(await next.of(server)).toBe(killed);
    await next.leave();
    expect(await window(`${process.pid}-last`).of(server)).toBe(killed);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('belongs to one window at a time, and to one workspace', async () => {
    const killed = await window(`${gone}-killed`).of(server);
    expect(await window(`${process.pid}-x`, 0, 'other').of(server)).not.toBe(killed);
    const two = await Promise.all(['one', 'two'].map((each) => window(`${process.pid}-${each}`).of(server)));
    expect(two.filter((each) => each === killed)).toHaveLength(1);
    expect(await window(`${process.pid}-three`).of(server)).not.toBe(killed);
  });

  it('is waited for while the window before this one closes', async () => {
    const before = window(`${process.pid}-before`);
    const id = await before.of(server);
    const after = window(`${process.pid}-after`, Date.now()).of(server);
    setTimeout(() => void before.leave(), 150);
    expect(await after).toBe(id);
  });

  it('is a new one if nothing can be read or written', async () => {
    const broken = { ...storage, list: () => Promise.reject(new Error('No storage')) };
    expect(await new ClientIds(broken, 'w', '1-x', 0).of(server)).toMatch(/^[0-9a-f-]{36}$/);
  });
});
