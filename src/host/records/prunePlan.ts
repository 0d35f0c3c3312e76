import * as vscode from 'vscode';
import { batchesIn } from '../../core/batch/startedBatch';
import { countBatchRows } from '../../core/batch/batchTable';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import {
  changedFile,
  textMentionsFile,
  type PrunableRun,
  prunableRuns,
  type PruneLimit,
  pruneRuns,
  runsOverLimit,
} from '../../core/records/pruneRuns';

export type PrunePlan = Awaited<ReturnType<typeof planPruning>>;

type ReadFolder = Awaited<ReturnType<typeof readPrunableFolder>>;

/** Reads the runs of some folders and selects what goes; the limit is for all folders together. */
export async function planPruning(
  roots: readonly vscode.Uri[],
  limit: PruneLimit,
  isFavorite: (file: vscode.Uri, sha256: string) => boolean,
  signal: AbortSignal,
) {
  const read = await Promise.all(roots.map((root) => readPrunableFolder(root, isFavorite, signal)));
  let changed = 0;
  const left: ReadFolder[] = [];
  for (const { from, pruning } of pruningsOf(read, limit)) {
    const going = new Set(pruning.runs);
    const runs: PrunableRun[] = [];
    for (const run of from.runs) {
      signal.throwIfAborted();
      const isChanged = going.has(run) && (await changedFile(from.folder, run)) !== undefined;
      if (isChanged) changed++;
      runs.push(isChanged ? { ...run, stays: true } : run);
    }
    left.push({ ...from, runs });
  }
  const folders = pruningsOf(left, limit).map(({ from, pruning }) => {
    const { root, folder, known, batchFiles } = from;
    const gone = pruning.batches.map((id) => batchFiles.get(id)).filter((name) => name !== undefined);
    return { root, folder, known, pruning, batchFiles: gone };
  });
  return { folders: folders.filter(({ pruning }) => pruning.runs.length > 0), changed };
}

/** Names are unique in a folder only, so each gets the part of the limit that is its own. */
function pruningsOf(read: readonly ReadFolder[], limit: PruneLimit) {
  const over = runsOverLimit(
    read.map(({ runs }) => runs),
    limit,
  );
  return read.map((from) => {
    const isNamed = (name: string): boolean => from.unreadable.some((text) => textMentionsFile(text, name));
    return { from, pruning: pruneRuns(from.runs, over, isNamed) };
  });
}

async function readPrunableFolder(
  root: vscode.Uri,
  isFavorite: (file: vscode.Uri, sha256: string) => boolean,
  signal: AbortSignal,
) {
  const folder = new NodeFolder(root.fsPath);
  const rowCounts = new Map<string, number>();
  const batchFiles = new Map<string, string>();
  for await (const { name, batch } of batchesIn(folder)) {
    rowCounts.set(batch.id, countBatchRows(batch.axes));
    batchFiles.set(batch.id, name);
  }
  const facts = {
    rowCounts,
    isFavorite: (name: string, sha256: string) => isFavorite(vscode.Uri.joinPath(root, name), sha256),
  };
  const known = new Set(await folder.list());
  return { root, folder, batchFiles, known, ...(await prunableRuns(folder, facts, signal)) };
}
