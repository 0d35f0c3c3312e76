import type { Finding } from '../check/finding';
import { tellFailure } from '../jobs/failureText';
import { rowTrouble } from '../records/runWords';
import type { ServerError } from '../protocol/serverError';
import type { ExecutionFailure } from '../protocol/serverEvent';
import { OutputsNotSavedError } from '../runLife/outputsNotSaved';
import type { OwnedRun } from '../runLife/ownedRun';
import type { RunEnd } from '../runLife/runEnd';
import type { Declined, RunOutcome } from '../runs/runWorkflow';
import { errorWords } from '../safety/errorWords';
import { sentencesText, t } from '../safety/localize';
import { durationText } from '../safety/timeText';
import { recordedState } from './rowsToRun';

/** How one attempt at a row ended. `record` names its run record, `message` is for people, `price` is in credits. */
export type RowEnd = { readonly price?: number | undefined } &
  /** Everything is on disk. */
  (
    | { readonly kind: 'saved'; readonly record: string; readonly job: string }
    /** The job ran and failed; what it made before is on disk. */
    | {
        readonly kind: 'failed';
        readonly record?: string | undefined;
        readonly job?: string;
        readonly message: string;
        readonly failure?: ExecutionFailure | undefined;
        /** The server showed that it no longer has the job, and to run it again costs nothing. */
        readonly again?: boolean;
      }
    /** The row was not sent, or not accepted. It costs nothing, and another attempt would end the same. */
    | { readonly kind: 'refused'; readonly message: string; readonly findings: readonly Finding[] }
    /** The person said no: the batch ends. */
    | { readonly kind: 'declined'; readonly what: Declined }
    /** Certainly not accepted, because the server could not be reached or denies access. */
    | {
        readonly kind: 'unreachable';
        readonly message: string;
        readonly mayComeBack: boolean;
        /** How long the server asks to be left alone, ms. */
        readonly wait: number;
      }
    /** The server has the job and stopped answering. */
    | {
        readonly kind: 'lostServer';
        readonly record: string;
        readonly job: string;
        readonly message: string;
        readonly isPaid: boolean;
      }
    /** The server has it, or may have it: a later attempt looks for it, and nothing is sent again. */
    | {
        readonly kind: 'owed';
        readonly record: string;
        readonly job?: string | undefined;
        readonly message: string;
        readonly stops: boolean;
        /** The server may get it yet: it is looked for again after so long, ms. */
        readonly lookIn?: number;
        /** The server accepted its cancellation, and it may still run. */
        readonly mayRun?: boolean;
      }
    /** The job was cancelled; the row can be run again. */
    | { readonly kind: 'cancelled'; readonly job?: string | undefined }
    /** The server never had it: it can be run. */
    | { readonly kind: 'notSent' }
  );

type RowRun = Pick<OwnedRun, 'name' | 'jobId' | 'record'>;

/** Between two looks for a prompt that may still arrive, ms. */
const lookEvery = 60_000;

export function rowEndFromRun(end: RunEnd, run: RowRun, { isPaid }: { readonly isPaid: boolean }): RowEnd {
  const { name: record, jobId: job = '' } = run;
  const price = run.record.price?.credits;
  switch (end.kind) {
    case 'cancelled':
      return { kind: 'cancelled', job, price };
    case 'failed': {
      const { failure } = end.job;
      const message = failure ? tellFailure(failure).message : t`The run failed.`;
      return { kind: 'failed', record, job, price, message, failure };
    }
    case 'owed': {
      const owed = owedRow(record, run.jobId, owedMessage(end), price);
      if (end.why === 'serverAway') return { ...owed, kind: 'lostServer', job, isPaid };
      const { error } = end;
      const stops =
        error instanceof OutputsNotSavedError && ['diskFull', 'notWritable'].includes(error.reason);
      const { mayArriveFor = 0 } = end;
      const lookIn = mayArriveFor > 0 ? Math.min(mayArriveFor, lookEvery) : undefined;
      return { ...owed, stops, mayRun: end.why === 'mayStillRun', ...(lookIn !== undefined && { lookIn }) };
    }
    default:
      return rowEndOfSettled(run, { isPaid });
  }
}

function owedMessage({ why, error, mayArriveFor = 0 }: RunEnd & { readonly kind: 'owed' }): string {
  if (why !== 'notSeen') return errorWords(error).message;
  return mayArriveFor > 0
    ? t`The server doesn't list a job for this run yet, but it may still appear. Waiting up to ${durationText(mayArriveFor)}.`
    : t`Comfy Deck can't tell whether any job on the server is this run.`;
}

export function owedRow(
  record: string,
  job: string | undefined,
  message: string,
  price?: number,
): Extract<RowEnd, { readonly kind: 'owed' }> {
  return { kind: 'owed', record, job, message, stops: false, price };
}

/** The end of a row whose run has ended according to its record. */
export function rowEndOfSettled({ name, record }: RowRun, batch: { readonly isPaid: boolean }): RowEnd {
  const { job = '' } = record;
  const known = { record: name, job, price: record.price?.credits };
  switch (recordedState(record, batch)) {
    case 'saved':
      return { kind: 'saved', ...known };
    case 'failed':
      return { kind: 'failed', ...known, message: rowTrouble(record) ?? t`The run failed.` };
    default:
      return { kind: 'notSent' };
  }
}

export type Unsent = Exclude<RunOutcome, { readonly kind: 'submitted' | 'unknown' }>;

export function rowEndOfUnsent(outcome: Unsent): RowEnd {
  switch (outcome.kind) {
    case 'refused': {
      const { message, nextAction, findings } = outcome.refusal;
      return { kind: 'refused', message: sentencesText(message, nextAction), findings };
    }
    case 'refusedByServer':
      return {
        kind: 'refused',
        message: t`The server rejected the workflow: ${outcome.error.message}`,
        findings: outcome.findings,
      };
    case 'declined':
      return { kind: 'declined', what: outcome.what };
  }
}

export function rowEndOfError({ reason, message, nextAction, retryAfter = 0 }: ServerError): RowEnd {
  const words = sentencesText(message, nextAction);
  if (reason === 'badRequest' || reason === 'tooLarge')
    return { kind: 'refused', message: words, findings: [] };
  const mayComeBack = ['network', 'timeout', 'server', 'rateLimited', 'queueFull'].includes(reason);
  return { kind: 'unreachable', message: words, mayComeBack, wait: retryAfter * 1000 };
}
