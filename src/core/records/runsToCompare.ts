import type { RunRecord } from './runRecord';

/** A run that another one may be compared with. */
export interface RunToCompare<P> {
  /** Where its record is. */
  readonly place: P;
  readonly label: string;
  /** When it was sent, ms since the epoch; 0 if unknown. */
  readonly time: number;
  /** Origin. */
  readonly server: string;
  readonly seeds: readonly string[];
  readonly isSameWorkflow: boolean;
}

/** What a list of runs shows of a record: small, because a record contains a full prompt. */
export function runToCompare<P>(place: P, record: RunRecord, other: RunRecord): RunToCompare<P> {
  const time = Date.parse(record.sentAt ?? record.submittedAt ?? '');
  return {
    place,
    label: record.label,
    time: Number.isNaN(time) ? 0 : time,
    server: record.server,
    seeds: Object.values(record.seeds),
    isSameWorkflow: workflowOf(record) === workflowOf(other),
  };
}

/** Runs of the same workflow first, and the newest of each. */
export function inOrder<P>(runs: readonly RunToCompare<P>[]): readonly RunToCompare<P>[] {
  return [...runs].sort((a, b) => Number(b.isSameWorkflow) - Number(a.isSameWorkflow) || b.time - a.time);
}

function workflowOf({ sourceUri, label }: RunRecord): string {
  return sourceUri ?? label;
}
