import { mapDefined } from '../core/safety/lists';
import { iterationsIn } from '../core/jobs/iteration';
import { nodeGivenName, isTerminal, type Job, type JobNode, jobNode, type JobOrigin } from '../core/jobs/job';
import { jobMessages } from '../core/jobs/jobWords';
import { nodesAsTheyRan, nodeTook } from '../core/jobs/nodeTimes';
import { t } from '../core/safety/localize';
import { plainTerminalLine } from './terminal';
import { memoizeByObject } from '../core/safety/memoizeByObject';

export interface NodeLine {
  readonly nodeId: string;
  readonly name: string;
  /** ` #5`, as the ComfyUI editor shows IDs, for nodes of the same name; else empty. */
  readonly mark: string;
  readonly node: JobNode;
  /** How long it ran, such as `1.9 s`; missing while it runs, or if unknown. */
  readonly took?: string | undefined;
  readonly isBlocked: boolean;
}

export function changedNodes(before: Job | undefined, now: Job): NodeLine[] {
  if (before?.nodes === now.nodes && before.state === now.state) return [];
  const changed = shownNodes(now).filter((node) => {
    const old = shownNode(before, node.nodeId);
    return old?.state !== node.state || old.value !== node.value || old.max !== node.max;
  });
  // Most calls find few changes, and sorting thousands of nodes takes time.
  const nodes = Object.fromEntries(changed.map((node) => [node.nodeId, node]));
  return nodesAsTheyRan({ nodes }).flatMap((id) => {
    const node = jobNode(nodes, id);
    return node ? [nodeLine(now, node)] : [];
  });
}

/** To the server, the start of a loop has ended long before the loop has. */
export function shownNode(job: Job | undefined, nodeId: string): JobNode | undefined {
  const node = job && jobNode(job.nodes, nodeId);
  if (node?.state !== 'finished' || isTerminal(job?.state ?? 'lost')) return node;
  const { value, max } = iterationsIn(node.text) ?? { value: 0, max: 0 };
  return value < max ? { ...node, state: 'running', value } : node;
}

export function shownNodes(job: Job): JobNode[] {
  return mapDefined(Object.keys(job.nodes), (id) => shownNode(job, id));
}

export function nodeLine(job: Job, node: JobNode): NodeLine {
  const { nodeId } = node;
  const given = nodeGivenName(job.origin, nodeId);
  const isShared = job.origin && given !== undefined && namesOfSeveral(job.origin.nodeNames).has(given);
  const isOver = node.state === 'finished' || node.state === 'error';
  return {
    nodeId,
    name: progressNodeName(job, nodeId),
    mark: isShared ? ` #${plainTerminalLine(nodeId)}` : '',
    node,
    took: isOver ? nodeTook(job, nodeId) : undefined,
    isBlocked: job.blocked.some((each) => each.nodeId === nodeId),
  };
}

const namesOfSeveral = memoizeByObject((nodeNames: JobOrigin['nodeNames']): ReadonlySet<string> => {
  const seen = new Set<string>();
  const several = new Set<string>();
  for (const name of Object.values(nodeNames)) {
    if (seen.has(name)) several.add(name);
    seen.add(name);
  }
  return several;
});

export function progressNodeName(job: Job, nodeId: string): string {
  return plainTerminalLine(nodeGivenName(job.origin, nodeId) ?? '') || t`node ${nodeId}`;
}

export function newWords(before: Job | undefined, now: Job): ReturnType<typeof jobMessages> {
  if (before?.nodes === now.nodes && before.notices === now.notices) return [];
  // A partner node counts the seconds in its text.
  const key = ({ nodeId, text, at }: ReturnType<typeof jobMessages>[number]): string =>
    nodeId === undefined ? `${at}\n${text}` : `${nodeId}\n${text.replace(/^Time elapsed: .*$/m, '')}`;
  const known = new Set(before && jobMessages(before).map(key));
  return jobMessages(now).filter((words) => !known.has(key(words)));
}
