import { UserProblem } from '../platform/problems';
import type { RunTrouble } from './runPointer';

/** Why outputs are not on disk, for their row in the Jobs view. */
export function troubleOf(error: unknown): RunTrouble {
  const words = error instanceof Error ? error.message : String(error);
  const reason = error instanceof UserProblem ? reasonOf(error.cause) : undefined;
  return { kind: reason === 'diskFull' || reason === 'notWritable' ? 'disk' : 'server', words };
}

function reasonOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'reason' in cause ? cause.reason : undefined;
}
