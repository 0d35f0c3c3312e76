import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTerminal, type Job } from '../../../src/core/jobs/job';
import type { JobObservation } from '../../../src/core/jobs/jobObservation';
import type { ServerEvent } from '../../../src/core/protocol/serverEvent';
import {
  begin,
  detail,
  event,
  executed,
  executing,
  failed,
  failure,
  id,
  interrupted,
  listing,
  over,
  progressNode,
  progressState,
  reduced,
  reducedAll,
  run,
  server,
  start,
  submitted,
  success,
  reduceJobs,
} from './observations';

/*
 * Runs as servers report them: any number of nodes, one after the other, each in a different way, with an end of any
 * kind.
 */

interface NodeRun {
  readonly kind: 'cached' | 'plain' | 'stepping' | 'saving' | 'expanding';
  readonly steps: number;
}

const nodeRun: fc.Arbitrary<NodeRun> = fc.record({
  kind: fc.constantFrom('cached', 'plain', 'stepping', 'saving', 'expanding'),
  steps: fc.integer({ min: 1, max: 4 }),
});

const jobRun = fc.record({
  nodes: fc.array(nodeRun, { minLength: 1, maxLength: 6 }),
  end: fc.constantFrom('completed' as const, 'failed' as const, 'cancelled' as const),
  whole: fc.boolean(),
  blocked: fc.boolean(),
});

function eventsOf({
  nodes,
  end,
  whole,
  blocked,
}: typeof jobRun extends fc.Arbitrary<infer T> ? T : never): ServerEvent[] {
  const ids = nodes.map((_, index) => String(index + 1));
  const isCached = (index: number) => nodes[index]?.kind === 'cached';
  const told: ServerEvent[] = [
    begin,
    { type: 'executionCached', promptId: id, nodes: ids.filter((_, index) => isCached(index)) },
  ];
  const snapshot = (last: number, ...now: Parameters<typeof progressNode>[]) => {
    const done = ids.filter((_, index) => index < last && !isCached(index));
    const finished = done.map((nodeId) => progressNode(nodeId, 'finished', 1, 1));
    told.push(progressState(...finished, ...now.map((node) => progressNode(...node))));
  };
  for (const [index, { kind, steps }] of nodes.entries()) {
    const nodeId = String(index + 1);
    if (kind === 'cached') continue;
    if (whole) snapshot(index, [nodeId, 'running', 0, 1]);
    told.push(executing(nodeId));
    for (let step = 1; kind === 'stepping' && step <= steps; step++) {
      told.push({ type: 'progress', promptId: id, nodeId, value: step, max: steps });
      if (whole) snapshot(index, [nodeId, 'running', step, steps]);
    }
    if (kind === 'expanding' && whole) {
      snapshot(index, [nodeId, 'running', 0, 1], [`${nodeId}.0.0.1`, 'running', 1, steps, nodeId]);
      told.push(
        executing(`${nodeId}.0.0.1`, nodeId),
        executed(`${nodeId}.0.0.1`, [`${nodeId}p.png`], false, nodeId),
      );
    }
    if (index === nodes.length - 1 && end !== 'completed') break;
    if (kind === 'saving')
      told.push(
        executed(
          nodeId,
          Array.from({ length: steps }, (_, file) => `${nodeId}-${file}.png`),
        ),
      );
    if (whole) snapshot(index + 1);
  }
  if (blocked) told.push(failed({ nodeId: '1', exceptionType: 'ExecutionBlocked' }, true));
  const last = String(nodes.length);
  told.push(
    end === 'completed'
      ? success
      : end === 'failed'
        ? failed({ nodeId: last })
        : { ...interrupted, nodeId: last },
  );
  told.push(over);
  return told;
}

function observationsOf(job: Parameters<typeof eventsOf>[0]): JobObservation[] {
  const events = eventsOf(job);
  const at = start + 60_000;
  const outputs: Record<string, Record<string, unknown>> = {};
  for (const told of events) {
    if (told.type === 'executed' && told.output) outputs[told.nodeId] = told.output;
  }
  const ended = detail(job.end, {
    outputs,
    createdAt: start - 5,
    startedAt: start + 1_000,
    endedAt: start + 9_000,
    displayNodes: Object.fromEntries(
      Object.keys(outputs).flatMap((key) => (key.includes('.') ? [[key, key.split('.')[0] ?? key]] : [])),
    ),
    ...(job.end === 'failed'
      ? { failure: failure({ nodeId: String(job.nodes.length), traceback: ['line'] }) }
      : {}),
  });
  return [
    ...run(...events),
    { kind: 'queued', running: [], pending: ['other', id], server, at: start + 10 },
    { kind: 'queued', running: [id], pending: [], server, at: start + 1_010 },
    { kind: 'listed', listing: listing('pending', { createdAt: start - 5 }), server, at: start + 20 },
    { kind: 'listed', listing: listing('in_progress', { createdAt: start - 5 }), server, at: start + 2_000 },
    {
      kind: 'listed',
      listing: listing(job.end, { createdAt: start - 5, endedAt: start + 9_000, outputsCount: 2 }),
      server,
      at,
    },
    { kind: 'detail', detail: ended, server, at },
    ...(job.end === 'cancelled' ? ([{ kind: 'cancelAsked', id, server, at: start + 8_000 }] as const) : []),
  ];
}

describe('in any order and with any repetition', () => {
  it('events about an ended job result in the same job', () => {
    const mixed = jobRun.chain((job) => {
      const told = observationsOf(job);
      return fc.record({
        told: fc.constant(told),
        end: fc.constant(job.end),
        mixed: fc
          .tuple(fc.shuffledSubarray(told, { minLength: told.length }), fc.array(fc.constantFrom(...told)))
          .chain(([all, again]) =>
            fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }),
          ),
      });
    });
    fc.assert(
      fc.property(mixed, ({ told, end, mixed: other }) => {
        const inOrder = reduced(told);
        expect(inOrder.state).toBe(end);
        expect(reduced(other)).toEqual(inOrder);
      }),
      { numRuns: 200 },
    );
  });

  it('the final record results in the same job, whichever messages are lost, repeated or reordered', () => {
    const broken = jobRun.chain((job) => {
      const told = observationsOf(job);
      return fc.record({
        told: fc.constant(told),
        heard: fc.array(fc.constantFrom(...told), { maxLength: 60 }),
      });
    });
    // Only the socket reports a blocked branch.
    const known = ({ state, outputs, texts, failure: why }: Job) => ({ state, outputs, texts, why });
    fc.assert(
      fc.property(broken, ({ told, heard }) => {
        const record = told.find(({ kind }) => kind === 'detail');
        const whole = known(reduced(told));
        expect(known(reduced([submitted(), ...heard, ...(record ? [record] : [])]))).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  it('an ended job never revives, and its end changes only to one with higher precedence', () => {
    const anything = fc.oneof(
      fc
        .constantFrom<ServerEvent>(begin, success, failed(), interrupted, over, executing('2'))
        .map((told) => event(told)),
      fc
        .constantFrom('pending', 'in_progress', 'completed', 'failed', 'cancelled', 'cancel_requested')
        .map((raw): JobObservation => ({ kind: 'detail', detail: detail(raw), server, at: start })),
      fc
        .constantFrom('gone', 'cancelAsked', 'cancelRefused', 'cancelSeen')
        .map((kind): JobObservation => ({ kind: kind as 'gone', id, server, at: start })),
      fc.constantFrom<JobObservation>(
        { kind: 'queued', running: [id], pending: [], server, at: start },
        { kind: 'queued', running: [], pending: [id], server, at: start },
      ),
    );
    const order = ['lost', 'completed', 'failed', 'cancelled'];
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 20 }), (observations) => {
        let jobs = reducedAll([submitted()]);
        for (const told of observations) {
          const before = jobs.get(id)?.state ?? 'pending';
          jobs = reduceJobs(jobs, told);
          const after = jobs.get(id)?.state ?? 'pending';
          if (isTerminal(before)) expect(order.indexOf(after)).toBeGreaterThanOrEqual(order.indexOf(before));
          if (before === 'running') expect(after).not.toBe('pending');
        }
      }),
    );
  });
});
