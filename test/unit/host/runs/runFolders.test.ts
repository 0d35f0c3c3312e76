import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { JobStore } from '../../../../src/core/jobs/jobStore';
import { recordName } from '../../../../src/core/outputs/outputNames';
import { budgets } from '../../../../src/core/safety/budgets';
import { foreignRecord, sendingRecord, submittedRecord } from '../../../../src/core/records/recordSteps';
import { type RunRecord, writeRunRecord } from '../../../../src/core/records/runRecord';
import { RunStore } from '../../../../src/core/runLife/runStore';
import type { RunPointer, RunPointers } from '../../../../src/core/runLife/runPointers';
import type { Log } from '../../../../src/host/platform/log';
import { WriterFiles } from '../../../../src/host/platform/storage';
import { RunFolders } from '../../../../src/host/runs/runFolders';
import { listing, observeJobs, origin, server, start, storedElsewhere } from '../../jobs/observations';
import { workspace } from '../../../support/inMemoryVscode';
import { MemoryStorage } from '../memoryStorage';

const pathOfUri = (file: string): string => file.replaceAll('\\', '/').replace(/^(?!\/)/, '/');

function windowOn(storage: MemoryStorage, writer: string, ...paths: readonly string[]) {
  const store = new JobStore();
  const runs = new RunStore(store);
  const ofJob = vi.fn<RunPointers['ofJob']>(() => Promise.resolve(undefined));
  const owedOf = vi.fn<RunPointers['owedOf']>();
  const error = vi.fn<Log['error']>();
  const remembered = new Set<string>();
  const folders = paths.map((folder) => ({ fsPath: folder, path: pathOfUri(folder) }));
  const ledger = new RunFolders({
    list: new WriterFiles(storage, 'list-here.json', writer),
    trouble: { guard: (write) => write.then(() => true) },
    tracked: store,
    runs,
    places: {
      all: () => folders,
      remembered: () => [...remembered],
      remember: (folder: string) => remembered.add(folder),
    } as never,
    pointers: {
      ...{ ofJob, owedOf, owed: () => [], leftOf: () => undefined, read: () => Promise.resolve() },
      onDidChange: () => () => undefined,
    },
    searchEvery: 5,
    log: { error },
  });
  onTestFinished(() => ledger.dispose());
  return { store, runs, ledger, remembered, ofJob, owedOf, error };
}

/** A folder with these records and files. */
async function folderOf(records: Readonly<Record<string, RunRecord>>, ...files: string[]): Promise<string> {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), 'comfy-deck-')), 'outputs');
  onTestFinished(() => rm(path.dirname(folder), { recursive: true }));
  await mkdir(folder);
  for (const [stem, record] of Object.entries(records))
    await writeFile(path.join(folder, recordName(stem)), writeRunRecord(record));
  for (const file of files) await writeFile(path.join(folder, file), 'made');
  return folder;
}

const promptText = JSON.stringify({ '9': { class_type: 'SaveImage', inputs: {} } });

/** A run of the command line. */
function record(job: string, state: RunRecord['state'], more: Partial<RunRecord> = {}): RunRecord {
  const facts = {
    server,
    label: 'cli.json',
    sourceUri: 'flows/cli.json',
    seeds: {},
    promptText,
    sentAt: start,
  };
  const sent = submittedRecord(sendingRecord(facts), job, start);
  const place = { node: '9', area: 'output', sha256: 'a'.repeat(64), bytes: 4 };
  const files = ['a', 'b'].map((name) => ({ ...place, name: `cli-${name}.png`, original: `${name}.png` }));
  return { ...sent, expected: files, files, endedAt: new Date(start).toISOString(), ...more, state };
}

/** A new window that has read a folder with these records and files. */
async function readWindow(records: Readonly<Record<string, RunRecord>>, ...files: string[]) {
  const folder = await folderOf(records, ...files);
  const window = windowOn(new MemoryStorage(), '0-first', folder);
  await whenRead(window.ledger);
  return { ...window, folder };
}

const whenRead = async (ledger: RunFolders): Promise<void> => {
  await ledger.load();
  await vi.waitFor(() => expect(ledger.isReading).toBe(false), 20_000);
};

describe('the runs of an earlier window', () => {
  it('stay removed from the list, although their records are there', async () => {
    const storage = new MemoryStorage();
    const folder = await folderOf({ 'cli-20260115-120000': record('job', 'saved') });
    const earlier = windowOn(storage, '0-earlier', folder);
    await whenRead(earlier.ledger);
    earlier.runs.hide(['job']);
    await earlier.ledger.flush();
    const { runs, ledger } = windowOn(storage, '0-reloaded', folder);
    await whenRead(ledger);
    expect(runs.jobs()).toEqual([]);
  });
});

describe('the output folders and removed jobs of a workspace', () => {
  const listsOf = (...removed: readonly string[]) => JSON.stringify({ format: 1, folders: [], removed });

  it("are kept per window, and no window overwrites another's", async () => {
    const storage = new MemoryStorage();
    const [one, two] = ['1-a', '1-b'].map((writer) => windowOn(storage, writer));
    await Promise.all([one?.ledger.load(), two?.ledger.load()]);
    one?.remembered.add('/far');
    two?.store.remove('bad');
    await Promise.all([one?.ledger.flush(), two?.ledger.flush()]);
    const next = windowOn(storage, '1-c');
    await next.ledger.load();
    expect([[...next.remembered], next.store.removed()]).toEqual([['/far'], ['bad']]);
  });

  it('lose nothing beyond what a crash has left', async () => {
    const storage = new MemoryStorage();
    await storage.write('list-here.1-a.json', '{"folders":["/f');
    await storage.write('list-here.1-b.json', 'null');
    await storage.write('list-here.1-c.json', '{"folders":[7,"/far"],"removed":{}}');
    const { ledger, remembered, store } = windowOn(storage, '1-d');
    await ledger.load();
    expect([[...remembered], store.removed()]).toEqual([['/far'], []]);
  });

  it('have what was removed last, whichever window removed it', async () => {
    const storage = new MemoryStorage();
    const many = (window: string) =>
      Array.from({ length: budgets.keptJobs }, (_, index) => `${window}-${index}`);
    await storage.write('list-here.1-a.json', listsOf(...many('old')));
    storage.today = 1;
    await storage.write('list-here.1-b.json', listsOf(...many('new')));
    const next = windowOn(storage, '1-c');
    await next.ledger.flush();
    expect(storage.files.get('list-here.1-c.json')?.text).toBe(listsOf(...many('new')));
  });
});

describe('the runs of the workspace, by their records', () => {
  it('are listed with what is on disk, whoever sent them and whatever is stored', async () => {
    const { runs, ledger, folder } = await readWindow(
      { 'cli-20260115-120000': record('job', 'saved') },
      'cli-a.png',
    );
    const workflow = `file://${encodeURI(pathOfUri(path.dirname(folder)))}/flows/cli.json`;
    expect(runs.jobs()).toMatchObject([
      { id: 'job', state: 'completed', origin: { label: 'cli.json', sourceUri: workflow } },
    ]);
    expect(runs.filesOfJob('job').map(({ location }) => location)).toEqual([path.join(folder, 'cli-a.png')]);
    expect(await ledger.sent({ id: 'job', server })).toMatchObject({ folder });
  });

  it.each(['sending', 'submitted', 'saving', 'incomplete'] as const)(
    'are never followed, since a cloned repository has records too: %s',
    async (state) => {
      const folder = await folderOf({ 'cli-20260115-120000': record('job', state) });
      const { runs, ledger } = windowOn(new MemoryStorage(), '0-first', folder);
      await whenRead(ledger);
      expect(runs.live()).toEqual([]);
    },
  );

  it("are this user's by a pointer to the prompt, as rows of a batch have, so they are cancelled unasked", async () => {
    const promptId = randomUUID();
    const row = record('row', 'submitted', { promptId, batch: { id: 'batch', row: 3 } });
    const { ledger, owedOf } = await readWindow({ 'cli-20260115-120000': row });
    const run = () => ledger.runOf({ id: 'row', server });
    expect(await run()).toMatchObject({ isOurs: false });
    owedOf.mockImplementation((id) => (id === promptId ? ({ server } as RunPointer) : undefined));
    expect(await run()).toMatchObject({ isOurs: true });
    owedOf.mockReturnValue({ server: 'http://127.0.0.1:1' } as RunPointer);
    expect(await run()).toMatchObject({ isOurs: false });
  });

  it("that were made to save someone else's outputs stay theirs", async () => {
    const theirs = foreignRecord({ ...storedElsewhere('completed', 'theirs') }, promptText);
    const { runs } = await readWindow({ 'theirs-20260115-120000': { ...theirs, state: 'saved' } });
    expect(runs.job('theirs')).toMatchObject({ state: 'completed', origin: undefined });
  });

  it('are the newest of each job', async () => {
    const { runs } = await readWindow(
      {
        'a-20260115-120000': record('job', 'saved'),
        'b-20260115-130000': record('job', 'saved', { label: 'b' }),
      },
      'cli-a.png',
    );
    expect(runs.job('job')?.origin?.label).toBe('b');
    expect(runs.ofJob({ id: 'job', server })?.place.record).toContain('b-20260115-130000');
  });

  it('are read again when their records change, also while the list is refreshed', async () => {
    const changed = vi.fn((_listener: (file: unknown) => void) => ({ dispose: () => undefined }));
    const watcher = { ...workspace.createFileSystemWatcher(), onDidChange: changed };
    const watch = vi.spyOn(workspace, 'createFileSystemWatcher').mockReturnValue(watcher as never);
    onTestFinished(() => watch.mockRestore());
    const name = 'cli-20260115-120000';
    const { runs, ledger, folder } = await readWindow({ [name]: record('job', 'submitted') });
    const file = path.join(folder, recordName(name));
    await writeFile(file, writeRunRecord(record('job', 'saved')));
    changed.mock.calls[0]?.[0]({ path: pathOfUri(file) });
    ledger.noteChange();
    await vi.waitFor(() => expect(runs.ofJob({ id: 'job', server })?.phase.kind).toBe('saved'), 20_000);
  });

  it('are not read in an untrusted workspace', async () => {
    workspace.isTrusted = false;
    onTestFinished(() => void (workspace.isTrusted = true));
    const { runs, ledger } = await readWindow({ 'cli-20260115-120000': record('job', 'saved') });
    expect([runs.jobs(), ledger.runs, ledger.folders]).toEqual([[], [], []]);
  });

  it('are at most as many as are stored, however many outputs the gallery lists', async () => {
    const records = Array.from({ length: budgets.keptJobs + 2 }, (_, index) => {
      const time = `${10 + Math.floor(index / 60)}${String(index % 60).padStart(2, '0')}`;
      return [`cli-20260115-${time}00`, record(`job-${index}`, 'saved')] as const;
    });
    const { runs, ledger } = await readWindow(Object.fromEntries(records), 'cli-a.png');
    expect([runs.jobs().length, ledger.isCut]).toEqual([budgets.keptJobs, true]);
    await ledger.loadAll();
    await vi.waitFor(() => expect(ledger.isReading).toBe(false), 20_000);
    expect([runs.jobs().length, ledger.isCut, ledger.runs.length]).toEqual([
      budgets.keptJobs,
      false,
      records.length,
    ]);
    expect(runs.ofJob({ id: 'job-0', server })).toBeDefined();
  });
});

describe('what a record or a disk can do to the list', () => {
  const saved = { sourceUri: '\ud800.json' } as const;

  it('is nothing by a path that no address can have', async () => {
    const { runs, error } = await readWindow({
      'a-20260115-130000': record('hostile', 'saved', saved),
      'b-20260115-120000': record('job', 'saved'),
    });
    expect(runs.jobs().map(({ id }) => id)).toEqual(['hostile', 'job']);
    expect(error).not.toHaveBeenCalled();
  });

  it('is nothing by the copy of a folder, whose outputs are not there', async () => {
    const records = { 'a-20260115-120000': record('job', 'saved') };
    const folder = await folderOf(records, 'cli-a.png', 'cli-b.png');
    const window = windowOn(new MemoryStorage(), '0-first', folder, await folderOf(records));
    await whenRead(window.ledger);
    expect(window.runs.filesOfJob('job')).toHaveLength(2);
    expect(window.runs.ofJob({ id: 'job', server })?.place.folder).toBe(folder);
  });

  it('is nothing by a storage that cannot be read', async () => {
    const folder = await folderOf({ 'b-20260115-120000': record('job', 'saved') });
    const storage = new MemoryStorage();
    storage.list = () => Promise.reject(new Error('EIO'));
    const { runs, ledger, error } = windowOn(storage, '0-first', folder);
    await whenRead(ledger);
    expect(runs.job('job')).toBeDefined();
    expect(error).toHaveBeenCalledOnce();
    await ledger.flush();
  });

  it('is counted and logged once if its record is too large, or none', async () => {
    const folder = await folderOf({ 'b-20260115-120000': record('job', 'saved') });
    const large = path.join(folder, 'large-20260115-120000.run.json');
    await writeFile(large, '');
    await truncate(large, budgets.runRecord + 1);
    await writeFile(path.join(folder, 'cut-20260115-120000.run.json'), '{"format": 3');
    const { runs, ledger, error } = windowOn(new MemoryStorage(), '0-first', folder);
    await whenRead(ledger);
    expect([runs.jobs().length, ledger.unread]).toEqual([1, 2]);
    const said = error.mock.calls.map(([what, why]) => `${what}: ${String(why)}`).sort();
    expect(said).toEqual([
      expect.stringContaining('cut-20260115-120000.run.json'),
      expect.stringContaining('large-20260115-120000.run.json'),
    ]);
  });

  it('is no row for an ID that no server gives, or for more than a job has', async () => {
    const text = 'x'.repeat(40_000);
    const texts = Array.from({ length: 1_000 }, () => ({ node: '9', text }));
    const { runs } = await readWindow({
      'a-20260115-120000': record('x'.repeat(1_000), 'saved'),
      'b-20260115-120000': record('job\u202e', 'saved'),
      'c-20260115-120000': record('large', 'saved', { texts }),
      'd-20260115-120000': record('__proto__', 'saved'),
    });
    expect(runs.jobs().map(({ id }) => id)).toEqual(['__proto__']);
  });

  it('is that a job that counts as lost gives way to what was saved since', async () => {
    const folder = await folderOf({ 'cli-20260115-120000': record('job', 'saved') }, 'cli-a.png');
    const { store, runs, ledger } = windowOn(new MemoryStorage(), '0-first', folder);
    store.observe({ kind: 'submitted', id: 'job', server, origin, at: start });
    store.observe({ kind: 'gone', id: 'job', server, at: start });
    expect(runs.job('job')?.state).toBe('lost');
    await whenRead(ledger);
    expect(runs.job('job')).toMatchObject({ state: 'completed', outputs: [{}, {}] });
  });

  it("is that someone else's job has the outputs that were saved, also if its server listed it first", async () => {
    const theirs = foreignRecord({ ...storedElsewhere('completed', 'theirs') }, promptText);
    const { expected, files } = record('theirs', 'saved');
    const folder = await folderOf({
      'theirs-20260115-120000': { ...theirs, state: 'saved', expected, files },
    });
    const { store, runs, ledger } = windowOn(new MemoryStorage(), '0-first', folder);
    store.observe({ kind: 'listed', listing: listing('completed', { id: 'theirs' }), server, at: start });
    await whenRead(ledger);
    expect(runs.job('theirs')).toMatchObject({ origin: undefined, outputs: [{}, {}] });
  });

  it('is no claim on a job of this user on another server', async () => {
    const folder = await folderOf({ 'a-20260115-120000': record('job', 'lost', { server: 'http://evil' }) });
    const own = await folderOf({ 'own-20260115-120000': record('job', 'lost') });
    const { ledger, ofJob } = windowOn(new MemoryStorage(), '0-first', folder);
    ofJob.mockResolvedValue({ folder: own, record: 'own-20260115-120000.run.json', server } as never);
    await whenRead(ledger);
    expect(await ledger.runOf({ id: 'job', server: 'http://evil' })).toMatchObject({
      ...{ place: { folder }, isOurs: false },
    });
    expect(await ledger.runOf({ id: 'job', server })).toMatchObject({ place: { folder: own }, isOurs: true });
  });
});

describe('a job that this window did not submit', () => {
  const theirs = storedElsewhere('running', 'theirs');
  const pointed = (folder: string) => ({ folder, record: 'a-20260115-120000.run.json', server }) as never;

  it('has its name from the record that its sender wrote, found by a pointer that may come late', async () => {
    const folder = await folderOf({ 'a-20260115-120000': record('theirs', 'submitted') });
    const { store, runs, ofJob } = windowOn(new MemoryStorage(), '0-first');
    ofJob
      .mockResolvedValueOnce(undefined)
      .mockResolvedValueOnce(undefined)
      .mockResolvedValue(pointed(folder));
    observeJobs(store, [theirs]);
    await vi.waitFor(() => expect(runs.senderOf(theirs)).toBe('window'), 20_000);
    expect(runs.job('theirs')).toMatchObject({ state: 'running', origin: { label: 'cli.json' } });
    expect(runs.senderOf({ id: 'theirs', server: 'http://127.0.0.1:1' })).toBeUndefined();
  });

  it('is only a record where no pointer names it, as in a cloned repository', async () => {
    const { store, runs } = await readWindow({ 'a-20260115-120000': record('theirs', 'submitted') });
    observeJobs(store, [theirs]);
    expect([runs.senderOf(theirs), runs.job('theirs')?.origin?.label]).toEqual(['record', 'cli.json']);
  });

  it('is not looked up for ever', async () => {
    const { store, ofJob } = windowOn(new MemoryStorage(), '0-first');
    observeJobs(store, [theirs, storedElsewhere('completed', 'ended')]);
    await vi.waitFor(() => expect(ofJob).toHaveBeenCalledTimes(4), 20_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(ofJob).toHaveBeenCalledTimes(4);
  });
});
