import { countAt } from '../core/safety/lists';
import type { Job, JobNode } from '../core/jobs/job';
import { durationText } from '../core/safety/timeText';
import { describeNodeState, nodeStateWords } from '../core/jobs/jobWords';
import { changedNodes, type NodeLine, shownNode } from './nodeProgress';
import { plainTerminalLine, type ProgressDisplay } from './terminal';
import { t } from '../core/safety/localize';

/** How often a log gets a line about a node's steps, in ms. */
const stepsEvery = 10_000;

/** For files and pipes: a line when a node starts, at intervals for its steps, and when it has ended. */
export function plainProgress(write: (text: string) => void, now: () => number = Date.now): ProgressDisplay {
  const lastShown = new Map<string, number>();
  let before: Job | undefined;
  return {
    line: (text) => write(`${text}\n`),
    job: (job) => {
      for (const line of changedNodes(before, job)) {
        const { nodeId, name, mark, node } = line;
        const isNews = shownNode(before, nodeId)?.state !== node.state;
        if (node.state === 'pending') continue;
        const at = now();
        if (node.state === 'running') {
          if (!isNews && (node.max <= 1 || at - countAt(lastShown, nodeId) < stepsEvery)) continue;
          lastShown.set(nodeId, at);
        } else if (!isNews) continue;
        const words = node.state === 'running' && !isNews ? stepWords(node, at) : endWords(line);
        write(`${name}${mark}: ${words}\n`);
      }
      before = job;
    },
    words: (from, text) => write(`${from}: ${plainTerminalLine(text)}\n`),
    passing: () => undefined,
  };
}

function stepWords({ value, max, startedAt }: JobNode, now: number): string {
  if (startedAt === undefined) return t`step ${value} of ${max}`;
  return t`step ${value} of ${max} after ${durationText(Math.max(0, now - startedAt))}`;
}

function endWords({ node: { state, max }, took, isBlocked }: NodeLine): string {
  if (isBlocked && state === 'finished') return t`blocked`;
  if (took === undefined || state !== 'finished' || max <= 1) return describeNodeState(state, took);
  return t`${nodeStateWords()[state]}, ${max} steps in ${took}`;
}
