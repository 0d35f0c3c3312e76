import type { SandboxServer } from './sandboxServer';

/** Sends everyone the `status` message whenever the number of jobs may have changed (protocol 3.3). */
export function sendQueueSize(server: Pick<SandboxServer, 'sockets' | 'queue' | 'dialect'>): void {
  server.sockets.send(undefined, { type: 'status', data: queueStatus(server) });
}

/** In the documentation the number is directly in the message, in the service it is nested. */
export function queueStatus({ queue, dialect }: Pick<SandboxServer, 'queue' | 'dialect'>): object {
  if (dialect === 'documented') return { queue_remaining: queue.remaining };
  return { status: { exec_info: { queue_remaining: queue.remaining } } };
}
