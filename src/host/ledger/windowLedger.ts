import * as vscode from 'vscode';
import { coalesceCalls } from '../../core/jobs/coalesce';
import { isTerminal, type Job } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import { isRecordName } from '../../core/outputs/outputNames';
import type { SavedOutput } from '../../core/outputs/expectedFile';
import type { RunRecord } from '../../core/records/runRecord';
import type { EntryFile, RecordPlace } from '../../core/runLife/runEntry';
import type { RunLedger, SeenRecord } from '../../core/runLife/runLedger';
import type { SentTexts } from '../../core/runLife/sentTexts';
import { budgets } from '../../core/safety/budgets';
import { sourceOfRecord, type OutputPlaces } from '../outputs/outputPlace';
import type { SavedOutputs } from '../outputs/savedOutputs';
import type { Log } from '../platform/log';
import type { WriterFiles } from '../platform/storage';
import type { StorageTrouble } from '../platform/storageTrouble';
import { uriName } from '../platform/workflowSource';
import { sandboxServerName } from '../servers/knownServers';
import { pointerId, type PointerStore } from './pointerStore';

export interface SentRun extends SentTexts, Pick<RunRecord, 'targets' | 'inputs'> {
  readonly folder: string;
}

export interface RecordedRun {
  readonly record: RunRecord;
  readonly folder: string;
  readonly isOurs: boolean;
}

export interface WindowLedgerParts {
  /** The output folders that the settings may not name, and the jobs that a person removed from the list. */
  readonly list: Pick<WriterFiles, 'read' | 'write'>;
  readonly trouble: Pick<StorageTrouble, 'guard'>;
  readonly store: JobStore;
  readonly saved: SavedOutputs;
  readonly places: OutputPlaces;
  readonly pointers: Pick<PointerStore, 'ofJob' | 'owedOf'>;
  readonly log: Pick<Log, 'error'>;
}

const writeEvery = 2_000;
/** A run writes its record several times, so changes on disk are read at most this often (ms). */
const refreshEvery = 1_000;
/** The records of the first screen are shown before others are read, page by page. */
const [firstPage, pageSize] = [50, 500];
/** Characters of a job, more than servers send for the largest ones. */
const longestJob = 8_000_000;
const listed = { records: budgets.keptJobs, outputs: budgets.galleryOutputs };

/** The runs of the workspace, by their records. A record never makes us ask a server: repositories have records. */
export class WindowLedger implements vscode.Disposable {
  readonly #write: ReturnType<typeof coalesceCalls>;
  readonly #refresh: ReturnType<typeof coalesceCalls>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable[];
  #listed: Promise<void> | undefined;
  #written = '';
  #loaded: Promise<void> | undefined;
  #isClosed = false;
  #isReading = true;
  #isWide = false;
  #reader: RunLedger | undefined;
  #folders: readonly vscode.Uri[] = [];
  #read: Job[] = [];
  /** Records that may have changed, as `folder/record`. */
  #touched = new Set<string>();
  #work: Promise<void> = Promise.resolve();

  constructor(private readonly parts: WindowLedgerParts) {
    this.#write = coalesceCalls(() => void this.flush(), writeEvery);
    this.#refresh = coalesceCalls(() => this.#then(() => this.#readChanges()), refreshEvery);
    this.#subscriptions = [
      new vscode.Disposable(parts.store.onDidChange(() => this.#write())),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.noteChange()),
    ];
  }

  /** The output folders whose records are read: none in an untrusted workspace. */
  get folders(): readonly vscode.Uri[] {
    return this.#folders;
  }

  get files(): readonly EntryFile[] {
    return this.#reader?.files ?? [];
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  get isCut(): boolean {
    return this.#reader?.isCut ?? false;
  }

  get unread(): number {
    return this.#reader?.unread ?? 0;
  }

  uriOf({ folder }: RecordPlace, name: string): vscode.Uri | undefined {
    const root = this.#folders[folder];
    return root && vscode.Uri.joinPath(root, name);
  }

  recordOf({ id, server }: Pick<Job, 'id' | 'server'>): vscode.Uri | undefined {
    const entry = this.#reader?.ofJob(id, server);
    return entry && this.uriOf(entry, entry.record);
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
      this.#reader?.widen();
      await this.#readAll();
    });
  }

  noteChange(): void {
    if (this.#loaded) this.#refresh();
  }

  /** The texts that were sent as this job; undefined if its record is gone. */
  async sent(job: Pick<Job, 'id' | 'server'>): Promise<SentRun | undefined> {
    const run = await this.runOf(job);
    if (run?.record.promptText === undefined) return undefined;
    const { promptText, workflowText, targets, inputs } = run.record;
    return { promptText, workflowText, targets, inputs, folder: run.folder };
  }

  /** The record of a job as it is now: by the pointer of this user, or else one that was read. */
  async runOf({ id, server }: Pick<Job, 'id' | 'server'>): Promise<RecordedRun | undefined> {
    const known = await this.parts.pointers.ofJob(id);
    // IDs of different servers are unrelated.
    const pointer = known?.server === server ? known : undefined;
    const uri = pointer ? undefined : this.recordOf({ id, server });
    const [{ NodeFolder }, { recordNamed }] = await Promise.all([
      import('../../core/outputs/nodeFolder'),
      import('../../core/records/recordFile'),
    ]);
    const folder = pointer?.folder ?? (uri && vscode.Uri.joinPath(uri, '..').fsPath);
    const name = pointer?.record ?? uri?.path.split('/').at(-1);
    if (folder === undefined || name === undefined) return undefined;
    const found = await recordNamed(new NodeFolder(folder), name).catch(() => undefined);
    if (!found || (found.record.job ?? found.record.promptId) !== id) return undefined;
    const { record } = found;
    // The pointer to a row of a batch is by its prompt.
    const ours = pointer ?? this.parts.pointers.owedOf(pointerId({ promptId: record.promptId }));
    return { record, folder, isOurs: ours?.server === server };
  }

  /** Writes what is known, after reading what earlier windows stored, so that none of it is lost. */
  async flush(): Promise<void> {
    await this.#readList();
    const { list, store, places, trouble } = this.parts;
    const text = JSON.stringify({
      format: 1,
      folders: places.remembered().slice(-budgets.keptJobs),
      removed: store.removed().slice(-budgets.keptJobs),
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
    this.#changed.dispose();
    for (const each of this.#subscriptions) each.dispose();
  }

  async #load(): Promise<void> {
    await this.#readList();
    const first = new Promise<void>((resolve) => this.#then(() => this.#readAll(resolve)));
    await Promise.race([first, this.#work]);
  }

  #readList(): Promise<void> {
    const { list, store, places, log } = this.parts;
    this.#listed ??= list.read().then(
      (texts) => {
        // The limits drop the oldest, so what was stored last comes last.
        const stored = texts.map(membersOf).toReversed();
        for (const folder of stored.flatMap(({ folders }) => textsIn(folders))) places.remember(folder);
        for (const id of stored.flatMap(({ removed }) => textsIn(removed))) store.remove(id);
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
    const reader = await this.#withFolders();
    const pages = reader?.read(firstPage, pageSize);
    while ((await pages?.next())?.done === false && !this.#isClosed) {
      this.#tell();
      onPage?.();
    }
    this.#isReading = false;
    this.#tell();
  }

  async #readChanges(): Promise<void> {
    const touched = this.#touched;
    this.#touched = new Set();
    await (await this.#withFolders())?.refresh(({ folder, record }) => touched.has(`${folder}/${record}`));
    this.#tell();
  }

  async #withFolders(): Promise<RunLedger | undefined> {
    if (!vscode.workspace.isTrusted) return undefined;
    const [{ RunLedger: Ledger }, { NodeFolder }, { jobOfRecord, savedRecordOutputs }] = await Promise.all([
      import('../../core/runLife/runLedger'),
      import('../../core/outputs/nodeFolder'),
      import('../../core/records/jobOfRecord'),
    ]);
    const seen: SeenRecord = (place, record, isThere) => {
      const folder = this.#folders[place.folder];
      if (!folder || record.job === undefined) return;
      // If several records name a job, such as an exported one, the newest counts.
      const newest = reader.ofJob(record.job, record.server);
      if (newest && (newest.record !== place.record || newest.folder !== place.folder)) return;
      const files = savedRecordOutputs(record, new NodeFolder(folder.fsPath)).filter(({ name }) =>
        isThere(name),
      );
      this.#take(vscode.Uri.joinPath(folder, place.record), record, jobOfRecord(record), files);
    };
    const reader = (this.#reader ??= new Ledger([], listed, seen, (error) =>
      this.parts.log.error('A run that is not listed', error),
    ));
    const known = new Set(this.#folders.map(({ fsPath }) => fsPath));
    for (const folder of this.parts.places.all()) {
      if (known.has(folder.fsPath)) continue;
      reader.add(new NodeFolder(folder.fsPath));
      this.#subscriptions.push(this.#watch(folder, this.#folders.length));
      this.#folders = [...this.#folders, folder];
    }
    return reader;
  }

  #take(uri: vscode.Uri, record: RunRecord, job: Job | undefined, files: readonly SavedOutput[]): void {
    const { saved } = this.parts;
    // Anyone may have written it, and all rows are kept in memory.
    if (!job || JSON.stringify(job).length > longestJob) return;
    // While a run is being saved, this window may be ahead of the file.
    if (!saved.isSaving(job.id)) saved.put(job.id, files);
    if (!isTerminal(job.state)) return;
    const sourceUri = record.sourceUri === undefined ? undefined : sourceOfRecord(uri, record).toString();
    const serverName = record.serverKind === 'sandbox' ? sandboxServerName : undefined;
    // A record that was made to save someone else's outputs says nothing about who sent the job.
    const origin = record.sentAt === undefined ? undefined : job.origin;
    this.#read.push({ ...job, origin: origin && { ...origin, sourceUri, serverName } });
  }

  #tell(): void {
    const read = this.#read;
    this.#read = [];
    this.parts.store.restore(read);
    if (!this.#isClosed) this.#changed.fire();
  }

  #watch(folder: vscode.Uri, index: number): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
    const note = (file: vscode.Uri): void => {
      const name = uriName(file);
      // A lock changes every second.
      if (name.startsWith('.comfy-deck-')) return;
      if (isRecordName(name)) this.#touched.add(`${index}/${name}`);
      this.#refresh();
    };
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(note),
      watcher.onDidChange(note),
      watcher.onDidDelete(note),
    );
  }
}

interface StoredList {
  readonly folders?: unknown;
  readonly removed?: unknown;
}

function membersOf(text: string): StoredList {
  try {
    return (JSON.parse(text) as StoredList | null) ?? {};
  } catch {
    return {};
  }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
