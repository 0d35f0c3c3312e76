import { t } from '../safety/localize';
import type { Job, JobNode, JobNodeState } from './job';

/** The text of a loop's start while the loop runs, such as `Iteration 1 / 3` once the first of three is done. */
export function iterationsIn(text = ''): { readonly value: number; readonly max: number } | undefined {
  const [, done, all] = /^Iteration (\d{1,15}) \/ (\d{1,15})\s*$/.exec(text) ?? [];
  return done === undefined || all === undefined ? undefined : { value: Number(done), max: Number(all) };
}

/** A node's text, in our own words where they say more: `Iteration 2 of 3`. */
export function nodeText(text: string): string {
  const found = iterationsIn(text);
  return found ? t`Iteration ${Math.min(found.value + 1, found.max)} of ${found.max}` : text;
}

/** The progress of a running node: `step 14/20`, `Iteration 2 of 3`; empty for one without steps. */
export function stepWords(node: JobNode): string {
  if (node.text !== undefined && iterationsIn(node.text)) return nodeText(node.text);
  return node.max > 1 ? t`step ${node.value}/${node.max}` : '';
}

/** How much of a running node is done, 0 to 1; in a loop, how much of the loop. */
export function nodeShareDone(job: Job, node: JobNode): number {
  const { value, max } = iterationsIn(loopOf(job, node)?.text) ?? node;
  return max > 0 ? Math.min(Math.max(value / max, 0), 1) : 0;
}

function loopOf({ nodes }: Job, { parts = {} }: JobNode): JobNode | undefined {
  const id = Object.keys(parts)[0]?.split('.')[0] ?? '';
  return Object.hasOwn(nodes, id) ? nodes[id] : undefined;
}

/**
 * The current state of a node. A node in a loop runs until the loop has ended; between two iterations, it waits. The
 * end of the node that starts a loop is reported after what follows the loop.
 */
export function currentNodeState(node: JobNode): JobNodeState {
  if (node.state !== 'running') return node.state;
  const { value = 0, max = 1 } = iterationsIn(node.text) ?? {};
  if (value >= max) return 'finished';
  const parts = node.parts === undefined ? [] : Object.values(node.parts);
  const waits =
    node.startedAt === undefined && parts.length > 0 && parts.every(({ endedAt }) => endedAt !== undefined);
  return waits ? 'pending' : 'running';
}
