import { describe, expect, it } from 'vitest';
import { OutputError } from '../../../src/core/outputs/outputError';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { OwnedRun, type PointerPort } from '../../../src/core/runLife/ownedRun';
import { server, start } from '../jobs/observations';
import { followedRun, recordOnDisk, type RunWorld } from './followedRun';

/** A run, and what its owner remembers of it. */
async function owned(more: RunWorld = {}) {
  const pointed: string[] = [];
  const point = (what: string): Promise<void> => {
    pointed.push(what);
    return Promise.resolve();
  };
  const pointers: PointerPort = {
    put: ({ name, jobId }) => point(`${name} ${jobId}`),
    remove: ({ name }) => point(`no ${name}`),
  };
  const world = await followedRun({ pointers, ...more });
  return { ...world, pointed, onDisk: () => recordOnDisk(world.folder, world.run.name) };
}

const noRoom = new OutputError('The disk is full.', 'diskFull');

describe('the record of a run', () => {
  it('is named after the workflow and the time, and ends as its owner wants', async () => {
    const { run, folder } = await owned({ suffix: '-7' });
    expect(run.name).toMatch(/^portrait-\d{8}-\d{6}-7\.run\.json$/);
    expect(run.location).toBe(folder.location(run.name));
    expect((await owned()).run.name).toMatch(/^portrait-\d{8}-\d{6}\.run\.json$/);
  });

  it('says where the workflow is, and which it was', async () => {
    const { run } = await owned({ source: { uri: 'w/portrait.json', hash: 'abc' }, isSandbox: true });
    expect(run.record).toMatchObject({
      sourceUri: 'w/portrait.json',
      sourceHash: 'abc',
      serverKind: 'sandbox',
      sentAt: new Date(start).toISOString(),
    });
    expect((await owned()).run.record).toMatchObject({ serverKind: 'local', sourceUri: undefined });
  });

  it('says that the server accepted it, and its owner remembers that', async () => {
    const { run, events, pointed, onDisk } = await owned();
    expect(run.jobId).toBeUndefined();
    await run.accepted('job');
    expect(run.jobId).toBe('job');
    expect(events).toEqual([{ kind: 'accepted', jobId: 'job' }]);
    expect(pointed).toEqual([`${run.name} job`]);
    expect(await onDisk()).toBe('busy');
    await run.close();
    expect(await onDisk()).toMatchObject({ state: 'submitted', job: 'job' });
  });

  it.each([
    ['remembered while it is owed', (record: RunRecord): RunRecord => record, []],
    [
      'no longer remembered when it is over',
      (record: RunRecord): RunRecord => ({ ...record, state: 'saved' }),
      ['no'],
    ],
  ] as const)('is %s', async (_, step, removed) => {
    const { run, pointed } = await owned();
    await run.accepted('job');
    await run.change(step);
    await run.close();
    expect(pointed.slice(1)).toEqual(removed.map((no) => `${no} ${run.name}`));
  });

  it('has the job on disk before anybody reads of it', async () => {
    const onDisk: unknown[] = [];
    const { run, folder } = await owned({
      on: ({ kind }) => {
        if (kind === 'accepted') onDisk.push(String(folder.files.get(run.name)));
      },
    });
    await run.accepted('job');
    expect(onDisk).toEqual([expect.stringContaining('"job": "job"')]);
  });

  it('says why nothing is awaited any more', async () => {
    const { run } = await owned();
    expect(run.isOwed).toBe(true);
    await run.giveUp('givenUp');
    expect(run.isOwed).toBe(false);
    expect(run.record).toMatchObject({ state: 'lost', why: 'givenUp' });
  });

  it.each([
    [true, { state: 'lost', why: 'sandboxEnded' }],
    [false, { state: 'submitted' }],
  ])('of a server that ends with its owner (%s) says so', async (endsWithOwner, told) => {
    const { run, onDisk } = await owned({ endsWithOwner });
    await run.accepted('job');
    await run.close();
    expect(await onDisk()).toMatchObject(told);
  });

  it('of a run that is over is left as it is when its server ends', async () => {
    const { run, onDisk } = await owned({ endsWithOwner: true });
    await run.accepted('job');
    await run.change((record) => ({ ...record, state: 'failed' }));
    await run.close();
    expect(await onDisk()).toMatchObject({ state: 'failed' });
  });
});

it('a record in the place of a run that is owed is left alone if it is of another run', async () => {
  const { run, folder, ports } = await owned();
  await run.close();
  const before = String(folder.files.get(run.name));
  const lost = { server, label: 'portrait.json', promptId: 'other', jobId: 'job', sentAt: start };
  const again = await OwnedRun.open(run.name, ports, lost);
  if (!(again instanceof OwnedRun)) throw new Error('It is locked.');
  expect(again.name).not.toBe(run.name);
  expect(again.record).toMatchObject({ promptId: 'other', job: 'job', state: 'submitted' });
  expect(String(folder.files.get(run.name))).toBe(before);
  expect(await recordOnDisk(folder, run.name)).toMatchObject({ promptId: 'key' });
});

it('a disk that fails ends no run: its owner hears at the end that it could not be recorded, and remembers it', async () => {
  const { run, folder, events, pointed } = await owned();
  folder.room = 0;
  await run.accepted('job');
  await run.change((record) => ({ ...record, state: 'saved' }));
  expect(events).toEqual([{ kind: 'accepted', jobId: 'job' }]);
  await run.close();
  expect(pointed).toEqual([`${run.name} job`]);
  expect(events.slice(1)).toMatchObject([{ kind: 'notRecorded', error: { reason: noRoom.reason } }]);
});
