import type { Finding } from '../check/finding';
import { MayStillRun } from '../jobs/cancelJobs';
import { OutputsNotSavedError } from '../runLife/outputsNotSaved';
import type { RunRecord } from '../records/runRecord';
import type { ExecutionFailure } from '../protocol/serverEvent';
import type { Declined } from '../runs/runWorkflow';
import { errorWords } from '../safety/errorWords';

/** How one attempt at a row ended. `record` is the name of its run record, `message` one sentence or two. */
export type RowEnd = Ending & {
  /** Credits, if the server told what the job cost. */
  readonly price?: number | undefined;
};

type Ending =
  /** Everything is on disk. */
  | { readonly kind: 'saved'; readonly record: string; readonly job: string }
  /** The job ran and failed; what it made before is on disk. */
  | {
      readonly kind: 'failed';
      readonly record?: string | undefined;
      readonly job?: string;
      readonly message: string;
      readonly failure?: ExecutionFailure | undefined;
    }
  /** Not sent, or not accepted: it costs nothing, and the same again would end the same. */
  | { readonly kind: 'refused'; readonly message: string; readonly findings: readonly Finding[] }
  /** The person said no: the batch ends. */
  | { readonly kind: 'declined'; readonly what: Declined }
  /** Certainly not accepted, because the server could not be reached or is not letting us in. */
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
      /** The server accepted its cancellation, and it may still run. */
      readonly mayRun?: boolean;
    }
  /** The job was cancelled; the row can be run again. */
  | { readonly kind: 'cancelled'; readonly job?: string | undefined }
  /** The server never had it: it can be run. */
  | { readonly kind: 'notSent' };

/** @param why an error, or a sentence */
export function owedRow(
  { name, record }: { readonly name: string; readonly record?: Pick<RunRecord, 'price'> },
  job: string | undefined,
  why: unknown,
): Extract<RowEnd, { readonly kind: 'owed' }> {
  const stops = why instanceof OutputsNotSavedError && ['diskFull', 'notWritable'].includes(why.reason);
  const { message } = errorWords(why);
  const mayRun = why instanceof MayStillRun;
  return { kind: 'owed', record: name, job, message, stops, mayRun, price: record?.price?.credits };
}
