import type { SubmissionAnswer } from '../client/submission';
import type { JobOrigin } from '../jobs/job';
import type { InputToKeep } from '../records/keepInputs';
import { ServerError } from '../protocol/serverError';
import type { PreparedRun } from './preparedRun';
import { mayHaveArrived } from '../runLife/recoverSubmission';
import type { RunStage } from '../runLife/runStage';
import { t } from '../safety/localize';
import { submitOnce, type SubmittingSession } from '../runLife/submitOnce';

/** A prompt that is about to leave. */
export interface RunToOwe {
  /** Origin of the server. */
  readonly server: string;
  readonly serverKind: 'cloud' | 'local';
  /** ComfyUI's version, if the server tells. */
  readonly serverVersion: string | undefined;
  /** The ID sent with the prompt. */
  readonly promptId: string;
  /** Exactly as it will be posted. */
  readonly promptText: string;
  readonly workflowText: string | undefined;
  readonly targets: readonly string[];
  /** See `RunRecord.outputNodes`. */
  readonly outputNodes: readonly string[] | undefined;
  /** The local files that it uses. */
  readonly inputs: readonly InputToKeep[];
  /** What the check found, in words. */
  readonly warnings: readonly string[];
  readonly origin: JobOrigin;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
}

/** A recorded run. None of these fail: a run that the server accepted continues whatever the disk does. */
export interface OwedRun {
  /** The server accepted it as this job. */
  taken(jobId: string): Promise<void>;
  /** It was certainly not accepted: nothing is owed. */
  notTaken(): Promise<void>;
  /** Whether it was accepted is unknown: look for it later. */
  unclear(): Promise<void>;
}

/** What a submission asks of the one who runs. */
export interface SubmissionCallbacks {
  readonly owe?: Owe | undefined;
  stage(stage: RunStage): void;
}

export type Owe = (run: RunToOwe) => Promise<OwedRun>;

/** Records what is owed, and only then posts the prompt, once. If `owe` throws, the prompt is not sent. */
export async function submitOwed(
  run: PreparedRun,
  session: SubmittingSession,
  asks: SubmissionCallbacks,
  signal: AbortSignal,
): Promise<SubmissionAnswer> {
  const owed = await asks.owe?.(await runToOwe(run, session));
  const known = { left: false, taken: false };
  const stage = (each: RunStage): void => {
    // A server that asks to wait has not accepted it.
    known.left = each.kind !== 'waiting';
    asks.stage(each);
  };
  const taken = async (jobId: string): Promise<void> => {
    known.taken = true;
    await owed?.taken(jobId);
  };
  try {
    const answer = await submitOnce(run, session, stage, taken, signal);
    if (answer.kind === 'refused') await owed?.notTaken();
    return answer;
  } catch (error) {
    if (!known.taken) {
      await (known.left && !isSurelyNotTaken(error) ? owed?.unclear() : owed?.notTaken());
    }
    throw error;
  }
}

async function runToOwe(run: PreparedRun, session: SubmittingSession): Promise<RunToOwe> {
  const { promptId, promptText, workflowText, choices, origin, inputs = [] } = run;
  const { dialect, version, history } = await session.capabilities();
  return {
    server: session.origin,
    serverKind: dialect,
    serverVersion: version,
    promptId,
    promptText,
    workflowText,
    targets: choices.targets ?? [],
    outputNodes: history === false ? origin.outputNodes : undefined,
    inputs,
    warnings: warningsOf(run),
    origin,
    sentAt: session.now(),
  };
}

function warningsOf({ findings, carried, workflowText }: PreparedRun): string[] {
  const words = findings.map(({ message }) => message);
  if (!carried || workflowText !== undefined) return words;
  const leftOut = t`The earlier run's graph isn't included, because it can't hold some of the new values.`;
  return [...words, leftOut];
}

function isSurelyNotTaken(error: unknown): boolean {
  return error instanceof ServerError && !mayHaveArrived(error);
}
