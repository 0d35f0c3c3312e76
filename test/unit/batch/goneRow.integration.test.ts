import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rowsToRun } from '../../../src/core/batch/batchRow';
import { RecordFile } from '../../../src/core/records/recordFile';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { post } from '../../support/sandboxFixture';
import { unchanged } from '../../support/unchanged';
import { sandboxSession, sessionWith } from '../runs/runFixture';
import { BatchWorld, pictureText, serverOf, submissions } from './batchFixture';

const never = new AbortController().signal;

/** A batch whose first row was about to be sent when its program was killed, so long ago, ms. */
async function forgotten(ago = 11 * 60_000, dialect: 'local' | 'cloud' = 'local', promptText = pictureText) {
  const { session, bodies } = await sandboxSession({ dialect });
  const world = await BatchWorld.open({ '1.color': '1..2' });
  const record = sendingRecord({
    server: session.origin,
    label: 'w.json',
    promptId: '7a5b9f52-6f0e-4b52-9d0f-0d6b54b1a001',
    promptText,
    seeds: {},
    sentAt: Date.now() - ago,
    batch: { id: world.batch.id, row: 0 },
  });
  await (await RecordFile.create(world.folder, 'w-0001', record, unchanged)).close();
  return { world, server: serverOf(session), bodies };
}

it('costs what its record says if another window has saved it meanwhile', async () => {
  const { world, server } = await forgotten();
  const [before] = await rowsToRun(world.folder, world.batch);
  const record = await RecordFile.open(world.folder, before?.record ?? '', unchanged);
  if (record === undefined || record === 'busy') expect.fail('no record');
  const price = { credits: 6, nodes: { '1': 6 } };
  await record.change((known) => ({ ...known, state: 'saved', job: 'job-1', price }));
  await record.close();
  const run = await world.run([server], { rows: before ? [before] : [] });
  await run.go(never);
  expect(run.rows).toMatchObject([{ state: 'saved', prices: { 'job-1': 6 } }]);
});

describe('a row that no server has a job for after a kill', () => {
  it('is sent again if it costs nothing', async () => {
    const { world, server, bodies } = await forgotten();
    const run = await world.run([server]);
    await run.go(never);
    expect(run.counts).toMatchObject({ saved: 2 });
    expect(submissions(bodies)).toBe(2);
  });

  it('is not sent again if it costs, unless the person asks for it', async () => {
    const { world, server, bodies } = await forgotten();
    const run = await world.run([server], { isPaid: true });
    await run.go(never);
    expect(run.counts).toMatchObject({ saved: 1, failed: 1 });
    expect(run.rows[0]?.message).toBe(
      'The server has no job for this run. It either never accepted it or has since removed it.',
    );
    expect(submissions(bodies)).toBe(1);
    const [first] = await rowsToRun(world.folder, { ...world.batch, isPaid: true });
    expect(first?.state).toBe('failed');
  });
});

it('a row is not sent again if its own server says that it costs, whatever others said of the batch', async () => {
  const nodes = {
    ...(JSON.parse(pictureText) as object),
    3: { class_type: 'FluxKontextProImageNode', inputs: {} },
  };
  const { world, server, bodies } = await forgotten(11 * 60_000, 'local', JSON.stringify(nodes));
  const run = await world.run([server]);
  await run.go(never);
  expect(run.counts).toMatchObject({ saved: 1, failed: 1 });
  expect(submissions(bodies)).toBe(1);
});

describe('a row that may still arrive after a kill', () => {
  it('is sent again after seconds on a server of one’s own, and the others go on meanwhile', async () => {
    const { world, server, bodies } = await forgotten(8_000);
    const run = await world.run([server]);
    const looking = run.go(never);
    await expect.poll(() => run.rows[0]?.message).toContain('may still appear. Waiting up to');
    await expect.poll(() => run.rows[1]?.state).toBe('saved');
    expect(run.rows[0]?.state).not.toBe('saved');
    expect(await looking).toEqual({ why: 'done', message: '' });
    expect(run.counts).toMatchObject({ saved: 2 });
    expect(submissions(bodies)).toBe(2);
  });

  it.each([
    ['in the cloud', 'cloud', { 3: {} }],
    ['if a node costs', 'local', { 3: { class_type: 'FluxKontextProImageNode', inputs: {} } }],
    ['if a node is unknown', 'local', { 3: { class_type: 'Unknown', inputs: {} } }],
  ] as const)('is waited for as long as it may arrive %s', async (_, dialect, more) => {
    const nodes = { ...(JSON.parse(pictureText) as object), ...(dialect === 'local' && more) };
    const { world, server, bodies } = await forgotten(20_000, dialect, JSON.stringify(nodes));
    const run = await world.run([server]);
    const abort = new AbortController();
    const looking = run.go(abort.signal);
    await expect.poll(() => run.rows[0]?.message).toContain('Waiting up to 9 min');
    await expect.poll(() => run.rows[1]?.state).toBe('saved');
    abort.abort();
    expect(await looking).toMatchObject({ why: 'cancelled' });
    expect(run.rows[0]?.state).toBe('owed');
    expect(submissions(bodies)).toBe(1);
  });
});

it('a row whose job the server has forgotten gets its files, since those may still be there', async () => {
  const { sandbox, session, bodies } = await sandboxSession({ dialect: 'local' });
  const world = await BatchWorld.open({ '1.color': '1..2' });
  await (await world.run([serverOf(session)])).go(never);
  const [first] = await rowsToRun(world.folder, world.batch);
  const record = await RecordFile.open(world.folder, first?.record ?? '', unchanged);
  if (record === undefined || record === 'busy') expect.fail('no record');
  await record.change((known) => ({ ...known, state: 'saving', jobState: 'completed', files: [] }));
  await record.close();
  await rm(path.join(world.root, record.record.expected[0]?.name ?? ''));
  await post(`${sandbox.url}/history`, { clear: true });
  const later = sessionWith(sandbox);
  expect(await later.session.tracker.details(first?.job ?? '', never)).toBeUndefined();
  const run = await world.run([serverOf(later.session)]);
  expect(run.rows[0]?.state).toBe('owed');
  await run.go(never);
  expect(run.counts).toMatchObject({ saved: 2 });
  expect(await world.pictures()).toBe(2);
  expect([submissions(bodies), submissions(later.bodies)]).toEqual([2, 0]);
});
