import * as z from 'zod';
import { parsePythonJson } from '../json/boundedJson';
import { budgets } from '../safety/budgets';
import { executionFailure, isBlockedBranch } from './executionFailure';
import type { ProgressNode, ServerEvent } from './serverEvent';
import { isJobId, isRecord, wireList, namedNode, nodeIdText, wireOptional, wireObject } from './wire';
import { t } from '../safety/localize';

const timestamp = wireOptional(z.number());

const queueLength = wireOptional(z.number().int().min(0));
const queued = {
  exec_info: wireOptional(z.object({ queue_remaining: queueLength })),
  queue_remaining: queueLength,
};

/** The length of the queue is three objects deep, or in any object on the way there (protocol 3.3). */
const status = z
  .object({ status: wireOptional(z.object(queued)), ...queued })
  .transform((data): ServerEvent => {
    const places = [data.status?.exec_info, data.exec_info, data.status, data];
    const queueRemaining = places.find((place) => place?.queue_remaining !== undefined)?.queue_remaining;
    return { type: 'status', queueRemaining };
  });

const ofPrompt = z.object({ prompt_id: z.string(), timestamp });

function momentOf(type: 'executionStart' | 'executionSuccess') {
  return ofPrompt.transform((data): ServerEvent => ({ type, promptId: data.prompt_id, ...times(data) }));
}

const executionCached = ofPrompt
  .extend({ nodes: wireList(nodeIdText).catch([]) })
  .transform((data): ServerEvent => ({
    type: 'executionCached',
    promptId: data.prompt_id,
    nodes: data.nodes.filter((node) => node !== ''),
    ...times(data),
  }));

/** Without a node the run has ended; senders write null, an empty text, or nothing. */
const executing = z
  .object({
    node: nodeIdText.nullish(),
    display_node: namedNode,
    prompt_id: wireOptional(z.string()),
  })
  .transform((data): ServerEvent => ({
    type: 'executing',
    nodeId: data.node === undefined || data.node === '' ? null : data.node,
    ...prompt(data),
    displayNodeId: data.display_node,
  }));

const progress = z
  .object({
    value: z.number(),
    max: z.number(),
    node: namedNode,
    prompt_id: wireOptional(z.string()),
  })
  .transform((data): ServerEvent => ({
    type: 'progress',
    value: data.value,
    max: data.max,
    ...prompt(data),
    nodeId: data.node,
  }));

/** No schema for records: these messages are the largest and the most frequent. */
const anyRecord = z.custom<Readonly<Record<string, unknown>>>(isRecord);

const progressState = z.object({ prompt_id: z.string(), nodes: anyRecord }).transform((data): ServerEvent => {
  const entries = Object.entries(data.nodes);
  if (entries.length > budgets.nodesOfJob) return unreadable();
  const nodes: ProgressNode[] = [];
  for (const [nodeId, raw] of entries) {
    if (nodeId !== '' && isRecord(raw)) nodes.push(progressNode(nodeId, raw));
  }
  return { type: 'progressState', promptId: data.prompt_id, nodes };
});

/**
 * Checked by hand: for large workflows each of these messages contains a thousand nodes, many times a second, and a
 * schema per node takes most of the time. Missing or malformed values count as a node without steps.
 */
function progressNode(nodeId: string, raw: Readonly<Record<string, unknown>>): ProgressNode {
  const { value, max, state, display_node_id: shown } = raw;
  return {
    nodeId,
    value: typeof value === 'number' && Number.isFinite(value) ? value : 0,
    max: typeof max === 'number' && Number.isFinite(max) ? max : 1,
    state: typeof state === 'string' ? state : 'running',
    displayNodeId: typeof shown === 'string' || typeof shown === 'number' ? String(shown) || nodeId : nodeId,
  };
}

const executed = z
  .object({
    prompt_id: z.string(),
    node: nodeIdText,
    display_node: namedNode,
    output: wireObject.nullish(),
    merge: z.boolean().catch(false),
  })
  .transform((data): ServerEvent => ({
    type: 'executed',
    promptId: data.prompt_id,
    nodeId: data.node,
    displayNodeId: data.display_node ?? data.node,
    output: data.output ?? null,
    merge: data.merge,
  }));

const executionError = ofPrompt
  .and(executionFailure.transform((failure) => ({ failure })))
  .transform((data): ServerEvent => ({
    type: 'executionError',
    promptId: data.prompt_id,
    failure: data.failure,
    blocked: isBlockedBranch(data.failure),
    ...times(data),
  }));

const executionInterrupted = ofPrompt.extend({ node_id: namedNode }).transform((data): ServerEvent => ({
  type: 'executionInterrupted',
  promptId: data.prompt_id,
  nodeId: data.node_id,
  ...times(data),
}));

const notification = z
  .object({ value: z.string(), id: wireOptional(z.string()), prompt_id: wireOptional(z.string()) })
  .transform((data): ServerEvent => ({
    type: 'notification',
    text: data.value,
    // The documented member that names the job of every message; the service itself writes `id` here.
    id: data.prompt_id ?? data.id,
  }));

const featureFlags = wireObject.transform((): ServerEvent => ({ type: 'featureFlags' }));

/** The relevant messages of protocol 3.3; every other type is `unknown`. */
const messages = new Map<string, z.ZodType<ServerEvent>>([
  ['status', status],
  ['execution_start', momentOf('executionStart')],
  ['execution_cached', executionCached],
  ['executing', executing],
  ['progress', progress],
  ['progress_state', progressState],
  ['executed', executed],
  ['execution_success', momentOf('executionSuccess')],
  ['execution_error', executionError],
  ['execution_interrupted', executionInterrupted],
  ['notification', notification],
  ['feature_flags', featureFlags],
]);

/**
 * One message from the socket or from the messages of a history record: its type and its data. Undefined if a known
 * type lacks required fields; only that outputs were told, in whatever shape, must not go unnoticed.
 */
export function readMessage(type: string, data: unknown): ServerEvent | undefined {
  // Drops messages about a job with an unusable id; without the id they would seem to be about our own job.
  if (isRecord(data) && typeof data['prompt_id'] === 'string' && !isJobId(data['prompt_id']))
    return undefined;
  const schema = messages.get(type);
  if (!schema) return { type: 'unknown', name: type };
  return schema.safeParse(data ?? {}).data ?? (type === 'executed' ? unreadable() : undefined);
}

const unreadable = (): ServerEvent => ({
  type: 'dropped',
  reason: t`The server sent an invalid or oversized message.`,
});

/** The event for a message of this many bytes if it is too large to read; undefined for one of usual size. */
export function oversizedMessage(bytes: number, most: number): ServerEvent | undefined {
  return bytes <= most ? undefined : unreadable();
}

/** Removes secrets from parsed JSON; `text` is its source, if known. */
export type Hide = (value: unknown, text?: string) => unknown;

/** Reads a text frame of the event socket. Never throws; undefined means a message to drop silently. */
export function parseSocketText(text: string, hide: Hide = (value) => value): ServerEvent | undefined {
  const refused = oversizedMessage(text.length, budgets.socketText);
  if (refused) return refused;
  let message: unknown;
  try {
    message = hide(parsePythonJson(text), text);
  } catch {
    return undefined;
  }
  if (!isRecord(message) || typeof message['type'] !== 'string') return undefined;
  return readMessage(message['type'], message['data']);
}

function times(data: { readonly timestamp?: number | undefined }) {
  return data.timestamp === undefined ? {} : { timestamp: data.timestamp };
}

function prompt(data: { readonly prompt_id?: string | undefined }) {
  return data.prompt_id === undefined ? {} : { promptId: data.prompt_id };
}
