import { createHash } from 'node:crypto';
import type { PointerPort } from './ownedRun';
import type { OwedPhase, RunPlace } from './run';

/** What this user's storage says of a run that is owed. Only such runs are resumed: a record proves nothing. */
export interface RunPointer extends RunPlace {
  /** The ID of the prompt that was sent; missing for a job that was submitted elsewhere. */
  readonly promptId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly server: string;
  readonly serverName: string;
  /** The server was a window's sandbox and ended with it. */
  readonly isSandbox: boolean;
  readonly label: string;
  /** Run on save compares these: a URI, and hashes of the text and of the prompt. */
  readonly sourceUri?: string | undefined;
  readonly sourceHash?: string | undefined;
  readonly promptHash?: string | undefined;
  readonly sentAt: number;
  /** When the user asked for the outputs of a job that had ended. */
  readonly askedAt?: number | undefined;
  /** The batch that it is a row of: its outputs are saved, and everything else is left to the batch. */
  readonly batch?: string | undefined;
  /** Nobody can say what the run made: it is listed until it is dismissed, and no server is asked. */
  readonly outputsUnknown?: true | undefined;
}

/** What is known of a run before it has a record. */
export type PointerStart = Pick<RunPointer, 'server' | 'serverName' | 'isSandbox' | 'folder'> &
  Partial<RunPointer>;

/** IDs come from servers and may contain anything: a hash is always a valid file name. */
const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 40);

/** A pointer is named by its prompt while something is owed, because that is known before the job. */
export function pointerId({ promptId, jobId }: Pick<RunPointer, 'promptId' | 'jobId'>): string {
  return promptId !== undefined && /^[\da-f-]{36}$/.test(promptId)
    ? promptId
    : hashOf(promptId ?? jobId ?? '');
}

export const pointerFiles = {
  owedPrefix: 'pointer-owed-',
  owed: (id: string) => `pointer-owed-${id}.json`,
  ofJob: (jobId: string) => `pointer-job-${hashOf(jobId)}.json`,
  text: (pointer: RunPointer) => JSON.stringify({ format: 1, ...pointer }),
} as const;

interface PointerStorage {
  list(prefix: string): Promise<readonly { readonly name: string }[]>;
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/**
 * The pointers of this user's runs, in a small file each, so that windows never overwrite each other's. If the
 * storage isn't writable, they exist only in this window; the run records are still there.
 */
export class RunPointers {
  readonly #owed = new Map<string, RunPointer>();
  readonly #left = new Map<string, OwedPhase>();
  /** Pointers without a file, or with an outdated one. */
  readonly #unwritten = new Set<string>();
  /** IDs of pointers that were changed here since the last read began. */
  #newer = new Set<string>();
  #reading: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<() => void>();

  /** @param trouble reports a write that fails, and resolves with whether it didn't */
  constructor(
    private readonly storage: PointerStorage,
    private readonly trouble: { guard(write: Promise<unknown>): Promise<boolean> },
  ) {}

  owed(): readonly RunPointer[] {
    return [...this.#owed.values()];
  }

  owedOf(id: string): RunPointer | undefined {
    return this.#owed.get(id);
  }

  owedOfJob(jobId: string): RunPointer | undefined {
    // Until a server has answered, a job is known by the ID of its prompt.
    return this.owed().find((pointer) => (pointer.jobId ?? pointer.promptId) === jobId);
  }

  /** Also of a run whose outputs are on disk, or lost. */
  async ofJob(jobId: string): Promise<RunPointer | undefined> {
    const pointer = this.owedOfJob(jobId) ?? (await this.#readFile(pointerFiles.ofJob(jobId)));
    return (pointer?.jobId ?? pointer?.promptId) === jobId ? pointer : undefined;
  }

  /** How the last attempt of this window left the run. */
  leftOf(pointer: Pick<RunPointer, 'promptId' | 'jobId'>): OwedPhase | undefined {
    return this.#left.get(pointerId(pointer));
  }

  /** Does nothing for a run that is no longer owed. */
  setLeft(pointer: Pick<RunPointer, 'promptId' | 'jobId'>, left: OwedPhase): void {
    const id = pointerId(pointer);
    if (!this.#owed.has(id)) return;
    this.#left.set(id, left);
    this.#fire();
  }

  /** What a row of a batch writes of itself: its record says the rest. A sandbox ends with its window. */
  ofRow(start: PointerStart): PointerPort | undefined {
    return start.isSandbox ? undefined : this.ofRun(start, true);
  }

  /** What a run writes of itself while it is owed. */
  ofRun(start: PointerStart, isRow = false): PointerPort {
    const pointerOf = ({ record, origin, name, jobId = start.jobId }: PointedRun): RunPointer => {
      const { promptId, sentAt, batch } = record;
      return {
        ...{ promptId, label: origin.label, sourceHash: origin.sourceHash },
        sentAt: sentAt === undefined ? Date.now() : Date.parse(sentAt),
        ...start,
        ...{ jobId, record: name, batch: isRow ? batch?.id : start.batch },
      };
    };
    return {
      put: async (run) => {
        if (!isRow || run.jobId === undefined) await this.put(pointerOf(run));
      },
      remove: async (run) => {
        const pointer = pointerOf(run);
        const isUnknown = run.record.state === 'outputsUnknown' && pointer.batch === undefined;
        await (isUnknown
          ? this.put({ ...pointer, outputsUnknown: true })
          : this.settle({ ...pointer, askedAt: undefined }));
      },
    };
  }

  /** A pointer that was changed here meanwhile is kept, since its file may have been read before. */
  read(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readFiles());
    return this.#reading;
  }

  /** Never fails: an unwritable storage is reported once. */
  async put(pointer: RunPointer): Promise<void> {
    const id = pointerId(pointer);
    this.#owed.set(id, pointer);
    this.#unwritten.add(id);
    this.#changedHere(id);
    const isWritten = await this.#write(pointerFiles.owed(id), pointer);
    if (isWritten && this.#owed.get(id) === pointer) this.#unwritten.delete(id);
  }

  /** Nothing is owed any more. Never fails. */
  async settle(pointer: RunPointer): Promise<void> {
    const id = pointerId(pointer);
    this.#owed.delete(id);
    // Its file is read as if it weren't there until it is removed.
    this.#unwritten.add(id);
    this.#changedHere(id);
    const { jobId, batch } = pointer;
    if (jobId !== undefined && batch === undefined) await this.#write(pointerFiles.ofJob(jobId), pointer);
    // The user may have asked for it again in the meantime.
    if (!this.#owed.has(id)) await this.trouble.guard(this.storage.remove(pointerFiles.owed(id)));
    if (!this.#owed.has(id)) this.#unwritten.delete(id);
  }

  async forget(jobIds: readonly string[]): Promise<void> {
    await Promise.all(jobIds.map((id) => this.storage.remove(pointerFiles.ofJob(id))));
  }

  /** Called at once. @returns what ends it */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #changedHere(id: string): void {
    this.#newer.add(id);
    this.#left.delete(id);
    this.#fire();
  }

  #fire(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #write(name: string, pointer: RunPointer): Promise<boolean> {
    return this.trouble.guard(this.storage.write(name, pointerFiles.text(pointer)));
  }

  async #readFiles(): Promise<void> {
    this.#newer = new Set(this.#unwritten);
    const files = await this.storage.list(pointerFiles.owedPrefix).catch(() => undefined);
    if (!files) return;
    const names = files.map(({ name }) => name).filter((name) => name.endsWith('.json'));
    const read = await Promise.all(names.map((name) => this.#readFile(name)));
    const found = new Map(
      read.flatMap((pointer) => (pointer ? [[pointerId(pointer), pointer] as const] : [])),
    );
    for (const id of this.#owed.keys()) if (!found.has(id) && !this.#newer.has(id)) this.#owed.delete(id);
    for (const [id, pointer] of found) if (!this.#newer.has(id)) this.#owed.set(id, pointer);
    this.#fire();
  }

  async #readFile(name: string): Promise<RunPointer | undefined> {
    const text = await this.storage.read(name);
    return text === undefined ? undefined : readPointer(text);
  }
}

type PointedRun = Parameters<PointerPort['put']>[0];

const needed = ['server', 'serverName', 'folder', 'record', 'label'] as const;

/** Our own file, but a crash or another version may have left it in any state: undefined if it is invalid. */
function readPointer(text: string): RunPointer | undefined {
  try {
    const { format, ...pointer } = JSON.parse(text) as RunPointer & { readonly format?: unknown };
    const isWhole = format === 1 && needed.every((name) => typeof pointer[name] === 'string');
    return isWhole && typeof pointer.sentAt === 'number' ? pointer : undefined;
  } catch {
    return undefined;
  }
}
