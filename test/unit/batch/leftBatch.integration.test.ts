import { expect, it } from 'vitest';
import { RunLeft } from '../../../src/core/runLife/runEnd';
import { countRows, type BatchRow } from '../../../src/core/batch/rowsToRun';
import { sandboxSession } from '../runs/runFixture';
import { BatchWorld, serverOf, submissions } from './batchFixture';

const never = new AbortController().signal;
const slowText = (steps: number): string =>
  JSON.stringify({
    1: { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
    2: { class_type: 'SandboxSlow', inputs: { value: ['1', 0], steps } },
    3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'shot' } },
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
  const world = await BatchWorld.open({ '1.color': '1..2' }, slowText(400));
  const server = serverOf(session, 'one', 1);
  const { sent } = await stopped(world, server, new RunLeft());
  const [job = ''] = sent;
  expect(await session.tracker.cancel(job)).toBe('cancelled');
  const later = await world.run([server]);
  await later.go(never);
  expect(later.counts).toMatchObject({ saved: 2, cancelled: 0 });
  expect(submissions(bodies)).toBe(3);
});
