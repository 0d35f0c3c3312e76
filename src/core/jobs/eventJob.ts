import type { ImageMime, ServerEvent } from '../protocol/serverEvent';
import { isPromptNode, isTerminal, type Job, longestNotice } from './job';
import { submittedNodeId } from './jobNodes';

export interface JobPreview {
  readonly jobId: string;
  readonly nodeId?: string | undefined;
  readonly mime: ImageMime;
  readonly image: Uint8Array;
}

type PreviewEvent = Extract<ServerEvent, { readonly type: 'preview' }>;
type TextEvent = Extract<ServerEvent, { readonly type: 'progressText' }>;
type NotificationEvent = Extract<ServerEvent, { readonly type: 'notification' }>;
type Words = TextEvent | NotificationEvent;

const mostEarly = 20;

const signsOfRunning: ReadonlySet<ServerEvent['type']> = new Set([
  'executionStart',
  'executing',
  'progress',
  'progressState',
]);

/** Determines which job a socket's messages are about if they don't say. */
export class EventJob {
  /** The job last seen running on this socket (protocol 3.6). */
  #lastSeen: string | undefined;
  #early: Words[] = [];

  /**
   * @param ours ids of the jobs of this window that have not ended
   * @param sending how many of its runs wait for the answer that names their job
   */
  constructor(
    private readonly get: (id: string) => Job | undefined,
    private readonly ours: () => readonly string[],
    private readonly sending: () => number,
  ) {}

  /** The socket is gone: messages on the next one may be about another job. */
  forget(): void {
    this.#lastSeen = undefined;
  }

  named(event: ServerEvent): ServerEvent {
    if (event.type === 'executing' && event.promptId === undefined) {
      // After a reconnect, the server sends the running job's node (protocol 3.7).
      const running = this.ours().filter((id) => this.get(id)?.state === 'running');
      const [only] = running;
      if (only !== undefined && running.length === 1) return { ...event, promptId: only };
      // An end that follows the event that says how it ended.
      const ended = event.nodeId === null && running.length === 0 ? this.#lastSeen : undefined;
      return ended === undefined ? event : { ...event, promptId: ended };
    }
    if (event.type !== 'progressText' && event.type !== 'notification') return event;
    const id = jobNamedBy(event);
    const about = id ?? (event.type === 'notification' ? this.#only() : this.#lastSeen);
    if (about !== undefined && this.get(about)) return this.#saidOf(about, event);
    // Without an ID, it may be about the run whose job isn't known yet.
    if (id !== undefined || this.sending() === 1) {
      const shortened = { ...event, text: event.text.slice(0, longestNotice) };
      this.#early = [...this.#early, shortened].slice(-mostEarly);
    }
    return event;
  }

  #only(): string | undefined {
    const [only, ...others] = this.ours();
    return others.length > 0 ? undefined : only;
  }

  #saidOf(id: string, event: Words): ServerEvent {
    if (event.type === 'notification' || event.promptId !== undefined) return { ...event, promptId: id };
    const current = this.get(id)?.currentNodeId;
    const { nodeId, text, whole } = event;
    if (nodeId === '' || (whole !== undefined && !this.#isRunning(nodeId))) {
      const words = whole ?? text;
      // Before the first node it is the server's word about the job.
      if (current === undefined) return { type: 'notification', promptId: id, text: words };
      return { type: 'progressText', promptId: id, nodeId: current, text: words };
    }
    // Sent to all sockets: of another's job unless this node runs here. Several may at a time.
    const job = this.get(id);
    const owner = job && submittedNodeId(job, event);
    const runs = owner !== undefined && (owner === current || job?.nodes[owner]?.state === 'running');
    return runs ? { ...event, promptId: id } : event;
  }

  #isRunning(nodeId: string): boolean {
    return [...this.ours(), this.#lastSeen].some((id) => {
      const job = id === undefined ? undefined : this.get(id);
      if (job?.state !== 'running') return false;
      const submitted = submittedNodeId(job, { nodeId });
      return Object.hasOwn(job.nodes, submitted) || isPromptNode(job.origin, submitted);
    });
  }

  /** Events of a job before it was known here. Those without an ID count if no other job is open. */
  early(id: string): readonly ServerEvent[] {
    const ids = this.#only() === id ? [id, undefined] : [id];
    const said = this.#early.filter((event) => ids.includes(jobNamedBy(event)));
    this.#early = this.#early.filter((event) => !said.includes(event));
    return said.map((event) => this.#saidOf(id, event));
  }

  /** A message without an ID can no longer be about a run that is being sent. */
  allSent(): void {
    this.#early = this.#early.filter((event) => jobNamedBy(event) !== undefined);
  }

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
    const job = this.get(jobId);
    if (job && isTerminal(job.state)) return undefined;
    const { nodeId = job?.currentNodeId, displayNodeId, mime, image } = event;
    const shown =
      nodeId === undefined ? undefined : submittedNodeId(job ?? { nodes: {} }, { nodeId, displayNodeId });
    return { jobId, nodeId: shown, mime, image };
  }
}

function jobNamedBy(event: Words): string | undefined {
  return event.type === 'notification' ? event.id : event.promptId;
}
