import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseSocketFrame } from '../../../src/core/protocol/binaryFrame';
import { parseSocketText } from '../../../src/core/protocol/socketMessage';
import { budgets } from '../../../src/core/safety/budgets';

const dropped = { type: 'dropped', reason: 'The server sent an invalid or oversized message.' };
const parse = (type: string, data: unknown) => parseSocketText(JSON.stringify({ type, data }));

it.each<[string, object, object]>([
  ['status', { status: { exec_info: { queue_remaining: 3 } } }, { type: 'status', queueRemaining: 3 }],
  // Sent by a server that is stopping.
  ['status', { status: null }, { type: 'status' }],
  ['execution_start', { timestamp: 7 }, { type: 'executionStart', timestamp: 7 }],
  ['execution_success', { timestamp: 9 }, { type: 'executionSuccess', timestamp: 9 }],
  ['execution_cached', { nodes: ['1', 2, ''] }, { type: 'executionCached', nodes: ['1', '2'] }],
  ['progress', { value: 1, max: 20, node: '3' }, { type: 'progress', value: 1, max: 20, nodeId: '3' }],
  ['progress', { value: 1, max: 2, node: '' }, { type: 'progress', value: 1, max: 2 }],
  [
    'executed',
    { node: '9', display_node: '', output: { images: [] }, merge: true },
    { type: 'executed', nodeId: '9', displayNodeId: '9', output: { images: [] }, merge: true },
  ],
  ['execution_interrupted', {}, { type: 'executionInterrupted' }],
  ['execution_interrupted', { node_id: '' }, { type: 'executionInterrupted' }],
  ['executing', { node: '3', display_node: '' }, { type: 'executing', nodeId: '3' }],
  ['executing', { node: null }, { type: 'executing', nodeId: null }],
  ['executing', { node: '' }, { type: 'executing', nodeId: null }],
  ['executing', {}, { type: 'executing', nodeId: null }],
])('reads %s with the data %j', (type, data, event) => {
  const id = type === 'status' ? {} : { promptId: 'p' };
  expect(parse(type, { prompt_id: 'p', ...data })).toEqual({ ...id, ...event });
});

it('accepts executing without a prompt ID, as sent after a reconnect', () => {
  expect(parse('executing', { node: '3' })).toEqual({ type: 'executing', nodeId: '3' });
});

it('reads a notification, with the documented ID or the one that the service writes', () => {
  expect(parse('notification', { value: 'Queued', prompt_id: 'a', id: 'b' })).toMatchObject({ id: 'a' });
  expect(parse('notification', { value: 'Queued', id: 'b' })).toMatchObject({ id: 'b' });
  expect(parse('notification', { value: 'Waiting' })).toEqual({ type: 'notification', text: 'Waiting' });
});

it.each([
  { status: { exec_info: { queue_remaining: 3 } } },
  { exec_info: { queue_remaining: 3 } },
  { status: { queue_remaining: 3 } },
  { queue_remaining: 3 },
])('reads the length of the queue from %j', (data) => {
  expect(parse('status', data)).toEqual({ type: 'status', queueRemaining: 3 });
});

it('ignores an impossible queue length', () => {
  expect(parse('status', { queue_remaining: -1 })).toEqual({ type: 'status' });
  expect(parse('status', { queue_remaining: 1.5 })).toEqual({ type: 'status' });
  expect(parse('status', { status: { exec_info: null }, queue_remaining: 2 })).toMatchObject({
    queueRemaining: 2,
  });
});

it('maps expanded nodes and skips unreadable ones', () => {
  const nodes = {
    '12.0.0.3': { value: 1, max: 4, state: 'running', display_node_id: '12' },
    x: 'broken',
    '': {},
    '4': { display_node_id: '' },
  };
  expect(parse('progress_state', { prompt_id: 'p', nodes })).toEqual({
    type: 'progressState',
    promptId: 'p',
    nodes: [
      { nodeId: '4', value: 0, max: 1, state: 'running', displayNodeId: '4' },
      { nodeId: '12.0.0.3', value: 1, max: 4, state: 'running', displayNodeId: '12' },
    ],
  });
});

it('drops the inputs of a failed node', () => {
  const event = parse('execution_error', {
    prompt_id: 'p',
    node_id: '3',
    node_type: 'KSampler',
    exception_type: 'RuntimeError',
    exception_message: 'it broke\n',
    traceback: ['line'],
    current_inputs: { text: ['private words'] },
  });
  expect(event).toEqual({
    type: 'executionError',
    promptId: 'p',
    blocked: false,
    failure: {
      nodeId: '3',
      nodeType: 'KSampler',
      exceptionType: 'RuntimeError',
      message: 'it broke',
      traceback: ['line'],
    },
  });
});

it('distinguishes a blocked branch from a failed run', () => {
  expect(parse('execution_error', { prompt_id: 'p', exception_type: 'ExecutionBlocked' })).toMatchObject({
    blocked: true,
  });
});

it('accepts an infrastructure error without a node', () => {
  const event = parse('execution_error', { prompt_id: 'p', node_id: null, exception_message: 'gone' });
  expect(event).toMatchObject({ failure: { exceptionType: 'Error', message: 'gone', traceback: [] } });
  expect(event).toHaveProperty('failure.nodeId', undefined);
});

it('reads what Python writes beyond JSON', () => {
  expect(
    parseSocketText('{"type":"executed","data":{"node":"1","prompt_id":"p","output":{"n":[NaN]}}}'),
  ).toMatchObject({ output: { n: [NaN] } });
});

it('reports unknown types and drops what is not a message', () => {
  expect(parse('odd.custom', { a: 1 })).toEqual({ type: 'unknown', name: 'odd.custom' });
  for (const text of ['', 'null', '[]', '{}', '{"type":1}', '{"type":"progress","data":{}}']) {
    expect(parseSocketText(text)).toBeUndefined();
  }
});

it('reports outputs that it cannot read, unless they are those of no job', () => {
  const withoutNode = { prompt_id: 'p', output: {} };
  for (const data of [undefined, withoutNode, { prompt_id: 'p', node: '9', output: 'a.png' }])
    expect(parse('executed', data)).toEqual(dropped);
  expect(parse('executed', { prompt_id: '..', node: '9', output: 'a.png' })).toBeUndefined();
  expect(parse('executed', { prompt_id: 'p', node: '9' })).toMatchObject({ type: 'executed', output: null });
});

it('never throws', () => {
  const types = fc.constantFrom(
    'status',
    'executing',
    'progress_state',
    'executed',
    'execution_error',
    'feature_flags',
    'execution_cached',
  );
  fc.assert(
    fc.property(types, fc.jsonValue(), (type, data) => {
      expect(() => parse(type, data)).not.toThrow();
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => parseSocketText(text)).not.toThrow();
    }),
  );
});

it('drops an oversized message unread, and reports it', () => {
  const large = `{"type":"progress_state","data":{"prompt_id":"p","x":"${'x'.repeat(budgets.socketText)}"}}`;
  expect(parseSocketText(large)).toEqual(dropped);
  expect(parseSocketFrame(new TextEncoder().encode(large))).toMatchObject({ type: 'dropped' });
  const picture = new Uint8Array(budgets.socketPicture + 1);
  picture.set([0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xd8]);
  expect(parseSocketFrame(picture)).toMatchObject({ type: 'dropped' });
});

it('drops the progress of more nodes than a job may have, and reports it', () => {
  const nodes = Object.fromEntries(
    Array.from({ length: budgets.nodesOfJob + 1 }, (_, index) => [`${index}`, { value: 0, max: 1 }]),
  );
  expect(parse('progress_state', { prompt_id: 'p', nodes })).toEqual(dropped);
});
