import { countAt } from '../../core/safety/lists';
import type { JobStore } from '../../core/jobs/jobStore';
import { Owner } from '../platform/feature';
import type { Sessions } from '../servers/sessions';

/** Reports in quick succession, such as many lost jobs, cause only one read (ms). */
const reportPause = 30_000;

/** Reports when a server's definitions may be outdated: the server said so, came back, or lost a job. */
export class StaleDefinitions extends Owner {
  readonly #reported = new Map<string, number>();
  readonly #interrupted = new Set<string>();

  /** @param isHeld whether the server's definitions are in use; others are read when they are needed */
  constructor(
    sessions: Pick<Sessions, 'onDidFindStale' | 'onDidChangeStream'>,
    store: Pick<JobStore, 'get' | 'onDidChange'>,
    private readonly isHeld: (origin: string) => boolean,
    private readonly onStale: (origin: string) => void,
  ) {
    super();
    this.own(
      sessions.onDidFindStale((origin) => this.report(origin)),
      sessions.onDidChangeStream(({ origin, state }) => {
        // A stream that reconnects may mean that the server was restarted.
        if (state.kind === 'waiting') this.#interrupted.add(origin);
        else if (state.kind === 'open' && this.#interrupted.delete(origin)) this.report(origin);
      }),
      {
        dispose: store.onDidChange(({ changed }) => {
          for (const id of changed) {
            const job = store.get(id);
            if (job?.state === 'lost') this.report(job.server);
          }
        }),
      },
    );
  }

  report(origin: string): void {
    if (!this.isHeld(origin)) return;
    const now = Date.now();
    if (now - countAt(this.#reported, origin) < reportPause) return;
    this.#reported.set(origin, now);
    this.onStale(origin);
  }
}
