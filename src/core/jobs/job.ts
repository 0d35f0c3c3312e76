import type { OutputFile, OutputText } from '../protocol/outputFile';
import type { ExecutionFailure } from '../protocol/serverEvent';

/**
 * `lost`: the server no longer knows a job that had not ended (it was restarted, protocol 3.7).
 * The last four are terminal and are never left.
 */
export const jobStates = ['pending', 'running', 'completed', 'failed', 'cancelled', 'lost'] as const;
export type JobState = (typeof jobStates)[number];

export const jobNodeStates = ['pending', 'running', 'finished', 'cached', 'error'] as const;
export type JobNodeState = (typeof jobNodeStates)[number];

/** A node of the submitted prompt as far as the run has told about it. */
export interface JobNode {
  readonly nodeId: string;
  readonly state: JobNodeState;
  /** Steps done and steps in all; 0 and 1 for nodes without steps. */
  readonly value: number;
  readonly max: number;
  /** Last text the node showed while running. */
  readonly text?: string | undefined;
  /** When it was last seen running, and when its steps and its text were told: ms, our own clock. Late news is old. */
  readonly seenAt?: number | undefined;
  readonly stepsAt?: number | undefined;
  readonly textAt?: number | undefined;
  /** When it was first seen running, and when it was first told that it ended: ms, our own clock. See `nodeSpans`. */
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
}

/** An output and its place in the record of its node, so that the order stays whichever way it was learned. */
export type JobFile = OutputFile & { readonly index?: number | undefined };
export type JobText = OutputText & { readonly index?: number | undefined };

/** Words of the server about the job, such as `Queued for execution`. Never a state. */
export interface JobNotice {
  readonly text: string;
  /** When it was told last: ms, our own clock. */
  readonly at: number;
}

export type JobTime = 'createdAt' | 'startedAt' | 'endedAt';

/** What a server leaves out of a prompt that it takes: something is wrong there, and the rest runs. */
export interface LeftOut {
  /** Output nodes that do not run. */
  readonly outputs: readonly string[];
  /** These, and the nodes that only they need. */
  readonly nodes: readonly string[];
}

/** What the one who submitted a job knows of it and the server does not. */
export interface JobOrigin {
  /** Name to show: the workflow's file name. */
  readonly label: string;
  /** Where the workflow text came from, as a URI text; missing for pasted text. */
  readonly sourceUri?: string | undefined;
  /** SHA-256 (hex) of the source text that was run, to tell later whether the file has changed. */
  readonly sourceHash?: string | undefined;
  /** SHA-256 (hex) of what the source text asks for, whatever blanks and looks it has. */
  readonly promptHash?: string | undefined;
  /** Node id -> title or class type of the submitted prompt, in its order: names and the total for the progress. */
  readonly nodeNames: Readonly<Record<string, string>>;
  /** Seeds that were sent, `nodeId.input` -> digits. */
  readonly seeds: Readonly<Record<string, string>>;
  /** Missing when the server runs everything. */
  readonly leftOut?: LeftOut | undefined;
  /** Name of the server as it was then: it may leave the settings, and a sandbox its address. */
  readonly serverName?: string | undefined;
}

/** One job as it is known. Times are milliseconds since the epoch. */
export interface Job {
  readonly id: string;
  /** Origin of the server that has it. */
  readonly server: string;
  /** Missing for a job that was submitted elsewhere. */
  readonly origin?: JobOrigin | undefined;
  readonly state: JobState;
  /** A cancellation was asked for and the server has not agreed yet. */
  readonly cancelling: boolean;
  /** 1 is next; only while pending, and not while the server has it in neither list of its queue. */
  readonly queuePosition?: number | undefined;
  readonly createdAt?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** Those of the times above that the server has not told: they are by our own clock. */
  readonly ownTimes?: readonly JobTime[] | undefined;
  /** Keyed by the id that the submitted prompt uses. */
  readonly nodes: Readonly<Record<string, JobNode>>;
  /** The node that runs now. */
  readonly currentNodeId?: string | undefined;
  /** The server tells the state of all nodes at once. Without it, what has ended is told by what began after it. */
  readonly wholeProgress?: true | undefined;
  /** How many outputs the server says there are; known before the outputs themselves. */
  readonly outputsCount?: number | undefined;
  /** How many its record has listed, files, texts and whatever else it counts. */
  readonly outputsListed?: number | undefined;
  readonly outputs: readonly JobFile[];
  readonly texts: readonly JobText[];
  /** In the order in which they were told; missing while there is none. */
  readonly notices?: readonly JobNotice[] | undefined;
  /** Only of a failed job. */
  readonly failure?: ExecutionFailure | undefined;
  /** Branches that were blocked: the run went on without them. */
  readonly blocked: readonly ExecutionFailure[];
}

export function isTerminal(state: JobState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled' || state === 'lost';
}
