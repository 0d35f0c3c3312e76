import * as vscode from 'vscode';
import { claimRecord } from '../../core/records/claimRecord';
import { sameOnEveryDisk } from '../../core/outputs/freeNames';
import { RecordFile } from '../../core/records/recordFile';
import { isOwed } from '../../core/records/runRecord';
import { mentions } from '../../core/records/prunableRuns';
import type { PrunableRun } from '../../core/records/pruneRuns';
import { budgets } from '../../core/safety/budgets';
import type { FolderPlan } from './prunePlan';
import { withoutSecrets } from '../platform/shownSecrets';

/** Removes a file; false if it could not be removed. One that is gone is removed. */
export type RemoveFile = (file: vscode.Uri) => Promise<boolean>;

export interface Pruned {
  runs: number;
  /** Names of what could not be removed, or is in use now. */
  readonly left: string[];
}

/**
 * Removes what a plan says: of each run its files, then its record, so that whatever breaks off can be pruned again.
 * @throws the signal's reason
 */
export async function pruneFiles(plan: FolderPlan, remove: RemoveFile, signal: AbortSignal): Promise<Pruned> {
  const pruned: Pruned = { runs: 0, left: [] };
  const protectedFiles = await newlyNamed(plan);
  const removable = new Set(
    plan.pruning.files.map(({ name }) => name).filter((name) => !protectedFiles(name)),
  );
  const uses = usesOf(plan.pruning.runs);
  const removeAll = async (names: Iterable<string>): Promise<boolean> => {
    let removed = true;
    for (const name of names) {
      if (await remove(vscode.Uri.joinPath(plan.root, name))) continue;
      pruned.left.push(name);
      removed = false;
    }
    return removed;
  };
  for (const name of plan.batchFiles) {
    const release = await claimRecord(plan.folder, name);
    // Another window runs it: none of this folder goes now.
    if (!release) {
      pruned.left.push(name);
      return pruned;
    }
    await release();
  }
  // Without it, nobody resumes a batch whose records are going.
  if (!(await removeAll(plan.batchFiles))) return pruned;
  for (const run of plan.pruning.runs) {
    signal.throwIfAborted();
    const own = run.files
      .map(({ name }) => name)
      .filter((name) => removable.has(name) && uses.get(name) === 1);
    const record = await RecordFile.open(plan.folder, run.record, withoutSecrets);
    if (record === undefined) continue;
    if (record === 'busy' || isOwed(record.record)) {
      if (record !== 'busy') await record.close();
      pruned.left.push(run.record);
      keepFiles(run, removable);
      continue;
    }
    try {
      if ((await removeAll(own)) && (await removeAll([run.record]))) pruned.runs++;
      else keepFiles(run, removable);
    } finally {
      await record.close();
    }
  }
  await removeAll([...removable].filter((name) => (uses.get(name) ?? 0) > 1));
  return pruned;
}

function keepFiles({ files }: PrunableRun, removable: Set<string>): void {
  for (const { name } of files) removable.delete(name);
}

/** How many runs of a plan name each file. */
function usesOf(runs: readonly PrunableRun[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const { files } of runs) for (const { name } of files) uses.set(name, (uses.get(name) ?? 0) + 1);
  return uses;
}

/** A run may have been sent while the question was open, with an input that was kept before. */
async function newlyNamed({ folder, known }: FolderPlan): Promise<(name: string) => boolean> {
  const texts: string[] = [];
  for (const name of await folder.list()) {
    if (!name.endsWith('.run.json') || known.has(name)) continue;
    const text = await folder.read(name, budgets.runRecord);
    if (text !== undefined) texts.push(sameOnEveryDisk(text));
  }
  return (name) => texts.some((text) => mentions(text, sameOnEveryDisk(name)));
}
