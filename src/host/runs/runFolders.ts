import * as vscode from 'vscode';
import { coalesceCalls } from '../../core/jobs/coalesce';
import { isTerminal, type Job, type JobOrigin } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { RunRecord } from '../../core/records/runRecord';
import type { Run, RunPlace } from '../../core/runLife/run';
import type { RunIndex } from '../../core/runLife/runIndex';
import type { RunStore } from '../../core/runLife/runStore';
import { budgets } from '../../core/safety/budgets';
import { pointerId, type RunPointers } from '../../core/runLife/runPointers';
import { sourceOfRecord, type OutputPlaces } from '../outputs/outputPlace';
import type { Log } from '../platform/log';
import type { Platform } from '../platform/platform';
import { WriterFiles } from '../platform/storage';
import type { StorageTrouble } from '../platform/storageTrouble';
import { uriName } from '../platform/workflowSource';
import { watchFolder } from '../platform/openFile';
import { sandboxServerName } from '../servers/knownServers';

interface RunFolderParts {
  /** The output folders that the settings may not name, and the jobs that a person removed from the list. */
  readonly list: Pick<WriterFiles, 'read' | 'write'>;
  readonly trouble: Pick<StorageTrouble, 'guard'>;
  readonly tracked: JobStore;
  readonly runs: RunStore;
  readonly places: OutputPlaces;
  readonly pointers: Pick<RunPointers, 'ofJob' | 'owedOf' | 'owed' | 'leftOf' | 'read' | 'onDidChange'>;
  readonly log: Pick<Log, 'error'>;
  /** Between the searches for an unknown job, ms: its sender may say later what it sent. */
  readonly searchEvery?: number;
}

const writeEvery = 2_000;
/** A run writes its record several times, so changes on disk are read at most this often (ms). */
const refreshEvery = 1_000;
/** Times that a job is searched for. */
const mostSearches = 3;
/** The records of the first screen are shown before others are read, page by page. */
const [firstPage, pageSize] = [50, 500];

/** The output folders of a window, whose records are read into its store: none in an untrusted workspace. */
export class RunFolders implements vscode.Disposable {
  readonly #write: ReturnType<typeof coalesceCalls>;
  readonly #refresh: ReturnType<typeof coalesceCalls>;
  readonly #changed = new vscode.EventEmitter<void>();
  /** More records were read. */
  readonly onDidChange = this.#changed.event;
  readonly #touch = new vscode.EventEmitter<vscode.Uri>();
  /** A file in one of the folders was made, changed or deleted; locks change every second. */
  readonly onDidTouch = this.#touch.event;
  readonly #subscriptions: vscode.Disposable[];
  #listed: Promise<void> | undefined;
  #written = '';
  #loaded: Promise<void> | undefined;
  #isClosed = false;
  #isReading = true;
  #isWide = false;
  #index: RunIndex | undefined;
  #folders: readonly vscode.Uri[] = [];
  /** Names of files that changed, by their folder. */
  #touched = new Map<string, Set<string>>();
  #hasChanged = false;
  #work: Promise<void> = Promise.resolve();
  /** How often each unknown job is still searched for. */
  readonly #unknown = new Map<string, number>();
  readonly #search: ReturnType<typeof coalesceCalls>;

  constructor(private readonly parts: RunFolderParts) {
    const { runs, pointers, searchEvery = 5_000 } = parts;
    this.#write = coalesceCalls(() => void this.flush(), writeEvery);
    this.#refresh = coalesceCalls(() => this.#then(() => this.#readChanges()), refreshEvery);
    this.#search = coalesceCalls(() => this.#then(() => this.#findUnknown()), searchEvery);
    this.#subscriptions = [
      new vscode.Disposable(
        runs.onDidChange(({ added }) => {
          this.#write();
          this.#noteUnknown(added);
        }),
      ),
      new vscode.Disposable(runs.follow(pointers)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.noteChange()),
    ];
  }

  get folders(): readonly vscode.Uri[] {
    return this.#folders;
  }

  /** Those of the folders, newest first. */
  get runs(): readonly Run[] {
    const folders = new Set(this.#folders.map(({ fsPath }) => fsPath));
    return this.parts.runs.runs.filter(({ place }) => folders.has(place.folder));
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  get isCut(): boolean {
    return this.#index?.isCut === true;
  }

  get unread(): number {
    return this.#index ? this.#index.unread : 0;
  }

  /** Resolves when the newest runs are listed. */
  load(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  /** Resolves when all runs of the list are. */
  async whenListed(): Promise<void> {
    await this.load();
    await this.#work;
  }

  async loadAll(): Promise<void> {
    await this.load();
    if (this.#isWide || !vscode.workspace.isTrusted) return;
    this.#isWide = true;
    this.#isReading = true;
    this.#then(async () => {
      this.#index?.widen();
      await this.#readAll();
    });
  }

  noteChange(): void {
    this.#hasChanged = true;
    if (this.#loaded) this.#refresh();
  }

  /** The texts that were sent as this job; undefined if its record is gone. */
  async sent(
    job: Pick<Job, 'id' | 'server'>,
  ): Promise<(RunRecord & { readonly promptText: string; readonly folder: string }) | undefined> {
    const run = await this.runOf(job);
    if (run?.record.promptText === undefined) return undefined;
    const { promptText } = run.record;
    return { ...run.record, promptText, folder: run.place.folder };
  }

  /** The record of a job as it is now: by the pointer of this user, or else one that was read. */
  async runOf({ id, server }: Pick<Job, 'id' | 'server'>) {
    const known = await this.parts.pointers.ofJob(id);
    // IDs of different servers are unrelated.
    const pointer = known?.server === server ? known : undefined;
    const place = pointer ?? this.parts.runs.ofJob({ id, server })?.place;
    if (!place) return undefined;
    const [{ NodeFolder }, { recordNamed }] = await Promise.all([
      import('../../core/outputs/nodeFolder'),
      import('../../core/records/recordFile'),
    ]);
    const found = await recordNamed(new NodeFolder(place.folder), place.record).catch(() => undefined);
    if (!found || (found.record.job ?? found.record.promptId) !== id) return undefined;
    const { record } = found;
    // The pointer to a row of a batch is by its prompt.
    const ours = pointer ?? this.parts.pointers.owedOf(pointerId({ promptId: record.promptId }));
    const { folder, record: name } = place;
    return { record, place: { folder, record: name }, isOurs: ours?.server === server };
  }

  /** Writes what is known, after reading what earlier windows stored, so that none of it is lost. */
  async flush(): Promise<void> {
    await this.#readList();
    const { list, tracked, places, trouble } = this.parts;
    const text = JSON.stringify({
      format: 1,
      folders: places.remembered().slice(-budgets.keptJobs),
      removed: tracked.removed().slice(-budgets.keptJobs),
    });
    if (text === this.#written) return;
    this.#written = text;
    await trouble.guard(list.write(text));
  }

  /** A window that never used its jobs has nothing to write. */
  async close(): Promise<void> {
    if (this.#listed) await this.flush();
  }

  dispose(): void {
    this.#isClosed = true;
    this.#write.cancel();
    this.#refresh.cancel();
    this.#search.cancel();
    this.#changed.dispose();
    this.#touch.dispose();
    for (const each of this.#subscriptions) each.dispose();
  }

  async #load(): Promise<void> {
    await this.#readList();
    const first = new Promise<void>((resolve) => this.#then(() => this.#readAll(resolve)));
    await Promise.race([first, this.#work]);
  }

  #readList(): Promise<void> {
    const { list, tracked, places, log } = this.parts;
    this.#listed ??= list.read().then(
      (texts) => {
        // The limits drop the oldest, so what was stored last comes last.
        for (const text of texts.toReversed()) {
          for (const folder of storedTexts(text, 'folders')) places.remember(folder);
          for (const id of storedTexts(text, 'removed')) tracked.remove(id);
        }
      },
      (error: unknown) => log.error('Reading the stored runs', error),
    );
    return this.#listed;
  }

  #then(step: () => Promise<void>): void {
    this.#work = this.#work
      .then(() => (this.#isClosed ? undefined : step()))
      .catch((error: unknown) => this.parts.log.error('Reading run records', error));
  }

  async #readAll(onPage?: () => void): Promise<void> {
    const index = await this.#indexOfFolders();
    const pages = index?.read(firstPage, pageSize);
    while ((await pages?.next())?.done === false && !this.#isClosed) {
      this.#changed.fire();
      onPage?.();
    }
    this.#isReading = false;
    if (!this.#isClosed) this.#changed.fire();
  }

  async #readChanges(): Promise<void> {
    const count = this.#folders.length;
    const index = await this.#indexOfFolders();
    const isAny = this.#hasChanged || this.#folders.length > count;
    const touched = this.#touched;
    this.#hasChanged = false;
    this.#touched = new Map();
    for (const [folder, names] of touched) await index?.touched(folder, names);
    if (isAny) return this.#readAll();
    if (!this.#isClosed) this.#changed.fire();
  }

  async #indexOfFolders(): Promise<RunIndex | undefined> {
    if (!vscode.workspace.isTrusted) return undefined;
    const { runs, places, log } = this.parts;
    const [{ RunIndex: Index }, { NodeFolder }] = await Promise.all([
      import('../../core/runLife/runIndex'),
      import('../../core/outputs/nodeFolder'),
    ]);
    const skipped = (error: Error): void => log.error('A run that is not listed', error);
    const index = (this.#index ??= new Index(runs, recordedOrigin, skipped));
    const known = new Set(index.folders);
    for (const folder of places.all()) {
      if (known.has(folder.fsPath)) continue;
      index.add(folder.fsPath, new NodeFolder(folder.fsPath));
      this.#subscriptions.push(this.#watch(folder));
      this.#folders = [...this.#folders, folder];
    }
    return index;
  }

  #watch(folder: vscode.Uri): vscode.Disposable {
    return watchFolder(folder, (file) => {
      const name = uriName(file);
      this.#touch.fire(file);
      if (name.startsWith('.comfy-deck-')) return;
      const names = this.#touched.get(folder.fsPath) ?? new Set();
      this.#touched.set(folder.fsPath, names.add(name));
      this.#refresh();
    });
  }

  #noteUnknown(added: readonly string[]): void {
    const { tracked, runs } = this.parts;
    const before = this.#unknown.size;
    for (const id of added) {
      const job = tracked.get(id);
      // Everything about a job that has ended was written long ago.
      if (job && !job.origin && !runs.ofJob(job))
        this.#unknown.set(id, isTerminal(job.state) ? 1 : mostSearches);
    }
    if (this.#unknown.size === before) return;
    this.noteChange();
    this.#search();
  }

  /** Jobs that another window sent, from another workspace. Other windows write what they owe before they send it. */
  async #findUnknown(): Promise<void> {
    const { pointers, tracked, runs } = this.parts;
    await pointers.read();
    for (const [id, left] of [...this.#unknown]) {
      const job = tracked.get(id);
      const isUnknown = job && !runs.ofJob(job);
      const found = isUnknown ? await this.runOf(job) : undefined;
      if (found) await putRun(runs, found.place, found.record, found.isOurs);
      if (isUnknown && !found && left > 1) this.#unknown.set(id, left - 1);
      else this.#unknown.delete(id);
    }
    if (this.#unknown.size > 0) this.#search();
  }
}

/** The file of a run with this name. */
export function uriInRun({ place }: Pick<Run, 'place'>, name: string): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.file(place.folder), name);
}

/** @param record of a run that this window has locked, or that a pointer names */
export async function putRun(
  runs: RunStore,
  place: RunPlace,
  record: RunRecord,
  isElsewhere?: boolean,
): Promise<void> {
  const { tellRun } = await import('../../core/runLife/runIndex');
  const told = tellRun({ place, runs, originOf: recordedOrigin }, record);
  runs.put(place, told, isElsewhere);
}

/** What is too old is removed from the storage when this is first read. */
export function storedList({ storage, workspaceName }: Platform): RunFolderParts['list'] {
  const list = new WriterFiles(storage, `list-${workspaceName}.json`);
  return {
    write: (text) => list.write(text),
    read: () => {
      // If this fails, what was stored is still used.
      void import('../platform/pruneStorage')
        .then(({ pruneStorage }) => pruneStorage(storage, Date.now()))
        .catch(() => undefined);
      return list.read();
    },
  };
}

function recordedOrigin(place: RunPlace, record: RunRecord): Partial<JobOrigin> {
  const uri = uriInRun({ place }, place.record);
  const serverName = record.serverKind === 'sandbox' ? sandboxServerName : undefined;
  if (record.sourceUri === undefined) return { serverName };
  return { sourceUri: sourceOfRecord(uri, record).toString(), serverName };
}

function storedTexts(text: string, member: 'folders' | 'removed'): readonly string[] {
  try {
    const value = (JSON.parse(text) as Partial<Record<string, unknown>> | null)?.[member];
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
