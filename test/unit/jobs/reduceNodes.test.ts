import { describe, expect, it } from 'vitest';
import type { JobObservation } from '../../../src/core/jobs/jobObservation';
import { budgets } from '../../../src/core/safety/budgets';
import type { ServerEvent } from '../../../src/core/protocol/serverEvent';
import {
  begin,
  cached,
  detail,
  executed,
  executing,
  failed,
  id,
  progressNode,
  progressState,
  reduced,
  run,
  server,
  start,
  success,
  event,
  submitted,
} from './observations';
import { nodesAsTheyRan, nodeSpans } from '../../../src/core/jobs/nodeTimes';
import type { Job } from '../../../src/core/jobs/job';

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

  it('end when the next one starts if the server has no complete progress', () => {
    const steps: ServerEvent = { type: 'progress', promptId: id, nodeId: '2', value: 4, max: 20 };
    const job = reduced(run(begin, cached, executing('2'), steps, executing('3')));
    expect(job.nodes).toMatchObject({
      '1': { state: 'cached' },
      '2': { state: 'finished', value: 20, max: 20 },
      '3': { state: 'running' },
    });
  });

  it('are not over after a first piece of output, or that of a node they expand to', () => {
    const stateAfter = (event: ServerEvent): unknown =>
      reduced(run(begin, executing('2'), event)).nodes['2']?.state;
    expect(stateAfter(executed('2', ['a.png']))).toBe('finished');
    expect(stateAfter(executed('2', ['a.png'], true))).toBe('running');
    expect(stateAfter(executed('2.0.1', ['a.png'], false, '2'))).toBe('running');
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

  it('keep the name that only one of two reports gives, whichever arrives first', () => {
    const image = { filename: 'a.mp4', subfolder: '', type: 'output' };
    const told = { ...image, format: 'video/h264-mp4', display_name: 'Harbour.mp4' };
    const stored = detail('completed', { outputs: { '3': { images: [told] } } });
    const record: JobObservation = { kind: 'detail', detail: stored, server, at: start + 5_000 };
    const events = run(begin, executed('3', ['a.mp4']));
    for (const order of [
      [...events, record],
      [record, ...events],
    ]) {
      expect(reduced(order).outputs).toMatchObject([{ displayName: 'Harbour.mp4' }]);
    }
  });

  it('are those of the prompt, and not all others that a server may name', () => {
    const many = Array.from({ length: 10_500 }, (_, index) => progressNode(`${index}`, 'finished'));
    expect(Object.keys(reduced(run(progressState(...many))).nodes)).toHaveLength(budgets.nodesOfJob);
  });
});

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
