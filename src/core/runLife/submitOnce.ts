import { countAt, listAt } from '../safety/lists';
import { isLoopback } from '../client/address';
import type { Capabilities } from '../client/capabilities';
import type { ExecutionClient } from '../client/execution';
import type { SubmissionAnswer } from '../client/submission';
import { abortableSleep } from '../client/timing';
import type { LeftOut } from '../jobs/job';
import type { JobTracker } from '../jobs/jobTracker';
import { parseExact } from '../json/boundedJson';
import { isExactList, isExactObject } from '../json/exactValue';
import type { NodeErrorMap } from '../protocol/nodeErrors';
import { ServerError } from '../protocol/serverError';
import { budgets } from '../safety/budgets';
import { findLostJob, type LookedFor, mayHaveArrived, wasAnswered } from './recoverSubmission';
import type { RunStage } from './runStage';
import type { RunToSend } from './runToSend';
import type { RunSession } from './runSession';
import { t } from '../safety/localize';
import { runKeyName } from './sentTexts';

export interface SubmittingSession extends Pick<
  RunSession,
  'origin' | 'server' | 'clientId' | 'now' | 'earliestNow' | 'knownJobs' | 'sentTextsOf'
> {
  capabilities(): Promise<Pick<Capabilities, 'dialect' | 'version'> & Partial<Pick<Capabilities, 'history'>>>;
  readonly client: Pick<ExecutionClient, 'submit' | 'job' | 'jobs'>;
  readonly tracker: Pick<JobTracker, 'submitted'>;
}

type TellStage = (stage: RunStage) => void;

/** How long an aborted run waits for the answer that says what to cancel, ms. */
const graceAfterAbort = 5_000;

/**
 * Posts the prompt and puts the job into the store. Posts again only after an answer that says that it was not accepted
 * and when to retry. When the answer is lost, or the run is aborted before it, the job is looked for instead, so that
 * an abort knows what to cancel.
 */
export async function submitOnce(
  run: RunToSend,
  session: SubmittingSession,
  stage: TellStage,
  accepted: (jobId: string, leftOut: LeftOut | undefined) => Promise<void>,
  signal: AbortSignal,
  requireOwn?: () => Promise<void>,
): Promise<SubmissionAnswer> {
  signal.throwIfAborted();
  const answer = await postInTurn(run, session, stage, signal, requireOwn);
  if (answer.kind === 'accepted') {
    const leftOut = findLeftOut(run.promptText, answer.nodeErrors);
    session.tracker.submitted(answer.promptId, { ...run.origin, leftOut });
    await accepted(answer.promptId, leftOut);
  }
  return answer;
}

/** Waits as long as the server asks to, within limits: 429 with `Retry-After` says that nothing was taken. */
async function postInTurn(
  run: RunToSend,
  session: SubmittingSession,
  stage: TellStage,
  signal: AbortSignal,
  requireOwn: (() => Promise<void>) | undefined,
): Promise<SubmissionAnswer> {
  let waited = 0;
  for (let wait = 1; ; wait++) {
    // Needed after a wait, too, in which this machine may have slept.
    await requireOwn?.();
    stage({ kind: 'submitting' });
    try {
      return await post(run, session, stage, signal);
    } catch (error) {
      const seconds = secondsToWait(error);
      if (seconds === undefined || run.neverWait === true || wait > budgets.submissionWaits) throw error;
      waited += seconds * 1000;
      if (waited > budgets.submissionWait) throw error;
      for (let left = seconds; left > 0; left--) {
        stage({ kind: 'waiting', seconds: left, of: seconds });
        await abortableSleep(1000, signal);
      }
    }
  }
}

/** Whole seconds; undefined when the server does not ask to wait, or waiting doesn't help. */
function secondsToWait(error: unknown): number | undefined {
  if (!ServerError.is(error) || error.status !== 429 || error.retryAfter === undefined) return undefined;
  if (error.reason !== 'rateLimited' && error.reason !== 'queueFull') return undefined;
  return Math.max(1, Math.ceil(error.retryAfter));
}

async function post(
  run: RunToSend,
  session: SubmittingSession,
  stage: TellStage,
  signal: AbortSignal,
): Promise<SubmissionAnswer> {
  const isLocal = (await session.capabilities()).dialect === 'local';
  // Before the prompt leaves: its own events may make the new job known before it is found.
  const before = {
    since: session.earliestNow(),
    known: session.knownJobs(),
    isLocal,
    mayCost: !isLocal || run.partnerKey !== undefined,
  };
  const grace = delayedAbort(signal, graceAfterAbort);
  try {
    const body = submissionText(run, session.clientId, isLocal);
    const answer = await session.client.submit(body, run.partnerKey, grace.signal);
    if (answer.kind === 'accepted' || !answer.refusesClientId || signal.aborted) return answer;
    // Nothing ran, so this one corrected body may follow; the client leaves the member out from now on.
    return await session.client.submit(body, run.partnerKey, grace.signal);
  } catch (error) {
    if (!grace.signal.aborted && !mayHaveArrived(error)) throw error;
    const found = await lookFor(run, session, stage, before, error, signal);
    if (found.kind === 'found') return { kind: 'accepted', promptId: found.id, nodeErrors: {} };
    throw notSeen(error, found, before.mayCost);
  } finally {
    grace.dispose();
  }
}

interface BeforeSubmission {
  /** Time by the server's clock, or ours if that is earlier. */
  readonly since: number | undefined;
  readonly known: ReadonlySet<string>;
  readonly isLocal: boolean;
  /** A server of one's own can charge nothing without the key for partner nodes. */
  readonly mayCost: boolean;
}

async function lookFor(
  run: RunToSend,
  session: SubmittingSession,
  stage: TellStage,
  { since, known, isLocal, mayCost }: BeforeSubmission,
  lost: unknown,
  signal: AbortSignal,
): Promise<LookedFor> {
  const { promptText, promptId } = run;
  stage({ kind: 'lookingForJob', ...(wasAnswered(lost) && { wasAnswered: true }) });
  const own = isLoopback(session.server.url) ? budgets.lookOutHere : budgets.lookOut;
  const giveUpAfter = run.lookOut ?? own;
  const search = (most: number, until: AbortSignal): Promise<LookedFor> =>
    findLostJob(
      {
        client: session.client,
        promptId: isLocal ? promptId : undefined,
        runKey: promptId,
        promptText,
        since,
        isKnown: (id) => known.has(id),
        sentTextsOf: (id, each) => session.sentTextsOf(id, each),
        giveUpAfter: most,
        onWait: (ms) => stage({ kind: 'lookingForJob', seconds: Math.ceil(ms / 1000) }),
      },
      until,
    );
  try {
    if (!signal.aborted) {
      return await search(
        wasAnswered(lost) ? Math.min(giveUpAfter, budgets.lookOutAnswered) : giveUpAfter,
        signal,
      );
    }
  } catch (error) {
    if (!signal.aborted) throw unknownFate(error, lost, mayCost);
  }
  // Aborted: one last attempt, so that a job that exists is cancelled.
  const last = await search(0, AbortSignal.timeout(graceAfterAbort)).catch(() => undefined);
  if (last?.kind === 'found') return last;
  throw unknownAfterAbort(lost, mayCost);
}

const lookFirst = (mayCost: boolean) =>
  mayCost
    ? t`Check the server's queue and history before you run it again, or you may pay twice.`
    : t`Check the server's queue and history before you run it again.`;

function notSeen(
  error: unknown,
  { similar, queueUnknown }: LookedFor & { kind: 'notSeen' },
  mayCost: boolean,
): unknown {
  if (!(error instanceof ServerError)) return error;
  if (queueUnknown) return unknownFate(error, error, mayCost);
  const jobs = similar.join(', ');
  const others =
    similar.length === 0
      ? []
      : [t`Job ${jobs} runs the same workflow, but Comfy Deck can't tell whether it's this run.`];
  const seen = wasAnswered(error)
    ? t`The run is not in the list of jobs.`
    : t`The run hasn't appeared on the server yet, but it may still start.`;
  const message = [error.message, seen, ...others, t`Comfy Deck won't send it again automatically.`].join(
    ' ',
  );
  return error.reworded(message, { nextAction: lookFirst(mayCost), cause: error });
}

function unknownFate(error: unknown, lost: unknown, mayCost: boolean): unknown {
  const first = lost instanceof ServerError ? lost : error;
  if (!(first instanceof ServerError)) return error;
  const fate = t`The run may have started, so Comfy Deck won't send it again automatically.`;
  return first.reworded(`${first.message} ${fate}`, { nextAction: lookFirst(mayCost), cause: first });
}

function unknownAfterAbort(lost: unknown, mayCost: boolean): ServerError {
  const message = t`Cancelled before the server responded. The run may have started.`;
  const known = lost instanceof ServerError ? lost : undefined;
  return new ServerError(message, {
    reason: known?.reason ?? 'network',
    endpoint: known?.endpoint ?? 'POST /api/prompt',
    nextAction: lookFirst(mayCost),
    cause: lost,
  });
}

function delayedAbort(source: AbortSignal, delay: number): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    timer = setTimeout(() => controller.abort(source.reason), delay);
  };
  source.addEventListener('abort', start, { once: true });
  const dispose = (): void => {
    source.removeEventListener('abort', start);
    clearTimeout(timer);
  };
  return { signal: controller.signal, dispose };
}

/** The body around the exact text of the prompt (protocol 1.5): no number of it passes through a JSON writer. */
export function submissionText(run: RunToSend, clientId: string, isLocal: boolean): string {
  const { promptText, promptId, targets, partnerKey, workflowText, next } = run;
  const extraData = [
    // A local server sends previews only when the prompt says how to make them.
    ...(isLocal ? [member('preview_method', '"auto"')] : []),
    member(runKeyName, JSON.stringify(promptId)),
    ...(partnerKey === undefined ? [] : [member('api_key_comfy_org', JSON.stringify(partnerKey))]),
    ...(workflowText === undefined ? [] : [member('extra_pnginfo', `{${member('workflow', workflowText)}}`)]),
  ];
  const members = [
    member('client_id', JSON.stringify(run.clientId ?? clientId)),
    ...(isLocal ? [member('prompt_id', JSON.stringify(promptId))] : []),
    ...(isLocal && next ? [member('front', 'true')] : []),
    ...(targets.length > 0 ? [member('partial_execution_targets', JSON.stringify(targets))] : []),
    member('extra_data', `{${extraData.join(',')}}`),
    member('prompt', promptText),
  ];
  return `{${members.join(',')}}`;
}

function member(name: string, valueText: string): string {
  return `${JSON.stringify(name)}:${valueText}`;
}

/**
 * The part of a prompt that a server skips although it accepts it with node errors (protocol 1.5): the outputs that
 * depend on a rejected node, and every node that only they depend on. Undefined if nothing is skipped.
 */
export function findLeftOut(promptText: string, nodeErrors: NodeErrorMap): LeftOut | undefined {
  const refused = Object.entries(nodeErrors);
  if (refused.length === 0) return undefined;
  const outputs = new Set(
    refused.flatMap(([nodeId, { dependentOutputs }]) =>
      dependentOutputs.length > 0 ? dependentOutputs : [nodeId],
    ),
  );
  const sources = sourcesIn(promptText);
  const wanted = new Map<string, number>();
  for (const id of [...sources.values()].flat()) wanted.set(id, countAt(wanted, id) + 1);
  const nodes = new Set(outputs);
  const open = [...outputs];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const source of listAt(sources, id)) {
      const left = countAt(wanted, source) - 1;
      wanted.set(source, left);
      if (left > 0 || nodes.has(source)) continue;
      nodes.add(source);
      open.push(source);
    }
  }
  return { outputs: [...outputs], nodes: [...nodes] };
}

function sourcesIn(promptText: string): Map<string, readonly string[]> {
  const sources = new Map<string, readonly string[]>();
  const prompt = parseExact(promptText);
  for (const [id, node] of isExactObject(prompt) ? prompt : []) {
    const inputs = isExactObject(node) ? node.get('inputs') : undefined;
    const linked = [...(isExactObject(inputs) ? inputs.values() : [])].flatMap((value) => {
      const source = isExactList(value) && value.length === 2 ? value[0] : undefined;
      return typeof source === 'string' ? [source] : [];
    });
    sources.set(id, linked);
  }
  return sources;
}
