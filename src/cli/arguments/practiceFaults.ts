import type { AnswerKind } from '../../sandbox/faults/cannedAnswers';
import { t } from '../../core/safety/localize';
import { type Shown, shown } from '../../core/safety/shownText';

/** Refusals of Comfy Cloud that a sandbox can imitate, by their names in `--fault`. */
export const practiceFaults = {
  unauthorized: { status: 401, says: shown`the key is rejected`, path: '*' },
  noCredits: { status: 402, says: shown`no credits are left`, path: '/prompt' },
  subscriptionRequired: { status: 402, says: shown`there is no subscription`, path: '/prompt' },
  queueLimit: { status: 429, says: shown`the queue is full`, path: '/prompt' },
  rateLimited: { status: 429, says: shown`too many requests`, path: '/prompt' },
  internal: { status: 500, says: shown`the server failed`, path: '/prompt' },
} as const satisfies Partial<
  Record<AnswerKind, { readonly status: number; readonly says: Shown; readonly path: string }>
>;

export type PracticeFault = keyof typeof practiceFaults;

/** One line per fault, for the help. */
export function practiceFaultLines(indent: string): string {
  return Object.entries(practiceFaults)
    .map(([name, { status, says, path }]) => {
      const what =
        path === '*'
          ? t`${status} to every request: ${says.line()}`
          : t`${status} to every run: ${says.line()}`;
      return `${indent}${name.padEnd(21)}${what}`;
    })
    .join('\n');
}
