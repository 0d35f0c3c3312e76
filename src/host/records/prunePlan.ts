import * as vscode from 'vscode';
import { batchesIn } from '../../core/batch/startedBatch';
import { rowCountOf } from '../../core/batch/batchTable';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import {
  changedFile,
  type FolderRun,
  type FolderRuns,
  mentions,
  prunableRuns,
  type PruneLimit,
  pruneRuns,
  type Pruning,
} from '../../core/records/pruneRuns';

export interface FolderPlan {
  readonly root: vscode.Uri;
  readonly folder: NodeFolder;
  readonly pruning: Pruning;
  readonly batchFiles: readonly string[];
  readonly known: ReadonlySet<string>;
}

export interface PrunePlan {
  readonly folders: readonly FolderPlan[];
  /** Runs that a file changed by the user keeps. */
  readonly changed: number;
}

interface ReadFolder extends FolderRuns {
  readonly root: vscode.Uri;
  readonly folder: NodeFolder;
  readonly batchFiles: ReadonlyMap<string, string>;
  readonly known: ReadonlySet<string>;
}

/** Reads the runs of some folders and selects what goes; the limit is for all folders together. */
export async function planPruning(
  roots: readonly vscode.Uri[],
  limit: PruneLimit,
  isFavorite: (file: vscode.Uri, sha256: string) => boolean,
  signal: AbortSignal,
): Promise<PrunePlan> {
  const read = await Promise.all(roots.map((root) => readFolder(root, isFavorite, signal)));
  const wanted = select(read, limit);
  let changed = 0;
  const left: ReadFolder[] = [];
  for (const [index, from] of read.entries()) {
    const going = new Set(wanted[index]?.runs.map(({ record }) => record));
    const runs: FolderRun[] = [];
    for (const run of from.runs) {
      signal.throwIfAborted();
      const isChanged = going.has(run.record) && (await changedFile(from.folder, run)) !== undefined;
      if (isChanged) changed++;
      runs.push(isChanged ? { ...run, stays: true } : run);
    }
    left.push({ ...from, runs });
  }
  const selected = select(left, limit);
  const folders = left.map(({ root, folder, known, batchFiles }, index): FolderPlan => {
    const pruning = selected[index] ?? { runs: [], files: [], batches: [], bytes: 0 };
    const gone = pruning.batches.flatMap((id) => batchFiles.get(id) ?? []);
    return { root, folder, known, pruning, batchFiles: gone };
  });
  return { folders: folders.filter(({ pruning }) => pruning.runs.length > 0), changed };
}

/** The pruning of each folder: names are unique in a folder only, so each gets the part of the limit that is its own. */
function select(read: readonly ReadFolder[], limit: PruneLimit): readonly Pruning[] {
  // All runs at once, under names that say their folder.
  const of = (index: number, name: string): string => `${index}/${name}`;
  const all = read.flatMap(({ runs }, index) =>
    runs.map((run) => ({
      ...run,
      record: of(index, run.record),
      batch: run.batch === undefined ? undefined : of(index, run.batch),
      files: run.files.map((file) => ({ ...file, name: of(index, file.name) })),
    })),
  );
  const isNamed = (placed: string): boolean => {
    const slash = placed.indexOf('/');
    const texts = read[Number(placed.slice(0, slash))]?.unreadable ?? [];
    return texts.some((text) => mentions(text, placed.slice(slash + 1)));
  };
  const pruning = pruneRuns(all, limit, isNamed);
  return read.map((_, index) => {
    const prefix = `${index}/`;
    const bare = (name: string): string => name.slice(prefix.length);
    const runs = pruning.runs
      .filter(({ record }) => record.startsWith(prefix))
      .map((run) => ({
        ...run,
        record: bare(run.record),
        files: run.files.map((file) => ({ ...file, name: bare(file.name) })),
      }));
    const files = pruning.files
      .filter(({ name }) => name.startsWith(prefix))
      .map((file) => ({ ...file, name: bare(file.name) }));
    const bytes = [...runs, ...files].reduce((sum, each) => sum + each.bytes, 0);
    return { runs, files, bytes, batches: pruning.batches.filter((id) => id.startsWith(prefix)).map(bare) };
  });
}

async function readFolder(
  root: vscode.Uri,
  isFavorite: (file: vscode.Uri, sha256: string) => boolean,
  signal: AbortSignal,
): Promise<ReadFolder> {
  const folder = new NodeFolder(root.fsPath);
  const rowCounts = new Map<string, number>();
  const batchFiles = new Map<string, string>();
  for await (const { name, batch } of batchesIn(folder)) {
    rowCounts.set(batch.id, rowCountOf(batch.axes));
    batchFiles.set(batch.id, name);
  }
  const facts = {
    rowCounts,
    isFavorite: (name: string, sha256: string) => isFavorite(vscode.Uri.joinPath(root, name), sha256),
  };
  const known = new Set(await folder.list());
  return { root, folder, batchFiles, known, ...(await prunableRuns(folder, facts, signal)) };
}
