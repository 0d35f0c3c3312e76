import type { Dialect } from '../../src/sandbox/dialect';
import type { AnswerKind } from '../support/faults/cannedAnswers';
import type { FaultName } from '../support/faults/faultOptions';
import type { Dice } from './dice';

/** A fault of the sandbox, and when it is turned on and off. */
export interface ServerFault {
  readonly name: FaultName;
  readonly options: Readonly<Record<string, unknown>>;
  /** Milliseconds after the start of the program. */
  readonly at: number;
  readonly until?: number;
}

interface ServerFaultPlan {
  /** The only dialect that supports it. */
  readonly only?: Dialect | undefined;
  make(dice: Dice): ServerFault;
}

const refusals: readonly AnswerKind[] = [
  'internal',
  'html',
  'badGateway',
  'unavailable',
  'empty',
  'wrongShape',
  'rateLimited',
];
const readings = ['/job*', '/history*', '/queue', '/object_info', '/features', '/system_stats', '/view'];

const plan = (
  name: FaultName,
  options: (dice: Dice) => ServerFault['options'] = () => ({}),
  only?: Dialect,
): ServerFaultPlan => ({
  only,
  make: (dice) => ({ name, options: options(dice), at: 0 }),
});

export const serverFaults: readonly ServerFaultPlan[] = [
  plan('loseAnswer', () => ({ times: 1 })),
  plan('loseAnswer', (dice) => ({ method: 'GET', path: dice.pick(readings), times: dice.between(1, 3) })),
  plan('answer', (dice) => ({ path: '/prompt', method: 'POST', kind: dice.pick(refusals), times: 1 })),
  plan('answer', () => ({ path: '/prompt', method: 'POST', kind: 'rateLimited', retryAfter: 1, times: 1 })),
  plan('answer', (dice) => ({
    path: dice.pick(readings),
    method: 'GET',
    kind: dice.pick(refusals),
    times: dice.between(1, 3),
  })),
  plan('answer', () => ({ path: '/job*', method: 'GET', kind: 'unauthorized', times: 1 })),
  plan('answer', () => ({ path: '/view', method: 'GET', kind: 'forbidden', times: 1 })),
  plan('notFoundAfterSubmit', (dice) => ({ times: dice.between(1, 4) })),
  plan('lagOutputs', (dice) => ({ times: dice.between(1, 4) })),
  plan('expiredAddress', () => ({ times: 1 }), 'cloud'),
  plan('dropSocket', (dice) => ({ afterFrames: dice.between(0, 12), times: dice.between(1, 3) })),
  plan('stallSocket'),
  plan('duplicateEvents'),
  plan('reorderEvents', (dice) => ({ group: dice.between(2, 6) })),
  plan('truncatedFrame', (dice) => ({ times: dice.between(1, 5) })),
  plan('unknownMessages', (dice) => ({ times: dice.between(1, 5) })),
  plan('oversizedFrame'),
  plan('slowFile', () => ({ chunkBytes: 4_000, pauseMs: 20 })),
  plan('brokenDownload', (dice) => ({ afterBytes: dice.between(0, 5_000), times: dice.between(1, 2) })),
  plan('climbingNames'),
  plan('lateValidationError', () => ({ times: 1 })),
  plan('nodeErrorsOnSuccess', () => ({ times: 1 })),
  plan('rawStates', (dice) => ({ states: [dice.pick(['queued_limited', 'new_word', 'pending'])] })),
  { make: (dice) => ({ name: 'hang', options: {}, at: 0, until: dice.between(1_500, 3_000) }) },
  { make: (dice) => ({ name: 'restartServer', options: {}, at: dice.between(300, 1_500) }) },
];

export function describeServerFault({ name, options, at, until }: ServerFault): string {
  const times = [...(at > 0 ? [`at ${at} ms`] : []), ...(until === undefined ? [] : [`until ${until} ms`])];
  return [name, JSON.stringify(options), ...times].join(' ');
}
