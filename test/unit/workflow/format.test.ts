import { describe, expect, it } from 'vitest';

import { parseJson } from '../../../src/core/json/tree';
import { budgets } from '../../../src/core/safety/budgets';
import {
  detectFormat,
  looksLikeGraph,
  looksLikeWorkflow,
  promptObjectOfFile,
} from '../../../src/core/workflow/format';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';

const node = '{"class_type": "KSampler", "inputs": {}}';
const api = `{"3": ${node}}`;
const graph = '{"last_node_id": 1, "nodes": [{"id": 1, "type": "Note"}], "links": [], "version": 0.4}';

const job = `{"prompt": [0, "a", ${api}, {"extra_pnginfo": {"workflow": ${graph}}}, []], "outputs": {}}`;

function wrapped(inner: string, ...path: readonly string[]): object {
  return { kind: 'wrapper', path, inner };
}

function manyValues(count: number): string {
  return `{"3": {"class_type": "A", "inputs": {"a": [${'0,'.repeat(count)}0]}}}`;
}

function tooMany(limit: string): object {
  return {
    kind: 'none',
    reason: 'tooLarge',
    message: `The file has more than ${limit} values, so it wasn't read.`,
  };
}

function detect(text: string): object {
  return detectFormat(parseJson(text));
}

describe('detectFormat', () => {
  it.each<[string, string, object]>([
    ['a prompt', api, { kind: 'api' }],
    [
      'a prompt with notes beside its nodes',
      `{"1": ${node}, "2": ${node}, "_meta": {"by": "x"}}`,
      { kind: 'api' },
    ],
    ['a prompt with a node that is no object', `{"1": ${node}, "2": ${node}, "3": "x"}`, { kind: 'api' }],
    ['a graph', graph, { kind: 'graph' }],
    ['a graph without a version', '{"last_node_id": 0, "nodes": [], "links": []}', { kind: 'graph' }],
    ['a graph of version 1', '{"state": {}, "nodes": [], "links": [], "version": 1}', { kind: 'graph' }],
    ['a request body', `{"prompt": ${api}, "client_id": "x"}`, wrapped('api', 'prompt')],
    ['a result of the editor', `{"output": ${api}, "workflow": ${graph}}`, wrapped('api', 'output')],
    ['a wrapped prompt', `{"workflow": ${api}}`, wrapped('api', 'workflow')],
    ['a wrapped graph', `{"workflow": ${graph}, "id": 1}`, wrapped('graph', 'workflow')],
    ['the input of a job runner', `{"input": {"workflow": ${api}}}`, wrapped('api', 'input', 'workflow')],
    ['a response of the history', `{"ab-1": ${job}}`, wrapped('api', 'ab-1', 'prompt', '2')],
    ['a job of the history', job, wrapped('api', 'prompt', '2')],
    [
      'a job of a newer server',
      `{"id": "ab-1", "workflow": {"prompt": ${api}, "extra_data": {}}}`,
      wrapped('api', 'workflow', 'prompt'),
    ],
    ['node definitions', '{"A": {"input": {}, "output": [], "category": "x"}}', { kind: 'objectInfo' }],
    ['a node without inputs', '{"1": {"class_type": "A"}}', { kind: 'api' }],
    ['nodes without a class', '{"1": {"inputs": {}, "_meta": {"title": "A"}}}', { kind: 'api' }],
    ['NaN in a prompt', '{"3": {"class_type": "A", "inputs": {"cfg": NaN}}}', { kind: 'api' }],
    ['nothing', ' \n', { kind: 'none', reason: 'empty' }],
    ['a list', `[${api}]`, { kind: 'none', reason: 'notAnObject' }],
    ['a text', '"x"', { kind: 'none', reason: 'notAnObject' }],
    ['some other JSON', '{"compilerOptions": {}}', { kind: 'none', reason: 'notAWorkflow' }],
    ['an empty object', '{}', { kind: 'none', reason: 'notAWorkflow' }],
    ['too few nodes', `{"1": ${node}, "a": {}, "b": {}}`, { kind: 'none', reason: 'notAWorkflow' }],
    ['a file of too many values', manyValues(budgets.fileValues), tooMany('1,000,000')],
    ['a workflow of more values than one may have', manyValues(budgets.workflowValues), tooMany('500,000')],
    ['no JSON', 'hello', { kind: 'none', reason: 'notJson', offset: 0 }],
  ])('recognizes %s', (_what, text, expected) => {
    expect(detect(text)).toMatchObject(expected);
  });

  it('reports where the JSON is invalid and what the file would be', () => {
    expect(detect(`{"3": ${node},}`)).toMatchObject({
      kind: 'none',
      reason: 'notJson',
      offset: 46,
      almost: { kind: 'api' },
    });
  });

  it('takes a run record for no workflow, although it contains one', () => {
    const record = '{"format": 3, "state": "saved", "prompt": {"3": {"class_type": "A", "inputs": {}}}}';
    expect(detectFormat(parseJson(record))).toMatchObject({ kind: 'none', reason: 'notAWorkflow' });
    expect(looksLikeWorkflow(record)).toBe(false);
  });

  it('finds the prompt inside a wrapper', () => {
    const text = `{"prompt": ${api}}`;
    expect(promptObjectOfFile(detectFormat(parseJson(text)))).toMatchObject({
      offset: 11,
      length: api.length,
    });
    expect(promptObjectOfFile(detectFormat(parseJson(graph)))).toBeUndefined();
  });
});

describe('looksLikeGraph', () => {
  it('distinguishes what can be converted to a prompt from a prompt', () => {
    expect(looksLikeGraph(graph)).toBe(true);
    for (const other of [api, `{"prompt": ${api}, "workflow": ${graph}}`, '{"nodes": []}', ''])
      expect(looksLikeGraph(other), other).toBe(false);
    expect(looksLikeGraph(`{"1": {"inputs": {"image": "${'A'.repeat(70_000)}"}, "class_type": "X"}}`)).toBe(
      false,
    );
  });
});

describe('what is no workflow', () => {
  it.each([
    ['a history', `{"a": ${job}, "b": ${job}}`, "The file is a server's history of 2 jobs."],
    [
      'a workflow in a text',
      JSON.stringify({ input: { workflow_json: api } }),
      'The workflow is in the text of "input.workflow_json".',
    ],
    ['a graph in a text', JSON.stringify({ workflow: graph }), 'The workflow is in the text of "workflow".'],
  ])('names %s', (_, text, message) => {
    expect(detect(text)).toMatchObject({
      kind: 'none',
      message: expect.stringContaining(message) as unknown,
    });
  });

  it.each([
    [
      'InvokeAI',
      '{"version": "1.0.0", "nodes": [{"id": "a", "type": "invocation", "data": {}}], "edges": []}',
    ],
    ['another program', '{"version": 1, "nodes": [{"id": "a", "type": "custom"}], "edges": [{}]}'],
    ['n8n', '{"nodes": [{"type": "n8n-nodes-base.start"}], "connections": {}}'],
    ['Node-RED', '[{"id": "a", "type": "inject", "wires": [[]]}]'],
    ['AUTOMATIC1111', '{"prompt": "a cat", "negative_prompt": "", "cfg_scale": 7}'],
    ['SwarmUI', '{"sui_image_params": {}}'],
  ])('may be made for %s', (program, text) => {
    const message = expect.stringContaining(`The file was made for ${program},`) as unknown;
    expect(detect(text)).toMatchObject({ kind: 'none', message });
  });
});

it('a graph behind a large picture is read once the format is known', () => {
  const document = WorkflowDocument.of(`{"input": {"image": "${'A'.repeat(70_000)}", "workflow": ${graph}}}`);
  expect(document.format).toMatchObject({ kind: 'wrapper', inner: 'graph' });
  expect(document.graph).toBeDefined();
});

describe('looksLikeWorkflow', () => {
  it.each([
    api,
    graph,
    `\uFEFF ${api}`,
    `{"prompt": ${api}}`,
    `{"1": {"inputs": {"image": "${'A'.repeat(70_000)}"}, "class_type": "X"}}`,
    `{"nodes": [${'{"id": 1, "type": "X"}, '.repeat(4_000)}{"id": 2, "type": "X"}], "links": [], "version": 1}`,
  ])('accepts %.60s', (text) => {
    expect(looksLikeWorkflow(text)).toBe(true);
  });

  it.each(['', '[]', '{"name": "package", "version": "1.0.0"}', 'class_type', '{"compilerOptions": {}}'])(
    'rejects %s',
    (text) => {
      expect(looksLikeWorkflow(text)).toBe(false);
    },
  );
});
