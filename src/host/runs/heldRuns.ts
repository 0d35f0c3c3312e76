import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { OwnedRun, RunEvent, RunPointers, RunPorts } from '../../core/runLife/ownedRun';
import type { RunStore } from '../../core/runLife/runStore';
import { pointerId, type PointerStore } from '../ledger/pointerStore';
import type { RunPointer } from '../ledger/runPointer';
import { largestKeptInput, workspaceSourcePath } from '../outputs/outputPlace';
import { savesTemporary } from '../outputs/savingShown';
import type { Log } from '../platform/log';
import { withoutSecrets } from '../platform/shownSecrets';
import { tellNotRecorded } from './notRecordedWords';
import { putRun } from './runFolders';

export type PartialPointer = Pick<RunPointer, 'server' | 'serverName' | 'isSandbox' | 'folder'> &
  Partial<RunPointer>;

/** The runs whose records this window has locked, from before their prompts are sent. */
export class HeldRuns {
  readonly #runs = new Map<string, OwnedRun>();
  readonly #told = new Set<string>();
  #isClosed = false;

  constructor(
    private readonly pointers: PointerStore,
    private readonly log: Pick<Log, 'error'>,
    private readonly runs: RunStore,
  ) {}

  async ports(place: PartialPointer, on?: (event: RunEvent) => void): Promise<RunPorts> {
    const { NodeFolder } = await import('../../core/outputs/nodeFolder');
    const { folder, sourceUri, promptHash, serverName, isSandbox } = place;
    return {
      folder: new NodeFolder(folder),
      hide: withoutSecrets,
      largestCopy: largestKeptInput(sourceUri),
      source: { uri: workspaceSourcePath(sourceUri, vscode.Uri.file(folder)) },
      isSandbox,
      // A job that the server has is followed until it ends, or the window closes.
      giveUpAfter: Number.POSITIVE_INFINITY,
      temporaryToo: savesTemporary(sourceUri === undefined ? undefined : vscode.Uri.parse(sourceUri)),
      origin: { sourceUri, promptHash, serverName },
      recorded: this.recorded(folder),
      pointers: {
        put: async (run) => {
          const pointer = runPointer(run, place);
          this.#runs.set(pointerId(pointer), run);
          await this.pointers.put(pointer);
        },
        remove: async (run) => {
          const pointer = runPointer(run, place);
          this.#runs.delete(pointerId(pointer));
          // Its batch says it of a row.
          const isUnknown = run.record.state === 'outputsUnknown' && place.batch === undefined;
          await (isUnknown
            ? this.pointers.put({ ...pointer, outputsUnknown: true })
            : this.pointers.settle({ ...pointer, askedAt: undefined }));
        },
      },
      on: (event) => {
        on?.(event);
        if (event.kind === 'notRecorded') this.#notRecorded(event.name, event.error);
      },
    };
  }

  /** What is kept of the rows of a batch, for the next window. */
  rowPointers(place: PartialPointer): RunPointers | undefined {
    // A sandbox ends with its window.
    if (place.isSandbox) return undefined;
    const pointerOf = (run: OwnedRun): RunPointer =>
      runPointer(run, { ...place, batch: run.record.batch?.id });
    return {
      // The record says which job it is.
      put: async (run) => {
        if (run.jobId === undefined) await this.pointers.put(pointerOf(run));
      },
      remove: (run) => this.pointers.settle(pointerOf(run)),
    };
  }

  /** What happens to the records of a folder is known before the disk tells it. */
  recorded(folder: string): RunPorts['recorded'] {
    return (name, record) => {
      const place = { folder, record: name };
      if (record) void putRun(this.runs, place, record);
      else this.runs.remove(place);
    };
  }

  has(pointer: RunPointer): boolean {
    return this.#runs.has(pointerId(pointer));
  }

  /** The run of a pointer. Its record is written again if it is gone. */
  async own(pointer: RunPointer): Promise<OwnedRun | 'locked'> {
    const held = this.#runs.get(pointerId(pointer));
    if (held) return held;
    const { OwnedRun: Runs } = await import('../../core/runLife/ownedRun');
    // Too little is known of a job that was submitted elsewhere without its server. A row without a record waits again.
    const lost = pointer.promptId === undefined || pointer.batch !== undefined ? undefined : pointer;
    const run = await Runs.open(pointer.record, await this.ports(pointer), lost);
    if (!run && pointer.batch !== undefined) await this.pointers.settle(pointer);
    return this.#hold(run, pointer);
  }

  /** The run of a job that has ended: by the pointer, by a record of its folder, or else with a new one. */
  async ask(place: PartialPointer, job: Job, promptText: string | undefined): Promise<OwnedRun | 'locked'> {
    const held = this.#runs.get(pointerId({ promptId: place.promptId, jobId: job.id }));
    if (held) return held;
    const { OwnedRun: Runs } = await import('../../core/runLife/ownedRun');
    const ports = await this.ports(place);
    const found = place.record === undefined ? undefined : await Runs.open(place.record, ports);
    return this.#hold(found ?? (await Runs.ask(job, ports, promptText)), place);
  }

  async release(pointer: RunPointer): Promise<void> {
    const id = pointerId(pointer);
    const run = this.#runs.get(id);
    this.#runs.delete(id);
    await run?.close();
  }

  /** Releases the runs, so that other windows may resume them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    await Promise.allSettled(runs.map((run) => this.#close(run)));
  }

  /** The window is closing, so only the log can tell what was not recorded. */
  async #close({ file }: OwnedRun): Promise<void> {
    const error = await file.close();
    if (error) this.log.error('Writing a run record', error);
  }

  /** Each step of a run may fail to be recorded, but the person is told once. */
  #notRecorded(name: string, error: unknown): void {
    this.log.error('Writing a run record', error);
    if (!this.#told.has(name)) tellNotRecorded(name, error);
    this.#told.add(name);
  }

  async #hold(run: OwnedRun | 'locked' | undefined, place: PartialPointer): Promise<OwnedRun | 'locked'> {
    if (run === undefined || run === 'locked') return 'locked';
    if (this.#isClosed) {
      await this.#close(run);
      return 'locked';
    }
    const pointer = runPointer(run, place);
    this.#runs.set(pointerId(pointer), run);
    if (run.name !== place.record) await this.pointers.put(pointer);
    return run;
  }
}

/** The pointer to a run, by its record as it is now. */
export function runPointer(run: OwnedRun, place: PartialPointer): RunPointer {
  const { promptId, sentAt } = run.record;
  const { label, sourceHash } = run.origin;
  return {
    ...{ promptId, label, sourceHash },
    sentAt: sentAt === undefined ? Date.now() : Date.parse(sentAt),
    ...place,
    jobId: run.jobId ?? place.jobId,
    record: run.name,
  };
}
