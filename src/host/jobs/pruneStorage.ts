import { budgets } from '../../core/safety/budgets';
import type { Storage } from '../platform/storage';

/** Of pointers, those to nothing that is owed. */
const prefixes = ['pointer-job-', 'ledger-', 'list-', 'music-', 'client-', 'recording-', 'definitions-'];

/** What a window that died while it wrote has left: see `Storage`. */
const draft = /\.\d+\.new$/;

/** Removes what nobody will read again: places of old run records, memories of workspaces and servers that are gone, drafts. */
export async function pruneStorage(storage: Pick<Storage, 'list' | 'remove'>, now: number): Promise<void> {
  for (const prefix of prefixes) {
    const files = (await storage.list(prefix)).filter(({ name }) => name.endsWith('.json'));
    const newestFirst = [...files].sort((a, b) => b.writtenAt - a.writtenAt);
    const old = newestFirst.filter(
      ({ writtenAt }, index) => index >= budgets.storedFiles || now - writtenAt > budgets.storedFileAge,
    );
    for (const { name } of old) await storage.remove(name);
  }
  for (const { name, writtenAt } of await storage.list('')) {
    if (draft.test(name) && now - writtenAt > budgets.unfinishedFileAge) await storage.remove(name);
  }
}
