import type { JobStore } from '../../core/jobs/jobStore';
import type { Owned } from '../platform/feature';
import type { Sessions } from '../servers/sessions';

/** Doubts that come one after the other, as when many jobs are lost at once, lead to one reading (ms). */
const doubtPause = 30_000;

/** Tells when the node definitions of a server may be out of date: it says so, came back, or lost a job. */
export class DefinitionDoubts implements Owned {
  readonly #isHeld: (origin: string) => boolean;
  readonly #onDoubt: (origin: string) => void;
  readonly #doubted = new Map<string, number>();
  readonly #interrupted = new Set<string>();
  readonly #subscriptions: readonly Owned[];

  /** @param isHeld whether the definitions of a server are those that are used now; others are read when they are */
  constructor(
    sessions: Pick<Sessions, 'onDidDoubtNodeRules' | 'onDidChangeStream'>,
    store: Pick<JobStore, 'get' | 'onDidChange'>,
    isHeld: (origin: string) => boolean,
    onDoubt: (origin: string) => void,
  ) {
    this.#isHeld = isHeld;
    this.#onDoubt = onDoubt;
    this.#subscriptions = [
      sessions.onDidDoubtNodeRules((origin) => this.doubt(origin)),
      sessions.onDidChangeStream(({ origin, state }) => {
        // A stream that comes back may come from a server that was restarted.
        if (state.kind === 'waiting') this.#interrupted.add(origin);
        else if (state.kind === 'open' && this.#interrupted.delete(origin)) this.doubt(origin);
      }),
      {
        dispose: store.onDidChange(({ changed }) => {
          for (const id of changed) {
            const job = store.get(id);
            if (job?.state === 'lost') this.doubt(job.server);
          }
        }),
      },
    ];
  }

  doubt(origin: string): void {
    if (!this.#isHeld(origin)) return;
    const now = Date.now();
    if (now - (this.#doubted.get(origin) ?? 0) < doubtPause) return;
    this.#doubted.set(origin, now);
    this.#onDoubt(origin);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
