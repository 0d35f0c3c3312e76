import type { Job } from '../core/jobs/job';
import { isTerminal } from '../core/jobs/job';
import { changedNodes, nodeName, progressBar } from './nodeProgress';
import type { NodeLine } from './nodeProgress';
import { plainText } from './terminal';
import type { Terminal } from './terminal';

/** Shows on standard error what a run does. */
export interface ProgressDisplay {
  /** A line that stays. */
  line(text: string): void;
  job(job: Job): void;
  /** What a node or the server says about the run. */
  words(from: string, text: string): void;
  /** A line that the next one replaces where a person watches; nothing elsewhere. */
  passing(text: string): void;
}

/** For files and pipes: a plain line when a node starts to work and when it has ended. */
export function plainProgress(write: (text: string) => void): ProgressDisplay {
  let before: Job | undefined;
  return {
    line: (text) => write(`${text}\n`),
    job: (job) => {
      for (const { nodeId, name, node } of changedNodes(before, job)) {
        const old = before?.nodes[nodeId]?.state;
        if (old !== node.state && node.state !== 'pending') write(`${name}: ${node.state}\n`);
      }
      before = job;
    },
    words: (from, text) => write(`${from}: ${plainText(text)}\n`),
    passing: () => undefined,
  };
}

/**
 * For a person at a terminal: a bar per node. Nodes that have ended stay as lines above; those that work are drawn
 * anew in place, so any number of nodes fits.
 */
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
    words: (from, text) => redraw([`${from}: ${plainText(text)}`], live),
    passing: (text) => {
      redraw([], [text.slice(0, columns - 1)]);
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
        : Object.values(job.nodes)
            .filter(({ state }) => state === 'running')
            .map((node) => ({ nodeId: node.nodeId, name: nodeName(job, node.nodeId), node }));
      before = job;
      redraw(finished.map(draw), running.map(draw));
    },
  };
}
