import type { SandboxJob } from '../queue/sandboxJob';
import type { SandboxServer } from '../sandboxServer';

/** A job as a reader may see it now: hidden while the fault says that it is unknown. */
export function jobToShow(server: SandboxServer, id: string): SandboxJob | undefined {
  const job = server.queue.find(id);
  return job && server.faults.strike('notFoundAfterSubmit') ? undefined : job;
}

/** The outputs of a job as a reader sees them: none while the fault delays them. */
export function outputsToShow(
  server: SandboxServer,
  job: SandboxJob,
): NonNullable<SandboxJob['result']>['outputs'] {
  const outputs = job.result?.outputs ?? {};
  return job.state === 'ended' && server.faults.strike('lagOutputs') ? {} : outputs;
}
