import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { Log } from '../platform/log';
import type { RunFolders } from '../runs/runFolders';

const none: readonly string[] = [];

/** The changes of each run since the previous one, by the prompts that were sent. Lookups wait for each other. */
export class RunDifferences implements vscode.Disposable {
  readonly #known = new Map<string, { readonly before: string; readonly words: readonly string[] }>();
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;
  readonly #changed = new vscode.EventEmitter<string>();
  /** Fires the ID of a job whose changes became known. */
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly folders: Pick<RunFolders, 'sent'>,
    private readonly log: Pick<Log, 'error'>,
  ) {}

  of(job: Job, before: Job): readonly string[] | undefined {
    const known = this.#known.get(job.id);
    if (known?.before === before.id) return known.words;
    this.#known.set(job.id, { before: before.id, words: none });
    this.#last = this.#last.then(() => this.#look(job, before));
    return undefined;
  }

  dispose(): void {
    this.#isClosed = true;
    this.#changed.dispose();
  }

  async #look(job: Job, before: Job): Promise<void> {
    if (this.#isClosed) return;
    try {
      const [sent, earlier] = await Promise.all([this.folders.sent(job), this.folders.sent(before)]);
      if (!sent || !earlier) return;
      const { runChangeTexts } = await import('../../core/diff/valueDifferences');
      const { seeds = {} } = job.origin ?? {};
      const words = runChangeTexts({ ...earlier, seeds }, { ...sent, seeds });
      if (words.length === 0) return;
      this.#known.set(job.id, { before: before.id, words });
      this.#changed.fire(job.id);
    } catch (error) {
      this.log.error('Comparing runs', error);
    }
  }
}
