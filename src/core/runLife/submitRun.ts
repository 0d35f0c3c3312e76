import type { LeftOut } from '../jobs/job';
import type { NodeErrorMap, PromptError } from '../protocol/nodeErrors';
import { ServerError } from '../protocol/serverError';
import { OwnedRun, type OwningSession } from './ownedRun';
import { mayHaveArrived } from './recoverSubmission';
import { RunLeft } from './runEnd';
import type { RunPorts } from './ownedRun';
import type { RunStage } from './runStage';
import type { RunToSend } from './runToSend';
import { submitOnce, type SubmittingSession } from './submitOnce';

export type Submission =
  /** Sent, even if the run was aborted meanwhile: whoever follows the job cancels it. */
  | {
      readonly kind: 'accepted';
      readonly run: OwnedRun;
      readonly jobId: string;
      /** Errors that the server reported although it accepted the prompt. */
      readonly nodeErrors: NodeErrorMap;
    }
  | { readonly kind: 'refused'; readonly error: PromptError; readonly nodeErrors: NodeErrorMap }
  /** The server may have accepted it: the run stays owed, and is looked for later. */
  | { readonly kind: 'unknown'; readonly run: OwnedRun; readonly error: unknown };

/**
 * Records a run, and only then posts its prompt, once. An abort with `RunLeft` after that stops nothing: what is on its
 * way arrives, and is owed.
 * @throws FolderNotUsableError; and whatever kept the prompt from the server: then nothing is owed
 */
export async function submitRun(
  run: RunToSend,
  session: SubmittingSession & OwningSession,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<Submission> {
  signal.throwIfAborted();
  const owned = await OwnedRun.begin(run, session, ports);
  await ports.pointers?.put(owned);
  const known = { isSent: false, isAccepted: false };
  const stage = (each: RunStage): void => {
    // A server that asks to wait has not accepted it.
    known.isSent = each.kind !== 'waiting';
    ports.on?.({ kind: 'stage', stage: each });
  };
  const accepted = async (jobId: string, leftOut: LeftOut | undefined): Promise<void> => {
    known.isAccepted = true;
    await owned.accepted(jobId, leftOut);
  };
  const sending = unlessLeft(signal);
  try {
    const answer = await submitOnce(run, session, stage, accepted, sending.signal, () => owned.requireOwn());
    if (answer.kind === 'accepted') {
      return { kind: 'accepted', run: owned, jobId: answer.promptId, nodeErrors: answer.nodeErrors };
    }
    await owned.notAccepted();
    return { kind: 'refused', error: answer.error, nodeErrors: answer.nodeErrors };
  } catch (error) {
    if (known.isAccepted || (known.isSent && !isSurelyNotAccepted(error))) {
      return { kind: 'unknown', run: owned, error };
    }
    await owned.notAccepted();
    throw error;
  } finally {
    sending.dispose();
  }
}

function isSurelyNotAccepted(error: unknown): boolean {
  return error instanceof ServerError && !mayHaveArrived(error);
}

/** Follows a signal, but not to leave. */
function unlessLeft(signal: AbortSignal): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const follow = (): void => {
    if (!(signal.reason instanceof RunLeft)) controller.abort(signal.reason);
  };
  if (signal.aborted) follow();
  signal.addEventListener('abort', follow);
  return { signal: controller.signal, dispose: () => signal.removeEventListener('abort', follow) };
}
