import { budgets } from '../../core/safety/budgets';
import type { Storage } from '../platform/storage';

interface Kind {
  readonly prefix: string;
  readonly most: number;
  /** Milliseconds since the last write. */
  readonly age: number;
}

const workspaceKind = { most: budgets.workspaces, age: budgets.workspaceAge };

const kinds: readonly Kind[] = [
  // The places of settled runs, never what is owed.
  { prefix: 'pointer-job-', most: budgets.recordPlaces, age: budgets.recordPlaceAge },
  ...['ledger-', 'list-'].map((prefix) => ({ prefix, ...workspaceKind })),
  { prefix: 'music-', ...workspaceKind },
  { prefix: 'client-', ...workspaceKind },
  { prefix: 'recording-', most: budgets.musicRecordings, age: budgets.workspaceAge },
  { prefix: 'definitions-', most: budgets.definitions, age: budgets.workspaceAge },
];

/** A window that died while it wrote has left a draft: see `Storage`. */
const draft = /\.\d+\.new$/;

/** Removes what nobody will read again. */
export async function pruneStorage(storage: Pick<Storage, 'list' | 'remove'>, now: number): Promise<void> {
  for (const { prefix, most, age } of kinds) {
    const files = (await storage.list(prefix)).filter(({ name }) => name.endsWith('.json'));
    const newestFirst = [...files].sort((a, b) => b.writtenAt - a.writtenAt);
    const old = newestFirst.filter(({ writtenAt }, index) => index >= most || now - writtenAt > age);
    for (const { name } of old) await storage.remove(name);
  }
  for (const { name, writtenAt } of await storage.list('')) {
    if (draft.test(name) && now - writtenAt > budgets.unfinishedFileAge) await storage.remove(name);
  }
}
