import { randomUUID } from 'node:crypto';
import { mayCarryCredential } from '../client/address';
import type { SubmissionAnswer } from '../client/submission';
import type { JobOrigin } from '../jobs/job';
import type { NodeErrorMap, PromptError } from '../protocol/nodeErrors';
import { graphTextWith } from './graphPrompt';
import { isRemembered, planUploads, refuseOutsideMedia, uploadMedia } from './mediaUploads';
import type { PlannedUpload } from './mediaUploads';
import { placeNodeErrors } from './placeNodeErrors';
import type { PreparedPartnerNode, PreparedRun } from './preparedRun';
import { prepareRun } from './prepareRun';
import { cutPrompt } from './promptCut';
import { refusal } from './runRefusal';
import type { RunProblem, RunRefusal } from './runRefusal';
import type { ServerSession } from './serverSession';
import { submitOnce } from './submitOnce';
import { readWorkflowPrompt } from './workflowPrompt';

export interface RunRequest {
  readonly text: string;
  /** Name to show: the file's name. */
  readonly label: string;
  readonly sourceUri?: string | undefined;
  /** The graph that goes with a prompt, for the pictures to carry; a text that is a graph goes itself. */
  readonly workflowText?: string | undefined;
  readonly seeds: 'keep' | 'new';
  /** Output nodes that alone are to run. */
  readonly targets?: readonly string[] | undefined;
  /** Send although the check expects a refusal. */
  readonly force?: boolean | undefined;
  readonly session: ServerSession;
  /** Canonical lowercase UUID; made when missing. Sent to local servers only (protocol 1.5). */
  readonly promptId?: string | undefined;
}

/** A file that the workflow names and that lies in the workspace. */
export interface LocalMedia {
  bytes(): Promise<Uint8Array>;
  /** SHA-256 (hex) of the bytes: what one server has is not sent to it again. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** Where it lies, for the question whether it may be uploaded. */
  readonly description: string;
}

export interface UploadQuestion {
  /** The name in the workflow. */
  readonly name: string;
  readonly description: string;
  /** Bytes. */
  readonly size: number;
}

export type RunStage =
  | { readonly kind: 'checking' }
  | { readonly kind: 'uploading'; readonly name: string; readonly index: number; readonly count: number }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'submitting' }
  /** The answer to the submission was lost; the job list is read. */
  | { readonly kind: 'lookingForJob' };

/** What the procedure asks of the person or of the one who embeds it. */
export interface RunAsks {
  /**
   * The local file of a media input, looked up only inside the workspace; undefined when there is none, then the
   * server is expected to have it. `name` has been checked: relative, no `..`, no drive. Links out of the workspace
   * are for the one who looks up to refuse.
   */
  localMedia(name: string): Promise<LocalMedia | undefined>;
  mayUpload(files: readonly UploadQuestion[]): Promise<boolean>;
  /** Partner nodes cost credits of their own: asked before each run that holds some. */
  maySpend(nodes: readonly PreparedPartnerNode[]): Promise<boolean>;
  /** The account key for partner nodes; asked for only when the workflow has some. */
  partnerKey(): Promise<string | undefined>;
  stage(stage: RunStage): void;
}

export type RunOutcome =
  | {
      readonly kind: 'submitted';
      readonly jobId: string;
      /** Branches that the server leaves out, and what the check found and was overruled on. */
      readonly warnings: readonly RunProblem[];
      /** False: there were no node definitions, so the workflow was not checked before it was sent. */
      readonly checked: boolean;
      /** The prompt exactly as posted, for the run record. */
      readonly promptText: string;
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
      readonly problems: readonly RunProblem[];
      readonly prepared: PreparedRun;
    }
  | { readonly kind: 'declined'; readonly what: 'upload' | 'spending' };

export interface RunRefused {
  readonly kind: 'refused';
  readonly refusal: RunRefusal;
}

/**
 * The one procedure that runs a workflow text: check, upload, spend guard, socket, POST once, job. Trouble with
 * the server throws `ServerError`. An aborted run throws the signal's reason; what the server had taken by then is
 * cancelled on it.
 */
export async function runWorkflow(
  request: RunRequest,
  asks: RunAsks,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { session } = request;
  signal.throwIfAborted();
  asks.stage({ kind: 'checking' });
  const prepared = await prepare(request, signal);
  if (prepared.kind === 'refused') return refused(prepared);

  const planned = await planUploads(prepared.media, (name) => asks.localMedia(name));
  signal.throwIfAborted();
  const sending = planned.filter((upload) => !isRemembered(session.uploads, upload));
  const tooLarge = await refuseLargeMedia(sending, prepared, session);
  if (tooLarge) return refused(tooLarge);
  if (sending.length > 0 && !(await asks.mayUpload(sending.map(uploadQuestion)))) {
    return { kind: 'declined', what: 'upload' };
  }
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
  const promptText = cutPrompt(prompt.document.text, root, edits);
  const workflowText = graph ? graphTextWith(graph, prompt, edits) : request.workflowText;
  const release = await session.connect(signal);
  try {
    const answer = await submitOnce(
      {
        session,
        promptText,
        promptId: request.promptId ?? randomUUID(),
        partnerKey: spending.partnerKey,
        targets: prepared.targets,
        workflowText,
        origin: originOf(request, prepared),
        stage: (kind) => asks.stage({ kind }),
      },
      signal,
    );
    return outcomeOf(answer, prepared, promptText, workflowText);
  } finally {
    release();
  }
}

/** Looks at the text before anything is asked of the server, and again with definitions that are fresh before it refuses. */
async function prepare(request: RunRequest, signal: AbortSignal): Promise<PreparedRun | RunRefusal> {
  const { session, text, seeds, targets, force } = request;
  const read = readWorkflowPrompt(text);
  if (read.kind === 'refused' && read.reason !== 'noDefinitions') return read;
  const known = await session.nodeRules(signal);
  const first = prepareRun(text, { ...known, seeds, targets, force });
  if (first.kind !== 'refused' || !['invalid', 'graphInvalid'].includes(first.reason))
    return checkMedia(first);
  // The person may have added the model or the node since the definitions were read.
  const fresh = await session.freshNodeRules(signal);
  return checkMedia(fresh === known ? first : prepareRun(text, { ...fresh, seeds, targets, force }));
}

function checkMedia(prepared: PreparedRun | RunRefusal): PreparedRun | RunRefusal {
  return prepared.kind === 'refused' ? prepared : (refuseOutsideMedia(prepared) ?? prepared);
}

function refused(why: RunRefusal): RunRefused {
  return { kind: 'refused', refusal: why };
}

function uploadQuestion({ name, local }: PlannedUpload): UploadQuestion {
  return { name, description: local.description, size: local.size };
}

async function refuseLargeMedia(
  sending: readonly PlannedUpload[],
  { places }: PreparedRun,
  session: ServerSession,
): Promise<RunRefusal | undefined> {
  if (sending.length === 0) return undefined;
  const { maxUploadBytes } = await session.capabilities();
  if (maxUploadBytes === undefined) return undefined;
  const large = sending.find(({ local }) => local.size > maxUploadBytes);
  if (!large) return undefined;
  const [first] = large.inputs;
  const [size, limit] = [large.local.size, maxUploadBytes].map((bytes) => (bytes / (1024 * 1024)).toFixed(1));
  return refusal(
    'mediaTooLarge',
    `${large.name} has ${size ?? ''} MB; the server takes files of up to ${limit ?? ''} MB.`,
    'Make the file smaller, or raise the limit of the server.',
    first && places.input(first.nodeId, first.input),
  );
}

type Start =
  | { readonly kind: 'yes'; readonly partnerKey?: string }
  | RunRefused
  | { readonly kind: 'declined'; readonly what: 'spending' };

/** The spend guard: the key for partner nodes is asked for and sent only when the workflow has such nodes. */
async function mayStart(prepared: PreparedRun, asks: RunAsks, session: ServerSession): Promise<Start> {
  const { partnerNodes } = prepared;
  if (partnerNodes.length === 0) return { kind: 'yes' };
  if (!(await asks.maySpend(partnerNodes))) return { kind: 'declined', what: 'spending' };
  const names = [...new Set(partnerNodes.map(({ title }) => title))].join(', ');
  if (!mayCarryCredential(session.server.url)) {
    return refused(
      refusal(
        'noPartnerKey',
        `The account key that ${names} needs is not sent over a connection that is not encrypted.`,
        'Use the https address of the server.',
      ),
    );
  }
  const partnerKey = await asks.partnerKey();
  if (partnerKey !== undefined) return { kind: 'yes', partnerKey };
  return refused(
    refusal(
      'noPartnerKey',
      `The workflow uses paid partner nodes (${names}), and there is no account key for them.`,
      'Sign in with an API key of Comfy, then run again.',
    ),
  );
}

function originOf(request: RunRequest, prepared: PreparedRun): JobOrigin {
  const { label, sourceUri } = request;
  const { sourceHash, nodeNames, seeds } = prepared;
  return { label, ...(sourceUri !== undefined && { sourceUri }), sourceHash, nodeNames, seeds };
}

function outcomeOf(
  answer: SubmissionAnswer,
  prepared: PreparedRun,
  promptText: string,
  workflowText: string | undefined,
): RunOutcome {
  const { nodeErrors } = answer;
  const problems = placeNodeErrors(prepared, nodeErrors);
  if (answer.kind === 'refused') {
    return { kind: 'refusedByServer', error: answer.error, nodeErrors, problems, prepared };
  }
  return {
    kind: 'submitted',
    jobId: answer.promptId,
    // The server's own words count for more than what was expected of it.
    warnings: problems.length > 0 ? problems : prepared.warnings,
    checked: prepared.checked,
    promptText,
    workflowText,
    prepared,
  };
}
