import { describe, expect, it } from 'vitest';
import {
  rowEndFromRun,
  rowEndOfError,
  rowEndOfSettled,
  rowEndOfUnsent,
  type RowEnd,
} from '../../../src/core/batch/rowEnd';
import { OutputError } from '../../../src/core/outputs/outputError';
import { ServerError, type ServerErrorDetails } from '../../../src/core/protocol/serverError';
import { OutputsNotSavedError } from '../../../src/core/runLife/outputsNotSaved';
import type { RunEnd } from '../../../src/core/runLife/runEnd';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { savedRun } from '../gallery/galleryRecords';
import { failure } from '../jobs/observations';
import { jobThat } from '../runLife/followedRun';
import { Transport } from '../../../src/core/client/transport';
import { askedOnce } from '../../../src/core/batch/runRow';
import type { BatchAsks } from '../../../src/core/batch/batchWork';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { RunSession } from '../../../src/core/runLife/runSession';
import { undiciStack } from '../../../src/cli/undiciStack';

const name = 'w-20260501-090000.run.json';
const paid = { isPaid: true };
const free = { isPaid: false };

/** A run whose record says this. */
function runOf(more: Partial<RunRecord> = {}) {
  const record = savedRun(0, [], { job: 'job', price: { credits: 3, nodes: {} }, ...more });
  return { name, jobId: record.job, record };
}

function ended(end: RunEnd, record: Partial<RunRecord> = {}, batch = free): RowEnd {
  return rowEndFromRun(end, runOf(record), batch);
}

const files = [] as const;
const unsent: Partial<RunRecord> = { state: 'lost', why: 'forgotten', job: undefined };
/** The row of a run that failed, as its record tells it. */
const failedRow = (message: string, job = 'job'): RowEnd => {
  return { kind: 'failed', record: name, job, price: 3, message };
};

describe('the row of a run that was followed', () => {
  it('is saved or cancelled with it, for what it cost', () => {
    const job = jobThat('completed');
    expect(ended({ kind: 'saved', job, files })).toEqual({
      kind: 'saved',
      record: name,
      job: 'job',
      price: 3,
    });
    expect(ended({ kind: 'cancelled', job, files })).toEqual({ kind: 'cancelled', job: 'job', price: 3 });
    expect(ended({ kind: 'saved', job, files }, { price: undefined }).price).toBeUndefined();
  });

  it('failed with it, for the reason that the server gave', () => {
    const because = failure({ message: 'No such sampler' });
    expect(ended({ kind: 'failed', job: { ...jobThat('failed'), failure: because }, files })).toMatchObject({
      kind: 'failed',
      record: name,
      message: expect.stringContaining('No such sampler') as string,
      failure: because,
    });
    expect(ended({ kind: 'failed', job: jobThat('failed'), files })).toMatchObject({
      message: 'The run failed.',
      failure: undefined,
    });
  });

  it('failed if nobody knows what it made', () => {
    const unknown = { kind: 'outputsUnknown', job: jobThat('completed'), files } as const;
    const end = { kind: 'failed', job: 'job', price: 3 };
    expect(ended(unknown, { state: 'outputsUnknown' })).toMatchObject(end);
  });

  it.each<[string, Partial<RunRecord>, boolean, RowEnd['kind']]>([
    ['a job that was lost may have run', { state: 'lost', why: 'forgotten' }, false, 'failed'],
    ['a prompt without a job may have cost', unsent, true, 'failed'],
    ['a prompt without a job is sent again', unsent, false, 'notSent'],
    ['a sandbox charges nothing', { state: 'lost', why: 'sandboxEnded' }, true, 'notSent'],
    ['another server has it', { state: 'lost', batch: { id: 'b', row: 0, moved: true } }, true, 'notSent'],
    ['it is not lost by its record', { state: 'submitted' }, true, 'notSent'],
  ])('%s', (_, record, isPaid, kind) => {
    expect(ended({ kind: 'lost', why: 'forgotten' }, record, { isPaid }).kind).toBe(kind);
  });

  it.each([
    [undefined, 'The job is no longer on the server (the server was restarted, or it removed the job).'],
    [
      '2026-05-01T09:00:00Z',
      'The job is no longer on the server (the server was restarted, or it removed the job).',
    ],
  ])('says of a lost job what its record says later: started %s', (startedAt, message) => {
    const lost = { state: 'lost', why: 'forgotten', startedAt } as const;
    for (const job of [undefined, jobThat('lost')])
      expect(ended({ kind: 'lost', why: 'forgotten', job }, lost)).toMatchObject({ message });
    expect(rowEndOfSettled(runOf(lost), free)).toMatchObject({ message });
  });

  it('is owed while its job may still be fetched, and left to another server if its own is away', () => {
    const error = new Error('It is gone.');
    const owed = { record: name, job: 'job', message: 'It is gone.', price: 3, stops: false };
    expect(ended({ kind: 'owed', why: 'notEnded', files, error })).toEqual({
      ...owed,
      kind: 'owed',
      mayRun: false,
    });
    expect(ended({ kind: 'owed', why: 'mayStillRun', files, error })).toMatchObject({ mayRun: true });
    expect(ended({ kind: 'owed', why: 'serverAway', files, error }, {}, paid)).toEqual({
      ...owed,
      kind: 'lostServer',
      isPaid: true,
    });
  });

  it.each([
    [90_000, 'Waiting up to 1 min 30 s.', 60_000],
    [9_000, 'Waiting up to 9 s.', 9_000],
    [0, "Comfy Deck can't tell whether", undefined],
    [undefined, "Comfy Deck can't tell whether", undefined],
  ])('says for how long an unseen job may still appear: %s ms', (mayArriveFor, words, lookIn) => {
    const end = {
      kind: 'owed',
      why: 'notSeen',
      files,
      ...(mayArriveFor !== undefined && { mayArriveFor }),
    } as const;
    const row = ended(end);
    expect(row).toMatchObject({ message: expect.stringContaining(words) as string });
    expect('lookIn' in row ? row.lookIn : undefined).toBe(lookIn);
  });

  it.each([
    ['diskFull', true],
    ['notWritable', true],
    ['broken', false],
  ] as const)('ends the batch if no row could be saved: %s, %s', (reason, stops) => {
    const error = new OutputsNotSavedError([], [{ error: new OutputError('Not saved.', reason) }]);
    expect(ended({ kind: 'owed', why: 'notSaved', files, error })).toMatchObject({ stops });
    const other = new OutputError('Not saved.', reason);
    expect(ended({ kind: 'owed', why: 'notSaved', files, error: other })).toMatchObject({ stops: false });
  });
});

describe('the row of a run that somebody else has seen to', () => {
  const noLonger = expect.stringContaining('The job is no longer on the server (') as string;
  const failedSomehow = expect.objectContaining({ kind: 'failed' }) as RowEnd;

  it.each<[string, Partial<RunRecord>, boolean, RowEnd]>([
    ['saved', { state: 'saved' }, false, { kind: 'saved', record: name, job: 'job', price: 3 }],
    ['failed', { state: 'failed' }, false, failedRow('The run failed.')],
    ['failed, in its words', { state: 'failed', error: { message: 'Full' } }, true, failedRow('Full')],
    ['lost, and it cost', unsent, true, failedRow(noLonger, '')],
    ['lost, and it cost nothing', unsent, false, { kind: 'notSent' }],
    ['cancelled', { state: 'cancelled' }, true, { kind: 'notSent' }],
    ['unknown in its outputs', { state: 'outputsUnknown' }, false, failedSomehow],
  ])('%s', (_, record, isPaid, end) => {
    expect(rowEndOfSettled(runOf(record), { isPaid })).toEqual(end);
  });
});

describe('the row of a prompt that was not accepted', () => {
  const refused = new ServerError('Bad.', { reason: 'badRequest', endpoint: 'POST /api/prompt' });

  it('is refused by the check, by the server, or by the person', () => {
    const said = { message: 'Not valid.', nextAction: 'Repair it.', reason: 'invalid' } as const;
    const refusal = { kind: 'refused', findings: [], ...said } as const;
    const end = (message: string) => ({ kind: 'refused', message, findings: [] });
    expect(rowEndOfUnsent({ kind: 'refused', refusal })).toEqual(end('Not valid. Repair it.'));
    const byServer = { kind: 'refusedByServer', error: refused, nodeErrors: {}, findings: [] } as const;
    expect(rowEndOfUnsent(byServer)).toEqual(end('The server rejected the workflow: Bad.'));
    const declined = { kind: 'declined', what: 'spending' } as const;
    expect(rowEndOfUnsent(declined)).toEqual(declined);
  });

  it.each<[ServerErrorDetails['reason'], RowEnd['kind'], boolean | undefined]>([
    ['badRequest', 'refused', undefined],
    ['tooLarge', 'refused', undefined],
    ['network', 'unreachable', true],
    ['timeout', 'unreachable', true],
    ['server', 'unreachable', true],
    ['rateLimited', 'unreachable', true],
    ['queueFull', 'unreachable', true],
    ['unauthorized', 'unreachable', false],
  ])('after %s is %s, and its server may come back: %s', (reason, kind, mayComeBack) => {
    const error = new ServerError('No.', { reason, endpoint: 'POST /api/prompt', retryAfter: 2 });
    expect(rowEndOfError(error)).toMatchObject({
      kind,
      message: `No. ${error.nextAction}`,
      ...(mayComeBack !== undefined && { mayComeBack, wait: 2_000 }),
    });
  });

  it('is not put off if the server does not ask for it', () => {
    const error = new ServerError('No.', { reason: 'network', endpoint: 'POST /api/prompt' });
    expect(rowEndOfError(error)).toMatchObject({ wait: 0 });
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

  it('leaves the refusal of such runs to those who cannot ask', () => {
    expect(askedOnce(asks, () => 2).mayRunUnheard).toBeUndefined();
  });
});
