import { isTerminal, type Job, type JobOrigin } from '../../../src/core/jobs/job';
import type { JobObservation } from '../../../src/core/jobs/jobObservation';
import type { JobStore } from '../../../src/core/jobs/jobStore';
import type { RunFacts } from '../../../src/core/runLife/run';
import type { RunStore } from '../../../src/core/runLife/runStore';
import { changedJobs } from '../../../src/core/jobs/reduceJobs';
import type { JobDetail, JobListing } from '../../../src/core/protocol/jobRecord';
import { readJobState } from '../../../src/core/protocol/jobStatus';
import type { ExecutionFailure, ProgressNode, ServerEvent } from '../../../src/core/protocol/serverEvent';

/* Short observations for tests: of the job `job` on one server, one second apart. */

export const server = 'http://127.0.0.1:8188';
export const id = 'job';
/** 2026-01-15 in ms. */
export const start = 1_768_478_400_000;

export const origin: JobOrigin = {
  label: 'portrait.json',
  nodeNames: { '1': 'Load', '2': 'Sampler', '3': 'Save' },
  seeds: {},
};

export function submitted(at = start): JobObservation {
  return { kind: 'submitted', id, server, origin, at };
}

/** A job as the previous window stored it. */
export function stored(state: Job['state'], promptId = id): Job {
  return { ...storedElsewhere(state, promptId), origin };
}

/** The same for a job that was not submitted from here. */
export function storedElsewhere(state: Job['state'], promptId = id): Job {
  return {
    id: promptId,
    server,
    state,
    cancelling: false,
    createdAt: start - 60_000,
    nodes: {},
    outputs: [],
    texts: [],
    blocked: [],
  };
}

/** Tells a store of jobs, as this window and their servers do. */
export function observeJobs(store: JobStore, jobs: readonly Job[]): void {
  for (const { id, server, origin, state, createdAt = start, endedAt } of jobs) {
    if (origin) store.observe({ kind: 'submitted', id, server, origin, at: createdAt });
    store.observe({ kind: 'listed', listing: listing(state, { id, createdAt, endedAt }), server, at: start });
  }
}

/** Puts a run into a store whose record tells this job. */
export function putRecordedJob(runs: RunStore, job: Job, more: Partial<RunFacts> = {}): void {
  const { id, server, origin } = job;
  const facts: RunFacts = {
    ...{ state: 'saved', job: id, server, label: id, time: start, seeds: [], search: '' },
    ...{ isSent: origin !== undefined, ...more },
  };
  runs.put({ folder: '/outputs', record: `${id}.run.json` }, { facts, files: [], job });
}

export function event(told: ServerEvent, at = start): JobObservation {
  return { kind: 'event', event: told, server, at };
}

export function detail(rawStatus: string, more: Partial<JobDetail> = {}): JobDetail {
  return { ...listing(rawStatus), displayNodes: {}, events: [], ...more };
}

export function listing(rawStatus: string, more: Partial<JobListing> = {}): JobListing {
  return { id, rawStatus, status: readJobState(rawStatus), ...more };
}

export function progressNode(nodeId: string, state: string, value = 0, max = 1, display = nodeId) {
  return { nodeId, state, value, max, displayNodeId: display };
}

export function failure(more: Partial<ExecutionFailure> = {}): ExecutionFailure {
  return {
    nodeId: '2',
    nodeType: 'KSampler',
    exceptionType: 'RuntimeError',
    message: 'no',
    traceback: [],
    ...more,
  };
}

export const begin = { type: 'executionStart', promptId: id, timestamp: start + 1_000 } satisfies ServerEvent;
export const cached: ServerEvent = { type: 'executionCached', promptId: id, nodes: ['1'] };
export const success = {
  type: 'executionSuccess',
  promptId: id,
  timestamp: start + 9_000,
} satisfies ServerEvent;
export const interrupted = {
  type: 'executionInterrupted',
  promptId: id,
  nodeId: '2',
  timestamp: start + 9_000,
} satisfies ServerEvent;
export const over = { type: 'executing', promptId: id, nodeId: null } satisfies ServerEvent;

export function failed(more: Partial<ExecutionFailure> = {}, blocked = false): ServerEvent {
  return { type: 'executionError', promptId: id, failure: failure(more), blocked, timestamp: start + 9_000 };
}

export function executing(nodeId: string, displayNodeId = nodeId): ServerEvent {
  return { type: 'executing', promptId: id, nodeId, displayNodeId };
}

export function progressState(...nodes: ProgressNode[]): ServerEvent {
  return { type: 'progressState', promptId: id, nodes };
}

export function executed(
  nodeId: string,
  files: readonly string[],
  merge = false,
  display = nodeId,
): ServerEvent {
  const images = files.map((filename) => ({ filename, subfolder: '', type: 'output' }));
  return { type: 'executed', promptId: id, nodeId, displayNodeId: display, output: { images }, merge };
}

/** The events one second apart, after the submission. */
export function run(...events: readonly ServerEvent[]): JobObservation[] {
  return [submitted(), ...events.map((told, index) => event(told, start + 1_000 * (index + 1)))];
}

export function reduced(observations: Iterable<JobObservation>): Job {
  const job = reducedAll(observations).get(id);
  if (!job) throw new Error('No job became known.');
  return job;
}

export function reducedAll(observations: Iterable<JobObservation>): ReadonlyMap<string, Job> {
  let jobs: ReadonlyMap<string, Job> = new Map();
  for (const observation of observations) jobs = reduceJobs(jobs, observation);
  return jobs;
}

/** The jobs after one observation; the same map if nothing is new. */
export function reduceJobs(jobs: ReadonlyMap<string, Job>, observation: JobObservation) {
  const live = (of: string) =>
    [...jobs.values()].filter((job) => !isTerminal(job.state) && job.server === of);
  const changed = changedJobs({ get: (each) => jobs.get(each), live }, observation);
  return changed.length === 0 ? jobs : new Map([...jobs, ...changed.map((job) => [job.id, job] as const)]);
}
