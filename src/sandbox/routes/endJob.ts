import { isCloud, type SandboxServer, sendQueueSize } from '../sandboxServer';

/** Cancels a waiting or running job; false if there is nothing left to cancel. */
export function endJob(server: SandboxServer, id: string): boolean {
  if (!server.queue.cancelPending(id)) return server.queue.interrupt(id);
  // The real local server reports this change twice.
  if (!isCloud(server)) sendQueueSize(server);
  return true;
}
