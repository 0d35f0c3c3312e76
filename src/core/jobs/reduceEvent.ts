import { isReadable } from '../protocol/outputRecord';
import type { ServerEvent } from '../protocol/serverEvent';
import { type Job, nodeIn } from './job';
import { reach, withBlocked, withFailure } from './jobEnd';
import { nodeOf, withBegunNode, withCachedNodes, withNode, withNodeText, withProgress } from './jobNodes';
import { withNotice } from './jobNotices';
import { withOutputs } from './jobOutputs';
import { withOwnTime, withToldTime } from './jobTimes';

/** The job that an event is about; undefined for messages about the server itself or without a job. */
export function jobOfEvent(event: ServerEvent): string | undefined {
  return 'promptId' in event ? event.promptId : undefined;
}

/** Events sent only for a job that runs or ran: they add an unknown job. */
export function provesJob(event: ServerEvent): boolean {
  return event.type !== 'progressText' && event.type !== 'preview' && event.type !== 'notification';
}

/** What one socket event, or one stored message of a run, says about its job (protocol 3.3, 3.4). */
export function reduceEvent(job: Job, event: ServerEvent, at: number): Job {
  switch (event.type) {
    case 'executionStart':
      return withToldTime(began(heardFromStart(job), at), 'startedAt', event.timestamp);
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
      return withProgress(began(job, at), event.nodes, at);
    case 'executed': {
      const nodeId = nodeOf(job, event);
      // A part of an expanded node, or a first piece, is not the end of its node.
      const state = nodeId === event.nodeId && !event.merge ? 'finished' : 'running';
      const moved = withNode(began(job, at), event, { state }, at);
      const told: Job = isReadable(event.output)
        ? withExecuted(moved, nodeId)
        : { ...moved, missedEvents: true };
      return withOutputs(told, { [event.nodeId]: event.output }, { [event.nodeId]: nodeId });
    }
    case 'progressText':
      return withNodeText(job, event.nodeId, event.text, at);
    case 'executionSuccess':
      return ended(reach(heardToEnd(job), 'completed'), event.timestamp, at);
    case 'executionError':
      if (event.blocked) return withBlocked(began(job, at), event.failure);
      return ended(withFailure(reach(job, 'failed'), event.failure, at), event.timestamp, at);
    case 'executionInterrupted':
      return ended(reach(job, 'cancelled'), event.timestamp, at);
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
  return withOwnTime(reach(job, 'running'), 'startedAt', at);
}

/** What was missed before the run began was not about its outputs. The start of one that runs is told once more. */
function heardFromStart(job: Job): Job {
  return job.missedEvents && job.state === 'pending' ? { ...job, missedEvents: undefined } : job;
}

function heardToEnd(job: Job): Job {
  return job.heardEnd ? job : { ...job, heardEnd: true };
}

function withExecuted(job: Job, nodeId: string): Job {
  const { executed = [] } = job;
  if (executed.includes(nodeId) || !nodeIn(job.nodes, nodeId)) return job;
  // In an order that does not depend on the events'.
  return { ...job, executed: [...executed, nodeId].sort() };
}

function ended(job: Job, timestamp: number | undefined, at: number): Job {
  return withToldTime(withOwnTime(job, 'endedAt', at), 'endedAt', timestamp);
}
