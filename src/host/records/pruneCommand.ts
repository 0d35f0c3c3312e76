import { countAt } from '../../core/safety/lists';
import { isRecordName, sameOnEveryDisk } from '../../core/outputs/outputNames';
import * as vscode from 'vscode';
import { removeFile } from '../../core/outputs/changeFile';
import { batchesIn } from '../../core/batch/startedBatch';
import { countBatchRows } from '../../core/batch/batchTable';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import {
  changedFile,
  type PrunableRun,
  prunableRuns,
  type PruneLimit,
  pruneRuns,
  runsOverLimit,
  textMentionsFile,
} from '../../core/records/pruneRuns';
import { runsText } from '../../core/safety/countText';
import { plural, t } from '../../core/safety/localize';
import { dayText } from '../../core/safety/timeText';
import { Shown, shown, shownList } from '../../core/safety/shownText';
import { sizeText } from '../../core/safety/sizeText';
import { UserProblem } from '../platform/problems';
import { askToGoOn, askText, pickOne, showCancellable, showInformation } from '../platform/show';
import { requireTrust } from '../platform/requireTrust';
import { lockRecord } from '../../core/records/claimRecord';
import { RecordFile } from '../../core/records/recordFile';
import { isOwed } from '../../core/records/runRecord';
import { budgets } from '../../core/safety/budgets';
import { withoutSecrets } from '../platform/shownSecrets';

const day = 24 * 3_600_000;
const gigabyte = 1_000_000_000;

/** Asks which runs are too many, and moves them to the trash once the user agrees. */
export async function pruneRunsCommand(
  folders: readonly vscode.Uri[],
  isFavorite: (file: vscode.Uri, sha256: string) => boolean,
): Promise<void> {
  requireTrust();
  const roots = [...new Map(folders.map((folder) => [folder.fsPath, folder])).values()];
  if (roots.length === 0) {
    throw new UserProblem(shown`There are no runs to prune.`, shown`Open the folder with the outputs.`);
  }
  const limit = await askLimit();
  if (!limit) return;
  const plan = await showCancellable(shown`Reading run records`, (signal) =>
    planPruning(roots, limit, isFavorite, signal),
  );
  if (plan.folders.length === 0) {
    void showInformation(Shown.join([shown`There are no runs to prune.`, changedWords(plan)]));
    return;
  }
  const count = plan.folders.flatMap(({ pruning }) => pruning.runs).length;
  const message = shown`Move ${runsText(count)} to the trash?`;
  if (!(await askToGoOn({ message, detail: planDetail(plan), goOn: shown`Move to Trash` }))) return;
  const remove = makeRemoveFile();
  const done = await showCancellable(shown`Pruning runs`, async (signal) => {
    const pruned: Pruned = { runs: 0, left: [] };
    for (const folder of plan.folders) await pruneFiles(folder, pruned, remove, signal);
    return pruned;
  });
  showPruneResult(done);
}

async function askLimit(): Promise<PruneLimit | undefined> {
  const kinds = [
    { label: shown`Older Than…`, prompt: shown`Prune runs older than this many days`, value: '90' },
    {
      label: shown`Until the Rest Fits a Size…`,
      prompt: shown`Maximum total size of runs, in GB`,
      value: '10',
    },
  ] as const;
  const title = shown`Prune Runs`;
  const kind = await pickOne(kinds, { title, placeHolder: shown`Select which runs to prune` });
  if (!kind) return undefined;
  const isSize = kind === kinds[1];
  const typed = await askText({
    title,
    prompt: kind.prompt,
    value: kind.value,
    problem: (text) =>
      (isSize ? /^\s*\d{1,6}(\.\d{1,3})?\s*$/ : /^\s*\d{1,6}\s*$/).test(text)
        ? undefined
        : t`Enter a number such as 20 or 7.5.`,
  });
  if (typed === undefined) return undefined;
  const number = Number(typed);
  return isSize
    ? { kind: 'size', most: number * gigabyte }
    : { kind: 'age', before: Date.now() - number * day };
}

function planDetail(plan: PrunePlan): Shown {
  const prunings = plan.folders.map(({ pruning }) => pruning);
  const files = prunings.flatMap((pruning) => pruning.files).length;
  const bytes = prunings.reduce((sum, pruning) => sum + pruning.bytes, 0);
  const runs = prunings.flatMap((pruning) => pruning.runs);
  const times = runs.map(({ time }) => time).filter((time) => time !== undefined);
  const oldest = times.reduce((least, time) => Math.min(least, time), Infinity);
  const newest = times.reduce((most, time) => Math.max(most, time), 0);
  return Shown.join([
    plural(
      files,
      shown`This removes their records and 1 file, ${sizeText(bytes)} in total.`,
      shown`This removes their records and ${files} files, ${sizeText(bytes)} in total.`,
    ),
    shown`The oldest was submitted on ${dayText(oldest)}, the newest on ${dayText(newest)}.`,
    shown`Runs with favorites or unsaved outputs are kept, and so are unfinished batches.`,
    changedWords(plan),
  ]);
}

function changedWords({ changed }: PrunePlan): Shown | undefined {
  if (changed === 0) return undefined;
  return shown`Also kept, because their files have changed: ${runsText(changed)}.`;
}

/** Moves files to the trash. If that fails, asks once whether to delete them for good. */
function makeRemoveFile(): RemoveFile {
  let forGood: boolean | undefined;
  return async (file) => {
    try {
      await vscode.workspace.fs.delete(file, { useTrash: true });
      return true;
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return true;
    }
    forGood ??= await mayDelete();
    if (!forGood) return false;
    return removeFile(file.fsPath).then(
      () => true,
      () => false,
    );
  };
}

function mayDelete(): Promise<boolean> {
  return askToGoOn({
    message: shown`Some files can't be moved to the trash.`,
    detail: shown`Deleted files can't be restored.`,
    goOn: shown`Delete Permanently`,
  });
}

function showPruneResult({ runs, left }: Pruned): void {
  const words = shown`${runsText(runs)} pruned.`;
  if (left.length === 0) void showInformation(words);
  else {
    throw new UserProblem(
      shown`${words} Couldn't remove: ${shownList(left, 5)}`,
      shown`Make sure no other program is using the files, then try again.`,
    );
  }
}

/** Removes a file; false if it could not be removed. One that is gone is removed. */
type RemoveFile = (file: vscode.Uri) => Promise<boolean>;

interface Pruned {
  runs: number;
  /** Names of what could not be removed, or is in use now. */
  readonly left: string[];
}

/** Removes a run's files before its record, so that pruning can go on later. @throws the signal's reason */
async function pruneFiles(
  plan: PrunePlan['folders'][number],
  pruned: Pruned,
  remove: RemoveFile,
  signal: AbortSignal,
): Promise<void> {
  const protectedFiles = await fileNamesSince(plan);
  const removable = new Set(
    plan.pruning.files.map(({ name }) => name).filter((name) => !protectedFiles(name)),
  );
  const uses = new Map<string, number>();
  for (const { name } of plan.pruning.runs.flatMap(({ files }) => files))
    uses.set(name, countAt(uses, name) + 1);
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
    const claim = await lockRecord(plan.folder, name);
    // Another window runs it: none of this folder goes now.
    if (!claim) {
      pruned.left.push(name);
      return;
    }
    await claim.release();
  }
  // Without it, nobody can resume a batch whose records are being removed.
  if (!(await removeAll(plan.batchFiles))) return;
  for (const run of plan.pruning.runs) {
    signal.throwIfAborted();
    const own = run.files
      .map(({ name }) => name)
      .filter((name) => removable.has(name) && uses.get(name) === 1);
    const record = await RecordFile.open(plan.folder, run.record, withoutSecrets);
    if (record === undefined) continue;
    const isFree = record !== 'busy' && !isOwed(record.record);
    try {
      if (!isFree) pruned.left.push(run.record);
      if (isFree && (await removeAll(own)) && (await removeAll([run.record]))) pruned.runs++;
      else for (const { name } of run.files) removable.delete(name);
    } finally {
      if (record !== 'busy') await record.close();
    }
  }
  await removeAll([...removable].filter((name) => countAt(uses, name) > 1));
}

/** A run may have been sent while the question was open, with an input that was kept before. */
async function fileNamesSince({ folder, known }: PrunePlan['folders'][number]) {
  const texts: string[] = [];
  for (const name of await folder.list()) {
    if (!isRecordName(name) || known.has(name)) continue;
    const text = await folder.read(name, budgets.runRecord);
    if (text !== undefined) texts.push(sameOnEveryDisk(text));
  }
  return (name: string) => texts.some((text) => textMentionsFile(text, sameOnEveryDisk(name)));
}

type PrunePlan = Awaited<ReturnType<typeof planPruning>>;

type ReadFolder = Awaited<ReturnType<typeof readPrunableFolder>>;

/** Reads the runs of some folders and selects what goes; the limit is for all folders together. */
async function planPruning(
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
