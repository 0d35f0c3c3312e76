import type { SandboxServer } from './sandboxServer';

/** The `status` message that everybody gets whenever the number of jobs may have changed (protocol 3.3). */
export function tellQueueSize({ sockets, queue }: Pick<SandboxServer, 'sockets' | 'queue'>): void {
  const status = { exec_info: { queue_remaining: queue.remaining } };
  sockets.send(undefined, { type: 'status', data: { status } });
}
