import type { ExactObject } from '../../core/json/exactValue';
import type { RunResult } from '../execution/runRequest';

/** `extraData` contains no credentials. */
export interface AcceptedPrompt {
  readonly id: string;
  readonly number: number;
  /** As submitted, with every digit. */
  readonly prompt: ExactObject;
  readonly extraData: ExactObject;
  readonly partnerKey?: string | undefined;
  readonly clientId?: string | undefined;
  readonly targets: readonly string[];
  readonly previews: boolean;
  readonly createTime: number;
}

export interface SandboxJob extends Omit<AcceptedPrompt, 'partnerKey'> {
  /** Removed when the run ends. */
  partnerKey?: string | undefined;
  state: 'pending' | 'running' | 'ended';
  startTime?: number;
  endTime?: number;
  result?: RunResult;
}

/** The states of the jobs endpoints (protocol 2.1). */
export const sandboxJobStates = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'] as const;

export type JobWord = (typeof sandboxJobStates)[number];

/** Messages of an ended job count before its result (protocol 4.3). */
export function jobWord(job: SandboxJob): JobWord {
  if (job.state === 'pending') return 'pending';
  if (job.state === 'running' || !job.result) return 'in_progress';
  if (hasMessage(job, 'execution_interrupted') || job.result.status === 'interrupted') return 'cancelled';
  if (hasMessage(job, 'execution_error') || job.result.status === 'error') return 'failed';
  return 'completed';
}

function hasMessage(job: SandboxJob, type: string): boolean {
  return job.result?.messages.some(([name]) => name === type) ?? false;
}

export function jobFailure(job: SandboxJob): Readonly<Record<string, unknown>> | undefined {
  return job.result?.messages.find(([name]) => name === 'execution_error')?.[1];
}

type OutputRecords = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

/** Extra data at index 3 (protocol 1.8). */
export function localQueueItem(job: SandboxJob): readonly unknown[] {
  return [job.number, job.id, job.prompt, job.extraData, job.targets];
}

/** Outputs at index 3; the number is the position (protocol 1.8). */
export function cloudQueueItem(job: SandboxJob, position: number): readonly unknown[] {
  return [position, job.id, job.prompt, job.targets, { create_time: job.createTime }];
}

/** As in protocol 4.2. */
export function historyEntry(job: SandboxJob): object {
  return { prompt: localQueueItem(job), ...historyResult(job) };
}

const noResult: RunResult = { status: 'error', outputs: {}, meta: {}, messages: [] };

/** How a job ended, in the members of its history entry. */
export function historyResult({ result = noResult }: SandboxJob): object {
  return { outputs: result.outputs, status: executionStatus(result), meta: result.meta };
}

function executionStatus({ status, messages }: RunResult): object {
  const completed = status === 'success';
  return { status_str: completed ? 'success' : 'error', completed, messages };
}

/** Members without a value are left out, as on the server (protocol 2.1). */
export function jobEntry(job: SandboxJob): object {
  const word = jobWord(job);
  const counts = countOutputs((job.result ?? noResult).outputs);
  return {
    id: job.id,
    status: word,
    priority: job.number,
    create_time: job.createTime,
    ...(job.state === 'ended' && job.startTime !== undefined
      ? { execution_start_time: job.startTime, execution_end_time: job.endTime }
      : {}),
    execution_error: word === 'failed' ? jobFailure(job) : undefined,
    outputs_count: counts.all,
    previewable_outputs_count: counts.previewable,
    preview_output: counts.preview,
    workflow_id: workflowId(job),
  };
}

/** A job that has not ended has no outputs (protocol 2.1). */
export function sandboxJobDetail(job: SandboxJob): object {
  const ending = job.result && { outputs: job.result.outputs, execution_status: executionStatus(job.result) };
  return { ...jobEntry(job), ...ending, workflow: { prompt: job.prompt, extra_data: job.extraData } };
}

const previewableKeys = new Set(['images', 'video', 'videos', 'gifs', 'audio', '3d']);
const previewLimit = 1_000;

function countOutputs(outputs: OutputRecords): {
  all: number;
  previewable: number;
  preview?: object | undefined;
} {
  let all = 0;
  let previewable = 0;
  let preview: object | undefined;
  let fallback: object | undefined;
  for (const [nodeId, record] of Object.entries(outputs)) {
    for (const [mediaType, items] of Object.entries(record)) {
      if (mediaType === 'animated' || !Array.isArray(items)) continue;
      if (mediaType === 'text') fallback ??= textPreview(items, nodeId);
      for (const item of items) {
        if (!isFileItem(item)) continue;
        all++;
        if (!previewableKeys.has(mediaType) && !isMediaFormat(item['format'])) continue;
        previewable++;
        const shown = { ...item, nodeId, mediaType };
        // A saved file is a better preview of the job than a temporary one.
        if (preview === undefined && item['type'] === 'output') preview = shown;
        else fallback ??= shown;
      }
    }
  }
  const shown = preview ?? fallback;
  return { all, previewable, preview: shown };
}

function textPreview(items: readonly unknown[], nodeId: string): object | undefined {
  const first = items[0];
  if (typeof first !== 'string') return undefined;
  const content = first.slice(0, previewLimit);
  return { content, ...(content === first ? {} : { truncated: true }), nodeId, mediaType: 'text' };
}

function isFileItem(item: unknown): item is Readonly<Record<string, unknown>> {
  return typeof item === 'object' && item !== null && 'filename' in item;
}

function isMediaFormat(format: unknown): boolean {
  return typeof format === 'string' && /^(image|video|audio)\//.test(format);
}

export function workflowId(job: SandboxJob): unknown {
  const info = job.extraData.get('extra_pnginfo');
  const workflow = info instanceof Map ? (info.get('workflow') as unknown) : undefined;
  return workflow instanceof Map ? (workflow.get('id') as unknown) : undefined;
}
