import { randomUUID } from 'node:crypto';
import type { Finding } from '../check/finding';
import { mayCarryCredential } from '../client/address';
import type { SubmissionAnswer } from '../client/submission';
import type { JobOrigin } from '../jobs/job';
import { embeddedValidation } from '../protocol/errorBody';
import type { NodeErrorMap, PromptError } from '../protocol/nodeErrors';
import { graphTextWith } from './graphPrompt';
import type { LocalMedia, UploadQuestion } from './localMedia';
import { forgetRefused, isRemembered, planUploads, refuseOutsideMedia, uploadMedia } from './mediaUploads';
import type { PlannedUpload } from './mediaUploads';
import { submitOwed } from './owedRun';
import type { Owe } from './owedRun';
import type { PreparedPartnerNode, PreparedRun } from './preparedRun';
import { prepareRun } from './prepareRun';
import { extractPrompt } from './extractPrompt';
import { refusal } from './runRefusal';
import type { RunRefusal } from './runRefusal';
import type { RunStage } from './runStage';
import { serverFindings } from './serverFindings';
import type { RunSession } from './runSession';
import { readWorkflowPrompt } from './readWorkflowPrompt';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import { t } from '../safety/localize';

export interface RunRequest {
  readonly document: WorkflowDocument;
  /** Name to show: the file's name. */
  readonly label: string;
  readonly sourceUri?: string | undefined;
  /** The graph that belongs to a prompt, to be stored in pictures; a text that is a graph is sent itself. */
  readonly workflowText?: string | undefined;
  readonly seeds: 'keep' | 'new';
  /** The only output nodes to run. */
  readonly targets?: readonly string[] | undefined;
  /** Send although the check expects a refusal. */
  readonly force?: boolean | undefined;
  readonly session: RunSession;
  /**
   * Canonical lowercase UUID; made when missing. On local servers the id of the job (protocol 1.5); on all of them the key
   * that the job's data carry, by which it is known when the answer is lost.
   */
  readonly promptId?: string | undefined;
  /** For how long a job whose answer was lost is looked for, ms. */
  readonly lookOut?: number | undefined;
}

/** What the procedure asks of the user or the caller. */
export interface RunCallbacks {
  /**
   * The local file of a media input, looked up only inside the workspace; if undefined, the server is expected to have
   * it. `name` has been checked: relative, no `..`, no drive. The lookup must reject links that lead out of the
   * workspace.
   */
  localMedia(name: string): Promise<LocalMedia | undefined>;
  mayUpload(files: readonly UploadQuestion[]): Promise<boolean>;
  /** Partner nodes cost extra credits: asked before each run with any. */
  maySpend(nodes: readonly PreparedPartnerNode[]): Promise<boolean>;
  /** The account key for partner nodes; requested only when the workflow has some. */
  partnerKey(): Promise<string | undefined>;
  stage(stage: RunStage): void;
  /** Records on disk what is about to be sent; missing for callers that save no outputs. */
  readonly owe?: Owe | undefined;
}

export type RunOutcome =
  | {
      readonly kind: 'submitted';
      readonly jobId: string;
      /** Branches that the server leaves out, and what the check found and was overruled on. */
      readonly findings: readonly Finding[];
      /** False: without node definitions, the workflow was not checked before sending. */
      readonly checked: boolean;
      /** The prompt exactly as posted, for the run record. */
      readonly promptText: string;
      /** What the server complained about although it accepted the prompt. */
      readonly nodeErrors: NodeErrorMap;
      /** The graph exactly as posted with it. */
      readonly workflowText: string | undefined;
      readonly prepared: PreparedRun;
    }
  | RunRefused
  | {
      readonly kind: 'refusedByServer';
      readonly error: PromptError;
      readonly nodeErrors: NodeErrorMap;
      /** The server's complaints at their places in the text. */
      readonly findings: readonly Finding[];
      readonly prepared: PreparedRun;
    }
  | { readonly kind: 'declined'; readonly what: 'upload' | 'spending' };

export interface RunRefused {
  readonly kind: 'refused';
  readonly refusal: RunRefusal;
}

/**
 * The only procedure that runs a workflow text: check, upload, spending consent, socket, POST once, job. Server errors
 * are thrown as `ServerError`. An aborted run throws the signal's reason; what the server accepted by then is
 * cancelled. A prompt refused because of an uploaded file is sent again with the file, once.
 */
export async function runWorkflow(
  request: RunRequest,
  asks: RunCallbacks,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const reused: PlannedUpload[] = [];
  const outcome = await runOnce(request, asks, reused, signal);
  if (reused.length === 0) return outcome;
  const { uploads } = request.session;
  if (outcome.kind === 'submitted') {
    forgetWhenFailed(request.session, outcome, reused);
    return outcome;
  }
  if (outcome.kind !== 'refusedByServer') return outcome;
  const refusedIds = new Set(Object.keys(outcome.nodeErrors));
  if (!forgetRefused(uploads, reused, refusedIds)) return outcome;
  // A refusal costs nothing, and the user has already agreed to the cost.
  return runOnce(request, { ...asks, maySpend: () => Promise.resolve(true) }, [], signal);
}

/** The cloud refuses late, as a failure of the job: the next run uploads the file again. */
function forgetWhenFailed(
  session: RunSession,
  { jobId, nodeErrors }: RunOutcome & { readonly kind: 'submitted' },
  reused: readonly PlannedUpload[],
): void {
  forgetRefused(session.uploads, reused, new Set(Object.keys(nodeErrors)));
  session.tracker.finished(jobId).then(
    ({ failure }) => {
      if (!failure) return;
      const late = embeddedValidation(failure.message)?.nodeErrors ?? {};
      const ids = [failure.nodeId, ...Object.keys(late)].filter((id) => id !== undefined);
      forgetRefused(session.uploads, reused, new Set(ids));
    },
    // The session ended before the job, and its memory with it.
    () => undefined,
  );
}

async function runOnce(
  request: RunRequest,
  asks: RunCallbacks,
  reused: PlannedUpload[],
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { session } = request;
  signal.throwIfAborted();
  asks.stage({ kind: 'checking' });
  const prepared = await prepare(request, signal);
  if (prepared.kind === 'refused') return refused(prepared);

  const planned = await planUploads(prepared, {
    localMedia: (name) => asks.localMedia(name),
    mostBytes: async () => (await session.capabilities()).maxUploadBytes,
    force: request.force,
  });
  if ('kind' in planned) return refused(planned);
  signal.throwIfAborted();
  const sending = planned.filter((upload) => !isRemembered(session.uploads, upload));
  if (sending.length > 0 && !(await asks.mayUpload(sending.map(uploadQuestion)))) {
    return { kind: 'declined', what: 'upload' };
  }
  reused.push(...planned.filter((upload) => isRemembered(session.uploads, upload)));
  signal.throwIfAborted();
  const mediaEdits = await uploadMedia(
    planned,
    session.client,
    session.uploads,
    (name, index, count) => asks.stage({ kind: 'uploading', name, index, count }),
    signal,
  );

  const spending = await mayStart(prepared, asks, session);
  if (spending.kind !== 'yes') return spending;
  signal.throwIfAborted();
  asks.stage({ kind: 'connecting' });
  const { prompt, graph } = prepared;
  const root = prompt.root ?? { offset: 0, length: prompt.document.text.length };
  const edits = [...prepared.edits, ...mediaEdits];
  const promptText = extractPrompt(prompt.document.text, root, edits);
  const workflowText = graph ? graphTextWith(graph, prompt, edits) : request.workflowText;
  const release = await session.connect(signal);
  try {
    const answer = await submitOwed(
      {
        session,
        promptText,
        promptId: request.promptId ?? randomUUID(),
        partnerKey: spending.partnerKey,
        targets: prepared.targets,
        workflowText,
        origin: originOf(request, prepared),
        lookOut: request.lookOut,
        stage: (stage) => asks.stage(stage),
      },
      asks.owe,
      signal,
    );
    return outcomeOf(answer, prepared, promptText, workflowText);
  } finally {
    release();
  }
}

/** Checks the text before any request, and again with fresh definitions before refusing. */
async function prepare(request: RunRequest, signal: AbortSignal): Promise<PreparedRun | RunRefusal> {
  const { session, document, seeds, targets, force } = request;
  const read = readWorkflowPrompt(document);
  if (read.kind === 'refused' && read.reason !== 'noDefinitions') return read;
  const known = await session.serverDefinitions(signal);
  const first = prepareRun(document, { ...known, seeds, targets, force });
  if (first.kind !== 'refused' || !['invalid', 'graphInvalid'].includes(first.reason))
    return checkMedia(first);
  // The user may have added the model or the node since the definitions were read.
  const fresh = await session.freshDefinitions(signal);
  return checkMedia(fresh === known ? first : prepareRun(document, { ...fresh, seeds, targets, force }));
}

function checkMedia(prepared: PreparedRun | RunRefusal): PreparedRun | RunRefusal {
  return prepared.kind === 'refused' ? prepared : (refuseOutsideMedia(prepared) ?? prepared);
}

function refused(why: RunRefusal): RunRefused {
  return { kind: 'refused', refusal: why };
}

function uploadQuestion({ name, local, inputs }: PlannedUpload): UploadQuestion {
  const { place, description, size, marks } = local;
  return { name, place, description, size, marks, kinds: [...new Set(inputs.map(({ kind }) => kind))] };
}

type Start =
  | { readonly kind: 'yes'; readonly partnerKey?: string }
  | RunRefused
  | { readonly kind: 'declined'; readonly what: 'spending' };

/** Spending consent: the key for partner nodes is requested and sent only when the workflow has such nodes. */
async function mayStart(prepared: PreparedRun, asks: RunCallbacks, session: RunSession): Promise<Start> {
  const { partnerNodes } = prepared;
  if (partnerNodes.length === 0) return { kind: 'yes' };
  if (!(await asks.maySpend(partnerNodes))) return { kind: 'declined', what: 'spending' };
  const names = [...new Set(partnerNodes.map(({ title }) => title))].join(', ');
  if (!mayCarryCredential(session.server.url)) {
    return refused(
      refusal(
        'noPartnerKey',
        t`The account key that ${names} needs is never sent over an unencrypted connection.`,
        t`Use the server's https address.`,
      ),
    );
  }
  const partnerKey = await asks.partnerKey();
  if (partnerKey !== undefined) return { kind: 'yes', partnerKey };
  return refused(
    refusal(
      'noPartnerKey',
      t`The workflow uses paid partner nodes (${names}), and no account key is stored for them.`,
      t`Sign in with a Comfy API key, then run again.`,
    ),
  );
}

function originOf(request: RunRequest, prepared: PreparedRun): JobOrigin {
  const { label, sourceUri } = request;
  const { sourceHash, promptHash, nodeNames, seeds } = prepared;
  return {
    label,
    ...(sourceUri !== undefined && { sourceUri }),
    sourceHash,
    ...(promptHash !== undefined && { promptHash }),
    nodeNames,
    seeds,
    serverName: request.session.server.name,
  };
}

function outcomeOf(
  answer: SubmissionAnswer,
  prepared: PreparedRun,
  promptText: string,
  workflowText: string | undefined,
): RunOutcome {
  const { nodeErrors } = answer;
  const severity = answer.kind === 'refused' ? 'error' : 'warning';
  const findings = serverFindings(nodeErrors, prepared.places, prepared.findings, severity);
  if (answer.kind === 'refused') {
    return { kind: 'refusedByServer', error: answer.error, nodeErrors, findings, prepared };
  }
  return {
    kind: 'submitted',
    jobId: answer.promptId,
    // The server's own answer takes precedence over the prediction.
    findings: findings.length > 0 ? findings : prepared.findings,
    checked: prepared.checked,
    nodeErrors,
    promptText,
    workflowText,
    prepared,
  };
}
