import type { ImageMime, ServerEvent } from '../protocol/serverEvent';
import { isTerminal, type Job } from './job';
import { nodeOf, submittedNodeId } from './jobNodes';
import { longestNotice } from './jobNotices';

/** A picture of a running job. */
export interface JobPreview {
  readonly jobId: string;
  /** The node as the submitted prompt spells it. */
  readonly nodeId?: string | undefined;
  readonly mime: ImageMime;
  readonly image: Uint8Array;
}

type PreviewEvent = Extract<ServerEvent, { readonly type: 'preview' }>;
type TextEvent = Extract<ServerEvent, { readonly type: 'progressText' }>;
type NotificationEvent = Extract<ServerEvent, { readonly type: 'notification' }>;

/** Messages about a job may arrive before the answer that names it. */
const keptEarly = 20;

const signsOfRunning: ReadonlySet<ServerEvent['type']> = new Set([
  'executionStart',
  'executing',
  'progress',
  'progressState',
]);

/** Determines which job a socket's messages are about if they don't say. */
export class EventJob {
  readonly #get: (id: string) => Job | undefined;
  readonly #ours: () => readonly string[];
  #lastSeen: string | undefined;
  #early: NotificationEvent[] = [];

  /** `ours`: ids of the jobs of this window that have not ended. */
  constructor(get: (id: string) => Job | undefined, ours: () => readonly string[]) {
    this.#get = get;
    this.#ours = ours;
  }

  /** The job last seen running on this socket (protocol 3.6). */
  get lastSeen(): string | undefined {
    return this.#lastSeen;
  }

  /** The socket is gone: messages on the next one may be about another job. */
  forget(): void {
    this.#lastSeen = undefined;
  }

  /** The event, with its job if there is only one candidate. */
  named(event: ServerEvent): ServerEvent {
    if (event.type === 'executing' && event.promptId === undefined) {
      // After a reconnect, the server sends the running job's node (protocol 3.7).
      const running = this.#ours().filter((id) => this.#get(id)?.state === 'running');
      const [only] = running;
      if (only !== undefined && running.length === 1) return { ...event, promptId: only };
      // An end that follows the event that says how it ended.
      const ended = event.nodeId === null && running.length === 0 ? this.#lastSeen : undefined;
      return ended === undefined ? event : { ...event, promptId: ended };
    }
    if (event.type === 'progressText' && event.promptId === undefined && this.#lastSeen !== undefined)
      return this.#runningText(event, this.#lastSeen);
    if (event.type === 'notification') return this.#aboutJob(event);
    return event;
  }

  #runningText(event: TextEvent, id: string): ServerEvent {
    const current = this.#get(id)?.currentNodeId;
    const isNode = event.nodeId !== '' && (event.whole === undefined || this.#isRunning(event.nodeId));
    if (!isNode) {
      if (current === undefined) return event;
      return { type: 'progressText', promptId: id, nodeId: current, text: event.whole ?? event.text };
    }
    // Sent to all sockets: of another's job unless this node runs here. Several may at a time.
    const job = this.#get(id);
    const nodeId = job && nodeOf(job, event.nodeId);
    const runs = nodeId !== undefined && (nodeId === current || job?.nodes[nodeId]?.state === 'running');
    return runs ? { ...event, promptId: id } : event;
  }

  /** A running job has such a node. */
  #isRunning(nodeId: string): boolean {
    const submitted = submittedNodeId(nodeId);
    return [...this.#ours(), this.#lastSeen].some((id) => {
      const job = id === undefined ? undefined : this.#get(id);
      if (job?.state !== 'running') return false;
      return job.nodes[submitted] !== undefined || Object.hasOwn(job.origin?.nodeNames ?? {}, submitted);
    });
  }

  /** What was reported about a job before it was known here. */
  early(id: string): readonly ServerEvent[] {
    const said = this.#early.filter((event) => event.id === id);
    this.#early = this.#early.filter((event) => event.id !== id);
    return said.map((event) => ({ ...event, promptId: id }));
  }

  /** The id is that of a job, of something else, or missing: then it is about the only one that there is. */
  #aboutJob(event: NotificationEvent): ServerEvent {
    const { id } = event;
    if (id !== undefined && this.#get(id)) return { ...event, promptId: id };
    if (id !== undefined) {
      const kept = { ...event, text: event.text.slice(0, longestNotice) };
      this.#early = [...this.#early, kept].slice(-keptEarly);
      return event;
    }
    const [only, ...others] = this.#ours();
    return only === undefined || others.length > 0 ? event : { ...event, promptId: only };
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
    return { jobId, nodeId, mime, image };
  }
}
