import type { ProgressNode } from '../protocol/serverEvent';
import { budgets } from '../safety/budgets';
import { isPromptNode, type Job, type JobNode, type JobNodeState, jobNode, type NodePart } from './job';
import { submittedId } from '../protocol/outputRecord';
import { iterationsIn } from './iteration';
import { priceInText } from './runPrice';

/** A node never goes back: which of two states counts, whichever arrives first. */
const ranks: Readonly<Record<JobNodeState, number>> = {
  pending: 0,
  running: 1,
  finished: 2,
  cached: 3,
  error: 4,
};

const longestText = 2_000;

interface NodeNews {
  readonly state: JobNodeState;
  readonly value?: number;
  readonly max?: number;
  /** Not reported for this node itself but inferred from another one, so it says nothing about the time. */
  readonly concluded?: true;
  /** Executions for the node by their IDs, and the node's own state if it was executed, too. */
  readonly parts?: readonly (readonly [string, JobNodeState])[];
  readonly own?: JobNodeState | undefined;
}

/** The subject of a message: a node of the prompt or, with a dot in its ID, one that is executed in its place. */
interface Executed {
  readonly nodeId: string;
  readonly displayNodeId?: string | undefined;
}

/**
 * The node of the submitted prompt that an executed one belongs to, also by a message that names no displayed node:
 * what others said of the executed one counts before what its ID says (protocol 1.5).
 */
export function submittedNodeId(
  job: Pick<Job, 'nodes' | 'origin'>,
  { nodeId, displayNodeId }: Executed,
): string {
  const shown = displayNodeId ?? nodeId;
  if (!shown.includes('.') || isPromptNode(job.origin, shown)) return shown;
  const owner = Object.values(job.nodes).find(({ parts }) => parts && Object.hasOwn(parts, shown));
  return owner?.nodeId ?? submittedId(shown, (id) => isPromptNode(job.origin, id));
}

/** The node that failed. An error in a loop is reported for the node that starts it (protocol 1.5). */
export function failedNode(job: Job, nodeId: string): string {
  let [failed, last] = [submittedNodeId(job, { nodeId }), -Infinity];
  const prefix = `${failed}.`;
  for (const { nodeId: owner, parts = {} } of Object.values(job.nodes))
    for (const [id, { startedAt = -Infinity, endedAt }] of Object.entries(parts))
      if (endedAt === undefined && startedAt > last && id.startsWith(prefix))
        [failed, last] = [owner, startedAt];
  return failed;
}

/** A job's node with an update; the same job if nothing is new. `at`: when the update arrived. */
export function withNode(job: Job, executed: Executed, news: NodeNews, at: number): Job {
  const nodeId = submittedNodeId(job, executed);
  const isPart = nodeId !== executed.nodeId;
  const allNews = isPart ? { ...news, parts: [[executed.nodeId, news.state]] as const } : news;
  return withNodes(job, [[nodeId, allNews]], at);
}

export function withCachedNodes(job: Job, nodeIds: readonly string[], at: number): Job {
  const whole = nodeIds.filter((id) => submittedNodeId(job, { nodeId: id }) === id);
  return withNodes(job, new Map(whole.map((id) => [id, { state: 'cached' }])), at);
}

/** A complete snapshot of the nodes that have started (protocol 3.3, `progress_state`). */
export function applyProgress(job: Job, nodes: readonly ProgressNode[], at: number): Job {
  const known = job.wholeProgress ? job : { ...job, wholeProgress: true as const };
  const next = withNodes(known, foldExpanded(job, nodes), at);
  const current = next.currentNodeId === undefined ? undefined : jobNode(next.nodes, next.currentNodeId);
  if (current?.state === 'running') return next;
  const running = nodes.find((node) => node.state === 'running');
  if (!running) return next;
  const currentNodeId = submittedNodeId(job, running);
  return next.currentNodeId === currentNodeId ? next : { ...next, currentNodeId };
}

/** Servers without complete progress run one node after the other, so earlier ones have ended. */
export function withBegunNode(job: Job, executed: Executed, at: number): Job {
  const nodeId = submittedNodeId(job, executed);
  const begun = withNode(job, executed, { state: 'running' }, at);
  if (job.wholeProgress) return begun.currentNodeId === nodeId ? begun : { ...begun, currentNodeId: nodeId };
  const others = Object.values(begun.nodes).filter(
    (node) => node.nodeId !== nodeId && node.seenAt !== undefined,
  );
  const overtaken = others.some((node) => node.seenAt !== undefined && node.seenAt > at);
  const ended = others.filter(({ state }) => !overtaken && ranks[state] < ranks.finished);
  const over = overtaken ? [nodeId] : ended.map((node) => node.nodeId);
  const next = withNodes(begun, new Map(over.map((id) => [id, { state: 'finished', concluded: true }])), at);
  return overtaken ? next : { ...next, currentNodeId: nodeId };
}

export function withNodeText(job: Job, executedId: string, text: string, at: number): Job {
  const nodeId = submittedNodeId(job, { nodeId: executedId });
  if (nodeId === '') return job;
  const known = jobNode(job.nodes, nodeId);
  if (!known && roomFor(job) <= 0) return job;
  const before = known ?? { nodeId, state: 'pending', value: 0, max: 1 };
  const old = withPrice(before, executedId, priceInText(text), at);
  const shown = text.slice(0, longestText);
  const late = old.textAt !== undefined && (at < old.textAt || (at === old.textAt && shown === old.text));
  if (late && old === before) return job;
  const counted = iterationsIn(shown);
  const told = counted && { ...counted, stepsAt: at };
  const steps = told && { ...told, value: valueAt(old.state, told) };
  const node = late ? old : { ...old, text: shown, textAt: at, ...steps };
  return { ...job, nodes: { ...job.nodes, [nodeId]: node } };
}

function withPrice(node: JobNode, executedId: string, price: number | undefined, at: number): JobNode {
  const { parts = {} } = node;
  const known = executedId === node.nodeId ? node : parts[executedId];
  const before = known?.priceAt ?? -Infinity;
  if (price === undefined || at < before || (at === before && price === known?.price)) return node;
  const priceNews = { price, priceAt: at };
  if (known === node) return { ...node, ...priceNews };
  if (!known && Object.keys(parts).length >= budgets.nodesOfJob) return node;
  return { ...node, parts: { ...parts, [executedId]: { ...known, ...priceNews } } };
}

/** Nodes that had begun have ended well in a completed job, and were interrupted in others. */
export function nodesAtEnd(job: Job): Job {
  const completed = job.state === 'completed';
  const open = Object.values(job.nodes).filter(
    (node) =>
      node.state === 'running' || (completed && node.state === 'pending' && node.seenAt !== undefined),
  );
  if (open.length === 0) return job;
  const nodes = { ...job.nodes };
  for (const node of open) {
    nodes[node.nodeId] = completed
      ? { ...node, state: 'finished', value: node.max }
      : { ...node, state: 'pending' };
  }
  return { ...job, nodes };
}

function roomFor({ nodes }: Job): number {
  return budgets.nodesOfJob - Object.keys(nodes).length;
}

function withNodes(job: Job, news: Iterable<readonly [string, NodeNews]>, at: number): Job {
  let nodes: Record<string, JobNode> | undefined;
  let room = roomFor(job);
  for (const [nodeId, change] of news) {
    // An output without a node.
    if (nodeId === '') continue;
    const old = jobNode(nodes ?? job.nodes, nodeId);
    const node = mergeNode(nodeId, old, change, at);
    if (node === old || (!old && room <= 0)) continue;
    if (!old) room--;
    nodes ??= { ...job.nodes };
    nodes[nodeId] = node;
  }
  return nodes ? { ...job, nodes } : job;
}

function mergeNode(nodeId: string, old: JobNode | undefined, news: NodeNews, at: number): JobNode {
  const state = old && ranks[old.state] >= ranks[news.state] ? old.state : news.state;
  // The iterations that a loop reports say more than the nodes executed for them.
  const steps = laterSteps(old, news.parts && iterationsIn(old?.text) ? { state: news.state } : news, at);
  const value = valueAt(state, steps);
  // Only a node's own messages while it runs say when it ran.
  const seenAt = news.state === 'running' ? Math.max(old?.seenAt ?? at, at) : old?.seenAt;
  const times = timesOf(old, news.parts ? { state: news.own ?? 'pending' } : news, at);
  const parts = withParts(old?.parts, news.parts, at);
  const { max, stepsAt } = steps;
  const node = { ...old, nodeId, state, value, max, ...times, ...(parts && { parts }), seenAt, stepsAt };
  const isSame = old && (Object.keys(node) as (keyof JobNode)[]).every((key) => old[key] === node[key]);
  return isSame ? old : node;
}

function withParts(old: JobNode['parts'], news: NodeNews['parts'] = [], at: number): JobNode['parts'] {
  let next: Record<string, NodePart> | undefined;
  let room = budgets.nodesOfJob - Object.keys(old ?? {}).length;
  for (const [id, state] of news) {
    const known = (next ?? old)?.[id];
    if (!known && room-- <= 0) break;
    const times = timesOf(known, { state }, at);
    if (known && known.startedAt === times.startedAt && known.endedAt === times.endedAt) continue;
    next ??= { ...old };
    next[id] = { ...known, ...times };
  }
  return next ?? old;
}

/** The earliest report counts: repeated or late ones change nothing. */
function timesOf(old: NodePart | undefined, { state, concluded }: NodeNews, at: number): NodePart {
  const ends = (state === 'finished' || state === 'error') && !concluded;
  const first = (known: number | undefined, isReported: boolean): number | undefined =>
    isReported ? Math.min(known ?? at, at) : known;
  return { startedAt: first(old?.startedAt, state === 'running'), endedAt: first(old?.endedAt, ends) };
}

interface Steps {
  readonly value: number;
  readonly max: number;
  readonly stepsAt?: number | undefined;
}

function valueAt(state: JobNodeState, steps: Steps): number {
  if (state === 'finished' || state === 'cached') return steps.max;
  return steps.stepsAt === undefined ? 0 : steps.value;
}

function laterSteps(old: JobNode | undefined, news: NodeNews, at: number): Steps {
  const known = { value: old?.value ?? 0, max: old?.max ?? 1, stepsAt: old?.stepsAt };
  if (news.value === undefined || news.max === undefined) return known;
  const stepNews = { value: news.value, max: news.max > 0 ? news.max : 1, stepsAt: at };
  if (at !== known.stepsAt) return at > (known.stepsAt ?? -Infinity) ? stepNews : known;
  const further = stepNews.max > known.max || (stepNews.max === known.max && stepNews.value > known.value);
  return further ? stepNews : known;
}

/** One entry per submitted node: nodes that it expanded into count as its parts. */
function foldExpanded(job: Job, nodes: readonly ProgressNode[]): Map<string, NodeNews> {
  const folded = new Map<string, NodeNews>();
  const byNode = new Map<string, ProgressNode[]>();
  for (const node of nodes) {
    const id = submittedNodeId(job, node);
    if (id === node.nodeId) {
      const state = nodeState(node.state);
      const steps = { value: node.value, max: node.max };
      if (state !== 'pending') folded.set(id, state === 'running' ? { state, ...steps } : { state });
    } else {
      const others = byNode.get(id);
      if (others) others.push(node);
      else byNode.set(id, [node]);
    }
  }
  for (const [id, expanded] of byNode) {
    const own = folded.get(id);
    const parts = expanded.map(({ nodeId, state }) => [nodeId, nodeState(state)] as const);
    const stepping = expanded.find((node) => node.state === 'running' && node.max > 1);
    // The iterations of a node in a loop are no steps: nothing here says how many there will be.
    const isLooped = expanded.some(({ nodeId }) => !nodeId.startsWith(`${id}.`));
    const done = isLooped ? 0 : parts.filter(([, state]) => state === 'finished').length;
    const failed = parts.some(([, state]) => state === 'error');
    const steps = { value: stepping?.value ?? done, max: stepping?.max ?? (isLooped ? 1 : parts.length) };
    const isOver = own?.state === 'finished' || own?.state === 'error';
    const news: NodeNews = isOver ? own : failed ? { state: 'error' } : { state: 'running', ...steps };
    folded.set(id, { ...news, parts, own: own?.state });
  }
  return folded;
}

const toldStates: readonly JobNodeState[] = ['pending', 'finished', 'error'];

function nodeState(told: ProgressNode['state']): JobNodeState {
  return toldStates.find((state) => state === told) ?? 'running';
}
