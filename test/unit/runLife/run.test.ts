import { expect, test } from 'vitest';
import { phaseOfRun, type RunActivity, type RunFacts } from '../../../src/core/runLife/run';
import type { JobState } from '../../../src/core/jobs/job';

type Case = [RunFacts['state'], JobState | undefined, RunActivity | undefined, string];
const following: RunActivity = { kind: 'following' };
const saving: RunActivity = { kind: 'saving' };
const away: RunActivity = { kind: 'owed', why: 'serverAway' };

test.each<Case>([
  ['saved', 'running', following, 'saved'],
  ['failed', undefined, away, 'failed'],
  ['cancelled', undefined, undefined, 'cancelled'],
  ['outputsUnknown', 'completed', undefined, 'outputsUnknown'],
  ['lost', 'running', following, 'lost moved'],
  ['sending', undefined, following, 'owed notSeen'],
  ['sending', undefined, undefined, 'owed notSeen'],
  ['submitted', 'running', undefined, 'owed notFollowed'],
  ['submitted', undefined, following, 'queued'],
  ['submitted', 'pending', following, 'queued'],
  ['submitted', 'running', following, 'running'],
  ['submitted', 'completed', following, 'saving'],
  ['submitted', 'completed', away, 'owed serverAway'],
  ['saving', 'completed', undefined, 'owed notSaved'],
  ['saving', 'completed', following, 'saving'],
  ['incomplete', undefined, saving, 'saving'],
  ['incomplete', undefined, undefined, 'owed notSaved'],
])('a record that is %s, a job that is %s and %o are the phase %s', (state, job, activity, expected) => {
  const known = job && { state: job };
  const phase = phaseOfRun({ state, why: state === 'lost' ? 'moved' : undefined }, known, activity);
  const detail = 'why' in phase ? phase.why : undefined;
  expect([phase.kind, detail].filter((part) => part !== undefined).join(' ')).toBe(expected);
});
