import { describe, expect, it } from 'vitest';
import { type NodeErrorMap, readNodeErrors } from '../../../src/core/protocol/nodeErrors';
import type { Finding } from '../../../src/core/check/finding';
import { serverFindings, lateFindings } from '../../../src/core/runs/serverFindings';
import { placesInPrompt } from '../../../src/core/workflow/promptPlaces';
import { promptFromText } from '../../../src/core/workflow/prompt';
import { promptText } from './definitions';
import { failureWords } from '../../../src/core/jobs/failureText';

const text = promptText();
const places = placesInPrompt(promptFromText(text));

function finding(code: Finding['code'], message: string, more: Partial<Finding>): Finding {
  return { code, severity: 'error', message, offset: 0, length: 1, ...more };
}

function placed(nodeId: string, type: string, extraInfo: Record<string, unknown> = {}) {
  const errors: NodeErrorMap = {
    [nodeId]: {
      classType: 'SaveImage',
      errors: [{ type, message: 'Value not in list', details: "x: 'a' not in ['b']", extraInfo }],
      dependentOutputs: [],
    },
  };
  const [problem] = serverFindings(errors, places);
  if (!problem) throw new Error('nothing was placed');
  return { ...problem, at: text.slice(problem.offset, problem.offset + problem.length) };
}

describe('what a server says about nodes', () => {
  it('is reported at the value of the input that the server names', () => {
    const problem = placed('2', 'value_not_in_list', { input_name: 'filename_prefix' });
    expect(problem.at).toBe('"x"');
    expect(problem).toMatchObject({ nodeId: '2', input: 'filename_prefix', code: 'option-unknown' });
    expect(problem.message).toBe("SaveImage (node 2): Value not in list: x: 'a' not in ['b'].");
  });

  it('is reported at the node type when the input is not in the file', () => {
    expect(placed('2', 'required_input_missing', { input_name: 'gone' }).at).toBe('"SaveImage"');
  });

  it('ignores the input in exception_during_inner_validation: it is not the broken one', () => {
    const problem = placed('1', 'exception_during_inner_validation', { input_name: 'width' });
    expect(problem.at).toBe('"EmptyImage"');
    expect(problem.input).toBeUndefined();
  });

  it('is reported at the node that was expanded, or at the start of the file if unknown', () => {
    expect(placed('1.0.0.3', 'x').at).toBe('"EmptyImage"');
    expect(placed('77', 'x').at).toBe('{');
  });

  it('reports a cycle once, although the server reports it at each node', () => {
    const loop = (details: string): NodeErrorMap[string] => ({
      classType: 'SaveImage',
      errors: [{ type: 'dependency_cycle', message: 'Dependency cycle detected', details, extraInfo: {} }],
      dependentOutputs: [],
    });
    const errors = {
      1: loop('1 (A) -> 2 (B) -> 1 (A)'),
      2: loop('1 (A) -> 2 (B) -> 1 (A)'),
      3: loop('3 (C) -> 3 (C)'),
    };
    const problems = serverFindings(errors, places);
    expect(problems.map(({ nodeId }) => nodeId)).toEqual(['1', '3']);
  });

  it('reports a broken loop once, as such, and not as an input of its nodes', () => {
    const extraInfo = { input_name: 'loop boundary', loop_error_type: 'loop_escape', node_ids: ['1', '2'] };
    const error = { type: 'custom_validation_failed', message: 'Open', details: 'Start 1', extraInfo };
    const entry = { classType: 'SaveImage', errors: [error], dependentOutputs: [] };
    const found = serverFindings({ 1: entry, 2: entry }, places);
    expect(found.map(({ code, nodeId, input }) => [code, nodeId, input])).toEqual([['loop', '1', undefined]]);
    const known = finding('loop', 'This link leaves the loop.', {
      nodeId: '2',
      nodeIds: ['1', '2'],
      input: 'images',
    });
    const [told, ...more] = serverFindings({ 1: entry, 2: entry }, places, [known]);
    expect(more).toEqual([]);
    expect(told?.message).toContain('This link leaves the loop.');
  });

  it("is added to the check's finding for the same input, and to nothing else", () => {
    const known = [
      finding('below-minimum', 'Too small.', { nodeId: '1', input: 'width' }),
      finding('paid-class', 'Costs.', { nodeId: '2', severity: 'information' }),
    ];
    const error = (name: string) => ({
      type: 'value_smaller_than_min',
      message: 'Small',
      details: '',
      extraInfo: { input_name: name },
    });
    const errors = { 1: { errors: [error('width'), error('height')], dependentOutputs: [] } };
    const [width, height] = serverFindings(errors, places, known);
    expect(width).toEqual({ ...known[0], message: 'Too small. The server says: “Node 1: Small”' });
    expect(height?.message).toBe('Node 1: Small.');
  });

  it('is bounded, with the number of further errors', () => {
    const raw = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, id) => [id, { errors: [{ type: 'x', message: 'Bad' }] }]),
    );
    const found = serverFindings(readNodeErrors(raw), places);
    expect(found).toHaveLength(501);
    expect(found.map(({ message }) => message)).toContain('More problems: 2500. Fix these first.');
  });

  it('is reported for a node named __proto__ too', () => {
    const raw: unknown = JSON.parse('{"__proto__": {"errors": [{"type": "x", "message": "Bad"}]}}');
    const found = serverFindings(readNodeErrors(raw), places);
    expect(found.map(({ message }) => message)).toEqual(['Node __proto__: Bad.']);
  });
});

describe('a late refusal', () => {
  const answer = JSON.stringify({
    error: { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation' },
    node_errors: {
      '5': {
        class_type: 'KSampler',
        errors: [
          { type: 'value_not_in_list', message: 'Value not in list', details: 'scheduler', extra_info: {} },
          {
            type: 'required_input_missing',
            message: 'Required input is missing',
            details: '',
            extra_info: {},
          },
        ],
      },
    },
  });
  const failure = (message: string) => ({ exceptionType: 'ValidationError', message, traceback: [] });

  it('becomes a finding per error and node, even if the text that was run is no longer known', () => {
    expect(lateFindings(failure(answer)).map(({ nodeId, message }) => `${nodeId ?? ''} ${message}`)).toEqual([
      '5 KSampler (node 5): Value not in list: scheduler.',
      '5 KSampler (node 5): Required input is missing.',
    ]);
  });

  it('reads as sentences, and other messages stay unchanged', () => {
    expect(failureWords(failure(answer))).toBe(
      'KSampler (node 5): Value not in list: scheduler\nKSampler (node 5): Required input is missing',
    );
    expect(failureWords(failure('{"error": {"message": "No such model"}}'))).toBe('No such model');
    for (const words of ['out of memory', 'service said {"error": "busy"} twice', '{not json}']) {
      expect(failureWords(failure(words))).toBe(words);
    }
  });
});
