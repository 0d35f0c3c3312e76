import { isTerminal, type Job, type JobNode } from '../core/jobs/job';
import { currentNodeState } from '../core/jobs/iteration';
import { nodeStateWords } from '../core/jobs/jobWords';
import { t } from '../core/safety/localize';
import { changedNodes, nodeLine, type NodeLine, shownNodes } from './nodeProgress';
import { plainTerminalLine, type ProgressDisplay, type Terminal } from './terminal';
import stringWidth from 'string-width';
import { cutTo, paddedTo } from './textWidth';

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

const barWidth = 24;
const nameWidth = 28;

/** `KSampler                     ████████░░░░░░░░  14/20`, no wider than the terminal. */
function progressBar({ name, mark, node, took, isBlocked }: NodeLine, columns: number): string {
  const whole = node.state === 'finished' || node.state === 'cached';
  const share = whole ? 1 : node.max > 0 ? Math.min(Math.max(node.value / node.max, 0), 1) : 0;
  const filled = Math.round(share * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  const line = `${fitted(name, mark)} ${bar} ${isBlocked ? t`blocked` : words(node)}${took === undefined || isBlocked ? '' : `, ${took}`}`;
  return cutTo(line, Math.max(columns - 1, 1));
}

function words({ state, value, max }: JobNode): string {
  if (state === 'finished' && max > 1) return `${max}/${max}`;
  if (state === 'pending' || state === 'running') return max > 1 ? `${value}/${max}` : '';
  return nodeStateWords()[state];
}

function fitted(name: string, mark: string): string {
  const room = Math.max(nameWidth - mark.length, 1);
  return paddedTo(stringWidth(name) > room ? `${cutTo(name, room - 1)}…${mark}` : name + mark, nameWidth);
}
