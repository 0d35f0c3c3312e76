import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { writeJobs } from '../../../src/core/jobs/jobMemory';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { RecordFile } from '../../../src/core/records/recordFile';
import { foreignRecord, sendingRecord, submittedRecord } from '../../../src/core/records/recordSteps';
import type { SavedOutput } from '../../../src/core/outputs/savedOutput';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { idOf, pointerFiles } from '../../../src/host/pointers/pointerFiles';
import { writePointer, type RunPointer } from '../../../src/host/pointers/runPointer';
import { RunsElsewhere } from '../../../src/host/jobs/runsElsewhere';
import { origin, server, start, stored, storedElsewhere } from '../jobs/observations';
import { MemoryStorage } from './memoryStorage';
import { unchanged } from '../../support/unchanged';

// Other test files have loaded the module, and more will.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());

function setUp(folder?: string) {
  const store = new JobStore();
  const storage = new MemoryStorage();
  const known: string[] = [];
  const saved = new Map<string, readonly SavedOutput[]>();
  const runs = new RunsElsewhere({
    store,
    storage,
    folders: () => Promise.resolve(folder === undefined ? [] : [new NodeFolder(folder)]),
    log: { error: (_what, error) => expect.unreachable(String(error)) },
    onKnown: (ids) => known.push(...ids),
    onSaved: (id, files) => saved.set(id, files),
    pauses: [0, 5, 5],
  });
  onTestFinished(() => runs.dispose());
  return { store, storage, known, saved, runs };
}

async function recordOf(run: RunRecord): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'comfy-deck-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await (await RecordFile.create(new NodeFolder(folder), 'portrait-20260115-120000', run, unchanged)).close();
  return folder;
}

const pointer: RunPointer = {
  ...{ jobId: 'theirs', server, serverName: 'Theirs', isSandbox: false, label: origin.label },
  ...{ folder: '/outputs', record: 'theirs.run.json', sentAt: start, isOwed: true },
};

const leave = (storage: MemoryStorage, each: RunPointer): Promise<void> =>
  storage.write(pointerFiles.owed(idOf(each)), writePointer(each));

const told = async (known: readonly string[], id: string): Promise<void> =>
  vi.waitFor(() => expect(known).toContain(id), 20_000);

describe('a job that this window did not submit', () => {
  it('has its name when another window lists it', async () => {
    const { store, storage, known, runs } = setUp();
    await storage.write('jobs-other.json', writeJobs([stored('completed', 'theirs')]));
    store.restore([storedElsewhere('completed', 'theirs'), storedElsewhere('completed', 'unknown')]);
    await told(known, 'theirs');
    expect(known).toEqual(['theirs']);
    expect(runs.of(storedElsewhere('completed', 'theirs'))).toMatchObject({ told: 'window', origin });
    expect(runs.named(storedElsewhere('completed', 'unknown')).origin).toBeUndefined();
    expect(
      runs.of({ ...storedElsewhere('completed', 'theirs'), server: 'http://127.0.0.1:1' }),
    ).toBeUndefined();
  });

  it('has its name while the other window waits for its outputs', async () => {
    const { store, storage, known, runs } = setUp();
    await leave(storage, { ...pointer, promptId: 'p' });
    store.restore([storedElsewhere('running', 'theirs')]);
    await told(known, 'theirs');
    expect(runs.named(storedElsewhere('running', 'theirs')).origin?.label).toBe(origin.label);
  });

  it('has the files that the command line saves when it has ended', async () => {
    const sent = submittedRecord(
      sendingRecord({ server, label: 'cli.json', seeds: {}, sentAt: start }),
      'theirs',
      start,
    );
    const folder = await recordOf(sent);
    const { store, known, saved, runs } = setUp(folder);
    store.restore([storedElsewhere('running', 'theirs')]);
    await told(known, 'theirs');
    expect(saved.size).toBe(0);
    const files = new NodeFolder(folder);
    const place = { node: '9', area: 'output', original: 'sub/cat_00001_.png' };
    const file = { ...place, name: 'portrait-cat_00001_.png', bytes: 4, sha256: 'a'.repeat(64) };
    const record = await RecordFile.open(files, 'portrait-20260115-120000.run.json', unchanged);
    if (record === undefined || record === 'busy') throw new Error('No record');
    const deleted = { ...file, original: 'sub/dog_00001_.png', name: 'portrait-dog_00001_.png' };
    const made = [file, deleted];
    await record.change((one) => ({ ...one, state: 'saved', expected: made, files: made }));
    await writeFile(path.join(folder, file.name), 'cat!');
    await record.close();
    store.observe({ kind: 'cancelSeen', id: 'theirs', server, at: start });
    await vi.waitFor(() => expect(saved.get('theirs')).toHaveLength(1), 20_000);
    const job = runs.named(storedElsewhere('completed', 'theirs'));
    expect(job.outputs).toMatchObject([
      { filename: 'cat_00001_.png', subfolder: 'sub', nodeId: '9', media: 'image' },
    ]);
    expect(saved.get('theirs')?.[0]?.location).toBe(path.join(folder, 'portrait-cat_00001_.png'));
  });

  it('has its name from the run record that the command line wrote', async () => {
    const promptText = JSON.stringify({ '3': { class_type: 'KSampler', inputs: { seed: 5 } } });
    const seeds = { '3.seed': '5' };
    const sent = sendingRecord({ server, label: 'cli.json', seeds, promptText, sentAt: start });
    const { store, known, runs } = setUp(await recordOf(submittedRecord(sent, 'theirs', start)));
    store.restore([storedElsewhere('running', 'theirs')]);
    await told(known, 'theirs');
    expect(runs.of(storedElsewhere('running', 'theirs'))).toMatchObject({
      told: 'record',
      origin: { label: 'cli.json', seeds: { '3.seed': '5' }, nodeNames: { '3': 'KSampler' } },
    });
  });

  it('is looked up again while it is alive: its record may appear late', async () => {
    const { store, storage, known } = setUp();
    await storage.write('jobs-other.json', writeJobs([stored('running', 'theirs')]));
    const nothing = () => Promise.resolve([]);
    vi.spyOn(storage, 'list').mockImplementationOnce(nothing).mockImplementationOnce(nothing);
    store.restore([storedElsewhere('running', 'theirs')]);
    await told(known, 'theirs');
  });

  it("remains someone else's even after its outputs were saved here", async () => {
    const job = storedElsewhere('completed', 'theirs');
    const { store, storage, known } = setUp(await recordOf(foreignRecord(job, undefined)));
    await leave(storage, { ...pointer, askedAt: start });
    await storage.write('jobs-other.json', writeJobs([stored('completed', 'last')]));
    store.restore([job]);
    await expect.poll(() => store.get('theirs')).toBeDefined();
    store.restore([storedElsewhere('completed', 'last')]);
    await told(known, 'last');
    expect(known).not.toContain('theirs');
  });
});
