import { describe, expect, it } from 'vitest';
import { historyAnswer } from '../../../src/core/protocol/history';
import { jobDetailAnswer, jobListings } from '../../../src/core/protocol/jobRecord';
import { readJobState } from '../../../src/core/protocol/jobStatus';
import { queueSnapshot } from '../../../src/core/protocol/queue';

describe('raw states', () => {
  it.each([
    ['pending', 'pending'],
    ['queued_limited', 'pending'],
    ['in_progress', 'running'],
    ['uploading', 'running'],
    ['defrosting', 'running'],
    ['completed', 'completed'],
    ['success', 'completed'],
    ['failed', 'failed'],
    ['non_retryable_error', 'failed'],
    ['cancelled', 'cancelled'],
    ['canceled', 'cancelled'],
  ])('%s means %s', (raw, state) => {
    const terminal = state !== 'pending' && state !== 'running';
    expect(readJobState(raw)).toEqual({ state, terminal, moving: false });
  });

  it('that are about to end have not ended', () => {
    expect(readJobState('erroring')).toEqual({ state: 'failed', terminal: false, moving: true });
    expect(readJobState('cancel_requested')).toEqual({ state: 'cancelled', terminal: false, moving: true });
  });
});

describe('the queue', () => {
  it('is read in the layout of local servers, sorted, with old and new tuples', () => {
    const snapshot = queueSnapshot.parse({
      queue_running: [[3, 'r', { '1': {} }, { create_time: 1795252432679, client_id: 'c' }, ['9']]],
      queue_pending: [
        [7.5, 'late', {}, {}, [], 'sensitive'],
        [-1, 'front', {}, { create_time: 5e11 }, []],
      ],
    });
    expect(snapshot).toEqual({
      running: [{ id: 'r', number: 3, createTime: 1795252432679 }],
      pending: [
        { id: 'front', number: -1, createTime: 5e11 },
        { id: 'late', number: 7.5 },
      ],
    });
  });

  it('is read in the layout of the cloud', () => {
    const snapshot = queueSnapshot.parse({
      queue_running: [],
      queue_pending: [[1, 'p', {}, ['9'], { create_time: 1795252432679 }]],
    });
    expect(snapshot.pending).toEqual([{ id: 'p', number: 1, createTime: 1795252432679 }]);
  });

  it('of another shape is rejected', () => {
    expect(queueSnapshot.safeParse({ queue_running: [] }).success).toBe(false);
    expect(queueSnapshot.safeParse({ queue_running: [['1', 'x']], queue_pending: [] }).success).toBe(false);
  });
});

describe('jobs of the jobs endpoints', () => {
  it('are read with the fields they have', () => {
    const page = jobListings.parse({
      jobs: [
        { id: 'a', status: 'in_progress', create_time: 1795252432, execution_start_time: null, priority: 4 },
        { id: 'b', status: 'completed', create_time: 1795252432679, outputs_count: 2 },
      ],
      pagination: { offset: 0, limit: null, total: 2, has_more: true, next_cursor: 'n' },
    });
    expect(page).toEqual({
      hasMore: true,
      jobs: [
        { id: 'a', rawStatus: 'in_progress', status: readJobState('running'), createdAt: 1795252432000 },
        {
          id: 'b',
          rawStatus: 'completed',
          status: readJobState('completed'),
          createdAt: 1795252432679,
          outputsCount: 2,
        },
      ],
    });
  });

  it('have no outputs before the end', () => {
    const job = jobDetailAnswer.parse({ id: 'a', status: 'executing', outputs: {} });
    expect(job.outputs).toBeUndefined();
  });

  it('count as failed when an error was stored, whatever the flag says', () => {
    const messages = [
      ['execution_start', { prompt_id: 'a', timestamp: 1 }],
      [
        'execution_error',
        { prompt_id: 'a', exception_type: 'graph.DependencyCycleError', exception_message: 'loop' },
      ],
    ];
    const job = jobDetailAnswer.parse({
      id: 'a',
      status: 'completed',
      outputs: {},
      execution_status: { status_str: 'success', completed: true, messages },
    });
    expect(job.status).toEqual(readJobState('failed'));
    expect(job.failure).toMatchObject({ message: 'loop' });
    expect(job.events.map((event) => event.type)).toEqual(['executionStart', 'executionError']);
  });

  it('map an expanded node to its prompt node, and ignore IDs of earlier prompts', () => {
    const job = jobDetailAnswer.parse({
      id: 'a',
      status: 'success',
      outputs: { '12.0.0.3': { text: ['x'] }, '19': { images: [] } },
      execution_meta: { '19': { node_id: '9', display_node: '9' } },
      workflow: { prompt: { '12': {}, '19': {} } },
    });
    expect(job.displayNodes).toEqual({ '12.0.0.3': '12' });
  });

  it('accept an error as text', () => {
    const text = JSON.stringify({ node_id: '3', exception_type: 'OOMError', exception_message: 'full' });
    expect(jobDetailAnswer.parse({ id: 'a', status: 'error', execution_error: text }).failure).toMatchObject({
      nodeId: '3',
      exceptionType: 'OOMError',
    });
    const gone = { id: 'a', status: 'error', execution_error: 'gone' };
    expect(jobDetailAnswer.parse(gone).failure).toMatchObject({ message: 'gone' });
  });
});

describe('the history of local servers', () => {
  const entry = (messages: unknown, status_str = 'success') => ({
    prompt: [4, 'a', { '9': {} }, { create_time: 1795252432679 }, ['9']],
    outputs: { '9': { images: [{ filename: 'x.png' }] } },
    status: { status_str, completed: true, messages },
    meta: {},
  });

  it('contains times, order and outputs', () => {
    const messages = [
      ['execution_start', { prompt_id: 'a', timestamp: 10 }],
      ['execution_cached', { prompt_id: 'a', nodes: [], timestamp: 11 }],
      ['execution_success', { prompt_id: 'a', timestamp: 20 }],
    ];
    expect(historyAnswer.parse({ a: entry(messages) })).toMatchObject([
      {
        id: 'a',
        rawStatus: 'completed',
        createdAt: 1795252432679,
        startedAt: 10,
        endedAt: 20,
        outputs: { '9': { images: [{ filename: 'x.png' }] } },
      },
    ]);
  });

  it('distinguishes cancelled from failed by the messages', () => {
    const state = (...types: string[]) =>
      historyAnswer.parse({
        a: entry(
          types.map((type) => [type, { prompt_id: 'a' }]),
          'error',
        ),
      })[0]?.rawStatus;
    expect(state('execution_interrupted')).toBe('cancelled');
    expect(state('execution_error')).toBe('failed');
    expect(state()).toBe('failed');
    expect(historyAnswer.parse({ a: entry([['execution_error', { prompt_id: 'a' }]]) })[0]?.rawStatus).toBe(
      'failed',
    );
  });

  it('may lack the status, or everything', () => {
    expect(historyAnswer.parse({ a: { ...entry([]), status: null } })[0]?.rawStatus).toBe('completed');
    expect(historyAnswer.parse({ a: {} })[0]).toMatchObject({ id: 'a', outputs: {} });
    expect(historyAnswer.parse({})).toEqual([]);
  });
});
