import type { Features, SystemStats, UploadAnswer, UserAnswer } from '../protocol/answers';
import { features, systemStats, userAnswer } from '../protocol/answers';
import type { JobDetail } from '../protocol/jobRecord';
import type { OutputFile } from '../protocol/outputFile';
import type { QueueSnapshot } from '../protocol/queue';
import { isJobId } from '../protocol/wire';
import { budgets } from '../safety/budgets';
import type { Cancelling, CancelResult } from './cancellation';
import { cancelJob } from './cancellation';
import type { Capabilities } from './capabilities';
import type { JobsPage, JobsQuery } from './jobReading';
import {
  findJob,
  listFromQueue,
  listFromQueueAndHistory,
  listJobs,
  readCloudJob,
  readHistory,
  readJob,
} from './jobReading';
import { QueueReader } from './queueReader';
import type { SubmissionAnswer } from './submission';
import { submitPrompt } from './submission';
import type { Transport } from './transport';
import type { ImageUpload, MaskUpload } from './uploads';
import { uploadImage, uploadMask } from './uploads';
import type { ViewAnswer, ViewOptions } from './view';
import { view } from './view';

/**
 * The execution interface of one server, cloud or local, new or old: the same answers from all of them. Failures are
 * `ServerError`; an aborted call rejects with the signal's reason.
 */
export class ExecutionClient {
  readonly #transport: Transport;
  readonly #capabilities: () => Promise<Capabilities>;
  readonly #queues: QueueReader;
  /** Found out with the first cancellation. */
  #jobCancel: boolean | undefined;

  constructor(transport: Transport, capabilities: () => Promise<Capabilities>) {
    this.#transport = transport;
    this.#capabilities = capabilities;
    this.#queues = new QueueReader(transport);
  }

  /** The text of all node definitions: several MB, at most 256. */
  objectInfo(
    onBytes?: (received: number, total: number | undefined) => void,
    signal?: AbortSignal,
  ): Promise<string> {
    return this.#transport.text({
      path: '/api/object_info',
      accept: 'application/json',
      deadline: 5 * 60_000,
      maxBytes: 256 * 1024 * 1024,
      onBytes,
      signal,
    });
  }

  /** The definition of one node type, for servers that support it; an empty object for an unknown type. */
  singleObjectInfo(classType: string, signal?: AbortSignal): Promise<string> {
    const path = `/api/object_info/${encodeURIComponent(classType)}`;
    return this.#transport.text({ path, accept: 'application/json', signal });
  }

  uploadImage(upload: ImageUpload, signal?: AbortSignal): Promise<UploadAnswer> {
    return uploadImage(this.#transport, upload, signal);
  }

  uploadMask(upload: MaskUpload, signal?: AbortSignal): Promise<UploadAnswer> {
    return uploadMask(this.#transport, upload, signal);
  }

  submit(body: string, partnerKey?: string, signal?: AbortSignal): Promise<SubmissionAnswer> {
    return submitPrompt(this.#transport, body, partnerKey, signal);
  }

  /** Newest first. */
  async jobs(query: JobsQuery = {}, signal?: AbortSignal): Promise<JobsPage> {
    const { jobs, history } = await this.#capabilities();
    if (jobs) return listJobs(this.#transport, query, signal);
    if (!history) return listFromQueue(this.#queues, query, signal);
    return listFromQueueAndHistory(this.#transport, this.#queues, query, signal);
  }

  /** Undefined when the server does not know the job: just submitted, deleted, or forgotten in a restart. */
  async job(id: string, signal?: AbortSignal): Promise<JobDetail | undefined> {
    const { dialect, jobs, history } = await this.#capabilities();
    if (!isJobId(id)) return undefined;
    if (jobs) return readJob(this.#transport, id, signal);
    if (dialect === 'cloud') return readCloudJob(this.#transport, id, history, signal);
    return findJob(this.#transport, this.#queues, id, signal);
  }

  async cancel(id: string, signal?: AbortSignal): Promise<CancelResult> {
    const { dialect, jobCancel } = await this.#capabilities();
    if (!isJobId(id)) return 'notFound';
    const how: Cancelling = {
      transport: this.#transport,
      dialect,
      jobCancel: this.#jobCancel ?? jobCancel,
      learned: (isThere) => {
        this.#jobCancel = isThere;
      },
      job: (jobId, jobSignal) => this.job(jobId, jobSignal),
    };
    return cancelJob(how, id, signal);
  }

  /**
   * Cancels several jobs, queued ones first and from the end of the queue, so that none of them starts in the meantime.
   */
  async cancelMany(ids: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, CancelResult>> {
    const queue = await this.queue(signal);
    const place = new Map(queue.pending.map((item) => [item.id, item.position ?? 0]));
    const ordered = [...new Set(ids)].sort((a, b) => (place.get(b) ?? 0) - (place.get(a) ?? 0));
    const results = new Map<string, CancelResult>();
    for (const id of ordered) results.set(id, await this.cancel(id, signal));
    return results;
  }

  /**
   * Removes queued jobs by ID, and answers whether the server also ends those that run (protocol 1.9). Other jobs stay:
   * the queue is never cleared.
   */
  async deletePending(ids: readonly string[], signal?: AbortSignal): Promise<boolean> {
    for (let at = 0; at < ids.length; at += budgets.jobsPerDeletion) {
      await this.#transport.request({
        method: 'POST',
        path: '/api/queue',
        body: { json: { delete: ids.slice(at, at + budgets.jobsPerDeletion) } },
        signal,
      });
    }
    return (await this.#capabilities()).dialect === 'cloud';
  }

  /** Everyone's jobs, each with its full prompt: `ServerError` `tooLarge` beyond the budget. */
  queue(signal?: AbortSignal): Promise<QueueSnapshot> {
    return this.#queues.read(signal);
  }

  /** What a local server remembers, oldest first; of one job an empty list when it is not known. */
  history(id?: string, signal?: AbortSignal): Promise<readonly JobDetail[]> {
    return readHistory(this.#transport, id === undefined ? {} : { id }, signal);
  }

  systemStats(signal?: AbortSignal): Promise<SystemStats> {
    return this.#transport.json(systemStats, { path: '/api/system_stats', signal });
  }

  features(signal?: AbortSignal): Promise<Features> {
    return this.#transport.json(features, { path: '/api/features', signal });
  }

  /** Who is signed in; cloud only. The cheapest check of a key. */
  user(signal?: AbortSignal): Promise<UserAnswer> {
    return this.#transport.json(userAnswer, { path: '/api/user', signal });
  }

  /** One output file, streamed. Read the body completely or cancel it. */
  view(file: OutputFile, options: ViewOptions = {}): Promise<ViewAnswer> {
    return view(this.#transport, file, options);
  }
}
