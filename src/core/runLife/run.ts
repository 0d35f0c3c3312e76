import type { Job } from '../jobs/job';
import type { SavedOutput } from '../outputs/expectedFile';
import type { MediaFacts, MediaKind } from '../protocol/outputFile';
import type { LostWhy, RunRecord } from '../records/runRecord';

/** How a run is that nobody here works on. */
export function phaseOfRecord({ state, why = 'forgotten' }: Pick<RunFacts, 'state' | 'why'>): LeftPhase {
  return state === 'lost' ? { kind: state, why } : leftPhases[state];
}

/** Thousands of runs are in one of these. */
const leftPhases: { readonly [S in Exclude<RunRecord['state'], 'lost'>]: LeftPhase } = {
  sending: { kind: 'owed', why: 'notSeen' },
  submitted: { kind: 'owed', why: 'notFollowed' },
  saving: { kind: 'owed', why: 'notSaved' },
  incomplete: { kind: 'owed', why: 'notSaved' },
  saved: { kind: 'saved' },
  failed: { kind: 'failed' },
  cancelled: { kind: 'cancelled' },
  outputsUnknown: { kind: 'outputsUnknown' },
};

/**
 * How a run is, as its record, its job and the work on it in this process say. The only place that decides it.
 * @param activity undefined if nobody here works on the run
 */
export function phaseOfRun(
  facts: Pick<RunFacts, 'state' | 'why'>,
  job: Pick<Job, 'state'> | undefined,
  activity: RunActivity | undefined,
): RunPhase {
  const left = phaseOfRecord(facts);
  if (left.kind !== 'owed' || !activity) return left;
  if (activity.kind !== 'following') return activity;
  if (facts.state === 'sending') return left;
  if (facts.state !== 'submitted') return { kind: 'saving' };
  if (!job || job.state === 'pending') return { kind: 'queued' };
  return { kind: job.state === 'running' ? 'running' : 'saving' };
}

/** @param key as `outputKey` makes it: cut, since anyone may have written the record */
export function runFileKey(key: string): string {
  return ownText(key, 1_000);
}

/** What a run is known by: the path of its folder, and the name of its record there. */
export interface RunPlace {
  readonly folder: string;
  readonly record: string;
}

export function runKey({ folder, record }: RunPlace): string {
  // Joined, it is one string, not three.
  return [folder, record].join('\n');
}

/** One run, from its record on disk until nothing is owed. Replaced at every change, never changed. */
export interface Run {
  readonly place: RunPlace;
  readonly facts: RunFacts;
  readonly phase: RunPhase;
  /** On disk; none that was deleted since. */
  readonly files: readonly RunFile[];
  /** A pointer of this user names the place. A record proves nothing: a cloned repository has records as well. */
  readonly isOurs: boolean;
  /** Found by a pointer, outside the folders that are read here. */
  readonly isElsewhere: boolean;
}

/** The part of a record that is kept of each run: small, because there are thousands. */
export interface RunFacts extends Pick<RunRecord, 'state' | 'why' | 'promptId' | 'job'> {
  readonly server: string;
  readonly label: string;
  /** The path of its workflow file, as recorded. */
  readonly source?: string | undefined;
  /** When it was sent, ms since the epoch. */
  readonly time: number;
  /** False for a record that was made to save the outputs of a job that was submitted elsewhere. */
  readonly isSent: boolean;
  /** The ID of its batch. */
  readonly batch?: string | undefined;
  readonly seeds: readonly string[];
  readonly credits?: number | undefined;
  /** Lower-case texts of its prompt, cut. */
  readonly search: string;
}

export interface RunFile {
  /** Unique among the runs of a store; never used again. */
  readonly id: number;
  readonly name: string;
  /** The node that made it. */
  readonly node: string;
  /** As `runFileKey` makes it. */
  readonly key: string;
  readonly kind: MediaKind;
  readonly sha256: string;
  readonly bytes: number;
  readonly facts?: MediaFacts | undefined;
}

/** One on disk, by its path. */
export interface SavedFile extends RunFile {
  readonly location: string;
}

type RunPhase = { readonly kind: 'queued' | 'running' | 'saving' } | LeftPhase;

/** A phase of a run that nobody works on. `outputsUnknown`: everything that is known of is on disk. */
export type LeftPhase =
  | OwedPhase
  /** Everything that the job made is on disk. */
  | { readonly kind: 'saved' | 'failed' | 'cancelled' | 'outputsUnknown' }
  | { readonly kind: 'lost'; readonly why: LostWhy };

/**
 * Something is, or may be, on the server. Nothing is sent again. `notSeen`: no job of the server is known to be this
 * run; `notFollowed`: nobody here waits for its end; `mayStillRun`: the server didn't confirm that it was cancelled;
 * `serverAway`: it stopped answering; `serverRemoved`: it is in no setting; `notSaved`: some outputs aren't on disk;
 * `endUnknown`: the server didn't say how it ended.
 */
export interface OwedPhase {
  readonly kind: 'owed';
  readonly why:
    'notSeen' | 'notFollowed' | 'mayStillRun' | 'serverAway' | 'serverRemoved' | 'notSaved' | 'endUnknown';
  readonly error?: unknown;
  /** `notSeen`: how long the prompt may still arrive, ms. */
  readonly mayArriveFor?: number | undefined;
}

/** How an attempt left a run: its job as it was told last, and the outputs that the attempt has on disk. */
export type EndPhase = LeftPhase & { readonly job?: Job | undefined; readonly files: readonly SavedOutput[] };

/** An abort with this reason leaves a job on its server, owed: the window closes, or it was only watched. */
export class RunLeft extends Error {
  override readonly name = 'RunLeft';

  /** By its name: a host test is bundled by itself, with a class of its own. */
  static is(reason: unknown): boolean {
    return reason instanceof Error && reason.name === 'RunLeft';
  }
}

/** What this process is at with a run. `owed`: its last attempt ended so. */
export type RunActivity = { readonly kind: 'following' } | { readonly kind: 'saving' } | OwedPhase;

/** The end of a record's name: `-<yyyyMMdd-HHmmss>`, in local time, and what keeps names apart. */
const stamped = /-(\d{8}-\d{6})(?: \(\d+\))?\.run\.json$/;

/** The text of that time, by which names can be sorted; empty for another name. */
export function recordStamp(name: string): string {
  return stamped.exec(name)?.[1] ?? '';
}

/** When a run was sent, by the name of its record: ms since the epoch; 0 for another name. */
export function stampedTime(name: string): number {
  const parts = /^(....)(..)(..)-(..)(..)(..)$/.exec(recordStamp(name)) ?? [];
  const [, year, month, day, hour, minute, second] = parts.map(Number);
  if (year === undefined || month === undefined) return 0;
  return new Date(year, month - 1, day, hour, minute, second).getTime();
}

/** The start of a text, without the rest: what `slice` returns keeps the entire text in memory. */
export function ownText(text: string, most: number): string {
  return text.length <= most ? text : Array.from(text.slice(0, most)).join('');
}
