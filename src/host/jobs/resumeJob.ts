import type { Job } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { JobCompletions } from '../runs/jobCompletions';
import type { Servers } from '../servers/servers';

export interface ResumeParts {
  readonly servers: Pick<Servers, 'sessionOf'>;
  readonly store: Pick<JobStore, 'observe'>;
  readonly ends: Pick<JobCompletions, 'follow'>;
}

/**
 * Takes up a job that lived when VS Code was closed: it is followed to its end, or known to be lost. A sandbox ends
 * with its window, and a server that left the settings cannot be asked.
 */
export async function resumeJob(job: Job, { servers, store, ends }: ResumeParts): Promise<void> {
  const session = await servers.sessionOf(job.server);
  if (!session) store.observe({ kind: 'gone', id: job.id, server: job.server, at: Date.now() });
  // Its batch saves its outputs, once it is continued.
  else if (job.origin && !job.origin.batch) ends.follow(job.id, session);
  else session.tracker.follow(job.id);
}
