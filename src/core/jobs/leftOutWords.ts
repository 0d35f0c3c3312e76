import { givenName, type Job } from './job';
import { listText, t } from '../safety/localize';

export interface LeftOutOutput {
  readonly nodeId: string;
  /** Title or node type; the ID if neither is known. */
  readonly name: string;
}

/** The outputs that the server left out of a job, as users know them. */
export function leftOutOutputs({ origin }: Pick<Job, 'origin'>): LeftOutOutput[] {
  return (origin?.leftOut?.outputs ?? []).map((nodeId) => ({
    nodeId,
    name: givenName(origin, nodeId) ?? nodeId,
  }));
}

/** `SaveText (node 5)`, of a node that is known by its id alone `node 5`. */
export function leftOutName({ nodeId, name }: LeftOutOutput): string {
  return name === nodeId ? t`node ${nodeId}` : t`${name} (node ${nodeId})`;
}

/** `completed`, and what of the workflow did not run all the same. */
export function completedWords(job: Pick<Job, 'origin' | 'blocked'>): string {
  const left = leftOutOutputs(job).map(leftOutName);
  if (left.length > 0) return t`completed, ${listText(left)} skipped`;
  return job.blocked.length > 0 ? t`completed, some branches blocked` : t`completed`;
}
