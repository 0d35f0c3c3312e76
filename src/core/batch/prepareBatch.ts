import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Catalog } from '../catalog/catalog';
import type { OutputFolder } from '../outputs/outputFolder';
import type { HideSecrets } from '../records/recordSecrets';
import type { LocalMedia, UploadQuestion } from '../runs/localFile';
import type { RunChoices, RunSource } from '../runs/runChoices';
import { sentencesText, t } from '../safety/localize';
import { WorkflowDocument } from '../workflow/workflowDocument';
import type { ReadText } from './axisSource';
import type { BatchSpec } from './batchFile';
import { readBatchInputs } from './batchInputs';
import { BatchProblem, batchProblemFrom } from './batchProblem';
import { writeStartedBatch, type NamedBatch } from './startedBatch';
import { type BatchAxis, countBatchRows, rowText, valueShown } from './batchTable';
import { samplerSteps, type SamplerSteps } from './batchTime';
import type { BatchServer } from './runRow';
import {
  hashWorkflowText,
  type PartnerPrice,
  partnerPrices,
  planBatch,
  type RefusedStep,
  refusedSteps,
} from './planBatch';
import { prepareRun, type PreparedMedia } from '../runs/prepareRun';
import { errorWords } from '../safety/errorWords';
import type { ServerDefinitions } from '../server/serverDefinitions';
import { leadsOutside } from '../safety/paths';
import { splitFolderNote } from '../workflow/mediaInputs';

export interface BatchToPrepare {
  readonly label: string;
  readonly workflowText: string;
  /** The workflow file, relative to the output folder: `comfy-deck batch` finds it there. */
  readonly workflow: string;
  readonly spec: Pick<BatchSpec, 'set' | 'count'>;
  readonly batchHash?: string | undefined;
  readonly earlier?: NamedBatch | undefined;
}

/** A text file that gives values: its text becomes part of prompts. */
export type TextFile = Pick<LocalMedia, 'description' | 'size' | 'marks'>;

export interface CheckedBatch<S extends BatchServer = BatchServer> {
  readonly axes: readonly BatchAxis[];
  /** Missing if the workflow can't be read. */
  readonly steps: SamplerSteps | undefined;
  readonly partners: readonly PartnerPrice[];
  readonly servers: readonly S[];
}

export interface BatchPorts<S extends BatchServer> {
  readonly servers: readonly S[];
  readonly choices: Pick<RunChoices, 'force' | 'allowLoss' | 'targets'>;
  readonly folder: OutputFolder;
  readonly files: {
    readonly read: ReadText;
    readonly texts: readonly TextFile[];
    readonly media: (name: string) => Promise<LocalMedia | undefined>;
  };
  readonly ask: BatchQuestionsOf<S>;
  readonly tell: {
    /** A server would refuse the first row, or does not answer; others run the batch. */
    leftOut(server: S, problem: string): void;
    checked?(batch: CheckedBatch<S>): Promise<void>;
    refused(step: RefusedStep): void;
    /** There were so many of those that the rest isn't checked. */
    unchecked?(): void;
  };
  readonly hide: HideSecrets;
  readonly checking?: <T>(check: () => Promise<T>) => Promise<T>;
}

/** Each is false when the person declined. The sandbox alone needs no answers. */
interface BatchQuestionsOf<S extends BatchServer> {
  /** Whether a batch is wanted for these rows at all. */
  rows?(axes: readonly BatchAxis[]): boolean;
  /** Asks whether to start, once nothing is wrong. */
  start?(): Promise<boolean>;
  spend?(partners: readonly PartnerPrice[], rows: number): Promise<boolean>;
  sendTexts(texts: readonly TextFile[], servers: readonly S[]): Promise<boolean>;
  upload?(files: readonly UploadQuestion[], server: S): Promise<boolean>;
}

export interface PreparedBatch<S extends BatchServer> extends NamedBatch {
  readonly servers: readonly S[];
}

const mostRefused = 10;

/**
 * Everything before the first row of a batch: asking the servers, planning, asking the person, and saving the batch.
 * Sends nothing, and saves nothing that was declined or refused.
 * @throws BatchProblem, or the reason of an aborted signal
 */
export async function prepareBatch<S extends BatchServer>(
  batch: BatchToPrepare,
  ports: BatchPorts<S>,
  signal: AbortSignal,
): Promise<PreparedBatch<S> | 'declined' | 'refused'> {
  const { label, workflowText, workflow, batchHash, earlier } = batch;
  const workflowHash = hashWorkflowText(workflowText);
  if (earlier && earlier.batch.workflowHash !== workflowHash) {
    // The places of the values hold for the text with which it was started.
    throw new BatchProblem(
      t`${label} has changed since the batch was started.`,
      t`Restore it and its run records, or start a new batch.`,
    );
  }
  const checking = (): ReturnType<typeof check<S>> => check(batch, ports, signal);
  const checked = await (ports.checking ? ports.checking(checking) : checking());
  if (typeof checked === 'string') return checked;
  const { axes, partners, servers } = checked;
  if (!earlier) refuseSecrets(axes, ports.hide);
  if (!((await ports.ask.start?.()) ?? true)) return 'declined';
  if (earlier) return { ...earlier, servers };
  if (!(await mayStart(batch, checked, ports))) return 'declined';
  const isPaid = partners.length > 0;
  const about = { label, workflow, workflowHash, batchHash, isPaid, axes };
  return { ...(await writeStartedBatch(ports.folder, about, Date.now())), servers };
}

/** The path of a workflow file relative to the output folder; from another drive, the whole path. */
export function workflowFrom(folder: string, file: string, paths: Paths = path): string {
  return paths.relative(folder, file).split(paths.sep).join('/');
}

type Paths = Pick<typeof path, 'relative' | 'sep'>;

interface Checked<S extends BatchServer> extends CheckedBatch<S> {
  readonly able: readonly KnownServer<S>[];
}

async function check<S extends BatchServer>(
  { label, workflowText, spec, earlier }: BatchToPrepare,
  { servers, choices, files, ask, tell }: BatchPorts<S>,
  signal: AbortSignal,
): Promise<Checked<S> | 'declined' | 'refused'> {
  const known = await Promise.all(servers.map((server) => knownServer(server, signal)));
  const catalog = known.find(({ definitions }) => definitions?.catalog)?.definitions?.catalog;
  const workflow = WorkflowDocument.of(workflowText);
  const planned = earlier
    ? undefined
    : await planBatch({ workflow, spec, catalog, readText: files.read, signal });
  const plan = planned?.plan;
  const axes = earlier?.batch.axes ?? plan?.axes;
  if (!axes) throw batchProblemFrom(planned?.problems ?? [], label);
  if (ask.rows?.(axes) === false) return 'declined';
  const first = WorkflowDocument.of(rowText(workflowText, axes, 0));
  const judged = ableServers(known, { workflow: first, label }, choices);
  const able = judged.filter(({ problem }) => problem === undefined);
  for (const { server, problem } of judged) {
    if (problem === undefined) continue;
    if (able.length === 0) throw new BatchProblem(`${server.name}: ${problem}`, '');
    tell.leftOut(server, problem);
  }
  const definitions = able.map((each) => each.definitions).filter((each) => each !== undefined);
  const catalogs = definitions.map((each) => each.catalog).filter((each) => each !== undefined);
  const checked = {
    ...{ axes, able, servers: able.map(({ server }) => server) },
    partners: plan ? partnerPrices(workflow, catalogs) : [],
    steps: plan?.steps ?? stepsOf(workflow, catalog, axes),
  };
  await tell.checked?.(checked);
  if (earlier) return checked;
  let reported = 0;
  for (const refused of refusedSteps({ workflowText, axes, definitions, choices })) {
    // The window stays responsive, and Cancel is heard.
    await setImmediate();
    signal.throwIfAborted();
    if (!refused) continue;
    tell.refused(refused);
    if (++reported < mostRefused) continue;
    tell.unchecked?.();
    break;
  }
  return reported > 0 ? 'refused' : checked;
}

function stepsOf(
  workflow: WorkflowDocument,
  catalog: Catalog | undefined,
  axes: readonly BatchAxis[],
): SamplerSteps | undefined {
  const known = readBatchInputs(workflow, catalog);
  return known.kind === 'inputs' ? samplerSteps(known.read.prompt, axes) : undefined;
}

async function mayStart<S extends BatchServer>(
  batch: BatchToPrepare,
  { axes, partners, able, servers }: Checked<S>,
  { ask, files }: BatchPorts<S>,
): Promise<boolean> {
  const others = able.filter(({ server }) => server.isSandbox !== true);
  const isPaid = others.length > 0 && partners.length > 0;
  if (isPaid && (await ask.spend?.(partners, countBatchRows(axes))) === false) return false;
  if (files.texts.length > 0 && !(await ask.sendTexts(files.texts, servers))) return false;
  for (const { server, definitions } of ask.upload ? others : []) {
    if (!definitions) continue;
    const uploads = await batchUploads(batch, axes, definitions, files.media);
    if ((await ask.upload?.(uploads, server)) === false) return false;
  }
  return true;
}

function refuseSecrets(axes: readonly BatchAxis[], hide: HideSecrets): void {
  const values = JSON.stringify(axes);
  if (hide(values) === values) return;
  throw new BatchProblem(
    t`The values of the batch contain an API key, which must not be written to disk.`,
    t`Remove the key from the batch.`,
  );
}

interface KnownServer<S extends BatchServer = BatchServer> {
  readonly server: S;
  readonly definitions: ServerDefinitions | undefined;
  readonly problem: string | undefined;
}

async function knownServer<S extends BatchServer>(server: S, signal: AbortSignal): Promise<KnownServer<S>> {
  try {
    const definitions = await server.session.serverDefinitions(signal);
    return { server, definitions, problem: undefined };
  } catch (error) {
    signal.throwIfAborted();
    const { message, nextAction } = errorWords(error);
    return { server, definitions: undefined, problem: sentencesText(message, nextAction) };
  }
}

/** Leaves out the servers that would refuse the workflow because they have other node types or models. */
function ableServers<S extends BatchServer>(
  known: readonly KnownServer<S>[],
  source: RunSource,
  choices: Pick<RunChoices, 'force' | 'allowLoss' | 'targets'>,
): KnownServer<S>[] {
  return known.map((each) => {
    if (!each.definitions) return each;
    const prepared = prepareRun(source, { ...choices, seeds: 'keep' }, each.definitions);
    if (prepared.kind !== 'refused') return each;
    return { ...each, problem: sentencesText(prepared.message, prepared.nextAction) };
  });
}

/** The local files that any row of a batch uses, each once, for one question before the first row is sent. */
async function batchUploads(
  { label, workflowText }: BatchToPrepare,
  axes: readonly BatchAxis[],
  definitions: ServerDefinitions,
  localMedia: (name: string) => Promise<LocalMedia | undefined>,
): Promise<UploadQuestion[]> {
  const workflow = WorkflowDocument.of(rowText(workflowText, axes, 0));
  const prepared = prepareRun({ workflow, label }, { seeds: 'keep' }, definitions);
  if (prepared.kind === 'refused') return [];
  const names = new Map<string, Set<PreparedMedia['kind']>>();
  for (const media of prepared.media) {
    for (const name of namesOf(media, axes)) {
      const kinds = names.get(name) ?? new Set();
      names.set(name, kinds.add(media.kind));
    }
  }
  const questions = new Map<string, UploadQuestion>();
  for (const [name, kinds] of names) {
    if (leadsOutside(name)) continue;
    const local = await localMedia(name);
    if (!local) continue;
    const { place, description, size, marks } = local;
    questions.set(place, { name, place, description, size, marks, kinds: [...kinds] });
  }
  return [...questions.values()];
}

/** The names that an input gets: one, or those of all steps. */
function namesOf({ nodeId, input, fileName }: PreparedMedia, axes: readonly BatchAxis[]): string[] {
  for (const { columns, steps } of axes) {
    const at = columns.findIndex((column) => column.nodeId === nodeId && column.input === input);
    if (at < 0) continue;
    return steps.map((texts) => splitFolderNote(valueShown(texts[at] ?? '')).fileName);
  }
  return [fileName];
}
