import type { ImageMime, ServerEvent } from '../protocol/serverEvent';
import { isTerminal, type Job } from './job';
import { submittedNodeId } from './jobNodes';

/** A picture of a running job. */
export interface JobPreview {
  readonly jobId: string;
  /** The node as the submitted prompt spells it. */
  readonly nodeId?: string;
  readonly mime: ImageMime;
  readonly image: Uint8Array;
}

type PreviewEvent = Extract<ServerEvent, { readonly type: 'preview' }>;

const signsOfRunning: ReadonlySet<ServerEvent['type']> = new Set([
  'executionStart',
  'executing',
  'progress',
  'progressState',
]);

/** Finds out which job the messages of one socket are about that do not say so. */
export class EventJob {
  readonly #get: (id: string) => Job | undefined;
  readonly #ours: () => readonly string[];
  #lastSeen: string | undefined;

  /** `ours`: ids of the jobs of this window that have not ended. */
  constructor(get: (id: string) => Job | undefined, ours: () => readonly string[]) {
    this.#get = get;
    this.#ours = ours;
  }

  /** The job last seen running on this socket (protocol 3.6). */
  get lastSeen(): string | undefined {
    return this.#lastSeen;
  }

  /** The socket is gone: what comes on the next one may be about another job. */
  forget(): void {
    this.#lastSeen = undefined;
  }

  /** The event, with its job where it can only be about one. */
  named(event: ServerEvent): ServerEvent {
    if (event.type === 'executing' && event.promptId === undefined) {
      // After a reconnect the server tells the node of the running job (protocol 3.7).
      const running = this.#ours().filter((id) => this.#get(id)?.state === 'running');
      const [only] = running;
      if (only !== undefined && running.length === 1) return { ...event, promptId: only };
      // An end that follows the news of how it ended.
      const ended = event.nodeId === null && running.length === 0 ? this.#lastSeen : undefined;
      return ended === undefined ? event : { ...event, promptId: ended };
    }
    if (event.type === 'progressText' && event.promptId === undefined && this.#lastSeen !== undefined) {
      // Sent to all sockets: of another's job unless this node runs here.
      const current = this.#get(this.#lastSeen)?.currentNodeId;
      return current === submittedNodeId(event.nodeId) ? { ...event, promptId: this.#lastSeen } : event;
    }
    return event;
  }

  /** Remembers who runs, and who does not any more. */
  heard(event: ServerEvent, id: string): void {
    if (event.type === 'executing' && event.nodeId === null) {
      if (this.#lastSeen === id) this.#lastSeen = undefined;
    } else if (signsOfRunning.has(event.type)) {
      this.#lastSeen = id;
    }
  }

  /** Undefined for a picture that belongs to no job, or to one that has ended. */
  preview(event: PreviewEvent): JobPreview | undefined {
    const jobId = event.promptId ?? this.#lastSeen;
    if (jobId === undefined) return undefined;
    const job = this.#get(jobId);
    if (job && isTerminal(job.state)) return undefined;
    const nodeId =
      event.nodeId === undefined ? job?.currentNodeId : submittedNodeId(event.nodeId, event.displayNodeId);
    const { mime, image } = event;
    return { jobId, ...(nodeId === undefined ? {} : { nodeId }), mime, image };
  }
}
