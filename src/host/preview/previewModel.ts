import { describeProgress, jobProgress } from '../../core/jobs/jobSummary';
import { isTerminal, type Job, type JobNode } from '../../core/jobs/job';
import { filesWorthSaving } from '../../core/outputs/outputNames';
import type { OutputFile } from '../../core/protocol/outputFile';
import type { ExecutionFailure } from '../../core/protocol/serverEvent';
import { explainFailure } from '../../core/protocol/failureExplanation';
import type {
  PreviewFailure,
  PreviewJob,
  PreviewMedia,
  PreviewNode,
  PreviewOutput,
} from '../../webview/contract/preview';

/** Where an output is: saved, with the address that the panel may load; on its way; or only on the server. */
export type OutputPlace = { readonly source: string } | 'fetching' | 'onServer';

export type PlaceOf = (output: OutputFile) => OutputPlace;

/** More nodes than this are not listed one by one: the list would be longer than anybody reads. */
const listedNodes = 300;

/** What the panel shows of a job, in the words and numbers that it shows. */
export function previewOf(job: Job, serverName: string, placeOf: PlaceOf): PreviewJob {
  const { fraction, step, steps } = jobProgress(job);
  return {
    id: job.id,
    title: job.origin?.label ?? `Job ${job.id.slice(0, 8)}`,
    server: serverName,
    state: job.state,
    stateText: stateText(job),
    fraction,
    progressText: describeProgress(job),
    ...(step !== undefined && steps !== undefined && steps > 1 ? { stepFraction: step / steps } : {}),
    ...(job.startedAt === undefined ? {} : { startedAt: job.startedAt }),
    ...(job.endedAt === undefined ? {} : { endedAt: job.endedAt }),
    nodes: nodesOf(job),
    outputs: outputsOf(job, placeOf),
    ...(job.failure === undefined ? {} : { failure: failureOf(job.failure) }),
    cancellable: !isTerminal(job.state) && !job.cancelling,
  };
}

function stateText(job: Job): string {
  if (job.cancelling && !isTerminal(job.state)) return 'Cancelling';
  switch (job.state) {
    case 'pending':
      return job.queuePosition === undefined ? 'Queued' : `Queued, number ${job.queuePosition}`;
    case 'running':
      return 'Running';
    case 'completed':
      return job.blocked.length > 0 ? 'Completed, some branches blocked' : 'Completed';
    case 'failed':
      return 'Failed';
    case 'cancelled':
      return 'Cancelled';
    case 'lost':
      return 'Lost by the server';
  }
}

function nodesOf(job: Job): PreviewNode[] {
  const names = job.origin?.nodeNames ?? {};
  const ids = Object.keys(job.origin === undefined ? job.nodes : names);
  return ids.slice(0, listedNodes).map((id) => nodeOf(id, names[id] ?? id, job.nodes[id]));
}

function nodeOf(id: string, name: string, node: JobNode | undefined): PreviewNode {
  const states = {
    pending: 'waiting',
    running: 'running',
    finished: 'done',
    cached: 'cached',
    error: 'failed',
  } as const;
  const state = node === undefined ? 'waiting' : states[node.state];
  const stepping = node?.state === 'running' && node.max > 1;
  return { id, name, state, note: stepping ? `step ${node.value}/${node.max}` : '' };
}

function outputsOf(job: Job, placeOf: PlaceOf): PreviewOutput[] {
  const nodeName = (nodeId: string): string => job.origin?.nodeNames[nodeId] ?? `node ${nodeId}`;
  const files = filesWorthSaving(job).map((file): PreviewOutput => {
    const place = placeOf(file);
    return {
      key: outputKey(file),
      media: mediaOf(file),
      name: file.displayName ?? file.filename,
      nodeName: nodeName(file.nodeId),
      ...(typeof place === 'object' ? place : { fetching: place === 'fetching' }),
    };
  });
  const texts = job.texts.map(({ nodeId, text }, index): PreviewOutput => ({
    key: `text:${nodeId}:${index}`,
    media: 'text',
    name: `Text of ${nodeName(nodeId)}`,
    nodeName: nodeName(nodeId),
    text,
  }));
  return [...files, ...texts];
}

/** Names a file output within its job, as the server names it. */
export function outputKey(file: OutputFile): string {
  return `${file.area}/${file.subfolder}/${file.filename}`;
}

function mediaOf(file: OutputFile): PreviewMedia {
  return file.media === 'image' || file.media === 'video' || file.media === 'audio' ? file.media : 'other';
}

function failureOf(failure: ExecutionFailure): PreviewFailure {
  const { title, nextAction } = explainFailure(failure);
  return {
    title,
    message: failure.message,
    nextAction,
    ...(failure.nodeId === undefined ? {} : { nodeId: failure.nodeId }),
  };
}
