import { countAt } from '../safety/lists';
import { listText, t } from '../safety/localize';
import { estimateText } from '../safety/timeText';
import { parseJson } from '../json/tree';
import type { OutputFolder } from '../outputs/outputFolder';
import { recordsIn } from '../records/recordFile';
import { recordSpan, type RunRecord } from '../records/runRecord';
import { type Prompt, type PromptNode, readPrompt } from '../workflow/prompt';
import type { BatchAxis } from './batchTable';

const mostRecords = 200;
/** Characters of an earlier prompt; a longer one would take too long to read. */
const longestPrompt = 4_000_000;
const mostHops = 4;

export interface TimedServer {
  readonly name: string;
  /** Missing for a sandbox that has not been started. */
  readonly origin: string | undefined;
}

/** How long a batch takes, ms; or the servers of which no earlier run tells it. */
export type BatchTime =
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'unknown'; readonly servers: readonly string[] };

export function timeWords(time: BatchTime): string {
  return time.kind === 'time'
    ? t`Estimated time: ${estimateText(time.ms)}, based on earlier runs of this workflow.`
    : t`No time estimate yet for ${listText(time.servers)}.`;
}

interface TimedRows {
  readonly rows: number;
  readonly steps: SamplerSteps;
}

/** By node type. */
export type SamplerSteps = ReadonlyMap<string, number>;

interface EarlierRun {
  readonly server: string;
  readonly ms: number;
  /** By node type; `ms` is missing if the server didn't say how long each node took. */
  readonly samplers: ReadonlyMap<string, { readonly steps: number; readonly ms: number | undefined }>;
}

/** Tells how long batches of one workflow take, by the earlier runs in its output folder, which it reads once. */
export class BatchTimes {
  #earlier: readonly EarlierRun[] | undefined;
  #forgotten = 0;

  /** @param label name of the workflow file, as in the run records */
  constructor(
    private readonly folder: OutputFolder,
    private readonly label: string,
  ) {}

  /** Assumes that the servers share the rows, each as fast as before. @throws the reason of an aborted signal */
  async of(
    { rows, steps }: TimedRows,
    servers: readonly TimedServer[],
    signal: AbortSignal,
  ): Promise<BatchTime> {
    signal.throwIfAborted();
    const forgotten = this.#forgotten;
    const runs = this.#earlier ?? (await earlierRuns(this.folder, this.label, signal));
    // Runs that ended during the reading may be missing.
    if (this.#forgotten === forgotten) this.#earlier = runs;
    const runsOn = (origin: string | undefined) => runs.filter(({ server }) => server === origin);
    const times = servers.map(({ origin }) => runTime(runsOn(origin), steps));
    const unknown = servers.filter((_, index) => times[index] === undefined).map(({ name }) => name);
    if (unknown.length > 0 || servers.length === 0) return { kind: 'unknown', servers: unknown };
    const perMs = times.reduce<number>((sum, time) => sum + 1 / Math.max(1, time ?? 1), 0);
    return { kind: 'time', ms: rows / perMs };
  }

  forget(): void {
    this.#forgotten++;
    this.#earlier = undefined;
  }
}

async function earlierRuns(
  folder: OutputFolder,
  label: string,
  signal: AbortSignal,
): Promise<readonly EarlierRun[]> {
  const runs: EarlierRun[] = [];
  for await (const { record } of recordsIn(folder, { newest: mostRecords })) {
    signal.throwIfAborted();
    if (record.label !== label || record.state !== 'saved') continue;
    const run = earlierRun(record);
    if (run) runs.push(run);
  }
  return runs;
}

/** Undefined if it does not say how long such a run takes, as one of which the server had the sampled result already. */
function earlierRun({
  server,
  startedAt,
  endedAt,
  promptText,
  nodes = {},
}: RunRecord): EarlierRun | undefined {
  const ms = recordSpan(startedAt, endedAt);
  if (ms === undefined || promptText === undefined || promptText.length > longestPrompt) return undefined;
  const samplers = new Map<string, { steps: number; ms: number | undefined }>();
  for (const { classType, steps, id } of samplersOf(readPrompt(parseJson(promptText)), [])) {
    const node = Object.hasOwn(nodes, id) ? nodes[id] : undefined;
    if (node?.cached) return undefined;
    const took = recordSpan(node?.startedAt, node?.endedAt);
    const known = samplers.get(classType) ?? { steps: 0, ms: 0 };
    const all = known.ms === undefined || took === undefined ? undefined : known.ms + took;
    samplers.set(classType, { steps: known.steps + steps, ms: all });
  }
  return { server, ms, samplers };
}

/**
 * How long a run with these steps takes, ms: the median of earlier runs with as many. Without any, that of the others,
 * each with its own time per step; undefined if none tells that of a sampler whose steps have changed.
 */
function runTime(runs: readonly EarlierRun[], steps: SamplerSteps): number | undefined {
  const alike: number[] = [];
  const others: number[] = [];
  for (const { ms, samplers } of runs) {
    const types = new Set([...samplers.keys(), ...steps.keys()]);
    const changes = [...types].flatMap((type) => {
      const known = samplers.get(type);
      const more = countAt(steps, type) - (known?.steps ?? 0);
      return more === 0 ? [] : [more * ((known?.ms ?? NaN) / (known?.steps ?? NaN))];
    });
    if (changes.length === 0) alike.push(ms);
    const time = changes.reduce((sum, change) => sum + change, ms);
    if (Number.isFinite(time)) others.push(Math.max(0, time));
  }
  const times = (alike.length > 0 ? alike : others).sort((one, other) => one - other);
  return times[Math.floor(times.length / 2)];
}

/** The steps of a prompt; of an input that changes along an axis, their mean. */
export function samplerSteps(prompt: Prompt, axes: readonly BatchAxis[]): SamplerSteps {
  const all = new Map<string, number>();
  for (const { classType, steps } of samplersOf(prompt, axes))
    all.set(classType, countAt(all, classType) + steps);
  return all;
}

function samplersOf(prompt: Prompt, axes: readonly BatchAxis[]) {
  return prompt.nodes.flatMap((node) => {
    const steps = stepsAt(prompt, node, 'steps', axes, mostHops);
    if (steps === undefined || !Number.isFinite(steps)) return [];
    const { id, classType = '' } = samplerOf(prompt, node);
    return [{ id, classType, steps }];
  });
}

/** The number at an input, or where it is linked from: such as a PrimitiveInt. */
function stepsAt(
  prompt: Prompt,
  node: PromptNode,
  name: string,
  axes: readonly BatchAxis[],
  hops: number,
): number | undefined {
  for (const { columns, steps } of axes) {
    const at = columns.findIndex(({ nodeId, input }) => nodeId === node.id && input === name);
    if (at >= 0) return steps.reduce((sum, texts) => sum + Number(texts[at]), 0) / steps.length;
  }
  const input = node.inputs.find((each) => each.name === name);
  const from = input?.link && hops > 0 ? prompt.node(input.link.nodeId) : undefined;
  if (from) return stepsAt(prompt, from, 'value', axes, hops - 1);
  return input?.valueNode.kind === 'number' ? input.valueNode.value : undefined;
}

/** A scheduler hands its steps on as sigmas: the node that takes them does the work. */
function samplerOf(prompt: Prompt, scheduler: PromptNode): PromptNode {
  let node = scheduler;
  for (let hops = 0; hops < mostHops; hops++) {
    const next = prompt.nodes.find(({ inputs }) =>
      inputs.some(({ name, link }) => name === 'sigmas' && link?.nodeId === node.id),
    );
    if (!next) break;
    node = next;
  }
  return node;
}
