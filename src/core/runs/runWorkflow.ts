import type { Finding } from '../check/finding';
import { mayCarryCredential } from '../client/address';
import { unheardRunWords } from '../jobs/outputCount';
import type { InputToKeep } from '../records/keepInputs';
import { embeddedValidation } from '../protocol/errorBody';
import type { NodeErrorMap, PromptError } from '../protocol/nodeErrors';
import type { LocalMedia, UploadQuestion } from './localFile';
import {
  forgetRefused,
  planUploads,
  refuseOutsideMedia,
  uploadedFile,
  uploadMedia,
  type PlannedUpload,
} from './mediaUploads';
import { type PreparedPartnerNode, type PreparedRun, prepareRun, withEdits } from './prepareRun';
import type { RunChoices, RunSource } from './runChoices';
import { readLastSeeds, randomSeed } from './randomSeed';
import type { OutputFolder } from '../outputs/outputFolder';
import { createRunRefusal, type RunRefusal } from './runRefusal';
import type { RunStage } from '../runLife/runStage';
import type { RunToSend } from '../runLife/runToSend';
import type { OwnRun, SendResult, WorkPorts } from '../runLife/runWork';
import { serverFindings } from './serverFindings';
import type { RunSession, UploadMemory } from '../runLife/runSession';
import type { ServerDefinitions } from '../server/serverDefinitions';
import { readWorkflowPrompt } from './readWorkflowPrompt';
import { mapDefined } from '../safety/lists';
import { t } from '../safety/localize';

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
  /** Asks a person whether to run although outputs could not be found. Without it, only a forced run is sent. */
  readonly mayRunUnheard?: ((reason: string, session: RunSession) => Promise<boolean>) | undefined;
}

export type RunOutcome =
  | {
      /** Even if the run was aborted meanwhile: `RunWork.finish` cancels it. */
      readonly kind: 'submitted';
      readonly jobId: string;
      /** To be followed with `RunWork.finish`. */
      readonly owned: OwnRun;
      /** Branches that the server leaves out, and what the check found and was overruled on. */
      readonly findings: readonly Finding[];
      readonly nodeErrors: NodeErrorMap;
      /** Its texts are exactly as posted. */
      readonly run: PreparedRun;
    }
  /** The server may have accepted it: the run stays owed. */
  | (SendResult & { readonly kind: 'unknown' })
  | RunRefusal
  | {
      readonly kind: 'refusedByServer';
      readonly error: PromptError;
      readonly nodeErrors: NodeErrorMap;
      readonly findings: readonly Finding[];
    }
  | { readonly kind: 'declined'; readonly what: Declined };

type Declined = 'upload' | 'spending' | 'unheard';

export const declinedWords = (): Readonly<Record<Declined, string>> => ({
  upload: t`The workflow uses local files that the server doesn't have.`,
  spending: t`The workflow uses partner nodes, which cost extra credits.`,
  unheard: t`The server's WebSocket can't be opened, so outputs couldn't be found.`,
});

/**
 * The only procedure that runs a workflow text: check, upload, spending consent, socket, record, POST once, job. Server
 * errors are thrown as `ServerError` when nothing can have been accepted. A run that is aborted before its prompt leaves
 * throws the signal's reason. A prompt refused because of an uploaded file is sent again with the file, once.
 */
export async function runWorkflow(
  source: RunSource,
  choices: RunChoices,
  session: RunSession,
  asks: RunCallbacks,
  ports: WorkPorts,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const reused: PlannedUpload[] = [];
  const once = async (answers: RunCallbacks, memory: PlannedUpload[]): Promise<RunOutcome> => {
    signal.throwIfAborted();
    ports.on?.({ kind: 'stage', stage: { kind: 'checking' } });
    const prepared = await prepareChecked(source, choices, session, ports.folder, signal);
    if (prepared.kind === 'refused') return prepared;
    return runPrepared(prepared, session, answers, ports, memory, signal);
  };
  const outcome = await once(asks, reused);
  if (reused.length === 0) return outcome;
  if (outcome.kind === 'submitted') {
    forgetWhenFailed(session, outcome, reused);
    return outcome;
  }
  if (outcome.kind !== 'refusedByServer') return outcome;
  const refusedIds = new Set(Object.keys(outcome.nodeErrors));
  if (!forgetRefused(session.uploads, reused, refusedIds)) return outcome;
  // A refusal costs nothing, and the person has agreed to the cost already.
  return once({ ...asks, maySpend: () => Promise.resolve(true) }, []);
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
      const late = embeddedValidation(failure.message)?.nodeErrors;
      const ids = new Set(late && Object.keys(late));
      if (failure.nodeId !== undefined) ids.add(failure.nodeId);
      forgetRefused(session.uploads, reused, ids);
    },
    // The session ended before the job, and its memory with it.
    () => undefined,
  );
}

async function runPrepared(
  prepared: PreparedRun,
  session: RunSession,
  asks: RunCallbacks,
  ports: WorkPorts,
  reused: PlannedUpload[],
  signal: AbortSignal,
): Promise<RunOutcome> {
  const reportStage = (stage: RunStage): void => ports.on?.({ kind: 'stage', stage });
  const cannot = (await refuseUnknownCost(prepared, session)) ?? (await refuseNext(prepared, session));
  if (cannot) return cannot;

  const planned = await planUploads(prepared, {
    localMedia: (name) => asks.localMedia(name),
    mostBytes: async () => (await session.capabilities()).maxUploadBytes,
    force: prepared.choices.force,
  });
  if ('kind' in planned) return planned;
  signal.throwIfAborted();
  const sending = planned.filter((upload) => uploadedFile(session.uploads, upload) === undefined);
  if (sending.length > 0 && !(await asks.mayUpload(sending.map(uploadQuestion)))) {
    return { kind: 'declined', what: 'upload' };
  }
  reused.push(...planned.filter((upload) => uploadedFile(session.uploads, upload) !== undefined));
  signal.throwIfAborted();
  const mediaEdits = await uploadMedia(
    planned,
    session.client,
    session.uploads,
    (name, index, count) => reportStage({ kind: 'uploading', name, index, count }),
    signal,
  );

  const spending = await askSpending(prepared, asks, session);
  if (spending.kind !== 'yes') return spending;
  signal.throwIfAborted();
  reportStage({ kind: 'connecting' });
  const uploaded = mediaEdits.length > 0 ? withEdits(prepared, mediaEdits) : prepared;
  const run = { ...uploaded, inputs: planned.flatMap((each) => inputsToKeep(each, session.uploads)) };
  const release = await session.connect(signal);
  try {
    const unheard = await mayRunUnheard(prepared, asks, session);
    if (unheard) return unheard;
    signal.throwIfAborted();
    const { partnerKey } = spending;
    const origin = { ...run.origin, serverName: session.server.name };
    const toSend = runToSendFrom({ ...run, origin, partnerKey });
    return submissionOutcome(await ports.runs.send(toSend, session, ports, signal), run);
  } finally {
    release();
  }
}

/** Looks at the text before anything is asked of the server, and again with definitions that are fresh before it refuses. */
async function prepareChecked(
  source: RunSource,
  choices: RunChoices,
  session: RunSession,
  folder: OutputFolder,
  signal: AbortSignal,
): Promise<PreparedRun | RunRefusal> {
  const read = readWorkflowPrompt(source.workflow);
  if (read.kind === 'refused' && read.reason !== 'noDefinitions') return read;
  // A graph may need any definition.
  const isPrompt = read.kind === 'prompt' && source.workflowText === undefined;
  const types = isPrompt && new Set(mapDefined(read.prompt.nodes, ({ classType }) => classType));
  const known = await (types ? session.definitionsOf(types, signal) : session.serverDefinitions(signal));
  const lastSeeds = await readLastSeeds(folder, source);
  const prepare = (definitions: ServerDefinitions): PreparedRun | RunRefusal => {
    const prepared = prepareRun(source, choices, definitions, randomSeed, lastSeeds);
    return prepared.kind === 'refused' ? prepared : (refuseOutsideMedia(prepared) ?? prepared);
  };
  const first = prepare(known);
  if (first.kind !== 'refused' || !['invalid', 'graphInvalid'].includes(first.reason)) return first;
  // The user may have added the model or the node since the definitions were read.
  const fresh = await session.freshDefinitions(signal);
  return fresh === known ? first : prepare(fresh);
}

function inputsToKeep(
  { local, bytes, hash, inputs, name }: PlannedUpload,
  memory: UploadMemory,
): InputToKeep[] {
  const known = uploadedFile(memory, { hash, name });
  return inputs.map(({ nodeId, input }) => ({
    node: nodeId,
    input,
    name: known?.value ?? name,
    asset: known?.asset,
    path: local.relative,
    bytes: bytes.byteLength,
    sha256: hash,
    content: bytes,
  }));
}

function uploadQuestion({ name, local, inputs }: PlannedUpload): UploadQuestion {
  const { place, description, size, marks } = local;
  return { name, place, description, size, marks, kinds: [...new Set(inputs.map(({ kind }) => kind))] };
}

/** A local server gets the key that partner nodes charge only with consent; others know it from the sign-in. */
async function refuseUnknownCost(
  { checked, choices }: PreparedRun,
  session: RunSession,
): Promise<RunRefusal | undefined> {
  if (checked || choices.force === true) return undefined;
  if ((await session.capabilities()).dialect === 'local') return undefined;
  return createRunRefusal(
    'costUnknown',
    t`The server didn't provide node definitions, so Comfy Deck can't tell whether the workflow uses paid partner nodes.`,
    t`Try again later.`,
  );
}

/** Otherwise it would wait like any other, and nobody would know why. */
async function refuseNext({ choices }: PreparedRun, session: RunSession): Promise<RunRefusal | undefined> {
  if (choices.next !== true || (await session.capabilities()).dialect === 'local') return undefined;
  return createRunRefusal(
    'notNext',
    t`This server runs jobs in the order in which they were submitted.`,
    t`Run the workflow without asking to go next.`,
  );
}

/** Spending consent: the key for partner nodes is requested and sent only when the workflow has such nodes. */
async function askSpending({ partnerNodes }: PreparedRun, asks: RunCallbacks, session: RunSession) {
  if (partnerNodes.length === 0) return { kind: 'yes', partnerKey: undefined } as const;
  if (!(await asks.maySpend(partnerNodes))) return { kind: 'declined', what: 'spending' } as const;
  const names = [...new Set(partnerNodes.map(({ title }) => title))].join(', ');
  if (!mayCarryCredential(session.server.url)) {
    return createRunRefusal(
      'noPartnerKey',
      t`The account key that ${names} needs is never sent over an unencrypted connection.`,
      t`Use the server's https address.`,
    );
  }
  const partnerKey = await asks.partnerKey();
  if (partnerKey !== undefined) return { kind: 'yes', partnerKey } as const;
  return createRunRefusal(
    'noPartnerKey',
    t`The workflow uses paid partner nodes (${names}), and no account key is stored for them.`,
    t`Sign in with a Comfy API key, then run again.`,
  );
}

/** If only events report outputs, they couldn't be found without a socket. Undefined: it may run. */
async function mayRunUnheard(
  { choices }: PreparedRun,
  asks: RunCallbacks,
  session: RunSession,
): Promise<RunOutcome | undefined> {
  const reason = session.socketTrouble;
  if (reason === undefined || choices.force === true) return undefined;
  if ((await session.capabilities()).history) return undefined;
  if (asks.mayRunUnheard && choices.refuseUnheard !== true)
    return (await asks.mayRunUnheard(reason, session)) ? undefined : { kind: 'declined', what: 'unheard' };
  const { message, nextAction } = unheardRunWords(reason);
  return createRunRefusal('unheard', message, nextAction);
}

export function runToSendFrom(run: PreparedRun): RunToSend {
  const { promptId, promptText, workflowText, choices, origin, inputs = [], partnerKey } = run;
  const { targets = [], lookOut, neverWait, next, clientId } = choices;
  return {
    ...{ promptId, promptText, workflowText, targets, origin, inputs },
    ...{ warnings: runWarnings(run), partnerKey, lookOut, next, neverWait, clientId },
  };
}

function runWarnings({ findings, carried, workflowText }: PreparedRun): string[] {
  const words = findings.map(({ message }) => message);
  if (!carried || workflowText !== undefined) return words;
  const leftOut = t`The earlier run's graph isn't included, because it can't hold some of the new values.`;
  return [...words, leftOut];
}

function submissionOutcome(sent: SendResult, run: PreparedRun): RunOutcome {
  if (sent.kind === 'unknown') return sent;
  const { kind, nodeErrors } = sent;
  const severity = kind === 'refused' ? 'error' : 'warning';
  const findings = serverFindings(nodeErrors, run.places, run.findings, severity);
  if (kind === 'refused') return { kind: 'refusedByServer', error: sent.error, nodeErrors, findings };
  // The server's own words count for more than what was expected of it.
  return { ...sent, findings: findings.length > 0 ? findings : run.findings, run };
}
