import { describe, expect, it } from 'vitest';
import { type BatchRow, rowOfRun } from '../../../src/core/batch/batchRow';
import { type EndPhase, phaseOfRecord } from '../../../src/core/runLife/run';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { savedRun } from '../gallery/galleryRecords';
import { failure } from '../jobs/observations';
import { jobThat } from '../runLife/followedRun';
import { Transport } from '../../../src/core/client/transport';
import { askedOnce, type BatchAsks } from '../../../src/core/batch/runRow';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { RunSession } from '../../../src/core/runLife/runSession';
import { undiciStack } from '../../../src/cli/undiciStack';

const name = 'w-20260501-090000.run.json';

/** The row of a run with such a record. */
function ended(phase: EndPhase | undefined, more: Partial<RunRecord> = {}, isPaid = false) {
  const facts = savedRun(0, [], { job: 'job', price: { credits: 3, nodes: {} }, ...more });
  const left = phaseOfRecord(facts);
  return rowOfRun({ place: { record: name }, facts, phase: phase ?? left }, isPaid);
}

const files = [] as const;
const unsent: Partial<RunRecord> = { state: 'lost', why: 'forgotten', job: undefined };
const known = { job: 'job', prices: { job: 3 } } as const;

describe('the row of a run that was followed', () => {
  it('is saved or cancelled with it, for what it cost', () => {
    const job = jobThat('completed');
    expect(ended({ kind: 'saved', job, files })).toEqual({ state: 'saved', record: name, ...known });
    expect(ended({ kind: 'cancelled', job, files })).toEqual({ state: 'cancelled', ...known });
    expect(ended({ kind: 'saved', job, files }, { price: undefined }).prices).toBeUndefined();
  });

  it('failed with it, for the reason that the server gave', () => {
    const because = failure({ message: 'No such sampler' });
    const failed = { state: 'failed' } as const;
    expect(
      ended({ kind: 'failed', job: { ...jobThat('failed'), failure: because }, files }, failed),
    ).toMatchObject({
      state: 'failed',
      record: name,
      message: expect.stringContaining('No such sampler') as string,
      failure: because,
    });
    expect(ended({ kind: 'failed', job: jobThat('failed'), files }, failed)).toMatchObject({
      message: 'The run failed.',
      failure: undefined,
    });
  });

  it('is owed while its job may still be fetched', () => {
    const owed = { kind: 'owed', why: 'serverAway', files, error: new Error('It is gone.') } as const;
    const row = { ...known, state: 'owed', record: name, message: 'It is gone.' };
    expect(ended(owed, { state: 'submitted' })).toEqual(row);
  });

  it.each([
    [90_000, 'Waiting up to 1 min 30 s.'],
    [9_000, 'Waiting up to 9 s.'],
    [0, "Comfy Deck can't tell whether"],
  ])('says for how long an unseen job may still appear: %s ms', (mayArriveFor, words) => {
    const row = ended({ kind: 'owed', why: 'notSeen', files, mayArriveFor });
    expect(row.message).toContain(words);
  });
});

describe('the row of a run as its record tells it', () => {
  const noLonger = expect.stringContaining('The job is no longer on the server (') as string;

  it.each<[string, Partial<RunRecord>, boolean, Partial<BatchRow>]>([
    ['saved', { state: 'saved' }, false, { state: 'saved', record: name, ...known }],
    ['failed', { state: 'failed' }, false, { state: 'failed', message: 'The run failed.' }],
    ['failed, in its words', { state: 'failed', error: { message: 'Full' } }, true, { message: 'Full' }],
    ['lost, and it may have run', { state: 'lost', why: 'forgotten' }, false, { state: 'failed' }],
    ['lost, and it cost', unsent, true, { state: 'failed', message: noLonger, job: '' }],
    ['lost, and it cost nothing', unsent, false, { state: 'waiting' }],
    ['lost with its sandbox', { state: 'lost', why: 'sandboxEnded' }, true, { state: 'waiting' }],
    ['given to another server', { state: 'lost', why: 'moved' }, true, { state: 'waiting' }],
    ['cancelled', { state: 'cancelled' }, true, { state: 'cancelled' }],
    ['unknown in its outputs', { state: 'outputsUnknown' }, false, { state: 'failed' }],
  ])('%s', (_, record, isPaid, end) => {
    expect(ended(undefined, record, isPaid)).toMatchObject(end);
  });
});

describe('questions', () => {
  const yes = () => Promise.resolve(true);
  const asks: BatchAsks = {
    localMedia: () => Promise.resolve(undefined),
    mayUpload: yes,
    maySpend: yes,
    mayMovePaid: yes,
  };

  it('asks once per batch about runs whose outputs could not be found, and again when it starts anew', async () => {
    const questions: string[] = [];
    const server = { id: 'a', name: 'A', url: 'http://127.0.0.1:1' };
    const transport = new Transport({ baseUrl: server.url, http: undiciStack() });
    const session = new RunSession({ server, transport, store: new JobStore() });
    const once = askedOnce(
      {
        ...asks,
        mayRunUnheard: (reason) => {
          questions.push(reason);
          return Promise.resolve(false);
        },
      },
      () => 2,
    );
    expect(await once.mayRunUnheard?.('It was refused.', session)).toBe(false);
    expect(await once.mayRunUnheard?.('It timed out.', session)).toBe(false);
    expect(questions).toEqual(['It was refused.']);
    once.forget();
    await once.mayRunUnheard?.('It timed out.', session);
    expect(questions).toHaveLength(2);
  });
});
