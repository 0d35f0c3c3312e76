import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import type { Log } from './log';
import { showWarning } from './show';

/** An unwritable storage folder is reported once; no run stops because of it. */
export class StorageTrouble {
  #told = false;

  constructor(private readonly log: Log) {}

  async guard(write: Promise<unknown>): Promise<boolean> {
    try {
      await write;
      return true;
    } catch (error) {
      this.log.error('Writing to the storage', error);
      this.#tell(error);
      return false;
    }
  }

  #tell(error: unknown): void {
    if (this.#told) return;
    this.#told = true;
    const reason = error instanceof Error ? error.message : t`unknown reason`;
    void showWarning(
      shown`Comfy Deck can't write to its storage folder (${reason}). Runs and their records aren't affected, but the job list may be lost when you close this window. Check the folder's free space and permissions.`,
    );
  }
}
