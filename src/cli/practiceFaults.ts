import type { AnswerKind } from '../sandbox/faults/cannedAnswers';

/** Refusals of Comfy Cloud that a sandbox can practise, by the names that `--fault` takes. */
export const practiceFaults = {
  unauthorized: { status: 401, says: 'the key is rejected', path: '*' },
  noCredits: { status: 402, says: 'no credits are left', path: '/prompt' },
  subscriptionRequired: { status: 402, says: 'there is no subscription', path: '/prompt' },
  queueLimit: { status: 429, says: 'the queue is full', path: '/prompt' },
  rateLimited: { status: 429, says: 'too many requests', path: '/prompt' },
  internal: { status: 500, says: 'the server failed', path: '/prompt' },
} as const satisfies Partial<
  Record<AnswerKind, { readonly status: number; readonly says: string; readonly path: string }>
>;

export type PracticeFault = keyof typeof practiceFaults;

export function isPracticeFault(name: string): name is PracticeFault {
  return Object.hasOwn(practiceFaults, name);
}

/** One line per fault, for the help. */
export function practiceFaultLines(indent: string): string {
  return Object.entries(practiceFaults)
    .map(([name, { status, says, path }]) => {
      const where = path === '*' ? 'to everything' : 'to every run';
      return `${indent}${name.padEnd(21)}${status} ${where}: ${says}`;
    })
    .join('\n');
}
