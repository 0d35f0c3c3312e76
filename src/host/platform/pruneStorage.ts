import { budgets } from '../../core/safety/budgets';
import type { Storage } from './storage';

const prefixes = ['pointer-job-', 'list-', 'music-', 'client-', 'recording-', 'definitions-'];
const large: readonly string[] = ['recording-', 'definitions-'];

/** A window that died while it wrote has left a draft: see `Storage`. */
const draft = /\.\d+\.new$/;

/** Removes what nobody will read again. */
export async function pruneStorage(storage: Pick<Storage, 'list' | 'remove'>, now: number): Promise<void> {
  for (const prefix of prefixes) {
    const files = (await storage.list(prefix)).filter(({ name }) => name.endsWith('.json'));
    const newestFirst = [...files].sort((a, b) => b.writtenAt - a.writtenAt);
    const most = large.includes(prefix) ? budgets.storedLargeFiles : budgets.storedFiles;
    const old = newestFirst.filter(
      ({ writtenAt }, index) => index >= most || now - writtenAt > budgets.storedFileAge,
    );
    for (const { name } of old) await storage.remove(name);
  }
  for (const { name, writtenAt } of await storage.list('')) {
    if (draft.test(name) && now - writtenAt > budgets.unfinishedFileAge) await storage.remove(name);
  }
}
