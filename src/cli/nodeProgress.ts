import type { Job, JobNode } from '../core/jobs/job';
import { jobWords, type JobWords } from '../core/jobs/jobWords';
import { plainText } from './terminal';

/** A node as a line of progress shows it. */
export interface NodeLine {
  readonly nodeId: string;
  readonly name: string;
  readonly node: JobNode;
}

/** The nodes of a job that differ from an earlier look at it, in the order of the workflow. */
export function changedNodes(before: Job | undefined, now: Job): NodeLine[] {
  return Object.values(now.nodes)
    .filter((node) => {
      const old = before?.nodes[node.nodeId];
      return old?.state !== node.state || old.value !== node.value || old.max !== node.max;
    })
    .map((node) => ({ nodeId: node.nodeId, name: nodeName(now, node.nodeId), node }));
}

export function nodeName(job: Job, nodeId: string): string {
  return plainText(job.origin?.nodeNames[nodeId] ?? '') || `node ${nodeId}`;
}

/** What was said since an earlier look at the job. */
export function newWords(before: Job | undefined, now: Job): readonly JobWords[] {
  const key = ({ nodeId = '', text, at }: JobWords): string => `${nodeId}\n${at}\n${text}`;
  const known = new Set(before && jobWords(before).map(key));
  return jobWords(now).filter((words) => !known.has(key(words)));
}

const barWidth = 24;
const nameWidth = 28;

/** `KSampler                     ████████░░░░░░░░  14/20`, no wider than the terminal. */
export function progressBar({ name, node }: NodeLine, columns: number): string {
  const whole = node.state === 'finished' || node.state === 'cached';
  const share = whole ? 1 : node.max > 0 ? Math.min(Math.max(node.value / node.max, 0), 1) : 0;
  const filled = Math.round(share * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  const line = `${fitted(name)} ${bar} ${words(node)}`;
  return line.length < columns ? line : line.slice(0, Math.max(columns - 1, 1));
}

function words({ state, value, max }: JobNode): string {
  if (state === 'cached') return 'cached';
  if (state === 'error') return 'failed';
  if (state === 'finished') return max > 1 ? `${max}/${max}` : 'done';
  return max > 1 ? `${value}/${max}` : '';
}

function fitted(name: string): string {
  return name.length > nameWidth ? `${name.slice(0, nameWidth - 1)}…` : name.padEnd(nameWidth);
}
