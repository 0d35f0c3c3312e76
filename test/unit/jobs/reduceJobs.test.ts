import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTerminal, type Job } from '../../../src/core/jobs/job';
import type { JobObservation } from '../../../src/core/jobs/jobObservation';
import { reduceJobs } from '../../../src/core/jobs/reduceJobs';
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
} from './observations';

const cached: ServerEvent = { type: 'executionCached', promptId: id, nodes: ['1'] };

describe('the state of a job', () => {
  it('is pending from its submission, with its queue position', () => {
    const queued: JobObservation = { kind: 'queued', running: ['a'], pending: ['b', id], server, at: start };
    expect(reduced([submitted(), queued])).toMatchObject({
      state: 'pending',
      queuePosition: 2,
      createdAt: start,
    });
  });

  it('has no position once the queue no longer lists it', () => {
    const first: JobObservation = { kind: 'queued', running: [], pending: [id], server, at: start };
    const later: JobObservation = { kind: 'queued', running: [], pending: [], server, at: start + 1 };
    expect(reduced([submitted(), first, later])).not.toHaveProperty('queuePosition');
  });

  it('is running once the server starts it, without a queue position', () => {
    const queued: JobObservation = { kind: 'queued', running: [], pending: [id], server, at: start };
    const job = reduced([submitted(), queued, event(begin)]);
    expect(job).toMatchObject({ state: 'running', startedAt: start + 1_000 });
    expect(job).not.toHaveProperty('queuePosition');
  });

  it('does not go back to pending because of an outdated answer', () => {
    const queued: JobObservation = { kind: 'queued', running: [], pending: [id], server, at: start };
    const old: JobObservation = { kind: 'listed', listing: listing('pending'), server, at: start };
    expect(reduced([...run(begin), queued, old])).toMatchObject({ state: 'running' });
  });

  it.each([
    ['completed', success],
    ['failed', failed()],
    ['cancelled', interrupted],
  ] as const)('is %s after that event, and nothing later revives it', (state, last) => {
    const late = [begin, cached, executing('2'), progressState(progressNode('2', 'running', 3, 20)), over];
    const job = reduced(run(begin, last, ...late));
    expect(job).toMatchObject({ state, cancelling: false, endedAt: start + 9_000 });
    expect(job).not.toHaveProperty('currentNodeId');
    expect(Object.values(job.nodes).filter((node) => node.state === 'running')).toEqual([]);
  });

  it("does not end with the message that the run is over, which doesn't say how it ended", () => {
    expect(reduced(run(begin, executing('1'), over)).state).toBe('running');
  });

  it('continues when a branch is blocked, and says so', () => {
    const blocked = failed({ exceptionType: 'ExecutionBlocked', message: 'Execution Blocked: no' }, true);
    expect(reduced(run(begin, blocked))).toMatchObject({ state: 'running', blocked: [{ nodeId: '2' }] });
    const job = reduced(run(begin, blocked, success));
    expect(job.state).toBe('completed');
    expect(job).not.toHaveProperty('failure');
  });

  it('is failed after an error, whatever the stored flag says', () => {
    const cycle = failed({ exceptionType: 'graph.DependencyCycleError' });
    const flagged: JobObservation = { kind: 'listed', listing: listing('completed'), server, at: start };
    expect(reduced([...run(begin, cycle), flagged]).state).toBe('failed');
    expect(reduced([...run(begin), flagged, event(cycle)])).toMatchObject({
      state: 'failed',
      failure: { exceptionType: 'graph.DependencyCycleError' },
    });
  });

  it('is cancelled after an interruption, although old servers store an error', () => {
    const stored: JobObservation = { kind: 'detail', detail: detail('failed'), server, at: start };
    expect(reduced([...run(begin, interrupted), stored]).state).toBe('cancelled');
    expect(reduced([submitted(), stored, event(interrupted)]).state).toBe('cancelled');
  });

  it('is lost when the server no longer knows it, unless it had ended', () => {
    const gone: JobObservation = { kind: 'gone', id, server, at: start };
    expect(reduced([...run(begin), gone]).state).toBe('lost');
    expect(reduced([...run(begin, success), gone]).state).toBe('completed');
    expect(reduced([...run(begin), gone, event(executing('2'))]).state).toBe('lost');
  });

  it.each([
    ['cancel_requested', 'pending', true],
    ['erroring', 'running', false],
    ['queued_limited', 'pending', false],
    ['some_new_state', 'running', false],
  ])('that the cloud calls %s is %s and cancelling: %s', (raw, state, cancelling) => {
    const told: JobObservation = { kind: 'listed', listing: listing(raw), server, at: start };
    expect(reduced([submitted(), told])).toMatchObject({ state, cancelling });
  });

  it('is cancelling from the request until the server agrees or refuses', () => {
    const asked: JobObservation = { kind: 'cancelAsked', id, server, at: start };
    const refused: JobObservation = { kind: 'cancelRefused', id, server, at: start };
    const seen: JobObservation = { kind: 'cancelSeen', id, server, at: start };
    expect(reduced([...run(begin), asked])).toMatchObject({ state: 'running', cancelling: true });
    expect(reduced([...run(begin), asked, refused])).toMatchObject({ state: 'running', cancelling: false });
    expect(reduced([submitted(), asked, seen])).toMatchObject({ state: 'cancelled', cancelling: false });
    expect(reduced([...run(begin, success), asked])).toMatchObject({ state: 'completed', cancelling: false });
  });

  it('is added from a list even if someone else submitted it', () => {
    const told: JobObservation = { kind: 'listed', listing: listing('completed'), server, at: start };
    const job = reduced([told]);
    expect(job).toMatchObject({ id, server, state: 'completed' });
    expect(job).not.toHaveProperty('origin');
  });

  it.each([event(over), { kind: 'gone', id, server, at: start }, event({ type: 'status' })] as const)(
    'is not added from %j',
    (told) => {
      expect(reducedAll([told]).size).toBe(0);
    },
  );
});

describe('times', () => {
  it('from the server count, in seconds or milliseconds', () => {
    const seconds = detail('completed', {
      createdAt: start / 1000,
      startedAt: start / 1000 + 1,
      endedAt: start + 9,
    });
    const job = reduced([submitted(start + 77), { kind: 'detail', detail: seconds, server, at: start + 99 }]);
    expect(job).toMatchObject({ createdAt: start, startedAt: start + 1_000, endedAt: start + 9 });
    expect(job).toHaveProperty('ownTimes', undefined);
  });

  it('are ours until the server reports any', () => {
    const quiet: ServerEvent = { type: 'executionSuccess', promptId: id };
    const job = reduced([submitted(), event(executing('1'), start + 5), event(quiet, start + 8)]);
    expect(job).toMatchObject({ createdAt: start, startedAt: start + 5, endedAt: start + 8 });
    expect(job.ownTimes).toEqual(['createdAt', 'endedAt', 'startedAt']);
  });

  it('that make no sense are ignored', () => {
    expect(reduced([submitted(), event({ ...begin, timestamp: Number.NaN }, start + 3)]).startedAt).toBe(
      start + 3,
    );
  });
});

describe('nodes', () => {
  it('follow the complete progress, with the steps of the running node', () => {
    const state = progressState(progressNode('1', 'finished', 1, 1), progressNode('2', 'running', 14, 20));
    const job = reduced(run(begin, cached, executing('2'), state));
    expect(job.nodes).toMatchObject({
      '1': { state: 'cached' },
      '2': { state: 'running', value: 14, max: 20 },
    });
    expect(job.currentNodeId).toBe('2');
  });

  it('that were expanded count for the node in the file', () => {
    const parts = progressState(
      progressNode('2', 'running'),
      progressNode('2.0.0.1', 'finished', 1, 1, '2'),
      progressNode('2.0.0.2', 'running', 3, 8, '2'),
    );
    const job = reduced(
      run(begin, parts, executing('2.0.0.2', '2'), executed('2.0.0.2', ['a.png'], false, '2')),
    );
    expect(Object.keys(job.nodes)).toEqual(['2']);
    expect(job.nodes['2']).toMatchObject({ state: 'running', value: 3, max: 8 });
    expect(job.outputs).toMatchObject([{ nodeId: '2.0.0.2', displayNodeId: '2', filename: 'a.png' }]);
  });

  it('end when the next one starts if the server has no complete progress', () => {
    const steps: ServerEvent = { type: 'progress', promptId: id, nodeId: '2', value: 4, max: 20 };
    const job = reduced(run(begin, cached, executing('2'), steps, executing('3')));
    expect(job.nodes).toMatchObject({
      '1': { state: 'cached' },
      '2': { state: 'finished', value: 20, max: 20 },
      '3': { state: 'running' },
    });
  });

  it("that run side by side don't end each other if the server has complete progress", () => {
    const both = progressState(progressNode('1', 'running'), progressNode('2', 'running'));
    const job = reduced(run(begin, both, executing('1'), executing('2')));
    expect(Object.values(job.nodes).map((node) => node.state)).toEqual(['running', 'running']);
  });

  it('may restart their steps: the latest value counts, not the highest', () => {
    const job = reduced(
      run(
        begin,
        progressState(progressNode('2', 'running', 50, 50)),
        progressState(progressNode('2', 'running', 1, 20)),
      ),
    );
    expect(job.nodes['2']).toMatchObject({ value: 1, max: 20 });
  });

  it('that failed are marked in the file, also inside an expanded node', () => {
    expect(reduced(run(begin, executing('2'), failed({ nodeId: '2.0.0.5' }))).nodes['2']?.state).toBe(
      'error',
    );
  });

  it('without an ID are ignored', () => {
    const text: ServerEvent = { type: 'progressText', promptId: id, nodeId: '', text: 'price: 5' };
    const job = reduced(run(begin, executed('', ['a.png']), text, failed({ nodeId: '' })));
    expect(job.nodes).toEqual({});
    expect(job.outputs).toMatchObject([{ filename: 'a.png' }]);
  });

  it('show their texts while they run', () => {
    const text: ServerEvent = { type: 'progressText', promptId: id, nodeId: '2', text: 'price: 5' };
    expect(reduced(run(begin, executing('2'), text)).nodes['2']).toMatchObject({
      state: 'running',
      text: 'price: 5',
    });
  });
});

describe('outputs', () => {
  it('from events and the record form one list without duplicates, in their order', () => {
    const image = (filename: string) => ({ filename, subfolder: '', type: 'output' });
    const stored = detail('completed', {
      outputs: {
        '10': { images: [image('late.png')] },
        '3': { images: [image('b.png'), image('a.png')], text: ['words'] },
      },
    });
    const job = reduced([
      ...run(begin, executed('3', ['b.png'], true), executed('3', ['a.png'], true), success),
      { kind: 'detail', detail: stored, server, at: start },
    ]);
    expect(job.outputs.map((file) => file.filename)).toEqual(['b.png', 'a.png', 'late.png']);
    expect(job.texts.map(({ text }) => text)).toEqual(['words']);
  });

  it('with the same name are one per node: the cloud names files by their content', () => {
    const images = [{ filename: 'c0ffee.png', subfolder: '', type: 'output' }];
    const stored = detail('completed', { outputs: { '3': { images }, '4': { images } } });
    const job = reduced([
      ...run(begin, executed('3', ['c0ffee.png']), executed('4', ['c0ffee.png']), success),
      { kind: 'detail', detail: stored, server, at: start },
    ]);
    expect(job.outputs.map(({ nodeId, filename }) => [nodeId, filename])).toEqual([
      ['3', 'c0ffee.png'],
      ['4', 'c0ffee.png'],
    ]);
  });

  it('keep the format and name that only one of two reports gives, whichever arrives first', () => {
    const image = { filename: 'a.mp4', subfolder: '', type: 'output' };
    const told = { ...image, format: 'video/h264-mp4', display_name: 'Harbour.mp4' };
    const stored = detail('completed', { outputs: { '3': { images: [told] } } });
    const record: JobObservation = { kind: 'detail', detail: stored, server, at: start + 5_000 };
    const events = run(begin, executed('3', ['a.mp4']));
    for (const order of [
      [...events, record],
      [record, ...events],
    ]) {
      expect(reduced(order).outputs).toMatchObject([
        { format: 'video/h264-mp4', displayName: 'Harbour.mp4' },
      ]);
    }
  });

  it('that come after the end are still added', () => {
    const job = reduced(run(begin, success, executed('3', ['a.png'])));
    expect(job).toMatchObject({ state: 'completed', outputs: [{ filename: 'a.png' }] });
  });
});

describe('memory', () => {
  it('for one job is bounded: long texts, many texts, long failures, many blocked branches', () => {
    const text = (told: string): ServerEvent => ({
      type: 'executed',
      promptId: id,
      nodeId: '3',
      displayNodeId: '3',
      output: { text: [told] },
      merge: true,
    });
    const texts = Array.from({ length: 500 }, (_, index) => text(`${index} ${'x'.repeat(50_000)}`));
    const branches = Array.from({ length: 300 }, (_, index) => failed({ nodeId: String(index) }, true));
    const long = failed({
      message: 'm'.repeat(100_000),
      traceback: Array<string>(5_000).fill('t'.repeat(10_000)),
    });
    const job = reduced(run(begin, ...texts, ...branches, long));
    expect(job.texts).toHaveLength(200);
    expect(Math.max(...job.texts.map((each) => each.text.length))).toBeLessThanOrEqual(20_001);
    expect(job.blocked).toHaveLength(100);
    expect(job.failure?.message).toHaveLength(20_000);
    expect(job.failure?.traceback).toHaveLength(200);
  });

  it('is shared: an event about one job leaves other jobs and nodes untouched', () => {
    const other: JobObservation = {
      kind: 'listed',
      listing: { ...listing('completed'), id: 'other' },
      server,
      at: start,
    };
    const jobs = reducedAll([other, ...run(begin, cached, executing('2'))]);
    const next = reduceJobs(jobs, event(progressState(progressNode('2', 'running', 2, 9)), start + 60_000));
    expect(next.get('other')).toBe(jobs.get('other'));
    expect(next.get(id)?.nodes['1']).toBe(jobs.get(id)?.nodes['1']);
    expect(next.get(id)?.nodes['2']).not.toBe(jobs.get(id)?.nodes['2']);
  });

  it('is not touched by what is already known', () => {
    const jobs = reducedAll(run(begin, success));
    for (const told of run(begin, success)) expect(reduceJobs(jobs, told)).toBe(jobs);
  });

  it.each(['cancelled', 'failed', 'completed'])('is not touched by the next list, of a job %s', (raw) => {
    const told = detail(raw, { failure: failure(), outputs: { '3': { text: ['a', 'b'] } }, endedAt: start });
    const poll = (at: number): JobObservation => ({ kind: 'detail', detail: told, server, at });
    const jobs = reducedAll([poll(start)]);
    expect(reduceJobs(jobs, poll(start + 5_000))).toBe(jobs);
  });
});

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
      { numRuns: 500 },
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
      { numRuns: 500 },
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
