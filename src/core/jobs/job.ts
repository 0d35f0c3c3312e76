import type { OutputFile, OutputText } from '../protocol/outputFile';
import type { ExecutionFailure } from '../protocol/serverEvent';

/** `lost`: a restarted server no longer knows the job (protocol 3.7). The last four states are never left. */
export const jobStates = ['pending', 'running', 'completed', 'failed', 'cancelled', 'lost'] as const;
export type JobState = (typeof jobStates)[number];

export type JobNodeState = 'pending' | 'running' | 'finished' | 'cached' | 'error';

/** One execution as reported: when it ran (ms, our own clock), and its last price. */
export interface NodePart {
  /** When it was first seen running, and when its end was first reported. */
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** Credits, and when the server told. */
  readonly price?: number | undefined;
  readonly priceAt?: number | undefined;
}

/** A node of the submitted prompt, as far as events have reported it. */
export interface JobNode extends NodePart {
  readonly nodeId: string;
  readonly state: JobNodeState;
  /** Steps done and steps in all; 0 and 1 for nodes without steps. */
  readonly value: number;
  readonly max: number;
  readonly text?: string | undefined;
  /** When it was last seen running, and when its steps and text were reported: ms, our own clock. */
  readonly seenAt?: number | undefined;
  readonly stepsAt?: number | undefined;
  readonly textAt?: number | undefined;
  /** The executions of a node under other IDs: one for each iteration of a loop, or for each node it expanded into. */
  readonly parts?: Readonly<Record<string, NodePart>> | undefined;
}

/** An output and its position in its node's record, so that the order does not depend on how it was learned. */
export type JobFile = OutputFile & { readonly index?: number | undefined };
type JobText = OutputText & { readonly index?: number | undefined };

/** A message from the server about the job, such as `Queued for execution`. Never a state. `at`: ms, our own clock. */
interface JobNotice {
  readonly text: string;
  readonly at: number;
}

type JobTime = 'createdAt' | 'startedAt' | 'endedAt';

/** The part of an accepted prompt that a server skips because something is wrong there. */
export interface LeftOut {
  readonly outputs: readonly string[];
  readonly nodes: readonly string[];
}

/** Facts that only the submitter of a job knows. */
export interface JobOrigin {
  readonly label: string;
  /** The source of the workflow text, as a URI; missing for pasted text. */
  readonly sourceUri?: string | undefined;
  /** SHA-256 (hex) of the source text that was run, to detect changes to the file. */
  readonly sourceHash?: string | undefined;
  /** SHA-256 (hex) of the prompt, independent of whitespace and layout. */
  readonly promptHash?: string | undefined;
  /** Node ID -> title or node type of the submitted prompt, in its order: names and total for the progress. */
  readonly nodeNames: Readonly<Record<string, string>>;
  /** Seeds sent, `nodeId.input` -> digits. */
  readonly seeds: Readonly<Record<string, string>>;
  /** Nodes of the prompt that the definitions mark as outputs and that run; missing without definitions. */
  readonly outputNodes?: readonly string[] | undefined;
  readonly leftOut?: LeftOut | undefined;
  /** The server's name at that time: it may be removed from the settings, and a sandbox may change its address. */
  readonly serverName?: string | undefined;
  /** The batch that it belongs to, and its row there, from 0. */
  readonly batch?: { readonly id: string; readonly row: number } | undefined;
}

/** One job, as far as it is known. Times are milliseconds since the epoch. */
export interface Job {
  readonly id: string;
  readonly server: string;
  /** Missing for a job that was submitted elsewhere. */
  readonly origin?: JobOrigin | undefined;
  readonly state: JobState;
  readonly cancelling: boolean;
  readonly lostWhy?: 'sandboxEnded' | undefined;
  /** Its server was asked and does not know it now: when it last did, by our own clock. It may list it again. */
  readonly unlistedSince?: number | undefined;
  /** 1 is next; only while pending, and not while it is in neither list of the queue. */
  readonly queuePosition?: number | undefined;
  readonly createdAt?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** The times above that the server hasn't reported; they are by our own clock. */
  readonly ownTimes?: readonly JobTime[] | undefined;
  readonly nodes: Readonly<Record<string, JobNode>>;
  readonly currentNodeId?: string | undefined;
  /** The server reports the state of all nodes at once. Otherwise, a node has ended when the next one starts. */
  readonly wholeProgress?: true | undefined;
  /** How many outputs the server counts; known before the outputs themselves. */
  readonly outputsCount?: number | undefined;
  readonly outputsListed?: number | undefined;
  /** Its server lists no outputs: they are in events alone. */
  readonly eventsOnly?: true | undefined;
  readonly executed?: readonly string[] | undefined;
  /** An event reported its success: nothing more is missed. */
  readonly heardEnd?: true | undefined;
  /** The socket was away while it may have run, or what it told could not be read: see `unheardOutputs`. */
  readonly missedEvents?: true | undefined;
  /** Its server listed outputs without a usable name, which can't be saved. */
  readonly misnamed?: true | undefined;
  readonly outputs: readonly JobFile[];
  readonly texts: readonly JobText[];
  readonly notices?: readonly JobNotice[] | undefined;
  readonly failure?: ExecutionFailure | undefined;
  readonly blocked: readonly ExecutionFailure[];
}

/** A node of a job. A hostile server may use names that every object has, such as `constructor`. */
export function jobNode(nodes: Job['nodes'], nodeId: string): JobNode | undefined {
  return Object.hasOwn(nodes, nodeId) ? nodes[nodeId] : undefined;
}

export function nodeGivenName(
  origin: Pick<JobOrigin, 'nodeNames'> | undefined,
  nodeId: string,
): string | undefined {
  return isPromptNode(origin, nodeId) ? origin?.nodeNames[nodeId] : undefined;
}

export function isPromptNode(origin: Pick<JobOrigin, 'nodeNames'> | undefined, nodeId: string): boolean {
  return origin !== undefined && Object.hasOwn(origin.nodeNames, nodeId);
}

export function isTerminal(state: JobState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled' || state === 'lost';
}

/** Servers repeat themselves: the latest report counts. */
const mostNotices = 20;
export const longestNotice = 2_000;

export function withNotice(job: Job, notice: string, at: number): Job {
  const text = notice.trim().slice(0, longestNotice);
  const { notices: known = [] } = job;
  const old = known.find((notice) => notice.text === text);
  if (text === '' || (old && old.at >= at)) return job;
  const others = known.filter((notice) => notice !== old);
  return { ...job, notices: [...others, { text, at }].sort(byTime).slice(-mostNotices) };
}

function byTime(a: JobNotice, b: JobNotice): number {
  return a.at - b.at || (a.text < b.text ? -1 : 1);
}
