import type { Job, JobOrigin } from '../jobs/job';
import { embeddedValidation } from '../protocol/errorBody';
import type { WorkflowDocument } from '../workflow/workflowDocument';

export interface SavedText {
  readonly file: string;
  readonly workflow: WorkflowDocument;
  /** The server that was selected when it was saved. */
  readonly server: string;
}

/** It was the file's last run, or it was sent and its outcome is unknown. */
export type KnownOfPrompt = 'sameAsRun' | 'unclear';

/** `needsAnswer`: a run would ask something first, and a save doesn't. */
export type RunOnSaveObstacle =
  | { readonly kind: 'untrusted' | 'off' | 'noAnswer' | 'serverChanged' | 'needsAnswer' | KnownOfPrompt }
  /** An attempt that could not start: why and what to do, in sentences, possibly with a server's message. */
  | { readonly kind: 'failed'; readonly problem: string; readonly nextAction?: string };

export type RunOnSaveState =
  | { readonly kind: 'waiting' | 'sending' | 'started' }
  | { readonly kind: 'notRun'; readonly why: RunOnSaveObstacle };

/** How long the saves of a file have to rest before the last one counts, ms. */
const rest = 500;

export interface RunOnSavePorts {
  /** The reason that prevents running any save of this file now. Asks the user if that was never answered. */
  obstacle(save: SavedText): Promise<RunOnSaveObstacle | undefined>;
  hash(save: SavedText): Promise<string | undefined>;
  /** The reason that prevents running this prompt. `isLast`: the previous save had the same prompt. */
  earlier(save: SavedText, hash: string | undefined, isLast: boolean): KnownOfPrompt | undefined;
  isBusy(file: string): boolean;
  run(save: SavedText): Promise<RunOnSaveObstacle | undefined>;
  trouble(error: unknown, save: SavedText): RunOnSaveObstacle;
  onState(file: string, state: RunOnSaveState): void;
}

/** Runs the text that was saved last, once the file has no live job. Nothing is retried automatically. */
export class RunOnSaveQueue {
  readonly #waiting = new Map<string, SavedText>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #looking = new Set<string>();
  /** Server and file -> the prompt that the last save of this window started or found run. */
  readonly #last = new Map<string, string>();

  constructor(private readonly ports: RunOnSavePorts) {}

  saved(save: SavedText): void {
    this.#waiting.set(save.file, save);
    clearTimeout(this.#timers.get(save.file));
    this.#timers.set(
      save.file,
      setTimeout(() => {
        this.#timers.delete(save.file);
        void this.#handleSaves(save.file);
      }, rest),
    );
  }

  wake(): void {
    for (const file of this.#waiting.keys()) {
      if (!this.#timers.has(file) && !this.ports.isBusy(file)) void this.#handleSaves(file);
    }
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#waiting.clear();
  }

  /** One check per file at a time. Saves in the meantime are checked afterwards. */
  async #handleSaves(file: string): Promise<void> {
    if (this.#looking.has(file)) return;
    this.#looking.add(file);
    try {
      for (;;) {
        const save = this.#waiting.get(file);
        if (!save || this.#timers.has(file)) return;
        if ((await this.#handleSave(save)) === 'wait') return;
      }
    } finally {
      this.#looking.delete(file);
    }
  }

  async #handleSave(save: SavedText): Promise<'done' | 'wait'> {
    const { file } = save;
    const state = await this.#judgeSave(save);
    // Replaced or dropped while the questions were open.
    if (this.#waiting.get(file) !== save) return 'done';
    if (state.kind === 'waiting') {
      this.ports.onState(file, state);
      return this.ports.isBusy(file) ? 'wait' : 'done';
    }
    this.#waiting.delete(file);
    if (state.kind !== 'run') {
      this.ports.onState(file, state);
      return 'done';
    }
    this.ports.onState(file, { kind: 'sending' });
    const why = await this.ports.run(save).catch((error: unknown) => this.ports.trouble(error, save));
    if (why === undefined && state.hash !== undefined) this.#last.set(lastKey(save), state.hash);
    this.ports.onState(file, why ? { kind: 'notRun', why } : { kind: 'started' });
    return 'done';
  }

  async #judgeSave(
    save: SavedText,
  ): Promise<RunOnSaveState | { readonly kind: 'run'; readonly hash: string | undefined }> {
    try {
      const why = await this.ports.obstacle(save);
      if (why) return { kind: 'notRun', why };
      const hash = await this.ports.hash(save);
      const isLast = hash !== undefined && this.#last.get(lastKey(save)) === hash;
      const earlier = this.ports.earlier(save, hash, isLast);
      if (earlier !== undefined) {
        if (earlier === 'sameAsRun' && hash !== undefined) this.#last.set(lastKey(save), hash);
        return { kind: 'notRun', why: { kind: earlier } };
      }
      if (this.ports.isBusy(save.file)) return { kind: 'waiting' };
      // The wait may have been long: what was true at its start may not be now.
      const late = await this.ports.obstacle(save);
      if (late) return { kind: 'notRun', why: late };
      return this.ports.isBusy(save.file) ? { kind: 'waiting' } : { kind: 'run', hash };
    } catch (error) {
      return { kind: 'notRun', why: this.ports.trouble(error, save) };
    }
  }
}

function lastKey({ file, server }: SavedText): string {
  return `${server} ${file}`;
}

interface AskedPrompt {
  readonly file: string;
  /** SHA-256 (hex) of the text. */
  readonly sourceHash: string;
  readonly promptHash: string | undefined;
}

type Source = Pick<JobOrigin, 'sourceUri' | 'sourceHash' | 'promptHash'>;

/** `unclear`: it was sent, but whether the server has it is unknown. A refusal after acceptance is not a run. */
export function knownRunOfPrompt(
  asked: AskedPrompt,
  isLast: boolean,
  jobs: readonly Job[],
  unanswered: readonly Source[],
): KnownOfPrompt | undefined {
  if (unanswered.some((origin) => origin.sourceUri === asked.file && hasSamePrompt(origin, asked)))
    return 'unclear';
  const own = jobs.filter(({ origin }) => origin?.sourceUri === asked.file);
  const same = newestJob(own.filter(({ origin }) => origin && hasSamePrompt(origin, asked)));
  // Removed from the list by the user: it still ran.
  if (!same) return isLast ? 'sameAsRun' : undefined;
  if (!isLast && same !== newestJob(own)) return undefined;
  return wasRefusedLate(same) ? undefined : 'sameAsRun';
}

function hasSamePrompt(origin: Source, asked: AskedPrompt): boolean {
  if (origin.sourceHash === asked.sourceHash) return true;
  return origin.promptHash !== undefined && origin.promptHash === asked.promptHash;
}

/** Among jobs without a time, the one added last. */
function newestJob(jobs: readonly Job[]): Job | undefined {
  const timeOf = ({ createdAt = 0 }: Job): number => createdAt;
  return [...jobs].sort((a, b) => timeOf(a) - timeOf(b)).at(-1);
}

/** A failed node's message may look like a refusal: it has run, and may have cost. */
function wasRefusedLate({ failure }: Job): boolean {
  if (!failure || failure.nodeId !== undefined) return false;
  return embeddedValidation(failure.message)?.nodeErrors !== undefined;
}
