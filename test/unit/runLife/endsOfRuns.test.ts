import { afterEach, describe, expect, it, vi } from 'vitest';
import { MayStillRun } from '../../../src/core/jobs/cancelJobs';
import { ServerError } from '../../../src/core/protocol/serverError';
import { finishRun } from '../../../src/core/runLife/takeUpRun';
import { OutputsNotSavedError } from '../../../src/core/runLife/outputsNotSaved';
import { RunLeft } from '../../../src/core/runLife/run';
import { failure } from '../jobs/observations';
import { calm, followedRun, jobThat, made, pictureOf, type RunWorld } from './followedRun';

const unreachable = new ServerError('No answer.', { reason: 'network', endpoint: 'GET /api/queue' });
const never = new AbortController().signal;

/** A run that the server accepted. */
async function sent(more: RunWorld = {}) {
  const world = await followedRun(more);
  await world.run.accepted('job');
  const finish = (signal = never) => finishRun(world.run, world.session, world.ports, signal);
  return { ...world, finish };
}

/** One whose job told its price so far. */
const priced = {
  ...jobThat('running'),
  nodes: { '2': { nodeId: '2', state: 'running', value: 0, max: 1, price: 3, priceAt: 1 } },
} as const;

/** Nothing of it was saved. */
const owed = (why: string, error: unknown, job: unknown) => ({ kind: 'owed', why, error, job, files: [] });

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a run that is followed', () => {
  it('cannot be before its server accepted it', async () => {
    const { run, session, ports } = await followedRun();
    await expect(finishRun(run, session, ports, never)).rejects.toThrow(
      'A run is followed before the server accepted it.',
    );
  });

  it('tells what happens to it in order, and is saved at the end', async () => {
    const { run, finish, folder, tracker, events } = await sent();
    const ended = finish();
    tracker.runs();
    tracker.end(jobThat('completed', made('a.png')));
    const end = await ended;
    const kinds = events.map(({ kind }) => kind).filter((kind, at, all) => kind !== all[at - 1]);
    expect(kinds).toEqual(['accepted', 'server', 'running', 'ended', 'saving', 'saved']);
    expect(events).toContainEqual({ kind: 'accepted', jobId: 'job' });
    expect(events).toContainEqual({ kind: 'running', jobId: 'job' });
    expect(events).toContainEqual({ kind: 'server', state: calm });
    expect(events).toContainEqual({ kind: 'ended', job: tracker.job });
    expect(end).toMatchObject({
      kind: 'saved',
      job: tracker.job,
      files: [{ file: made('a.png'), bytes: 9 }],
    });
    const files = 'files' in end ? end.files : [];
    expect(events.at(-1)).toEqual({ kind: 'saved', job: tracker.job, files, isPart: false });
    expect(run.record).toMatchObject({
      state: 'saved',
      files: [{ name: files[0]?.name, original: 'a.png' }],
    });
    expect(folder.names).toContain(files[0]?.name);
  });

  it('is told to have run even if nobody saw it run', async () => {
    const { finish, tracker, heard } = await sent();
    tracker.end(jobThat('completed'));
    await finish();
    expect(heard('running')).toEqual([{ kind: 'running', jobId: 'job' }]);
  });

  it.each(['failed', 'cancelled'] as const)('that %s keeps what it made before', async (state) => {
    const { run, finish, tracker } = await sent();
    const broken = state === 'failed' ? { failure: failure() } : {};
    tracker.end({ ...jobThat(state, made('early.png')), ...broken });
    expect(await finish()).toMatchObject({ kind: state, files: [{ file: { filename: 'early.png' } }] });
    expect(run.record).toMatchObject({ state, files: [{ original: 'early.png' }] });
  });

  it('whose job the server no longer has is lost', async () => {
    const { run, finish, tracker } = await sent();
    tracker.end(jobThat('lost'));
    expect(await finish()).toEqual({ kind: 'lost', why: 'forgotten', job: tracker.job, files: [] });
    expect(run.record).toMatchObject({ state: 'lost', why: 'forgotten' });
  });

  it('whose events were missed has unknown outputs', async () => {
    const { run, finish, tracker } = await sent();
    tracker.end({ ...jobThat('completed'), eventsOnly: true, missedEvents: true });
    expect(await finish()).toMatchObject({ kind: 'outputsUnknown', job: tracker.job, files: [] });
    expect(run.record.state).toBe('outputsUnknown');
  });

  it('hides secrets in what it writes', async () => {
    const { run, folder, finish, tracker } = await sent({ hide: (text) => text.replaceAll('hush', '•••') });
    tracker.end({ ...jobThat('failed'), failure: failure({ message: 'said hush' }) });
    await finish();
    const text = await folder.read(run.name);
    expect(text).toContain('said •••');
    expect(text).not.toContain('hush');
  });

  it('ends without anybody who listens', async () => {
    const { finish, tracker } = await sent({ quiet: true });
    tracker.runs();
    tracker.end(jobThat('completed', made('a.png')));
    expect(await finish()).toMatchObject({ kind: 'saved' });
  });
});

describe('a run whose outputs cannot all be saved', () => {
  it('stays owed, with those that could', async () => {
    const { run, finish, tracker, pictures, events } = await sent();
    const gone = new ServerError('Gone.', { reason: 'notFound', endpoint: 'GET /api/view', status: 404 });
    pictures.view = (file) =>
      file.filename === 'b.png' ? Promise.reject(gone) : Promise.resolve(pictureOf(file));
    tracker.end(jobThat('completed', made('a.png'), made('b.png')));
    const end = await finish();
    expect(end).toMatchObject({
      kind: 'owed',
      why: 'notSaved',
      job: tracker.job,
      files: [{ file: { filename: 'a.png' } }],
      error: { failed: [{ file: { filename: 'b.png' }, error: gone }] },
    });
    expect(end).toHaveProperty('error', expect.any(OutputsNotSavedError));
    expect(events.at(-1)).toMatchObject({
      kind: 'saved',
      isPart: true,
      job: tracker.job,
      files: [{ file: { filename: 'a.png' } }],
    });
    expect(run.record).toMatchObject({ state: 'incomplete', files: [{ original: 'a.png' }] });
  });

  it('stays owed when the folder fails in a way that nobody knows', async () => {
    const { finish, tracker, folder, heard } = await sent();
    const odd = new Error('odd');
    folder.list = () => Promise.reject(odd);
    tracker.end(jobThat('completed', made('a.png')));
    expect(await finish()).toEqual(owed('endUnknown', odd, tracker.job));
    expect(heard('saved')).toEqual([]);
  });

  it('is left when its owner leaves while it is saved', async () => {
    const { run, finish, tracker, pictures } = await sent();
    const leave = new AbortController();
    pictures.view = () => {
      leave.abort(new RunLeft());
      return Promise.reject(leave.signal.reason as Error);
    };
    tracker.end(jobThat('completed', made('a.png')));
    expect(await finish(leave.signal)).toEqual(
      owed('notFollowed', leave.signal.reason as unknown, tracker.job),
    );
    expect(tracker.cancelled).toEqual([]);
    expect(run.isOwed).toBe(true);
  });
});

describe('a run that is no longer followed', () => {
  it('is left with its price so far, and hears no more', async () => {
    const { run, finish, tracker, events, heard } = await sent();
    const leave = new AbortController();
    const ended = finish(leave.signal);
    tracker.job = priced;
    const reason = new RunLeft();
    leave.abort(reason);
    expect(await ended).toEqual(owed('notFollowed', reason, priced));
    expect(reason.name).toBe('RunLeft');
    expect(tracker.cancelled).toEqual([]);
    expect(run.record).toMatchObject({ state: 'submitted', price: { credits: 3 } });
    const before = events.length;
    tracker.runs();
    tracker.change({ ...calm, queueLength: 1 });
    expect(events.length).toBe(before);
    expect(heard('running')).toEqual([]);
  });

  it('is owed when the server does not say how it ended', async () => {
    const { finish, tracker } = await sent();
    const refused = new Error('The key was refused.');
    tracker.job = jobThat('running');
    tracker.fail(refused);
    expect(await finish()).toEqual(owed('endUnknown', refused, tracker.job));
    expect(tracker.cancelled).toEqual([]);
  });

  it('is owed when the server stays away', async () => {
    vi.useFakeTimers();
    const { finish, tracker } = await sent({ giveUpAfter: 60_000 });
    const ended = finish();
    tracker.job = jobThat('running');
    tracker.change({ ...calm, trouble: unreachable });
    await vi.advanceTimersByTimeAsync(60_000);
    const end = await ended;
    expect(end).toMatchObject({ kind: 'owed', why: 'serverAway', job: tracker.job, files: [] });
    expect(end).toMatchObject({ error: { name: 'ServerGone', message: 'No answer.', cause: unreachable } });
  });
});

describe('a run that is cancelled', () => {
  const stopped = () => AbortSignal.abort(new Error('enough'));

  /** Native timeouts do not follow fake timers. */
  function fakeTimeouts(): void {
    vi.useFakeTimers();
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('Too slow.', 'TimeoutError')), ms);
      return controller.signal;
    });
  }

  it('saves what it made', async () => {
    const { run, finish, tracker, heard } = await sent();
    tracker.end(jobThat('cancelled', made('early.png')));
    expect(await finish(stopped())).toMatchObject({
      kind: 'cancelled',
      files: [{ file: { filename: 'early.png' } }],
    });
    expect(tracker.cancelled).toEqual(['job']);
    expect(heard('cancel')).toEqual([{ kind: 'cancel', jobId: 'job', result: 'cancelled' }]);
    expect(heard('notCancelled')).toEqual([]);
    expect(run.record).toMatchObject({ state: 'cancelled', files: [{ original: 'early.png' }] });
  });

  it('may still run when the server does not confirm it', async () => {
    const { run, finish, tracker, heard } = await sent();
    tracker.job = jobThat('running');
    tracker.cancels = () => Promise.resolve('stillRunning');
    const end = await finish(stopped());
    expect(end).toEqual(owed('mayStillRun', new MayStillRun('job'), tracker.job));
    expect(heard('cancel')).toEqual([{ kind: 'cancel', jobId: 'job', result: 'stillRunning' }]);
    expect(run.record.state).toBe('submitted');
  });

  it('is owed when the server cannot be asked to', async () => {
    const { run, finish, tracker, heard } = await sent();
    tracker.job = jobThat('running');
    tracker.cancels = () => Promise.reject(unreachable);
    expect(await finish(stopped())).toEqual(owed('mayStillRun', unreachable, tracker.job));
    expect(heard('notCancelled')).toEqual([{ kind: 'notCancelled', jobId: 'job', error: unreachable }]);
    expect(heard('cancel')).toEqual([]);
    expect(run.isOwed).toBe(true);
  });

  it('is waited for 15 seconds', async () => {
    fakeTimeouts();
    const { finish, tracker, heard } = await sent();
    const ended = finish(stopped());
    await vi.advanceTimersByTimeAsync(14_000);
    expect(heard('notCancelled')).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await ended).toMatchObject({ kind: 'owed', why: 'mayStillRun', error: { name: 'TimeoutError' } });
    expect(heard('notCancelled')).toHaveLength(1);
    expect(tracker.listeners.size).toBe(0);
  });
});
