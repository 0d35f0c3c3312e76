import type { SaveProgress } from './saveOutputs';
import type { RunStage } from './runStage';
import type { HideSecrets } from '../records/recordSecrets';
import type { SavedOutput } from '../outputs/expectedFile';
import type { OutputFolder } from '../outputs/outputFolder';
import type { TrackerState } from '../jobs/serverWatch';
import type { CancelResult } from '../jobs/cancelJobs';
import type { Job, JobOrigin, LeftOut } from '../jobs/job';
import type { OutputFile } from '../protocol/outputFile';
import { outputPrefix, runPrefix } from '../outputs/outputNames';
import { keepInputs } from '../records/keepInputs';
import { FolderNotUsableError } from '../outputs/checkFolder';
import { OutputError } from '../outputs/outputError';
import { RecordFile } from '../records/recordFile';
import {
  foreignRecord,
  lostRecord,
  recordJobOrigin,
  sendingRecord,
  type SendingFacts,
  submittedRecord,
} from '../records/recordSteps';
import { isOwed, type LostWhy, type RunRecord } from '../records/runRecord';
import type { RunSession } from './runSession';
import type { RunToSend } from './runToSend';

/** The differences between the ways to start a run: window, command line, batch, and test. */
export interface RunPorts {
  readonly folder: OutputFolder;
  readonly hide: HideSecrets;
  /** Larger input files are not copied next to the record, bytes. */
  readonly largestCopy: number;
  readonly source?: { readonly uri?: string | undefined; readonly hash?: string | undefined } | undefined;
  /** Ends the names of the files; a batch adds the number of its row. */
  readonly suffix?: string | undefined;
  readonly isSandbox: boolean;
  /** The server ends with this run's owner: nothing can be fetched from it later. */
  readonly endsWithOwner?: boolean | undefined;
  /** How long the server may be unreachable while a job is followed, ms awake. */
  readonly giveUpAfter: number;
  /** What is owed after an attempt stays locked for the next one of this program. */
  readonly keepsLock?: boolean | undefined;
  readonly temporaryToo?: boolean | undefined;
  /** Facts that the record of a resumed run lacks. */
  readonly origin?: Partial<JobOrigin> | undefined;
  readonly pointers?: PointerPort | undefined;
  /** The output of a job that someone looks at is fetched first. */
  readonly shown?: ((jobId: string) => OutputFile | undefined) | undefined;
  /** Awaited before each POST; rejects when another has taken over what the run belongs to. */
  readonly requireOwn?: (() => Promise<void>) | undefined;
  /** Called with the record of the run at each change; undefined: it was removed. */
  readonly recorded?: ((name: string, record: RunRecord | undefined) => void) | undefined;
  /** The job has ended. Awaited before anything of it is saved; must not fail. */
  readonly ended?: ((job: Job) => Promise<void>) | undefined;
  on?(event: RunEvent): void;
}

/** They are in the owner's own storage, and never fail a run. */
export interface PointerPort {
  /** Before the prompt is sent, and when the server is known to have accepted it. */
  put(run: PointedRun): Promise<void>;
  /** The prompt was certainly not accepted, or the run is over and its record says so on disk. */
  remove(run: PointedRun): Promise<void>;
}

type PointedRun = Pick<OwnedRun, 'name' | 'record' | 'origin' | 'jobId'>;

export type RunEvent =
  | { readonly kind: 'stage'; readonly stage: RunStage }
  | { readonly kind: 'accepted'; readonly jobId: string }
  /** Followed again; `job` is what the server says of it now, or the record of its end; undefined without both. */
  | { readonly kind: 'resumed'; readonly jobId: string; readonly job: Job | undefined }
  /** May be reported twice. */
  | { readonly kind: 'running'; readonly jobId: string }
  | { readonly kind: 'server'; readonly state: TrackerState }
  | { readonly kind: 'cancel'; readonly jobId: string; readonly result: CancelResult }
  | { readonly kind: 'notCancelled'; readonly jobId: string; readonly error: unknown }
  | { readonly kind: 'ended'; readonly job: Job }
  | { readonly kind: 'saving'; readonly progress: SaveProgress }
  /** These outputs are on disk; `isPart`: not all of them. */
  | {
      readonly kind: 'saved';
      readonly job: Job;
      readonly files: readonly SavedOutput[];
      readonly isPart: boolean;
    }
  /** The record could not be written, for as long as the run was here; or another has it now. */
  | { readonly kind: 'notRecorded'; readonly name: string; readonly error: unknown };

/** What is known of a run whose record may be gone. */
type KnownRun = Pick<SendingFacts, 'server' | 'label' | 'promptId' | 'sourceHash' | 'sentAt'> & {
  readonly jobId?: string | undefined;
};

export type OwningSession = Pick<RunSession, 'origin' | 'now'> & {
  capabilities(): Promise<
    Pick<Awaited<ReturnType<RunSession['capabilities']>>, 'dialect' | 'version' | 'history'>
  >;
};

/** Apart from `begin` and `open` nothing here fails: a job continues whatever the disk does. */
export class OwnedRun {
  private constructor(
    readonly file: RecordFile,
    readonly origin: JobOrigin,
    private readonly owner: Pick<RunPorts, 'on' | 'pointers' | 'endsWithOwner' | 'requireOwn' | 'recorded'>,
  ) {
    file.onChange = (record) => owner.recorded?.(file.name, record);
    file.onChange(file.record);
  }

  /** @throws FolderNotUsableError: then nothing may be sent */
  static async begin(run: RunToSend, session: OwningSession, ports: RunPorts): Promise<OwnedRun> {
    const { folder, hide, largestCopy, source, suffix = '', isSandbox } = ports;
    const { origin, promptId, promptText, workflowText, targets, warnings } = run;
    const { dialect, version, history } = await session.capabilities();
    const sentAt = session.now();
    const record = sendingRecord({
      server: session.origin,
      serverKind: isSandbox ? 'sandbox' : dialect,
      serverVersion: version,
      label: origin.label,
      sourceUri: source?.uri,
      sourceHash: source?.hash ?? origin.sourceHash,
      promptHash: origin.promptHash,
      promptId,
      promptText,
      workflowText,
      targets,
      outputNodes: !history ? origin.outputNodes : undefined,
      batch: origin.batch,
      seeds: origin.seeds,
      inputs: await keepInputs(folder, run.inputs, largestCopy),
      warnings,
      sentAt,
    });
    const prefix = `${runPrefix(origin.label, sentAt)}${suffix}`;
    const file = await RecordFile.create(folder, prefix, record, hide).catch((error: unknown) => {
      throw OutputError.is(error) ? new FolderNotUsableError(error) : error;
    });
    return new OwnedRun(file, origin, ports);
  }

  /**
   * Undefined if there is no such record.
   * @param lost restores a record that is gone
   * @throws OutputError when the folder can't be read or written
   */
  static async open(
    name: string,
    ports: RunPorts,
    lost?: KnownRun,
  ): Promise<OwnedRun | 'locked' | undefined> {
    const { folder, hide, origin } = ports;
    const onWait = (): void => ports.on?.({ kind: 'stage', stage: { kind: 'watchingLock' } });
    let file = await RecordFile.open(folder, name, hide, onWait);
    // Another run may have its name since, such as one of another branch.
    if (lost && file instanceof RecordFile) {
      const { server, promptId } = file.record;
      if (server !== lost.server || promptId !== lost.promptId) {
        await file.close();
        file = undefined;
      }
    }
    // Too little is known of a job that was submitted elsewhere.
    if (!file && lost?.promptId !== undefined) {
      const { server, label, promptId, sourceHash, sentAt, jobId } = lost;
      const first = sendingRecord({ server, label, sourceHash, promptId, seeds: {}, sentAt });
      const record = jobId === undefined ? first : submittedRecord(first, jobId, sentAt);
      file = await RecordFile.create(folder, runPrefix(label, sentAt), record, hide);
    }
    if (!file || file === 'busy') return file && 'locked';
    return new OwnedRun(file, { ...recordJobOrigin(file.record), ...origin }, ports);
  }

  /** Leaves no trace if nothing of the job can be saved. */
  static async foreign(job: Job, ports: RunPorts, promptText?: string): Promise<OwnedRun> {
    const { folder, hide } = ports;
    const record = foreignRecord(job, promptText);
    const file = await RecordFile.create(folder, outputPrefix(job, Date.now()), record, hide);
    return new OwnedRun(file, recordJobOrigin(record), ports);
  }

  get record(): RunRecord {
    return this.file.record;
  }

  get name(): string {
    return this.file.name;
  }

  get location(): string {
    return this.file.location;
  }

  /** Undefined until the server is known to have accepted the prompt. */
  get jobId(): string | undefined {
    return this.record.job;
  }

  get isOwed(): boolean {
    return isOwed(this.record);
  }

  async accepted(jobId: string, leftOut?: LeftOut): Promise<void> {
    await this.change((record) => submittedRecord(record, jobId, Date.now(), leftOut));
    // Whoever hears of the job finds it on disk, even if this program is killed now.
    this.owner.on?.({ kind: 'accepted', jobId });
    await this.owner.pointers?.put(this);
  }

  /** Leaves no trace. */
  async notAccepted(): Promise<void> {
    await this.#quietly(() => this.file.remove());
    await this.owner.pointers?.remove(this);
    await this.#closeFile();
  }

  /** @throws OutputError when another has taken over: then nothing may be sent */
  async requireOwn(): Promise<void> {
    await this.file.requireOwn();
    await this.owner.requireOwn?.();
  }

  async giveUp(why: LostWhy): Promise<void> {
    await this.change((record) => lostRecord(record, why));
  }

  async change(step: (record: RunRecord) => RunRecord): Promise<void> {
    await this.#quietly(() => this.file.change(step));
  }

  async close(): Promise<void> {
    if (this.isOwed && this.owner.endsWithOwner) await this.giveUp('sandboxEnded');
    const { sentAt, files, texts, state } = this.record;
    const isEmpty = files.length === 0 && texts.length === 0;
    // It would describe no run, and nothing that was made.
    if (sentAt === undefined && isEmpty && state !== 'submitted')
      await this.#quietly(() => this.file.remove());
    const isWritten = await this.#closeFile();
    if (isWritten && !this.isOwed) await this.owner.pointers?.remove(this);
  }

  /** False if the record on disk may be an earlier one. */
  async #closeFile(): Promise<boolean> {
    const error = await this.file.close();
    if (error) this.owner.on?.({ kind: 'notRecorded', name: this.name, error });
    return error === undefined;
  }

  async #quietly(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.owner.on?.({ kind: 'notRecorded', name: this.name, error });
    }
  }
}
