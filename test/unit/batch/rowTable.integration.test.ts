import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import type { BatchRow } from '../../../src/core/batch/batchRow';
import type { BatchStop } from '../../../src/core/batch/batchRun';
import type { Job } from '../../../src/core/jobs/job';
import { OutputError } from '../../../src/core/outputs/outputError';
import type { OutputFolder } from '../../../src/core/outputs/outputFolder';
import { ServerError, type ServerErrorReason } from '../../../src/core/protocol/serverError';
import { RecordFile } from '../../../src/core/records/recordFile';
import type { RunRecord } from '../../../src/core/records/runRecord';
import type { RunSession } from '../../../src/core/runLife/runSession';
import { unchanged } from '../../support/unchanged';
import { sandboxSession, sessionWith } from '../runs/runFixture';
import { BatchWorld, serverOf, submissions, withMembers } from './batchFixture';

const never = new AbortController().signal;

interface RowCase {
  /** What the server says of the job when it has ended, the first time. */
  readonly told?: Partial<Job>;
  readonly isPaid?: boolean;
  readonly isAnswerLost?: boolean;
  readonly isLocked?: boolean;
  readonly isDiskFull?: boolean;
}

interface RowResult {
  readonly state: BatchRow['state'];
  readonly message?: string;
  /** All prompts that were sent for the row. */
  readonly sent: number;
  readonly pictures: number;
  readonly records: readonly RunRecord['state'][];
  readonly why?: BatchStop['why'];
}

const forgotten = 'The job is no longer on the server (the server was restarted, or it removed the job).';
const full = 'The disk is full.';
const savedOnce: RowResult = { state: 'saved', sent: 1, pictures: 1, records: ['saved'] };
const owed = { state: 'owed', sent: 1, pictures: 0 } as const;

const table: readonly [string, RowCase, RowResult, Partial<RowResult>?][] = [
  [
    'forgotten',
    { told: { state: 'lost', outputs: [] } },
    { state: 'saved', sent: 2, pictures: 1, records: ['lost', 'saved'] },
  ],
  [
    'forgotten, and it cost',
    { told: { state: 'lost', outputs: [] }, isPaid: true },
    { state: 'failed', message: forgotten, sent: 1, pictures: 0, records: ['lost'] },
  ],
  [
    'cancelled with outputs',
    { told: { state: 'cancelled' } },
    { ...savedOnce, state: 'cancelled', records: ['cancelled'] },
  ],
  ['sent, and the answer is lost', { isAnswerLost: true }, savedOnce],
  [
    'saved to a full disk',
    { isDiskFull: true },
    { ...owed, records: ['incomplete'], message: full, why: 'disk' },
  ],
  [
    'listed with fewer outputs than counted',
    { told: { outputsCount: 9 } },
    {
      ...owed,
      pictures: 1,
      records: ['incomplete'],
      message: 'The server reports 9 outputs for this job but lists 1. 1 output saved.',
    },
  ],
  [
    'locked by another program',
    { isLocked: true },
    // Its record is another's then, and stays.
    { state: 'waiting', sent: 0, pictures: 0, records: ['sending'] },
    {
      ...owed,
      records: ['submitted'],
      message: 'Another window or command is tracking this run and will save its outputs.',
    },
  ],
];

it.each(table)('a row of a batch is %s', async (_, given, expected) => {
  const { sandbox, session, bodies } = await sandboxSession({ dialect: 'local' });
  const world = await BatchWorld.open({ '1.color': '1' });
  if (given.isAnswerLost) sandbox.faults.set('loseAnswer', { times: 1 });
  const run = runIn(world, session, given, given.isLocked ? withForeignLocks(world.folder) : world.folder);
  if (given.isLocked) await expect(run).rejects.toMatchObject({ reason: 'taken' });
  expect(await resultOf(world, await run.catch(() => undefined), submissions(bodies))).toEqual(
    whole(expected),
  );
});

it.each(table)('a row of a batch that is resumed is %s', async (_, given, expected, resumed) => {
  const { sandbox, session, bodies } = await sandboxSession({ dialect: 'local' });
  const world = await BatchWorld.open({ '1.color': '1' });
  const first = await world.run([serverOf(session)]);
  await first.go(never);
  const record = await killedBefore(given.isAnswerLost ? 'accepted' : 'saved', world, first.rows[0]);
  if (!given.isLocked) await record.close();
  const later = sessionWith(sandbox);
  const run = await runIn(world, later.session, given, world.folder);
  const sent = submissions(bodies) + submissions(later.bodies);
  expect(await resultOf(world, run, sent)).toEqual(whole({ ...expected, ...resumed }));
  await record.close();
});

it.each<[ServerErrorReason, string]>([
  ['badRequest', 'refused'],
  ['tooLarge', 'refused'],
  ['network', 'away'],
  ['unauthorized', 'out'],
])('a row that was not accepted because of %s: %s', async (reason, expected) => {
  const { session } = await sandboxSession({ dialect: 'local' });
  const error = new ServerError('No.', { reason, endpoint: 'GET /api/object_info' });
  vi.spyOn(session, 'definitionsOf').mockRejectedValue(error);
  const world = await BatchWorld.open({ '1.color': '1' });
  const abort = new AbortController();
  const told: string[] = [];
  const run = await world.run([serverOf(session)], {
    onServer: (_, state, message) => {
      told.push(`${state}: ${message}`);
      abort.abort();
    },
  });
  const stop = await run.go(abort.signal);
  const [words, isRefused] = [`No. ${error.nextAction}`, expected === 'refused'];
  expect(told).toEqual(isRefused ? [] : [`${expected}: ${words}`]);
  expect(run.rows[0]?.state).toBe(isRefused ? 'refused' : 'waiting');
  if (isRefused) expect(stop).toEqual({ why: 'errors', message: words });
});

function whole({ message, why = 'done', ...result }: RowResult): RowResult {
  return { ...result, ...(message !== undefined && { message }), ...(result.sent > 0 && { why }) };
}

async function runIn(
  world: BatchWorld,
  session: RunSession,
  { told, isPaid = false, isDiskFull = false }: RowCase,
  folder: OutputFolder,
) {
  if (told) {
    const finished = session.tracker.finished.bind(session.tracker);
    vi.spyOn(session.tracker, 'finished').mockImplementationOnce(async (id, signal) => ({
      ...(await finished(id, signal)),
      ...told,
    }));
  }
  const run = await world.run([serverOf(session)], {
    isPaid,
    folder: isDiskFull ? withFullDisk(folder) : folder,
  });
  return { run, stop: await run.go(never) };
}

async function resultOf(
  world: BatchWorld,
  ended: Awaited<ReturnType<typeof runIn>> | undefined,
  sent: number,
): Promise<RowResult> {
  const { state = 'waiting', message } = ended?.run.rows[0] ?? {};
  const records = (await world.records()).map((record) => record.state).sort();
  const pictures = await world.pictures();
  const why = ended && { why: ended.stop.why };
  return { state, ...(message !== undefined && { message }), sent, pictures, records, ...why };
}

/** Takes a saved row back to where a kill would have left it. */
async function killedBefore(step: 'accepted' | 'saved', world: BatchWorld, row: BatchRow | undefined) {
  const record = await RecordFile.open(world.folder, row?.record ?? '', unchanged);
  if (record === undefined || record === 'busy') expect.fail('no record');
  for (const { name } of record.record.files) await rm(path.join(world.root, name));
  const sent = { files: [], expected: [], submittedAt: undefined, startedAt: undefined, endedAt: undefined };
  await record.change((known) => ({
    ...known,
    ...sent,
    ...(step === 'saved' ? { state: 'submitted' } : { state: 'sending', job: undefined }),
  }));
  return record;
}

function withFullDisk(folder: OutputFolder): OutputFolder {
  return withMembers(folder, {
    rename: (from, to) =>
      to.endsWith('.png') ? Promise.reject(new OutputError(full, 'diskFull')) : folder.rename(from, to),
  });
}

/** Each lock is another's as soon as it is read. */
function withForeignLocks(folder: OutputFolder): OutputFolder {
  return withMembers(folder, {
    read: (name, limit) => (name.endsWith('.lock') ? Promise.resolve('another\n') : folder.read(name, limit)),
  });
}
