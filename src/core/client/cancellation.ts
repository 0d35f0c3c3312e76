/**
 * `requested`: the server took the request and the job still runs; it ends at the next node or step.
 * `alreadyEnded`: it had ended, well or badly, before the request came. `notFound`: the server does not know it.
 */
export type CancelResult = 'cancelled' | 'requested' | 'notFound' | 'alreadyEnded';
