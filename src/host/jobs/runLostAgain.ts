import type { Job } from '../../core/jobs/job';
import { plural } from '../../core/safety/localize';
import type { Shown} from '../../core/safety/shownText';
import { shown, shownList } from '../../core/safety/shownText';
import { UserProblem } from '../platform/problems';
import { showWarning } from '../platform/show';
import type { Consent } from '../runs/consent';
import { requireTrust } from '../runs/requireTrust';
import type { Runs, Unattended } from '../runs/runs';
import type { Servers } from '../servers/servers';
import type { JobToRun } from './jobCommands';

interface Parts {
  readonly servers: Servers;
  readonly runs: Runs;
  readonly consent: Consent;
}

/** At most this many names in a sentence. */
const namesShown = 5;

/**
 * Sends what a server has forgotten again, each as it was sent and to the same server. The server is asked about each
 * before: what it has after all is left alone. Spending is agreed to once, for all of them.
 */
export async function runLostAgain(
  jobs: readonly Job[],
  sourceOf: (job: Job) => Promise<JobToRun>,
  { servers, runs, consent }: Parts,
): Promise<void> {
  requireTrust();
  const there: string[] = [];
  const refused: Shown[] = [];
  let agreed: Promise<boolean> | undefined;
  for (const job of [...jobs].sort((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0))) {
    const session = await servers.sessionOf(job.server);
    if (!session) {
      throw new UserProblem(
        shown`The server of ${job.origin?.label ?? job.id} has been removed.`,
        shown`Add the server again, then run its workflow.`,
      );
    }
    // A server that does not respond may have it: this throws, and nothing is sent.
    const detail = await session.client.job(job.id);
    const { source, targets } = await sourceOf(job);
    if (detail !== undefined) {
      there.push(source.label);
      continue;
    }
    const answers: Unattended = {
      maySpend: (nodes) => (agreed ??= consent.spend(nodes, jobs.length)),
      mayUpload: (files) => consent.upload(files, session.server.name, session.origin),
      refused: ({ message }) => void refused.push(shown`${source.label}: ${message}`),
    };
    await runs.run(source, { seeds: 'keep', targets }, session, answers);
    if ((await agreed) === false) return;
  }
  if (there.length > 0) {
    void showWarning(
      plural(
        there.length,
        shown`1 run wasn't submitted again, because its server has it: ${shownList(there, namesShown)}.`,
        shown`${there.length} runs weren't submitted again, because their server has them: ${shownList(there, namesShown)}.`,
      ),
    );
  }
  const [first] = refused;
  if (first) void showWarning(first);
}
