import type { CancelResult } from '../../../src/core/jobs/cancelJobs';
import type { Job, JobOrigin, JobFile } from '../../../src/core/jobs/job';
import type { TrackerState } from '../../../src/core/jobs/serverWatch';
import type { ViewAnswer } from '../../../src/core/client/view';
import { RecordFile } from '../../../src/core/records/recordFile';
import type { RunSession } from '../../../src/core/runLife/runSession';
import { OwnedRun, type RunEvent } from '../../../src/core/runLife/ownedRun';
import { RunWork, type WorkPorts } from '../../../src/core/runLife/runWork';
import { origin, server, start, storedElsewhere } from '../jobs/observations';
import { MemoryFolder } from '../outputs/memoryFolder';

export const calm: TrackerState = { stream: { kind: 'closed' }, stopped: false };

/** A file that the third node saved. */
export function made(filename: string, more: Partial<JobFile> = {}): JobFile {
  return { nodeId: '3', area: 'output', subfolder: '', filename, media: 'image', ...more };
}

/** The job in some state, with what it made. */
export function jobThat(state: Job['state'], ...outputs: readonly JobFile[]): Job {
  return { ...storedElsewhere(state), origin, outputs };
}

/** The followed half of a server, of which a test says what it does. */
export class FakeTracker {
  /** What the server says of a job when asked, and what is known without asking. */
  job: Job | undefined;
  state = calm;
  cancels: () => Promise<CancelResult> = () => Promise.resolve('cancelled');
  readonly listeners = new Set<(state: TrackerState) => void>();
  readonly resumes: { readonly id: string; readonly origin: JobOrigin; readonly heard?: Job | undefined }[] =
    [];
  readonly cancelled: string[] = [];
  #end: (() => Promise<Job>) | undefined;
  readonly #waiting = new Set<() => void>();
  readonly #watchers = new Set<(job: Job) => void>();

  end(job: Job): void {
    this.job = job;
    this.#ends(() => Promise.resolve(job));
  }

  fail(error: Error): void {
    this.#ends(() => Promise.reject(error));
  }

  #ends(end: () => Promise<Job>): void {
    this.#end = end;
    for (const waiting of this.#waiting) waiting();
  }

  runs(): void {
    this.tell(jobThat('running'));
  }

  /** An event changes the job. */
  tell(job: Job): void {
    this.job = job;
    for (const watcher of this.#watchers) watcher(job);
  }

  change(state: TrackerState): void {
    this.state = state;
    for (const listener of this.listeners) listener(state);
  }

  known(): Job | undefined {
    return this.job;
  }

  details(): Promise<Job | undefined> {
    return Promise.resolve(this.job);
  }

  resumed(id: string, from: JobOrigin, heard?: Job): void {
    this.resumes.push({ id, origin: from, heard });
  }

  onDidChangeState(listener: (state: TrackerState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  onDidChangeJob(_id: string, watcher: (job: Job) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  async finished(_id: string, signal?: AbortSignal): Promise<Job> {
    signal?.throwIfAborted();
    if (this.#end) return this.#end();
    return new Promise((resolve, reject) => {
      this.#waiting.add(() => resolve(this.#end?.() ?? Promise.reject(new Error('It has not ended.'))));
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }

  cancel(id: string): Promise<CancelResult> {
    this.cancelled.push(id);
    return this.cancels();
  }
}

/** A run that is recorded in memory, and of which nobody is told. */
export function portsInMemory(more: Partial<WorkPorts> = {}): WorkPorts {
  return {
    runs: new RunWork(),
    folder: new MemoryFolder(),
    hide: (text) => text,
    largestCopy: 20_000_000,
    isSandbox: false,
    giveUpAfter: 120_000,
    ...more,
  };
}

/** What differs in one test. `quiet`: nobody listens. */
export interface RunWorld extends Partial<WorkPorts> {
  readonly promptText?: string;
  readonly quiet?: boolean;
  /** Its server tells what they make by events only. */
  readonly outputNodes?: readonly string[];
}

/** A run that this program owns and has not sent, its server, and all that its owner hears. */
export async function followedRun({ promptText = '{}', quiet = false, outputNodes, ...more }: RunWorld = {}) {
  const folder = new MemoryFolder();
  const events: RunEvent[] = [];
  const ports = portsInMemory({ folder, ...(!quiet && { on: (event) => events.push(event) }), ...more });
  const tracker = new FakeTracker();
  const pictures = { view: (file: JobFile): Promise<ViewAnswer> => Promise.resolve(pictureOf(file)) };
  const run = await OwnedRun.begin(
    {
      promptId: 'key',
      promptText,
      workflowText: undefined,
      targets: [],
      origin: { ...origin, outputNodes },
      inputs: [],
      warnings: [],
    },
    {
      origin: server,
      now: () => start,
      capabilities: () => Promise.resolve({ dialect: 'local', version: undefined, history: !outputNodes }),
    },
    ports,
  );
  const session = { tracker, client: pictures } as unknown as RunSession;
  const heard = (kind: RunEvent['kind']) => events.filter((event) => event.kind === kind);
  return { run, folder, ports, events, heard, tracker, pictures, session };
}

/** Nine bytes that tell of which file they are. */
export function pictureOf({ filename }: JobFile): ViewAnswer {
  return { body: new Blob([filename.padEnd(9)]).stream(), size: 9, resumable: false };
}

/** The run's record as it is on disk, and whether somebody still has it. */
export async function recordOnDisk(folder: MemoryFolder, name: string) {
  const file = await RecordFile.open(folder, name, (text) => text);
  if (file === undefined || file === 'busy') return file;
  await file.close();
  return file.record;
}
