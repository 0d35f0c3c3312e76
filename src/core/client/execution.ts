import type { SystemStats, UploadAnswer, UserAnswer } from '../protocol/answers';
import { systemStats, userAnswer } from '../protocol/answers';
import type { JobDetail } from '../protocol/jobRecord';
import type { OutputFile } from '../protocol/outputFile';
import type { QueueSnapshot } from '../protocol/queue';
import { refusalError } from '../protocol/refusal';
import { ServerError } from '../protocol/serverError';
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
  readJob,
} from './jobReading';
import { QueueReader } from './queueReader';
import type { SubmissionAnswer } from './submission';
import { submitPrompt, withoutClientId } from './submission';
import type { Transport } from './transport';
import type { ImageUpload, MaskUpload } from './uploads';
import { uploadImage, uploadMask } from './uploads';
import type { ViewAnswer, ViewOptions } from './view';
import { view } from './view';

/** Of a request for all definitions: they are several MB, and a server may take minutes to put them together. */
export const definitionsLimits = { deadline: 5 * 60_000, maxBytes: 256 * 1024 * 1024 } as const;

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
  /** Found out with the first submission. */
  #refusesClientId = false;

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
    return this.#recognized(
      this.#transport.text({
        path: '/api/object_info',
        accept: 'application/json',
        ...definitionsLimits,
        onBytes,
        signal,
      }),
    );
  }

  /** The definition of one node type, for servers that support it; an empty object for an unknown type. */
  singleObjectInfo(classType: string, signal?: AbortSignal): Promise<string> {
    const path = `/api/object_info/${encodeURIComponent(classType)}`;
    return this.#transport.text({ path, accept: 'application/json', signal });
  }

  uploadImage(upload: ImageUpload, signal?: AbortSignal): Promise<UploadAnswer> {
    return this.#recognized(uploadImage(this.#transport, upload, signal));
  }

  /** The cloud documents no `overwrite` for masks (protocol 1.4). */
  async uploadMask(upload: MaskUpload, signal?: AbortSignal): Promise<UploadAnswer> {
    const { dialect } = await this.#capabilities();
    const sent = dialect === 'cloud' ? { ...upload, overwrite: undefined } : upload;
    return uploadMask(this.#transport, sent, signal);
  }

  /** Leaves `client_id` out once the server has refused it, so that the same body can be sent again. */
  async submit(body: string, partnerKey?: string, signal?: AbortSignal): Promise<SubmissionAnswer> {
    const sent = this.#refusesClientId ? withoutClientId(body) : body;
    const answer = await submitPrompt(this.#transport, sent, partnerKey, signal);
    if (answer.kind === 'refused' && answer.refusesClientId) this.#refusesClientId = true;
    return answer;
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

  systemStats(signal?: AbortSignal): Promise<SystemStats> {
    return this.#transport.json(systemStats, { path: '/api/system_stats', signal });
  }

  /** Who is signed in; cloud only. The cheapest check of a key. */
  user(signal?: AbortSignal): Promise<UserAnswer> {
    return this.#transport.json(userAnswer, { path: '/api/user', signal });
  }

  /** Tells a person something that goes on here, one sentence. */
  notice(sentence: string): void {
    this.#transport.notice(sentence);
  }

  /**
   * For what is asked before anything else: a missing route or a limit means what kind of server this is.
   * @throws the better error
   */
  async #recognized<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (!ServerError.is(error) || (error.status !== 404 && error.status !== 429)) throw error;
      const { dialect } = await this.#capabilities();
      const { endpoint, serverMessage, serverCode, retryAfter } = error;
      const isSilent = (serverMessage ?? serverCode ?? retryAfter) === undefined;
      if (error.status === 404 || dialect !== 'cloud' || !isSilent) throw error;
      throw refusalError({ endpoint, status: 429, bodyText: '', isCloud: true });
    }
  }

  /** One output file, streamed. Read the body completely or cancel it. */
  view(file: OutputFile, options: ViewOptions = {}): Promise<ViewAnswer> {
    return view(this.#transport, file, options);
  }
}
