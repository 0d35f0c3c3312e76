import { writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type BatchRow, rowsToRun, countRows } from '../../../src/core/batch/batchRow';
import { OutputError } from '../../../src/core/outputs/outputError';
import type { OutputFolder } from '../../../src/core/outputs/outputFolder';
import { testNodes } from '../../support/sandboxTestNodes';
import { sandboxForTest } from '../../support/sandboxFixture';
import { sandboxSession, sessionWith } from '../runs/runFixture';
import { BatchWorld, pictureText, serverOf, submissions, withMembers } from './batchFixture';
import { RunLeft } from '../../../src/core/runLife/run';

const never = new AbortController().signal;

const slowText = (steps = 20): string =>
  JSON.stringify({
    1: { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
    3: { class_type: 'SandboxSlow', inputs: { value: ['1', 0], steps } },
    2: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'shot' } },
  });

/** A node type that only some servers have. */
const withTestNode = JSON.stringify({
  ...(JSON.parse(pictureText) as object),
  3: { class_type: 'TestSteps', inputs: { steps: 1, seed: 1 } },
});

describe('a batch', () => {
  it('saves every row with a record that names it, and sends each once', async () => {
    const { session, bodies } = await sandboxSession({ dialect: 'local' });
    const world = await BatchWorld.open({ '1.color': '1,2,3', '1.width': '16,32' });
    const run = await world.run([serverOf(session)]);
    expect(await run.go(never)).toEqual({ why: 'done', message: '' });
    expect(run.counts).toMatchObject({ saved: 6, waiting: 0 });
    expect(await world.pictures()).toBe(6);
    const records = await world.records();
    expect(records.map(({ batch, state }) => [batch?.row, state])).toEqual(
      [0, 1, 2, 3, 4, 5].map((row) => [row, 'saved']),
    );
    expect(records.map(({ promptText = '' }) => /"color": (\d+)/.exec(promptText)?.[1]).join()).toBe(
      '1,1,2,2,3,3',
    );
    expect(submissions(bodies)).toBe(6);
  });

  it('keeps one socket from the first row to the last, lists its folder once, and lets go of both', async () => {
    const { sandbox, session } = await sandboxSession({ dialect: 'local' });
    const world = await BatchWorld.open({ '1.color': '1..6' });
    let lists = 0;
    const folder = withMembers(world.folder, { list: () => (lists++, world.folder.list()) });
    const run = await world.run([serverOf(session, 'one', 1)], { folder });
    await run.go(never);
    expect(run.counts).toMatchObject({ saved: 6 });
    expect(sandbox.seen.requests.filter(({ path }) => path.endsWith('/ws'))).toHaveLength(1);
    expect(lists).toBe(1);
    await expect.poll(() => session.tracker.state.stream.kind).toBe('closed');
  });

  it('stops when what it pays for cannot be saved', async () => {
    const { session, bodies } = await sandboxSession({ dialect: 'local' });
    const world = await BatchWorld.open({ '1.color': '1..20' });
    const cutOff = new OutputError('It was cut off.', 'broken');
    const folder = withMembers(world.folder, {
      rename: (from, to) => (to.endsWith('.png') ? Promise.reject(cutOff) : world.folder.rename(from, to)),
    });
    const run = await world.run([serverOf(session, 'one', 1)], { folder });
    expect(await run.go(never)).toMatchObject({ why: 'errors' });
    expect(run.counts).toMatchObject({ owed: 3, waiting: 17, saved: 0 });
    expect(submissions(bodies)).toBe(3);
  });

  it.each([
    ['cut off', "can't be read, so Comfy Deck can't tell which runs were already submitted."],
    ['not readable now', 'EBUSY'],
  ])('sends nothing while a record is %s', async (how, words) => {
    const { session } = await sandboxSession({ dialect: 'local' });
    const world = await BatchWorld.open({ '1.color': '1,2' });
    await (await world.run([serverOf(session)])).go(never);
    const [name = ''] = (await world.folder.list()).filter((each) => each.endsWith('.run.json'));
    if (how === 'cut off') await writeFile(world.folder.location(name), '{"format": 3,');
    const busy = new OutputError(`${name} couldn't be saved (EBUSY).`, 'other', new Error('EBUSY'));
    const read: OutputFolder['read'] = (file, limit) =>
      file === name ? Promise.reject(busy) : world.folder.read(file, limit);
    const folder = withMembers(world.folder, how === 'cut off' ? {} : { read });
    vi.stubEnv('TZ', 'Pacific/Auckland');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(rowsToRun(folder, world.batch)).rejects.toThrow(words);
  });

  it('never has more jobs on a server than its window', async () => {
    // With time for another row to be sent before the first has ended.
    const { session, store } = await sandboxSession({ dialect: 'local', timing: 'human' });
    const world = await BatchWorld.open({ '1.color': '1..12' });
    let most = 0;
    store.onDidChange(() => {
      const live = store.jobs().filter(({ state }) => state === 'pending' || state === 'running');
      most = Math.max(most, live.length);
    });
    const run = await world.run([serverOf(session, 'one', 3)]);
    await run.go(never);
    expect(run.counts.saved).toBe(12);
    expect(most).toBeLessThanOrEqual(3);
    expect(most).toBeGreaterThan(1);
  });

  it('stops at the first refusal if nothing was ever accepted', async () => {
    const { session, bodies } = await sandboxSession({ dialect: 'local' });
    const world = await BatchWorld.open({ '1.width': '-5..-1' });
    const run = await world.run([serverOf(session, 'one', 1)]);
    const stop = await run.go(never);
    expect(stop.why).toBe('errors');
    expect(stop.message).toContain('width');
    expect(run.counts).toMatchObject({ refused: 1, waiting: 4 });
    expect(submissions(bodies)).toBe(0);
    expect(await world.records()).toEqual([]);
  });

  it('goes on after one bad row, and stops after several in a row', async () => {
    const { session } = await sandboxSession({ dialect: 'local' });
    const world = await BatchWorld.open({ '1.width': '16,-1,17,-2,-3,-4,18' });
    const run = await world.run([serverOf(session, 'one', 1)]);
    expect((await run.go(never)).why).toBe('errors');
    expect(run.rows.map(({ state }) => state)).toEqual([
      'saved',
      'refused',
      'saved',
      'refused',
      'refused',
      'refused',
      'waiting',
    ]);
  });

  it('gives rows that one server refuses to the others, and says so if there is none', async () => {
    const first = await sandboxSession({ dialect: 'local' });
    const second = await sandboxSession({ dialect: 'local', nodes: testNodes });
    const world = await BatchWorld.open({ '1.color': '1..4' }, withTestNode);
    const both = await world.run([serverOf(first.session, 'one'), serverOf(second.session, 'two')]);
    expect(await both.go(never)).toMatchObject({ why: 'done' });
    expect(both.rows.map(({ state, server }) => `${state} on ${server}`)).toEqual(
      Array.from({ length: 4 }, () => 'saved on two'),
    );
    expect(submissions(first.bodies)).toBe(0);
    const elsewhere = await BatchWorld.open({ '1.color': '1..4' }, withTestNode);
    const one = await elsewhere.run([serverOf(first.session, 'one')]);
    expect((await one.go(never)).message).toContain('TestSteps');
  });

  it('pauses, goes on, and can be cancelled and taken up again', async () => {
    const { session, bodies } = await sandboxSession({ dialect: 'local' });
    const world = await BatchWorld.open({ '1.color': '1..6' });
    const ctrlC = new AbortController();
    const ended: BatchRow[] = [];
    const run = await world.run([serverOf(session, 'one', 1)], {
      onRow: (row) => {
        if (row.state !== 'saved') return;
        ended.push(row);
        if (ended.length === 2) run.pause();
      },
    });
    const going = run.go(ctrlC.signal);
    await expect.poll(() => run.isPaused && run.counts.queued + run.counts.running === 0).toBe(true);
    expect(run.counts).toMatchObject({ saved: 2, waiting: 4 });
    ctrlC.abort();
    run.resume();
    expect(await going).toEqual({ why: 'cancelled', message: '' });
    const again = await world.run([serverOf(session)]);
    await again.go(never);
    expect(again.counts.saved).toBe(6);
    expect(submissions(bodies)).toBe(6);
  });

  it('asks once before it spends, with the number of rows', async () => {
    const { session, bodies } = await sandboxSession({ dialect: 'cloud' });
    const partner = JSON.stringify({
      1: {
        class_type: 'OpenAIDalle3',
        inputs: { prompt: 'a cat', seed: 1, style: 'natural', quality: 'standard', size: '1024x1024' },
      },
      2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'shot' } },
    });
    const world = await BatchWorld.open({ '1.seed': '1..5' }, partner);
    const run = await world.run([serverOf(session, 'one', 3)], { isPaid: true });
    await run.go(never);
    expect(run.counts.saved).toBe(5);
    expect(world.asked).toEqual(['spend on 1 nodes in 5 rows']);
    const declined = await BatchWorld.open({ '1.seed': '1..5' }, partner);
    const refused = await declined.run([serverOf(session, 'one', 3)], {
      asks: { maySpend: () => Promise.resolve(false) },
    });
    expect(await refused.go(never)).toMatchObject({ why: 'declined' });
    expect(refused.counts.waiting).toBe(5);
    expect(submissions(bodies)).toBe(5);
  });
});

it('a row that a server has taken is queued until the server runs it', async () => {
  const { session } = await sandboxSession({ dialect: 'local', timing: 'human' });
  const world = await BatchWorld.open({ '1.color': '1..3' }, slowText());
  const states = new Map<number, string[]>();
  let queuedBeside = 0;
  const run = await world.run([serverOf(session, 'one', 3)], {
    onRow: ({ index, state }) => {
      const known = states.get(index) ?? [];
      if (known.at(-1) !== state) states.set(index, [...known, state]);
      if (run.counts.running > 0) queuedBeside = Math.max(queuedBeside, run.counts.queued);
    },
  });
  await run.go(never);
  expect([...states.values()]).toEqual(Array.from({ length: 3 }, () => ['queued', 'running', 'saved']));
  expect(queuedBeside).toBe(2);
});

describe('a server that dies in the middle', () => {
  async function dying(isPaid: boolean, mayMove: boolean) {
    const bad = await sandboxForTest({ dialect: 'local', timing: 'human' });
    const good = await sandboxForTest({ dialect: 'local' });
    const [one, two] = [sessionWith(bad), sessionWith(good)];
    const world = await BatchWorld.open({ '1.color': '1..6' }, slowText());
    let closing: Promise<void> | undefined;
    const run = await world.run([serverOf(one.session, 'bad'), serverOf(two.session, 'good')], {
      isPaid,
      asks: {
        mayMovePaid: () => {
          world.asked.push('move');
          return Promise.resolve(mayMove);
        },
      },
      onRow: ({ state }) => {
        if (state === 'saved') closing ??= bad.close();
      },
    });
    return { world, run, stop: await run.go(never) };
  }

  it('gives its rows to the others', async () => {
    const { world, run } = await dying(false, false);
    expect(run.counts.saved).toBe(6);
    expect(new Set(run.rows.map(({ server }) => server))).toEqual(new Set(['good']));
    expect(world.asked).toEqual([]);
    const states = (await world.records()).map(({ state }) => state).sort();
    expect(states.filter((state) => state === 'saved')).toHaveLength(6);
    expect(new Set(states)).toEqual(new Set(['lost', 'saved']));
  });

  it('keeps its paid rows unless the person agrees to pay again', async () => {
    const { world, run, stop } = await dying(true, false);
    expect(world.asked).toEqual(['move']);
    expect(stop.why).toBe('done');
    expect(run.counts).toMatchObject({ saved: 6 - run.counts.owed, waiting: 0 });
    expect(run.counts.owed).toBeGreaterThan(0);
    expect((await world.records()).filter(({ state }) => state === 'lost')).toEqual([]);
  });
});

/** Stops the batch when the first row is on the server, for this reason. */
async function stopped(world: BatchWorld, server: ReturnType<typeof serverOf>, reason: Error) {
  const abort = new AbortController();
  const sent: string[] = [];
  const rows: BatchRow[] = [];
  const run = await world.run([server], {
    onRow: (row) => {
      rows.push(row);
      if (row.state !== 'running' || row.job === undefined) return;
      sent.push(row.job);
      setTimeout(() => abort.abort(reason), 0);
    },
  });
  const stop = await run.go(abort.signal);
  return { run, stop, sent };
}

it('leaves its jobs on the server when its window closes, and sends none of them again', async () => {
  const { session, bodies, store } = await sandboxSession({ dialect: 'local' });
  const world = await BatchWorld.open({ '1.color': '1..4' }, slowText(60));
  const server = serverOf(session, 'one', 1);
  const { run, stop, sent } = await stopped(world, server, new RunLeft());
  expect(stop.why).toBe('cancelled');
  expect(countRows(run.rows)).toMatchObject({ owed: 1, waiting: 3 });
  const [job = ''] = sent;
  expect(store.get(job)).toMatchObject({ cancelling: false, origin: { batch: { row: 0 } } });
  const later = await world.run([server]);
  await later.go(never);
  expect(later.counts).toMatchObject({ saved: 4 });
  expect(store.get(job)?.state).toBe('completed');
  expect(submissions(bodies)).toBe(4);
});

it('runs a row again whose job was cancelled after the batch was left', async () => {
  const { session, bodies } = await sandboxSession({ dialect: 'local' });
  const world = await BatchWorld.open({ '1.color': '1..2' }, slowText(1_000));
  const server = serverOf(session, 'one', 1);
  const { sent } = await stopped(world, server, new RunLeft());
  const [job = ''] = sent;
  expect(await session.tracker.cancel(job)).toBe('cancelled');
  const later = await world.run([server]);
  await later.go(never);
  expect(later.counts).toMatchObject({ saved: 2, cancelled: 0 });
  expect(submissions(bodies)).toBe(3);
});
