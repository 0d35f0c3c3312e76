import { isCloud, type SandboxServer } from '../sandboxServer';
import { sendQueueSize } from '../sendQueueSize';

/** Cancels a job that waits or runs; false when there is nothing left to cancel. */
export function endJob(server: SandboxServer, id: string): boolean {
  if (!server.queue.cancelPending(id)) return server.queue.interrupt(id);
  // The real local server tells this change twice on this way.
  if (!isCloud(server)) sendQueueSize(server);
  return true;
}
