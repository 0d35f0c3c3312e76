import type { OutputFile, OutputText } from '../protocol/outputFile';
import type { ExecutionFailure } from '../protocol/serverEvent';

/**
 * `lost`: the server no longer knows a job that had not ended (it was restarted, protocol 3.7). The last four are
 * terminal and are never left.
 */
export const jobStates = ['pending', 'running', 'completed', 'failed', 'cancelled', 'lost'] as const;
export type JobState = (typeof jobStates)[number];

export const jobNodeStates = ['pending', 'running', 'finished', 'cached', 'error'] as const;
export type JobNodeState = (typeof jobNodeStates)[number];

/** What is told of one execution: when it ran (ms, our own clock), and its last price. */
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
  /** Last text the node showed while running. */
  readonly text?: string | undefined;
  /**
   * When it was last seen running, and when its steps and its text were reported: ms, our own clock. Late events count
   * as old.
   */
  readonly seenAt?: number | undefined;
  readonly stepsAt?: number | undefined;
  readonly textAt?: number | undefined;
  /** What the server executed for it under other IDs: once for each iteration of a loop, or what it expanded into. */
  readonly parts?: Readonly<Record<string, NodePart>> | undefined;
}

/** An output and its position in its node's record, so that the order does not depend on how it was learned. */
export type JobFile = OutputFile & { readonly index?: number | undefined };
export type JobText = OutputText & { readonly index?: number | undefined };

/** A message from the server about the job, such as `Queued for execution`. Never a state. */
export interface JobNotice {
  readonly text: string;
  /** When it was last reported: ms, our own clock. */
  readonly at: number;
}

export type JobTime = 'createdAt' | 'startedAt' | 'endedAt';

/** What a server skips of a prompt that it accepts: something is wrong there, and the rest runs. */
export interface LeftOut {
  /** Output nodes that do not run. */
  readonly outputs: readonly string[];
  /** These, and the nodes that only they need. */
  readonly nodes: readonly string[];
}

/** What the submitter of a job knows and the server does not. */
export interface JobOrigin {
  /** Name to show: the workflow's file name. */
  readonly label: string;
  /** Where the workflow text came from, as a URI; missing for pasted text. */
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
  /** Missing when the server runs everything. */
  readonly leftOut?: LeftOut | undefined;
  /** The server's name at that time: it may be removed from the settings, and a sandbox may change its address. */
  readonly serverName?: string | undefined;
  /** The batch that it belongs to, and its row there, from 0. */
  readonly batch?: { readonly id: string; readonly row: number } | undefined;
}

/** What is known about one job. Times are milliseconds since the epoch. */
export interface Job {
  readonly id: string;
  /** Origin of its server. */
  readonly server: string;
  /** Missing for a job that was submitted elsewhere. */
  readonly origin?: JobOrigin | undefined;
  readonly state: JobState;
  /** Cancellation was requested and not yet confirmed by the server. */
  readonly cancelling: boolean;
  /** Why it is lost, if that is known. */
  readonly lostWhy?: 'sandboxEnded' | undefined;
  /** Its server was asked and does not know it now: when it last did, by our own clock. It may list it again. */
  readonly unlistedSince?: number | undefined;
  /** 1 is next; only while pending, and not while it is in neither list of the queue. */
  readonly queuePosition?: number | undefined;
  readonly createdAt?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** Those of the times above that the server has not reported: they are by our own clock. */
  readonly ownTimes?: readonly JobTime[] | undefined;
  /** Keyed by the id that the submitted prompt uses. */
  readonly nodes: Readonly<Record<string, JobNode>>;
  /** The node that runs now. */
  readonly currentNodeId?: string | undefined;
  /** The server reports the state of all nodes at once. Otherwise, a node has ended when the next one starts. */
  readonly wholeProgress?: true | undefined;
  /** How many outputs the server counts; known before the outputs themselves. */
  readonly outputsCount?: number | undefined;
  /** How many its record has listed, files, texts and whatever else it counts. */
  readonly outputsListed?: number | undefined;
  /** Its server lists no outputs: they are in events alone. */
  readonly eventsOnly?: true | undefined;
  /** Nodes of the submitted prompt whose outputs an event has reported. */
  readonly executed?: readonly string[] | undefined;
  /** An event reported its success: nothing more is missed. */
  readonly heardEnd?: true | undefined;
  /** The socket was away while it may have run, or what it told could not be read: see `unheardOutputs`. */
  readonly missedEvents?: true | undefined;
  /** Its server listed outputs without a usable name, which can't be saved. */
  readonly misnamed?: true | undefined;
  readonly outputs: readonly JobFile[];
  readonly texts: readonly JobText[];
  /** In the order reported; missing while there are none. */
  readonly notices?: readonly JobNotice[] | undefined;
  /** Only of a failed job. */
  readonly failure?: ExecutionFailure | undefined;
  /** Branches that were blocked: the run went on without them. */
  readonly blocked: readonly ExecutionFailure[];
}

/** A node of a job. Hostile servers call nodes like what every object has, such as `constructor`. */
export function nodeIn(nodes: Job['nodes'], nodeId: string): JobNode | undefined {
  return Object.hasOwn(nodes, nodeId) ? nodes[nodeId] : undefined;
}

/** Title or node type of a node of the prompt. */
export function givenName(
  origin: Pick<JobOrigin, 'nodeNames'> | undefined,
  nodeId: string,
): string | undefined {
  const names = origin?.nodeNames ?? {};
  return Object.hasOwn(names, nodeId) ? names[nodeId] : undefined;
}

export function isTerminal(state: JobState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled' || state === 'lost';
}

/** Servers repeat themselves: the latest report counts. */
const mostNotices = 20;
export const longestNotice = 2_000;

/** The job with the server's messages about it, each once. */
export function withNotice(job: Job, notice: string, at: number): Job {
  const text = notice.trim().slice(0, longestNotice);
  const known = job.notices ?? [];
  const old = known.find((notice) => notice.text === text);
  if (text === '' || (old && old.at >= at)) return job;
  const others = known.filter((notice) => notice !== old);
  return { ...job, notices: [...others, { text, at }].sort(byTime).slice(-mostNotices) };
}

function byTime(a: JobNotice, b: JobNotice): number {
  return a.at - b.at || (a.text < b.text ? -1 : 1);
}
