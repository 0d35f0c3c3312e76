import {
  givenName,
  isTerminal,
  type Job,
  type JobNode,
  type JobNodeState,
  nodeIn,
} from '../../core/jobs/job';
import { iterationsIn, nodeText, stateNow, stepWords } from '../../core/jobs/iteration';
import { nodesAsTheyRan, nodeTook } from '../../core/jobs/nodeTimes';
import { creditsText, priceOf } from '../../core/jobs/runPrice';
import { describeNodeState } from '../../core/jobs/jobWords';
import { listText, t } from '../../core/safety/localize';
import { firstLine } from './jobRow';
import type { RowContent, RowIcon } from '../platform/showItems';

const nodeIcons: Readonly<Record<JobNodeState, RowIcon>> = {
  pending: { id: 'circle-outline' },
  running: { id: 'sync~spin', color: 'progressBar.background' },
  finished: { id: 'check', color: 'testing.iconPassed' },
  cached: { id: 'history' },
  error: { id: 'error', color: 'testing.iconFailed' },
};

/** The nodes reached so far, in the order they ran, and those that were left out. */
export function nodesToList(job: Job): string[] {
  return nodesAsTheyRan(job).filter((id) => isReached(job, id) || isLeftOut(job, id));
}

export function rowOfNode(job: Job, nodeId: string): RowContent | undefined {
  const node = nodeIn(job.nodes, nodeId);
  return isLeftOut(job, nodeId) ? leftOutRow(job, nodeId) : node && nodeRow(job, node);
}

function isReached(job: Job, nodeId: string): boolean {
  return (nodeIn(job.nodes, nodeId)?.state ?? 'pending') !== 'pending';
}

/** What the run reports about a node takes precedence over what was reported before it. */
function isLeftOut(job: Job, nodeId: string): boolean {
  return !isReached(job, nodeId) && job.origin?.leftOut?.nodes.includes(nodeId) === true;
}

export function nodeRow(job: Job, node: JobNode): RowContent {
  const label = givenName(job.origin, node.nodeId) ?? t`Node ${node.nodeId}`;
  const ended = isTerminal(job.state);
  // A node that was running when the job ended did not finish.
  const state = ended && node.state === 'running' ? 'pending' : stateNow(node);
  const steps = state === 'running' ? stepWords(node) : '';
  const words =
    ended && state === 'pending' ? t`not finished` : describeNodeState(state, nodeTook(job, node.nodeId));
  const text =
    node.text === undefined || (steps !== '' && iterationsIn(node.text)) ? '' : nodeText(node.text);
  const description = listText([steps || words, firstLine(text), creditsText(priceOf(node))]);
  return {
    label,
    description,
    icon: nodeIcons[state],
    contextValue: `node ${state}`,
    spoken: t`Node ${label}, ${description}`,
  };
}

export function leftOutRow(job: Job, nodeId: string): RowContent {
  const label = givenName(job.origin, nodeId) ?? t`Node ${nodeId}`;
  const description = t`skipped by the server`;
  return {
    label,
    description,
    icon: { id: 'circle-slash', color: 'disabledForeground' },
    contextValue: 'node leftOut',
    spoken: t`Node ${label}, ${description}`,
  };
}
