import { countAt } from '../core/safety/lists';
import { isTerminal, type Job, type JobNode } from '../core/jobs/job';
import { durationText } from '../core/safety/timeText';
import { currentNodeState } from '../core/jobs/iteration';
import { describeNodeState, nodeStateWords } from '../core/jobs/jobWords';
import { changedNodes, nodeLine, type NodeLine, progressBar, shownNode, shownNodes } from './nodeProgress';
import { cutTo } from './textWidth';
import { plainTerminalLine, type Terminal } from './terminal';
import { t } from '../core/safety/localize';

export interface ProgressDisplay {
  line(text: string): void;
  job(job: Job): void;
  /** A message of a node or the server about the run. */
  words(from: string, text: string): void;
  /** A temporary line on a terminal, replaced by the next one; nothing elsewhere. */
  passing(text: string): void;
}

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

/** For a terminal: ended nodes stay as lines above, running ones are redrawn in place, so any number fits. */
export function liveProgress(write: Terminal['err'], columns: number): ProgressDisplay {
  const ended = new Set<string>();
  let before: Job | undefined;
  let live: string[] = [];
  const redraw = (above: readonly string[], below: readonly string[]): void => {
    const replaced = live.length;
    live = [...below];
    write([...above, ...below].map((text) => `${text}\n`).join(''), replaced);
  };
  const draw = (line: NodeLine): string => progressBar(line, columns);
  let isPassing = false;
  return {
    line: (text) => {
      redraw([text], isPassing ? [] : live);
      isPassing = false;
    },
    words: (from, text) => redraw([`${from}: ${plainTerminalLine(text)}`], live),
    passing: (text) => {
      redraw([], [cutTo(text, columns - 1)]);
      isPassing = true;
    },
    job: (job) => {
      const isOver = isTerminal(job.state);
      const finished = changedNodes(before, job).filter(({ nodeId, node }) => {
        return !ended.has(nodeId) && node.state !== 'running' && node.state !== 'pending';
      });
      for (const { nodeId } of finished) ended.add(nodeId);
      const running = isOver
        ? []
        : shownNodes(job)
            .filter((node) => currentNodeState(node) === 'running')
            .map((node) => nodeLine(job, node));
      before = job;
      redraw(finished.map(draw), running.map(draw));
    },
  };
}
