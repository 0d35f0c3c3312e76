import { createHash } from 'node:crypto';
import {
  type SystemStats,
  systemStats,
  type UploadAnswer,
  uploadAnswer,
  userAnswer,
} from '../protocol/answers';
import type { JobDetail } from '../protocol/jobRecord';
import type { OutputFile } from '../protocol/outputFile';
import type { QueueSnapshot } from '../protocol/queue';
import { refusalError } from '../protocol/refusal';
import { ServerError } from '../protocol/serverError';
import { isJobId } from '../protocol/wire';
import { endpointText, readAnswer } from './answerShape';
import { cancelJob, type Cancelling, type CancelAnswer } from './cancellation';
import type { Capabilities } from './capabilities';
import {
  findJob,
  type JobsPage,
  type JobsQuery,
  listFromQueue,
  listFromQueueAndHistory,
  listJobs,
  readCloudJob,
  readJob,
} from './jobReading';
import { QueueReader } from './queueReader';
import { type SubmissionAnswer, submitPrompt, withoutClientId } from './submission';
import type { Transport } from './transport';
import { viewOutput, type ViewAnswer, type ViewOptions } from './view';
import { t } from '../safety/localize';
import type { FormPart } from './httpStack';

/** Node definitions are several MB, and a server may take minutes to put them together. */
export const definitionsLimits = { deadline: 5 * 60_000, maxBytes: 256 * 1024 * 1024 } as const;

/** The execution interface of one server, cloud or local, new or old. Failures are `ServerError`. */
export class ExecutionClient {
  readonly #queues: QueueReader;
  #jobCancel: boolean | undefined;
  #refusesClientId = false;

  constructor(
    private readonly transport: Transport,
    private readonly capabilities: () => Promise<Capabilities>,
  ) {
    this.#queues = new QueueReader(transport);
  }

  objectInfo(
    onBytes?: (received: number, total: number | undefined) => void,
    signal?: AbortSignal,
  ): Promise<string> {
    return this.#recognized(
      this.transport.text({
        path: '/api/object_info',
        accept: 'application/json',
        ...definitionsLimits,
        onBytes,
        signal,
      }),
    );
  }

  singleObjectInfo(classType: string, signal?: AbortSignal): Promise<string> {
    const path = `/api/object_info/${encodeURIComponent(classType)}`;
    return this.transport.text({ path, accept: 'application/json', signal });
  }

  uploadImage(upload: ImageUpload, signal?: AbortSignal): Promise<UploadAnswer> {
    return this.#recognized(send(this.transport, '/api/upload/image', upload, [], signal));
  }

  /**
   * The alpha channel of the uploaded picture is applied to the original, as a new file. The cloud documents no
   * `overwrite` for masks (protocol 1.4).
   */
  async uploadMask(upload: MaskUpload, signal?: AbortSignal): Promise<UploadAnswer> {
    const { dialect } = await this.capabilities();
    const sent = dialect === 'cloud' ? { ...upload, overwrite: undefined } : upload;
    const { filename, subfolder = '', type = 'input' } = upload.original;
    const reference = { name: 'original_ref', text: JSON.stringify({ filename, subfolder, type }) };
    return send(this.transport, '/api/upload/mask', sent, [reference], signal);
  }

  /** Leaves `client_id` out once the server has refused it, so that the same body can be sent again. */
  async submit(body: string, partnerKey?: string, signal?: AbortSignal): Promise<SubmissionAnswer> {
    const sent = this.#refusesClientId ? withoutClientId(body) : body;
    const answer = await submitPrompt(this.transport, sent, partnerKey, signal);
    if (answer.kind === 'refused' && answer.refusesClientId) this.#refusesClientId = true;
    return answer;
  }

  async jobs(query: JobsQuery, signal?: AbortSignal): Promise<JobsPage> {
    const { jobs, history } = await this.capabilities();
    if (jobs) return listJobs(this.transport, query, signal);
    if (!history) return listFromQueue(this.#queues, query, signal);
    return listFromQueueAndHistory(this.transport, this.#queues, query, signal);
  }

  /** Undefined when the server does not know the job: just submitted, deleted, or forgotten in a restart. */
  async job(id: string, signal?: AbortSignal): Promise<JobDetail | undefined> {
    const { dialect, jobs, history } = await this.capabilities();
    if (!isJobId(id)) return undefined;
    if (jobs) return readJob(this.transport, id, signal);
    if (dialect === 'cloud') return readCloudJob(this.transport, id, history, signal);
    return findJob(this.transport, this.#queues, id, signal);
  }

  async cancel(id: string, signal?: AbortSignal): Promise<CancelAnswer> {
    const { dialect, jobCancel } = await this.capabilities();
    if (!isJobId(id)) return 'notFound';
    const how: Cancelling = {
      transport: this.transport,
      dialect,
      jobCancel: this.#jobCancel ?? jobCancel,
      learned: (isThere) => {
        this.#jobCancel = isThere;
      },
      job: (jobId, jobSignal) => this.job(jobId, jobSignal),
    };
    return cancelJob(how, id, signal);
  }

  /** Returns whether the server also ends running jobs (protocol 1.9). Never clears the queue: others stay. */
  async deletePending(ids: readonly string[], signal?: AbortSignal): Promise<boolean> {
    if (ids.length > 0) {
      const body = { json: { delete: ids } };
      await this.transport.request({ method: 'POST', path: '/api/queue', body, signal });
    }
    return (await this.capabilities()).dialect === 'cloud';
  }

  /** Everyone's jobs, each with its full prompt: `ServerError` `tooLarge` beyond the budget. */
  queue(signal?: AbortSignal): Promise<QueueSnapshot> {
    return this.#queues.read(signal);
  }

  systemStats(signal?: AbortSignal): Promise<SystemStats> {
    return this.transport.json(systemStats, { path: '/api/system_stats', signal });
  }

  user(signal?: AbortSignal) {
    return this.transport.json(userAnswer, { path: '/api/user', signal });
  }

  notice(sentence: string): void {
    this.transport.notice(sentence);
  }

  /** Before anything else is known, a missing route or a limit tells what kind of server this is. */
  async #recognized<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (!ServerError.is(error) || (error.status !== 404 && error.status !== 429)) throw error;
      const { dialect } = await this.capabilities();
      const { endpoint, serverMessage, serverCode, retryAfter } = error;
      const isSilent = (serverMessage ?? serverCode ?? retryAfter) === undefined;
      if (error.status === 404 || dialect !== 'cloud' || !isSilent) throw error;
      throw refusalError({ endpoint, status: 429, bodyText: '', isCloud: true });
    }
  }

  view(file: OutputFile, options: ViewOptions = {}): Promise<ViewAnswer> {
    return viewOutput(this.transport, file, options);
  }
}

interface ImageUpload {
  /** Any file, not only pictures: audio and video go the same way (protocol 1.3). */
  readonly filename: string;
  readonly bytes: Uint8Array;
  readonly mime?: string | undefined;
  readonly subfolder?: string | undefined;
  readonly overwrite?: boolean | undefined;
}

interface MaskUpload extends ImageUpload {
  readonly original: { readonly filename: string; readonly subfolder?: string; readonly type?: string };
}

/** A slow line and 100 MB. */
const deadline = 10 * 60_000;

/** No contract shows the answer, so a name that is missing is taken to be the one that was sent. */
async function send(
  transport: Transport,
  path: string,
  upload: ImageUpload,
  first: readonly FormPart[],
  signal?: AbortSignal,
): Promise<UploadAnswer> {
  const request = { method: 'POST', path, accept: 'application/json', deadline, signal } as const;
  const text = await transport.text({ ...request, body: { form: [...first, ...parts(upload)] } });
  const endpoint = endpointText(request);
  const isEmpty = text.trim() === '';
  const answer = readAnswer(uploadAnswer, isEmpty ? '{}' : text, endpoint);
  if (answer.name !== undefined) return { ...answer, name: answer.name };
  const { filename } = upload;
  if (isEmpty && !keepsName(upload))
    throw new ServerError(
      t`The server didn't say which name it gave ${filename}. It may already have had a file with that name.`,
      {
        reason: 'unexpectedShape',
        endpoint,
        nextAction: t`Check the server, or upload the file there and use its name.`,
      },
    );
  transport.notice(t`The server didn't say which name it gave ${filename}, so this name is used.`);
  return { ...answer, name: filename };
}

/** No other file can be on the server under that name afterwards. */
function keepsName({ filename, bytes, overwrite = false }: ImageUpload): boolean {
  return overwrite || filename.toLowerCase().includes(createHash('sha256').update(bytes).digest('hex'));
}

/** Texts before the file, as the newer endpoints want it; `type` always, for the areas differ by default. */
function parts(upload: ImageUpload): FormPart[] {
  return [
    { name: 'type', text: 'input' },
    ...(upload.subfolder ? [{ name: 'subfolder', text: upload.subfolder }] : []),
    ...(upload.overwrite ? [{ name: 'overwrite', text: 'true' }] : []),
    {
      name: 'image',
      filename: upload.filename,
      bytes: upload.bytes,
      mime: upload.mime,
    },
  ];
}
