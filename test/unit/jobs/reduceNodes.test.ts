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
} from './observations';

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
    expect(job.outputs).toMatchObject([{ nodeId: '2', filename: 'a.png' }]);
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

  it('that come after the end are still added', () => {
    const job = reduced(run(begin, success, executed('3', ['a.png'])));
    expect(job).toMatchObject({ state: 'completed', outputs: [{ filename: 'a.png' }] });
  });
});
