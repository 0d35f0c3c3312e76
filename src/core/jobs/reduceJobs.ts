import type { JobDetail, JobListing } from '../protocol/jobRecord';
import { jobNode, isTerminal, type Job, withNotice } from './job';
import { consistentJob, reachJobState, withBlocked, withFailure } from './jobEnd';
import type { JobObservation } from './jobObservation';
import { withKnownOutputs, withOutputs } from './jobOutputs';
import { listedOutputs } from './outputCount';
import { isReadable } from '../protocol/outputRecord';
import type { ServerEvent } from '../protocol/serverEvent';
import {
  submittedNodeId,
  withBegunNode,
  withCachedNodes,
  withNode,
  withNodeText,
  applyProgress,
} from './jobNodes';

interface KnownJobs {
  get(id: string): Job | undefined;
  live(server: string): Iterable<Job>;
}

/**
 * The jobs that an observation changes or makes known. Pure, and robust against networks: any order and any repetition
 * of reports about an ended job gives the same job, and an end is never left, although late outputs, times and reasons
 * are still added.
 */
export function changedJobs(jobs: KnownJobs, observation: JobObservation): readonly Job[] {
  if (observation.kind === 'queued') return changedByQueue(jobs, observation);
  const id = subject(observation);
  const old = id === undefined ? undefined : jobs.get(id);
  if (id === undefined || (!old && !provesUnknown(observation))) return [];
  const known = old ?? newJob(id, observation.server);
  const isSeen = 'event' in observation || 'listing' in observation || 'detail' in observation;
  const next = consistentJob(reduceJob(isSeen ? seen(known) : known, observation, old !== undefined));
  return next === old ? [] : [next];
}

/** Adds what its server reported of a job that a record tells as ended. */
export function recordedJob(recorded: Job, reported: Job): Job {
  const { endedAt, outputsCount, outputsListed, nodes, failure } = reported;
  const { outputs, texts, ...job } = reachJobState(recorded, reported.state);
  const all = withKnownOutputs(reported, outputs, texts);
  return consistentJob({
    ...job,
    origin: job.origin ?? reported.origin,
    endedAt: endedAt ?? job.endedAt,
    outputsCount: outputsCount ?? job.outputsCount,
    outputsListed: outputsListed ?? job.outputsListed,
    nodes: { ...nodes, ...job.nodes },
    outputs: all.outputs,
    texts: all.texts,
    failure: job.failure ?? failure,
  });
}

function seen(job: Job): Job {
  return job.unlistedSince === undefined ? job : { ...job, unlistedSince: undefined };
}

type Time = 'createdAt' | 'startedAt' | 'endedAt';
type OneJob = Exclude<JobObservation, { readonly kind: 'queued' }>;

function subject(observation: OneJob): string | undefined {
  if (observation.kind === 'event') return jobOfEvent(observation.event);
  if (observation.kind === 'listed') return observation.listing.id;
  return observation.kind === 'detail' ? observation.detail.id : observation.id;
}

const aboutKnown: ReadonlySet<OneJob['kind']> = new Set(['gone', 'unlisted', 'cancelRefused', 'missed']);

function provesUnknown(observation: OneJob): boolean {
  return observation.kind === 'event' ? provesJob(observation.event) : !aboutKnown.has(observation.kind);
}

function reduceJob(job: Job, observation: OneJob, known: boolean): Job {
  const { at } = observation;
  switch (observation.kind) {
    case 'submitted': {
      const { origin, heard } = observation;
      const begun = heard?.startedAt === undefined ? job : began(job, heard.startedAt);
      const known = heard ? withKnownOutputs(begun, heard.outputs, heard.texts) : begun;
      const ours = known.origin ? known : { ...known, origin };
      return withOwnTime(ours, 'createdAt', at);
    }
    case 'event':
      return reduceEvent(job, observation.event, at);
    case 'listed':
      return reduceListing(job, observation.listing, at, known);
    case 'detail':
      return reduceDetail(job, observation.detail, at, known);
    case 'gone':
      return isTerminal(job.state)
        ? job
        : {
            ...withOwnTime(reachJobState(job, 'lost'), 'endedAt', lastSign(job, observation)),
            ...(observation.why && { lostWhy: observation.why }),
          };
    case 'unlisted':
      return isTerminal(job.state) || job.unlistedSince !== undefined
        ? job
        : { ...job, unlistedSince: observation.lastSeen };
    case 'missed':
      return job.missedEvents || job.heardEnd ? job : { ...job, missedEvents: true };
    case 'cancelAsked':
      return isTerminal(job.state) || job.cancelling ? job : { ...job, cancelling: true };
    case 'cancelRefused':
      return job.cancelling ? { ...job, cancelling: false } : job;
    case 'cancelSeen':
      return withOwnTime(reachJobState(job, 'cancelled'), 'endedAt', at);
  }
}

/** A job that was lost ended when it was last heard of, not when the search for it did. */
function lastSign(job: Job, { lastSeen, at }: Extract<OneJob, { readonly kind: 'gone' }>): number {
  const nodeTimes = Object.values(job.nodes).flatMap((each) => [each.startedAt, each.endedAt, each.seenAt]);
  const stepTimes = Object.values(job.nodes).map(({ stepsAt }) => stepsAt);
  const known = [job.startedAt, lastSeen, ...nodeTimes, ...stepTimes];
  const signs = known.filter((time) => time !== undefined);
  return signs.length > 0 ? Math.max(...signs) : at;
}

function reduceListing(job: Job, listing: JobListing, at: number, known: boolean): Job {
  const { state, terminal, moving } = listing.status;
  let next = withServerTime(job, 'createdAt', listing.createdAt);
  if (terminal) next = reachJobState(next, state);
  else if (state === 'running' || (moving && state === 'failed')) next = seenRunning(next, at, known);
  if (moving && state === 'cancelled' && !next.cancelling) next = { ...next, cancelling: true };
  next = withServerTime(next, 'startedAt', listing.startedAt);
  if (terminal) next = withServerTime(next, 'endedAt', listing.endedAt);
  // An outdated count is replaced by a later one, whichever arrives first.
  const outputsCount = Math.max(listing.outputsCount ?? -1, next.outputsCount ?? -1);
  if (terminal && outputsCount >= 0 && outputsCount !== next.outputsCount) next = { ...next, outputsCount };
  return listing.failure ? withFailure(next, listing.failure, at) : next;
}

function reduceDetail(job: Job, detail: JobDetail, at: number, known: boolean): Job {
  const listed = reduceListing(job, detail, at, known);
  const reduced = detail.events.reduce((next, event) => reduceEvent(next, event, at), listed);
  if (detail.tellsOutputs === false && !reduced.eventsOnly) return { ...reduced, eventsOnly: true };
  if (!detail.outputs) return reduced;
  const next = withOutputs(reduced, detail.outputs, detail.displayNodes);
  const outputsListed = listedOutputs(detail);
  const { outputsListed: before = 0 } = next;
  // As above: the later record counts.
  return outputsListed > before ? { ...next, outputsListed } : next;
}

function changedByQueue(
  jobs: KnownJobs,
  { server, at, running, pending }: Extract<JobObservation, { readonly kind: 'queued' }>,
): readonly Job[] {
  const changed: Job[] = [];
  const consider = (old: Job | undefined, next: Job) => {
    const job = consistentJob(next);
    if (job !== old) changed.push(job);
  };
  for (const id of running) {
    const old = jobs.get(id);
    consider(old, seenRunning(old ? seen(old) : newJob(id, server), at, old !== undefined));
  }
  for (const [index, id] of pending.entries()) {
    const old = jobs.get(id);
    consider(old, atPosition(old ? seen(old) : newJob(id, server), index + 1));
  }
  const queued = new Set([...running, ...pending]);
  for (const job of jobs.live(server))
    if (job.queuePosition !== undefined && !queued.has(job.id))
      changed.push({ ...job, queuePosition: undefined });
  return changed;
}

/** A job that a poll shows running. Its start is known only if it was seen waiting before. */
function seenRunning(job: Job, at: number, known: boolean): Job {
  if (job.state !== 'pending') return job;
  const running = reachJobState(job, 'running');
  return known ? withOwnTime(running, 'startedAt', at) : running;
}

function atPosition(job: Job, queuePosition: number): Job {
  if (job.state !== 'pending' || job.queuePosition === queuePosition) return job;
  return { ...job, queuePosition };
}

function newJob(id: string, server: string): Job {
  return { id, server, state: 'pending', cancelling: false, nodes: {}, outputs: [], texts: [], blocked: [] };
}

export function jobOfEvent(event: ServerEvent): string | undefined {
  return 'promptId' in event ? event.promptId : undefined;
}

/** Events sent only for a job that runs or ran: they add an unknown job. */
function provesJob(event: ServerEvent): boolean {
  // The end of an unknown run says nothing.
  if (event.type === 'executing' && event.nodeId === null) return false;
  return event.type !== 'progressText' && event.type !== 'preview' && event.type !== 'notification';
}

/** Applies one socket event, or one stored message of a run, to its job (protocol 3.3, 3.4). */
function reduceEvent(job: Job, event: ServerEvent, at: number): Job {
  switch (event.type) {
    case 'executionStart':
      return withServerTime(began(heardFromStart(job), at), 'startedAt', event.timestamp);
    case 'executionCached':
      return withCachedNodes(began(job, at), event.nodes, at);
    case 'executing': {
      const { nodeId, displayNodeId } = event;
      // Without a node, the run is over, successfully or not: another message says how.
      return nodeId === null ? job : withBegunNode(began(job, at), { nodeId, displayNodeId }, at);
    }
    case 'progress': {
      const { nodeId, value, max } = event;
      if (nodeId === undefined) return began(job, at);
      return withNode(began(job, at), { nodeId }, { state: 'running', value, max }, at);
    }
    case 'progressState':
      return applyProgress(began(job, at), event.nodes, at);
    case 'executed': {
      const nodeId = submittedNodeId(job, event);
      // A part of an expanded node, or a first piece, is not the end of its node.
      const state = nodeId === event.nodeId && !event.merge ? 'finished' : 'running';
      const moved = withNode(began(job, at), event, { state }, at);
      const reported: Job = isReadable(event.output)
        ? withExecuted(moved, nodeId)
        : { ...moved, missedEvents: true };
      return withOutputs(reported, { [event.nodeId]: event.output }, { [event.nodeId]: nodeId });
    }
    case 'progressText':
      return withNodeText(job, event.nodeId, event.text, at);
    case 'executionSuccess': {
      const heard: Job = job.heardEnd ? job : { ...job, heardEnd: true };
      return ended(reachJobState(heard, 'completed'), event.timestamp, at);
    }
    case 'executionError':
      if (event.blocked) return withBlocked(began(job, at), event.failure);
      return ended(withFailure(reachJobState(job, 'failed'), event.failure, at), event.timestamp, at);
    case 'executionInterrupted':
      return ended(reachJobState(job, 'cancelled'), event.timestamp, at);
    case 'notification':
      return withNotice(job, event.text, at);
    case 'status':
    case 'featureFlags':
    case 'preview':
    case 'dropped':
    case 'unknown':
      return job;
  }
}

function began(job: Job, at: number): Job {
  return withOwnTime(reachJobState(job, 'running'), 'startedAt', at);
}

/** Events missed before the run began were not about its outputs. The start of a running job is reported once more. */
function heardFromStart(job: Job): Job {
  return job.missedEvents && job.state === 'pending' ? { ...job, missedEvents: undefined } : job;
}

function withExecuted(job: Job, nodeId: string): Job {
  const { executed = [] } = job;
  if (executed.includes(nodeId) || !jobNode(job.nodes, nodeId)) return job;
  // Sorted, so that the order of events makes no difference.
  return { ...job, executed: [...executed, nodeId].sort() };
}

function ended(job: Job, timestamp: number | undefined, at: number): Job {
  return withServerTime(withOwnTime(job, 'endedAt', at), 'endedAt', timestamp);
}

/** A value that would be before 1973 is in seconds: one copy of the contract says so (protocol 2.1). */
function asMilliseconds(time: number | undefined): number | undefined {
  if (time === undefined || !Number.isFinite(time) || time <= 0) return undefined;
  const milliseconds = time < 1e11 ? Math.round(time * 1000) : time;
  // A `Date` can't hold more, and throws when formatted.
  return milliseconds <= 8.64e15 ? milliseconds : undefined;
}

function withServerTime(job: Job, name: Time, time: number | undefined): Job {
  const milliseconds = asMilliseconds(time);
  if (milliseconds === undefined) return job;
  const known = job[name];
  if (known === undefined) return { ...job, [name]: milliseconds };
  if (job.ownTimes?.includes(name)) {
    const others = job.ownTimes.filter((own) => own !== name);
    return { ...job, ownTimes: others.length > 0 ? others : undefined, [name]: milliseconds };
  }
  const counts = name === 'endedAt' ? Math.max(known, milliseconds) : Math.min(known, milliseconds);
  return counts === known ? job : { ...job, [name]: counts };
}

/** The job with a time by our own clock, until the server reports one. */
function withOwnTime(job: Job, name: Time, at: number): Job {
  const known = job[name];
  const { ownTimes = [] } = job;
  if (known === undefined) return { ...job, [name]: at, ownTimes: [...ownTimes, name].sort() };
  return ownTimes.includes(name) && at < known ? { ...job, [name]: at } : job;
}
