import { describe, expect, it } from 'vitest';
import type { ViewAnswer } from '../../../src/core/client/view';
import type { JobFile } from '../../../src/core/jobs/job';
import { OwnedRun } from '../../../src/core/runLife/ownedRun';
import { RunWork } from '../../../src/core/runLife/runWork';
import { resumeRun } from '../../../src/core/runLife/takeUpRun';
import type { JobListing } from '../../../src/core/protocol/jobRecord';
import { budgets } from '../../../src/core/safety/budgets';
import { listing, origin, server, start } from '../jobs/observations';
import { followedRun, jobThat, made, pictureOf, recordOnDisk, type RunWorld } from './followedRun';

const never = new AbortController().signal;

/** A run whose program ended, taken up again. */
async function left({ wait = true, ...more }: RunWorld & { readonly wait?: boolean } = {}) {
  const world = await followedRun(more);
  const resume = () => resumeRun(world.run, world.session, world.ports, { wait }, never);
  return { ...world, resume };
}

describe('a run that the server accepted', () => {
  it('is followed again as its sender knew it, and saved', async () => {
    const promptText = '{"3": {"class_type": "SaveImage", "inputs": {}}}';
    const { run, tracker, events, resume } = await left({ promptText });
    await run.accepted('job');
    tracker.job = jobThat('running');
    const ended = resume();
    await Promise.resolve();
    tracker.end(jobThat('completed', made('a.png')));
    expect(await ended).toMatchObject({ kind: 'saved', files: [{ file: { filename: 'a.png' } }] });
    expect(tracker.resumes).toMatchObject([
      { id: 'job', origin: { label: origin.label, nodeNames: { '3': 'SaveImage' } } },
    ]);
    expect(events[1]).toMatchObject({ kind: 'resumed', jobId: 'job', job: { id: 'job' } });
    expect(run.record).toMatchObject({ state: 'saved', files: [{ original: 'a.png' }] });
  });

  it.each(['pending', 'running'] as const)('that is %s is left alone if nobody waits', async (state) => {
    const { run, tracker, events, resume } = await left({ wait: false });
    await run.accepted('job');
    tracker.job = jobThat(state);
    expect(await resume()).toEqual({ kind: 'owed', why: 'notFollowed', job: tracker.job, files: [] });
    expect(tracker.resumes).toMatchObject([{ id: 'job' }]);
    expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'resumed']);
    expect(run.record.state).toBe('submitted');
  });
});

it.each(['forgotten', 'givenUp'] as const)('a run lost as %s is saved if its server has it', async (why) => {
  const { run, tracker, ports, session } = await left();
  await run.accepted('job');
  await run.giveUp(why);
  await run.close();
  tracker.end(jobThat('completed', made('a.png')));
  const begin = () => Promise.resolve({ session, wait: true });
  const [one, other] = [1, 2].map(() => ports.runs.resume(run.name, ports, begin, never));
  expect(await one).toMatchObject({ phase: { kind: 'saved' }, facts: { files: [{ original: 'a.png' }] } });
  // The second caller joined it.
  expect(await other).toBe(await one);
});

it('a run that is being followed has its files loaded once, whoever else wants them', async () => {
  const { run, tracker, pictures, ports, session } = await left();
  await run.accepted('job');
  await run.close();
  const asked: string[] = [];
  pictures.view = (file) => {
    asked.push(file.filename);
    return Promise.resolve(pictureOf(file));
  };
  const followed = ports.runs.resume(run.name, ports, () => Promise.resolve({ session, wait: true }), never);
  const job = jobThat('completed', made('a.png'));
  const saved = ports.runs.save(job, session.client, ports, { name: run.name }, never);
  await Promise.resolve();
  tracker.end(job);
  expect([await followed, await saved]).toMatchObject([
    { phase: { kind: 'saved' } },
    { phase: { kind: 'saved' } },
  ]);
  expect(asked).toEqual(['a.png']);
});

it('a run that is given up while its server is asked stays so', async () => {
  const { run, tracker, ports, session, events } = await left();
  await run.accepted('job');
  await run.close();
  const begin = () => Promise.resolve({ session, wait: true });
  tracker.details = async () => {
    await ports.runs.giveUp(run.name, ports, 'givenUp');
    return jobThat('running');
  };
  const end = await ports.runs.resume(run.name, ports, begin, never);
  expect(end).toMatchObject({ phase: { kind: 'lost', why: 'givenUp' }, facts: { why: 'givenUp' } });
  expect(events.map(({ kind }) => kind)).toEqual(['accepted']);
});

it('a run is unlocked after an attempt that failed', async () => {
  const pointers = { put: () => Promise.reject(new Error('full')), remove: () => Promise.resolve() };
  const { run, ports, session } = await left();
  await run.accepted('job');
  await run.close();
  const job = jobThat('completed', made('a.png'));
  const saved = ports.runs.save(job, session.client, { ...ports, pointers }, { name: run.name }, never);
  await expect(saved).rejects.toThrow('full');
  expect(ports.runs.isLocked(run.location)).toBe(false);
});

describe('a run whose server forgot the job, and may have its files', () => {
  /** The record says what the job made. */
  async function forgotten(originals: readonly string[], jobState?: 'completed') {
    const world = await left();
    await world.run.accepted('job');
    const expected = originals.map((original, at) => ({
      name: `${world.run.file.stem}-${at}.png`,
      node: '3',
      area: 'output',
      original,
    }));
    await world.run.change((record) => ({ ...record, state: 'saving', jobState, expected }));
    const asked: JobFile[] = [];
    world.pictures.view = (file: JobFile): Promise<ViewAnswer> => {
      asked.push(file);
      return Promise.resolve(pictureOf(file));
    };
    return { ...world, asked };
  }

  it('gets them by their recorded places, and is saved', async () => {
    const { run, tracker, events, asked, resume } = await forgotten(['a.png', 'deep/er/b.png'], 'completed');
    const end = await resume();
    expect(asked).toMatchObject([
      { nodeId: '3', area: 'output', filename: 'a.png', subfolder: '', media: 'image' },
      { nodeId: '3', area: 'output', filename: 'b.png', subfolder: 'deep/er', media: 'image' },
    ]);
    expect(end).toMatchObject({
      kind: 'saved',
      job: {
        id: 'job',
        server,
        state: 'completed',
        cancelling: false,
        origin: { label: origin.label },
        outputsCount: undefined,
        blocked: [],
      },
    });
    const job = { id: 'job', state: 'completed' };
    expect(events[1]).toMatchObject({ kind: 'resumed', jobId: 'job', job });
    expect(tracker.resumes).toEqual([]);
    const files = [{ original: 'a.png' }, { original: 'deep/er/b.png' }];
    expect(run.record).toMatchObject({ state: 'saved', files });
  });

  it('gets them, and stays lost if nobody saw it end', async () => {
    const { run, resume } = await forgotten(['a.png']);
    expect(await resume()).toMatchObject({ kind: 'lost', why: 'forgotten' });
    expect(run.record).toMatchObject({ state: 'lost', files: [{ original: 'a.png' }] });
  });

  it('stays owed while the record counts more than it names', async () => {
    const { run, resume } = await forgotten(['a.png'], 'completed');
    const texts = [{ node: '4', text: 'a cat' }];
    await run.change((record) => ({ ...record, texts, unlisted: 2 }));
    expect(await resume()).toMatchObject({ kind: 'owed', why: 'notSaved', job: { outputsCount: 4 } });
    expect(run.record).toMatchObject({ state: 'incomplete', unlisted: 2 });
  });
});

describe('a run that was about to be sent', () => {
  /** Ten seconds, or more, after it was about to be sent; the server has these jobs, each with its own id as key. */
  async function unclear({ later = 10_000, jobs = [] as readonly JobListing[] } = {}) {
    const world = await left();
    Object.assign(world.session, {
      now: () => start + later,
      earliestNow: () => start + later,
      capabilities: () => Promise.resolve({ dialect: 'cloud' }),
      sentTextsOf: (id: string) => Promise.resolve({ promptText: '{}', runKey: id }),
    });
    Object.assign(world.pictures, { jobs: () => Promise.resolve({ jobs, hasMore: false }) });
    return world;
  }

  it('and that the server has is owned as that job, followed and saved', async () => {
    const { run, tracker, events, resume } = await unclear({ jobs: [listing('pending', { id: 'key' })] });
    tracker.end(jobThat('completed', made('a.png')));
    expect(await resume()).toMatchObject({ kind: 'saved' });
    expect(events[0]).toEqual({ kind: 'accepted', jobId: 'key' });
    expect(events[1]).toMatchObject({ kind: 'resumed', jobId: 'key' });
    expect(run.record).toMatchObject({ state: 'saved' });
  });

  it('and that is given up while it is looked for stays so', async () => {
    const { run, pictures, resume } = await unclear();
    const found = { jobs: [listing('pending', { id: 'key' })], hasMore: false };
    Object.assign(pictures, { jobs: () => run.giveUp('givenUp').then(() => found) });
    expect(await resume()).toMatchObject({ kind: 'lost', why: 'givenUp' });
  });

  it('and that may still arrive stays owed, and says for how long', async () => {
    const { run, events, resume } = await unclear();
    const mayArriveFor = budgets.latestArrival - 10_000;
    expect(await resume()).toEqual({ kind: 'owed', why: 'notSeen', files: [], mayArriveFor });
    expect(run.record.state).toBe('sending');
    expect(events).toEqual([]);
  });

  it('and that cannot arrive any more was never accepted', async () => {
    const { run, resume } = await unclear({ later: budgets.latestArrival });
    expect(await resume()).toEqual({ kind: 'lost', why: 'neverAccepted', files: [] });
    expect(run.record).toMatchObject({ state: 'lost', why: 'neverAccepted' });
    expect(run.isOwed).toBe(false);
  });
});

describe('a job that somebody else ran', () => {
  /** One that is saved into a folder of its own. */
  async function foreign({ wait = true } = {}) {
    const world = await followedRun();
    world.folder.files.clear();
    const save = () => world.ports.runs.saveForeign('job', world.session, world.ports, { wait }, never);
    const records = () => world.folder.names.filter((name) => name.endsWith('.run.json'));
    return { ...world, save, records };
  }

  it('is saved next to a record of its own, which others may then have', async () => {
    const { folder, tracker, heard, records, save } = await foreign();
    tracker.end(jobThat('completed', made('a.png')));
    expect(await save()).toMatchObject({ kind: 'saved', files: [{ file: { filename: 'a.png' } }] });
    const [name = ''] = records();
    expect(await recordOnDisk(folder, name)).toMatchObject({
      job: 'job',
      state: 'saved',
      files: [{ original: 'a.png' }],
    });
    expect(heard('ended')).toEqual([{ kind: 'ended', job: tracker.job }]);
  });

  it('is none if the server does not know it', async () => {
    const { folder, save } = await foreign();
    expect(await save()).toBeUndefined();
    expect(folder.names).toEqual([]);
  });

  it.each([true, false])('is waited for if it has not ended: %s', async (wait) => {
    const { tracker, folder, save } = await foreign({ wait });
    tracker.job = jobThat('running');
    const ended = save();
    await Promise.resolve();
    const { job } = tracker;
    if (wait) tracker.end(jobThat('completed', made('a.png')));
    expect(await ended).toEqual(
      wait
        ? expect.objectContaining({ kind: 'saved' })
        : { kind: 'owed', why: 'notFollowed', job, files: [] },
    );
    if (!wait) expect(folder.names).toEqual([]);
  });

  it('leaves no trace if nothing of it can be saved', async () => {
    const { folder, tracker, pictures, save } = await foreign();
    pictures.view = () => Promise.reject(new Error('odd'));
    tracker.end(jobThat('completed', made('a.png')));
    const end = await save();
    expect(end).toMatchObject({ kind: 'owed', why: 'notSaved' });
    expect(folder.names).toEqual([]);
  });
});

it.each([
  ['has texts', { texts: [{ node: '4', text: 'a cat' }] }, true],
  [
    'has files',
    { files: [{ name: 'a.png', node: '3', area: 'output', original: 'a.png', sha256: '', bytes: 1 }] },
    true,
  ],
  ['has nothing', {}, false],
])('the record of a job that somebody else ran that %s stays: %#', async (_, more, stays) => {
  const { folder, ports } = await followedRun();
  const run = await OwnedRun.foreign(jobThat('completed'), ports, '{}');
  expect(run.record).toMatchObject({ state: 'submitted', job: 'job', promptText: '{}' });
  await run.change((record) => ({ ...record, state: 'saved', ...more }));
  await run.close();
  expect(folder.names.includes(run.name)).toBe(stays);
});

describe('a run of several programs', () => {
  it('is left to the one that has it, which keeps it between attempts if it is to, and else unlocks it', async () => {
    const { run, ports } = await followedRun();
    const begin = () => Promise.resolve(undefined);
    const resume = (keepsLock = false, runs = new RunWork()) =>
      runs.resume(run.name, { ...ports, keepsLock }, begin, never);
    expect(await resume()).toBe('locked');
    await run.close();
    const patient = new RunWork();
    expect(await resume(true, patient)).toMatchObject({ phase: { kind: 'owed', why: 'notSeen' } });
    expect(await resume()).toBe('locked');
    expect(patient.owed()).toMatchObject([{ place: { record: run.name } }]);
    await patient.close();
    for (const each of [1, 2])
      expect(await resume(), String(each)).toMatchObject({ facts: { state: 'sending' } });
  });

  it('is written again from what is known of it if its record is gone', async () => {
    const pointed: string[] = [];
    const put = ({ name }: { readonly name: string }) => Promise.resolve(void pointed.push(name));
    const { run, folder, ports } = await followedRun({ pointers: { put, remove: put } });
    const known = { server, label: origin.label, promptId: 'key', jobId: 'job', sentAt: start };
    await run.close();
    folder.files.clear();
    const begin = () => Promise.resolve(undefined);
    expect(await ports.runs.resume('gone.run.json', ports, begin, never)).toBeUndefined();
    const again = await ports.runs.resume('gone.run.json', ports, begin, never, known);
    expect(again).toMatchObject({ facts: { job: 'job', state: 'submitted' } });
    expect(pointed).toEqual([run.name]);
  });

  it.each([
    [{ kind: 'lost', why: 'sandboxEnded', files: [] }, 'lost'],
    [{ kind: 'owed', why: 'serverRemoved', files: [] }, 'submitted'],
  ] as const)('whose server is not there any more is %j', async (phase, state) => {
    const { run, ports } = await left();
    await run.accepted('job');
    await run.close();
    const resumed = await ports.runs.resume(run.name, ports, () => Promise.resolve(phase), never);
    expect(resumed).toMatchObject({ phase, facts: { state } });
  });
});
