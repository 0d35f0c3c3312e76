import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseSocketFrame } from '../../../src/core/protocol/binaryFrame';
import { parseSocketText } from '../../../src/core/protocol/socketMessage';
import { budgets } from '../../../src/core/safety/budgets';

const parse = (type: string, data: unknown) => parseSocketText(JSON.stringify({ type, data }));

it('reads all known messages', () => {
  expect(parse('status', { status: { exec_info: { queue_remaining: 3 } }, sid: 'me' })).toEqual({
    type: 'status',
    queueRemaining: 3,
  });
  expect(parse('execution_start', { prompt_id: 'p', timestamp: 7 })).toEqual({
    type: 'executionStart',
    promptId: 'p',
    timestamp: 7,
  });
  expect(parse('execution_success', { prompt_id: 'p', timestamp: 9 })).toEqual({
    type: 'executionSuccess',
    promptId: 'p',
    timestamp: 9,
  });
  expect(parse('execution_cached', { prompt_id: 'p', nodes: ['1', 2] })).toEqual({
    type: 'executionCached',
    promptId: 'p',
    nodes: ['1', '2'],
  });
  expect(parse('progress', { value: 1, max: 20, prompt_id: 'p', node: '3' })).toEqual({
    type: 'progress',
    value: 1,
    max: 20,
    promptId: 'p',
    nodeId: '3',
  });
  expect(parse('executed', { prompt_id: 'p', node: '9', output: { images: [] }, merge: true })).toEqual({
    type: 'executed',
    promptId: 'p',
    nodeId: '9',
    displayNodeId: '9',
    output: { images: [] },
    merge: true,
  });
  expect(parse('execution_interrupted', { prompt_id: 'p' })).toEqual({
    type: 'executionInterrupted',
    promptId: 'p',
  });
  // The documented member of every message, and the one that the service writes.
  expect(parse('notification', { value: 'Queued', prompt_id: 'a', id: 'b' })).toMatchObject({ id: 'a' });
  expect(parse('notification', { value: 'Queued', id: 'b' })).toMatchObject({ id: 'b' });
  expect(parse('notification', { value: 'Waiting for a machine' })).toEqual({
    type: 'notification',
    text: 'Waiting for a machine',
  });
});

it('accepts the status of a server that is stopping', () => {
  expect(parse('status', { status: null })).toEqual({ type: 'status' });
});

it('accepts executing without a prompt ID, as sent after a reconnect', () => {
  expect(parse('executing', { node: '3' })).toEqual({ type: 'executing', nodeId: '3' });
  expect(parse('executing', { node: null, prompt_id: 'p' })).toEqual({
    type: 'executing',
    nodeId: null,
    promptId: 'p',
  });
});

it.each([{ node: '' }, { node: null }, {}])('reads executing with the data %j as the end', (data) => {
  expect(parse('executing', { ...data, prompt_id: 'p' })).toEqual({
    type: 'executing',
    nodeId: null,
    promptId: 'p',
  });
});

it('treats an empty node ID as missing', () => {
  expect(parse('progress', { value: 1, max: 2, prompt_id: 'p', node: '' })).toEqual({
    type: 'progress',
    value: 1,
    max: 2,
    promptId: 'p',
  });
  expect(parse('executing', { node: '3', display_node: '', prompt_id: 'p' })).toEqual({
    type: 'executing',
    nodeId: '3',
    promptId: 'p',
  });
  expect(parse('executed', { prompt_id: 'p', node: '9', display_node: '', output: null })).toMatchObject({
    nodeId: '9',
    displayNodeId: '9',
  });
  expect(parse('execution_cached', { prompt_id: 'p', nodes: ['', '1'] })).toMatchObject({ nodes: ['1'] });
  expect(
    parse('progress_state', { prompt_id: 'p', nodes: { '': {}, '4': { display_node_id: '' } } }),
  ).toMatchObject({ nodes: [{ nodeId: '4', displayNodeId: '4' }] });
  expect(parse('execution_interrupted', { prompt_id: 'p', node_id: '' })).toEqual({
    type: 'executionInterrupted',
    promptId: 'p',
  });
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
    '4': {},
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
  for (const data of [
    undefined,
    { prompt_id: 'p', output: {} },
    { prompt_id: 'p', node: '9', output: 'a.png' },
  ]) {
    expect(parse('executed', data)).toEqual({
      type: 'dropped',
      reason: 'The server sent an invalid or oversized message.',
    });
  }
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
  expect(parseSocketText(large)).toEqual({
    type: 'dropped',
    reason: 'The server sent an invalid or oversized message.',
  });
  expect(parseSocketFrame(new TextEncoder().encode(large))).toMatchObject({ type: 'dropped' });
  const picture = new Uint8Array(budgets.socketPicture + 1);
  picture.set([0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xd8]);
  expect(parseSocketFrame(picture)).toMatchObject({ type: 'dropped' });
});

it('drops the progress of more nodes than a job may have, and reports it', () => {
  const nodes = Object.fromEntries(
    Array.from({ length: budgets.nodesOfJob + 1 }, (_, index) => [`${index}`, { value: 0, max: 1 }]),
  );
  expect(parse('progress_state', { prompt_id: 'p', nodes })).toEqual({
    type: 'dropped',
    reason: 'The server sent an invalid or oversized message.',
  });
});
