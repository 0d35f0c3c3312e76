import type { Disposable } from 'vscode';
import type { JobChange, JobStore } from '../../core/jobs/jobStore';
import type { Log } from '../platform/log';
import type { Servers } from '../servers/servers';
import type { JobCompletions } from './jobCompletions';

export interface FoundJobsParts {
  readonly store: Pick<JobStore, 'get' | 'onDidChange'>;
  readonly servers: Pick<Servers, 'sessionOf'>;
  readonly ends: Pick<JobCompletions, 'follow'>;
  readonly log: Pick<Log, 'error'>;
}

/** Our jobs that counted as lost and whose end the server reports after all: their outputs were paid for. */
export class FoundJobs implements Disposable {
  readonly #parts: FoundJobsParts;
  readonly #lost = new Set<string>();
  readonly #stop: () => void;

  constructor(parts: FoundJobsParts) {
    this.#parts = parts;
    this.#stop = parts.store.onDidChange((change) => this.#changed(change));
  }

  dispose(): void {
    this.#stop();
  }

  #changed({ added, changed, removed }: JobChange): void {
    for (const id of removed) this.#lost.delete(id);
    for (const id of [...added, ...changed]) {
      const job = this.#parts.store.get(id);
      if (job?.origin === undefined) continue;
      if (job.state === 'lost') this.#lost.add(id);
      else if (this.#lost.delete(id)) this.#follow(id, job.server);
    }
  }

  #follow(id: string, server: string): void {
    const { servers, ends, log } = this.#parts;
    servers.sessionOf(server).then(
      (session) => session && ends.follow(id, session),
      (error: unknown) => log.error('A job that was found again', error),
    );
  }
}
