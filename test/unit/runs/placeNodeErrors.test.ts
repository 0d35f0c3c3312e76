import { describe, expect, it } from 'vitest';
import type { NodeErrorMap } from '../../../src/core/protocol/nodeErrors';
import { placeNodeErrors } from '../../../src/core/runs/placeNodeErrors';
import { placesInPrompt } from '../../../src/core/runs/promptPlaces';
import type { RunProblem } from '../../../src/core/runs/runRefusal';
import { promptFromText } from '../../../src/core/workflow/prompt';
import { promptText } from './definitions';

const text = promptText();

function placed(
  nodeId: string,
  type: string,
  extraInfo: Record<string, unknown> = {},
): RunProblem & { at: string } {
  const errors: NodeErrorMap = {
    [nodeId]: {
      classType: 'SaveImage',
      errors: [{ type, message: 'Value not in list', details: "x: 'a' not in ['b']", extraInfo }],
      dependentOutputs: [],
    },
  };
  const [problem] = placeNodeErrors({ places: placesInPrompt(promptFromText(text)) }, errors);
  if (!problem) throw new Error('nothing was placed');
  return { ...problem, at: text.slice(problem.offset, problem.offset + problem.length) };
}

describe('placeNodeErrors', () => {
  it('underlines the value of the input that the server names', () => {
    const problem = placed('2', 'value_not_in_list', { input_name: 'filename_prefix' });
    expect(problem.at).toBe('"x"');
    expect(problem).toMatchObject({ nodeId: '2', input: 'filename_prefix', type: 'value_not_in_list' });
    expect(problem.message).toBe("SaveImage (node 2): Value not in list: x: 'a' not in ['b']");
  });

  it('underlines the class when the input is not in the file', () => {
    expect(placed('2', 'required_input_missing', { input_name: 'gone' }).at).toBe('"SaveImage"');
  });

  it('does not trust the input that the inner form names: it is not the broken one', () => {
    const problem = placed('1', 'exception_during_inner_validation', { input_name: 'width' });
    expect(problem.at).toBe('"EmptyImage"');
    expect(problem.input).toBeUndefined();
  });

  it('places what a node expanded into at that node, and the unknown at the start', () => {
    expect(placed('1.0.0.3', 'x').at).toBe('"EmptyImage"');
    expect(placed('77', 'x').at).toBe('{');
  });

  it('tells a loop once, which the server tells at each of its nodes', () => {
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
    const problems = placeNodeErrors({ places: placesInPrompt(promptFromText(text)) }, errors);
    expect(problems.map(({ nodeId }) => nodeId)).toEqual(['1', '3']);
  });
});
