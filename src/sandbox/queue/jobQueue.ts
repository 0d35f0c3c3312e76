import type { RunResult } from '../execution/runRequest';
import type { AcceptedPrompt, SandboxJob } from './sandboxJob';

export interface JobQueueOptions {
  readonly concurrency: number;
  /** Never rejects because of the prompt: a rejection means that the worker died (protocol 7.2). */
  readonly run: (job: SandboxJob, signal: AbortSignal) => Promise<RunResult>;
  readonly onSubmitted?: (job: SandboxJob) => void;
  readonly onChange: () => void;
  /** The last step of a job: its record is stored, the change reported. */
  readonly onEnded: (job: SandboxJob) => void;
  /** Only the cloud keeps records of jobs that were cancelled while they waited. */
  readonly keepCancelled: boolean;
  readonly historyLimit?: number | undefined;
  readonly now?: () => number;
}

/** In memory, as in the real server (protocol 4.1). */
export class JobQueue {
  readonly #waiting = new PendingHeap<SandboxJob>();
  readonly #running = new Map<string, { readonly job: SandboxJob; readonly abort: AbortController }>();
  readonly #history = new Map<string, SandboxJob>();
  #pumping = false;
  #closed = false;

  constructor(private readonly options: JobQueueOptions) {}

  get running(): readonly SandboxJob[] {
    return [...this.#running.values()].map(({ job }) => job);
  }

  get pendingHeap(): readonly SandboxJob[] {
    return this.#waiting.items;
  }

  /** The next one first. */
  get pending(): readonly SandboxJob[] {
    return this.#waiting.inOrder;
  }

  /** Oldest first. */
  get ended(): readonly SandboxJob[] {
    return [...this.#history.values()];
  }

  get remaining(): number {
    return this.#running.size + this.#waiting.items.length;
  }

  find(id: string): SandboxJob | undefined {
    return (
      this.#running.get(id)?.job ?? this.#waiting.items.find((job) => job.id === id) ?? this.#history.get(id)
    );
  }

  submit(prompt: AcceptedPrompt): SandboxJob {
    const job: SandboxJob = { ...prompt, state: 'pending' };
    this.#waiting.push(job);
    this.options.onSubmitted?.(job);
    this.options.onChange();
    this.#pumpSoon();
    return job;
  }

  /** False for jobs that don't wait. */
  cancelPending(id: string): boolean {
    const job = this.#waiting.remove(id);
    if (!job) return false;
    this.#leave(job);
    this.options.onChange();
    return true;
  }

  clearPending(): void {
    for (const job of this.#waiting.clear()) this.#leave(job);
    this.options.onChange();
  }

  /** Without an ID, interrupts all running jobs, each at its next step. False if there are none. */
  interrupt(id?: string): boolean {
    const meant = [...this.#running.values()].filter(({ job }) => id === undefined || job.id === id);
    for (const { abort } of meant) abort.abort();
    return meant.length > 0;
  }

  deleteRecord(id: string): boolean {
    return this.#history.delete(id);
  }

  clearRecords(): void {
    this.#history.clear();
  }

  /** After a restart, these jobs send no more events. */
  forget(): void {
    for (const { abort } of this.#running.values()) abort.abort();
    this.#running.clear();
    this.#waiting.clear();
    this.#history.clear();
  }

  close(): void {
    this.#closed = true;
    this.forget();
  }

  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (!this.#closed && this.#running.size < this.options.concurrency) {
      const job = this.#waiting.pop();
      if (!job) return;
      const abort = new AbortController();
      job.state = 'running';
      job.startTime = this.#now();
      this.#running.set(job.id, { job, abort });
      this.options.onChange();
      void this.#work(job, abort.signal);
    }
  }

  async #work(job: SandboxJob, signal: AbortSignal): Promise<void> {
    let result: RunResult;
    try {
      result = await this.options.run(job, signal);
    } catch {
      // The worker is dead: the job runs forever, and its place is never free again.
      return;
    }
    if (this.#running.get(job.id)?.job !== job) return;
    this.#running.delete(job.id);
    this.#record(job, result);
    this.options.onChange();
    this.options.onEnded(job);
    this.#pumpSoon();
  }

  #leave(job: SandboxJob): void {
    if (!this.options.keepCancelled) return;
    const message = ['execution_interrupted', { prompt_id: job.id, timestamp: this.#now() }] as const;
    this.#record(job, { status: 'interrupted', outputs: {}, meta: {}, messages: [message] });
  }

  #record(job: SandboxJob, result: RunResult): void {
    job.state = 'ended';
    delete job.partnerKey;
    job.endTime = this.#now();
    job.result = result;
    this.#history.set(job.id, job);
    const limit = this.options.historyLimit ?? 10_000;
    for (const id of this.#history.keys()) {
      if (this.#history.size <= limit) break;
      this.#history.delete(id);
    }
  }

  #now(): number {
    return (this.options.now ?? Date.now)();
  }
}

/** The lower number goes first, then the smaller ID. */
interface Ordered {
  readonly number: number;
  readonly id: string;
}

/** A binary heap, which the queue answer shows unchanged (protocol 1.8: only the first place is sorted). */
export class PendingHeap<T extends Ordered> {
  readonly #items: T[] = [];

  get items(): readonly T[] {
    return this.#items;
  }

  get inOrder(): readonly T[] {
    return [...this.#items].sort(compare);
  }

  push(item: T): void {
    this.#items.push(item);
    this.#rise(this.#items.length - 1);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (first === undefined || last === undefined || this.#items.length === 0) return first;
    this.#items[0] = last;
    this.#sink(0);
    return first;
  }

  remove(id: string): T | undefined {
    const at = this.#items.findIndex((item) => item.id === id);
    if (at < 0) return undefined;
    const [removed] = this.#items.splice(at, 1);
    for (let index = this.#items.length >> 1; index >= 0; index--) this.#sink(index);
    return removed;
  }

  clear(): readonly T[] {
    return this.#items.splice(0);
  }

  #rise(at: number): void {
    for (let child = at; child > 0; child = (child - 1) >> 1) {
      if (!this.#swapIfBefore(child, (child - 1) >> 1)) return;
    }
  }

  #sink(at: number): void {
    const left = 2 * at + 1;
    const [first, second] = [this.#items[left], this.#items[left + 1]];
    const child = first && second && compare(second, first) < 0 ? left + 1 : left;
    if (this.#swapIfBefore(child, at)) this.#sink(child);
  }

  #swapIfBefore(lower: number, upper: number): boolean {
    const [first, second] = [this.#items[lower], this.#items[upper]];
    if (first === undefined || second === undefined || compare(first, second) >= 0) return false;
    this.#items[upper] = first;
    this.#items[lower] = second;
    return true;
  }
}

function compare(a: Ordered, b: Ordered): number {
  return a.number - b.number || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Refused submissions count too, as on the real server. */
export class SubmissionCounter {
  #next = 0;

  /** A given number stays; `front` takes the negative count. */
  take(number: number | undefined, front: boolean): number {
    if (number !== undefined) return number;
    const count = this.#next++;
    return front ? -count : count;
  }

  reset(): void {
    this.#next = 0;
  }
}
