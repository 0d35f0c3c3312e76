import type { SandboxServer } from './sandboxServer';

/** The `status` message that everybody gets whenever the number of jobs may have changed (protocol 3.3). */
export function sendQueueSize(server: Pick<SandboxServer, 'sockets' | 'queue' | 'dialect'>): void {
  server.sockets.send(undefined, { type: 'status', data: queueStatus(server) });
}

/** The documentation has the number right in the message, the service nests it. */
export function queueStatus({ queue, dialect }: Pick<SandboxServer, 'queue' | 'dialect'>): object {
  if (dialect === 'documented') return { queue_remaining: queue.remaining };
  return { status: { exec_info: { queue_remaining: queue.remaining } } };
}
