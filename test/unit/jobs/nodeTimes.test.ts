import { describe, expect, it } from 'vitest';
import { nodesAsTheyRan, nodeSpans, nodeTimeText, tookText } from '../../../src/core/jobs/nodeTimes';
import type { Job } from '../../../src/core/jobs/job';
import { readJobs, writeJobs } from '../../../src/core/jobs/jobMemory';
import {
  begin,
  event,
  executing,
  progressNode,
  progressState,
  reduced,
  start,
  submitted,
} from './observations';
import type { ServerEvent } from '../../../src/core/protocol/serverEvent';

const nodeSpan = (job: Job, id: string) => nodeSpans(job).get(id);

const cachedLoad: ServerEvent = { type: 'executionCached', promptId: 'job', nodes: ['1'] };
const whole = [
  submitted(),
  event(begin, start + 1_000),
  event(cachedLoad, start + 1_000),
  event(progressState(progressNode('3', 'running')), start + 2_000),
  event(progressState(progressNode('3', 'finished')), start + 5_000),
  event(progressState(progressNode('3', 'finished'), progressNode('2', 'running', 1, 20)), start + 5_500),
  event(progressState(progressNode('3', 'finished'), progressNode('2', 'running', 9, 20)), start + 9_000),
];

describe('the times of nodes', () => {
  it('start with the first event and end when the end is reported', () => {
    const job = reduced(whole);
    expect(nodeSpan(job, '3')).toEqual({ startedAt: start + 2_000, endedAt: start + 5_000 });
    expect(nodeSpan(job, '2')).toEqual({ startedAt: start + 5_500 });
    expect(nodeSpan(job, '1'), 'served from the cache').toBeUndefined();
  });

  it("don't change when events repeat or arrive in any order", () => {
    const again = [...whole, ...whole.map((told) => ({ ...told, at: told.at + 60_000 }))];
    const backwards = [submitted(), ...whole.slice(1).reverse()];
    for (const job of [reduced(again), reduced(backwards)]) {
      expect(nodeSpan(job, '3')).toEqual({ startedAt: start + 2_000, endedAt: start + 5_000 });
      expect(nodeSpan(job, '2')).toEqual({ startedAt: start + 5_500 });
    }
  });

  it('end when the next node starts if the server reports no end', () => {
    const end: ServerEvent = { type: 'executionSuccess', promptId: 'job', timestamp: start + 9_000 };
    const job = reduced([
      submitted(),
      event(begin, start + 1_000),
      event(executing('1'), start + 2_000),
      event(executing('3'), start + 3_000),
      event(executing('2'), start + 7_000),
      event(end, start + 9_000),
    ]);
    expect(nodeSpan(job, '1')).toEqual({ startedAt: start + 2_000, endedAt: start + 3_000 });
    expect(nodeSpan(job, '3')).toEqual({ startedAt: start + 3_000, endedAt: start + 7_000 });
    expect(nodeSpan(job, '2')).toEqual({ startedAt: start + 7_000, endedAt: start + 9_000 });
  });

  it('are stored with the job', () => {
    const [job] = readJobs(writeJobs([reduced(whole)]));
    expect(job && nodeSpan(job, '3')).toEqual({ startedAt: start + 2_000, endedAt: start + 5_000 });
  });
});

describe('how long a node ran', () => {
  it('is shown in tenths of a second while that distinguishes nodes', () => {
    expect([40, 1_949, 12_700, 185_000].map(nodeTimeText)).toEqual(['0.0 s', '1.9 s', '12 s', '3 min 5 s']);
  });

  it('is never zero once it has ended', () => {
    expect([0, 49, 50].map(tookText)).toEqual(['under 0.1 s', 'under 0.1 s', '0.1 s']);
  });
});

describe('the order of nodes', () => {
  it('is the order in which they ran; waiting nodes come last', () => {
    expect(nodesAsTheyRan(reduced(whole))).toEqual(['1', '3', '2']);
    expect(nodesAsTheyRan(reduced(whole.slice(0, 4)))).toEqual(['1', '3', '2']);
    expect(nodesAsTheyRan(reduced([submitted()]))).toEqual(['1', '2', '3']);
  });

  it('includes nodes that the prompt does not contain', () => {
    const job = reduced([...whole, event(executing('77'), start + 10_000)]);
    expect(nodesAsTheyRan(job)).toEqual(['1', '3', '2', '77']);
  });
});
