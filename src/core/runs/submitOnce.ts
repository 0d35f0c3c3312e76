import type { SubmissionAnswer } from '../client/submission';
import type { JobOrigin } from '../jobs/job';
import { ServerError } from '../protocol/serverError';
import { findLostJob, mayHaveArrived } from './lostAnswer';
import type { ServerSession } from './serverSession';

export interface SubmissionPlan {
  readonly session: ServerSession;
  readonly promptText: string;
  readonly promptId: string;
  readonly partnerKey: string | undefined;
  readonly targets: readonly string[];
  /** The graph that the prompt was compiled from, for the pictures to carry. */
  readonly workflowText?: string | undefined;
  readonly origin: JobOrigin;
  readonly stage: (kind: 'submitting' | 'lookingForJob') => void;
}

/** How long an aborted run still waits for the answer that says what has to be cancelled, ms. */
const graceAfterAbort = 5_000;

/**
 * Posts the prompt exactly once and puts the job into the store. When the answer is lost the job list is read
 * instead of posting again. When the run is aborted after the prompt left, the job is cancelled on the server, and
 * then the signal's reason is thrown.
 */
export async function submitOnce(plan: SubmissionPlan, signal: AbortSignal): Promise<SubmissionAnswer> {
  const { session, origin } = plan;
  signal.throwIfAborted();
  plan.stage('submitting');
  const answer = await post(plan, signal);
  if (answer.kind === 'accepted') {
    session.tracker.submitted(answer.promptId, origin);
    if (signal.aborted) await session.tracker.cancel(answer.promptId);
  }
  signal.throwIfAborted();
  return answer;
}

async function post(plan: SubmissionPlan, signal: AbortSignal): Promise<SubmissionAnswer> {
  const { session, promptText, promptId, partnerKey, targets, workflowText } = plan;
  const isLocal = (await session.capabilities()).dialect === 'local';
  const since = session.now();
  // Before the prompt leaves: its own events may make the new job known before it is found.
  const known = session.knownJobs();
  const patience = new PatientAbort(signal, graceAfterAbort);
  try {
    return await session.client.submit(
      {
        promptText,
        clientId: session.clientId,
        // A local server sends previews only when it is told how to make them.
        ...(isLocal && { promptId, extraData: { preview_method: 'auto' } }),
        ...(targets.length > 0 && { partialTargets: targets }),
        partnerKey,
        workflowText,
      },
      patience.signal,
    );
  } catch (error) {
    if (!patience.signal.aborted && !mayHaveArrived(error)) throw error;
    plan.stage('lookingForJob');
    const lookFor = signal.aborted ? AbortSignal.timeout(graceAfterAbort) : signal;
    const before = { since, known, promptId: isLocal ? promptId : undefined };
    const found = await find(plan, before, lookFor, error);
    if (found !== undefined) return { kind: 'accepted', promptId: found, nodeErrors: {} };
    signal.throwIfAborted();
    throw notTaken(error);
  } finally {
    patience.dispose();
  }
}

interface BeforeSubmission {
  readonly since: number;
  readonly known: ReadonlySet<string>;
  readonly promptId: string | undefined;
}

async function find(
  { session, promptText }: SubmissionPlan,
  { since, known, promptId }: BeforeSubmission,
  signal: AbortSignal,
  lost: unknown,
): Promise<string | undefined> {
  try {
    return await findLostJob(
      {
        client: session.client,
        promptId,
        promptText,
        since,
        isKnown: (id) => known.has(id),
        promptOf: async (id, each) => (await session.sentTextsOf(id, each))?.promptText,
      },
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    throw unknownFate(error, lost);
  }
}

/** The server was asked and has no such job. */
function notTaken(error: unknown): unknown {
  if (!(error instanceof ServerError)) return error;
  return reworded(error, `${error.message} The list of jobs holds no such run, so it was not started.`);
}

/** Neither the answer nor the list of jobs could be had. */
function unknownFate(error: unknown, lost: unknown): unknown {
  const first = lost instanceof ServerError ? lost : error;
  if (!(first instanceof ServerError)) return error;
  const message = `${first.message} Whether the run was started is not known; it is not sent again by itself.`;
  return reworded(first, message);
}

function reworded(error: ServerError, message: string): ServerError {
  const { reason, endpoint, status, serverMessage, serverCode, retryAfter } = error;
  return new ServerError(message, {
    reason,
    endpoint,
    ...(status !== undefined && { status }),
    ...(serverMessage !== undefined && { serverMessage }),
    ...(serverCode !== undefined && { serverCode }),
    ...(retryAfter !== undefined && { retryAfter }),
    nextAction: error.nextAction,
    cause: error,
  });
}

/** Follows another signal, some time later. */
class PatientAbort {
  readonly #controller = new AbortController();
  readonly #source: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  readonly #start: () => void;

  constructor(source: AbortSignal, delay: number) {
    this.#source = source;
    this.#start = () => {
      this.#timer = setTimeout(() => this.#controller.abort(source.reason), delay);
    };
    source.addEventListener('abort', this.#start, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  dispose(): void {
    this.#source.removeEventListener('abort', this.#start);
    clearTimeout(this.#timer);
  }
}
