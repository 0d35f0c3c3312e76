import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PromptNodes } from '../../../../src/sandbox/nodes/sandboxNode';
import { messages, node, tryRun, type Tried } from '../tryRun';

const end = (value: unknown, more: object = {}) =>
  node('EndLoop', { output_value: value, accumulate: true, ...more });
const times = (count: number, more: object = {}) =>
  node('StartLoop', { mode: 'simple', 'mode.num_iterations': count, cache_iterations: false, ...more });

const executed = (tried: Tried): string[] => messages(tried, 'executing').map(({ node: id }) => String(id));
const shown = (tried: Tried, id: string): unknown => tried.result.outputs[id]?.['text'];

const counting: PromptNodes = {
  '1': times(3),
  '2': node('PreviewAny', { source: ['1', 0] }),
  '3': end(['2', 0]),
  '4': node('PreviewAny', { source: ['3', 0] }),
};

describe('a loop', () => {
  it('never executes the nodes of its body themselves, even if one is the target', async () => {
    const tried = await tryRun(counting, { targets: ['2'] });
    expect(executed(tried)).not.toContain('2');
    expect(executed(tried).filter((id) => /\.\d_2$/.test(id))).toHaveLength(3);
    expect(executed(tried).at(-1)).toBe('3');
  });

  it('counts from, to and by what it says, or takes the items of a list', async () => {
    const counted = { 'mode.start_iteration_index': 5, 'mode.max_iteration': 12, 'mode.step': 3 };
    const start = node('StartLoop', { mode: 'For', ...counted, cache_iterations: false });
    const tried = await tryRun({ ...counting, '1': start });
    expect(shown(tried, '4')).toEqual(['5', '8', '11']);
    const list = await tryRun({
      ...counting,
      '0': node('PrimitiveString', { value: 'word' }),
      '1': node('StartLoop', { mode: 'List', 'mode.list': ['0', 0], cache_iterations: false }),
      '2': node('PreviewAny', { source: ['1', 3] }),
    });
    expect(shown(list, '4')).toEqual(['word']);
    const none = await tryRun({ ...counting, '1': times(0) });
    expect(shown(none, '4')).toEqual(['None']);
  });

  it('hands a value on to the next iteration', async () => {
    const tried = await tryRun({
      '0': node('PrimitiveString', { value: '-' }),
      '1': times(3, { initial_iteration_value: ['0', 0] }),
      '2': node('StringConcatenate', { string_a: ['1', 4], string_b: 'x', delimiter: '' }),
      '3': node('EndLoop', { output_value: ['2', 0], next_iteration_value: ['2', 0], accumulate: false }),
      '4': node('PreviewAny', { source: ['3', 0] }),
    });
    expect(shown(tried, '4')).toEqual(['-xxx']);
  });

  it('may contain another one', async () => {
    const tried = await tryRun({
      '1': times(2),
      '2': times(2, { parent_iteration: ['1', 0] }),
      '3': node('PreviewAny', { source: ['2', 0] }),
      '4': end(['3', 0]),
      '5': end(['4', 0]),
      '6': node('PreviewAny', { source: ['5', 0] }),
    });
    expect(shown(tried, '6')).toEqual(['0', '1', '0', '1']);
    const [last] = messages(tried, 'progress_state').slice(-1);
    expect(last?.['nodes']).toMatchObject({
      '1.0.0.0_2.0.0.iteration_1': { display_node_id: '2' },
      '1.0.0.1_2.0.0.1_1.0.0.1_3': { display_node_id: '3' },
    });
  });

  it('fails in the words of the server for a mode that does not exist', async () => {
    const start = node('StartLoop', { mode: 'While', cache_iterations: false });
    const tried = await tryRun({ ...counting, '1': start });
    expect(messages(tried, 'execution_error')[0]).toMatchObject({
      node_id: '1',
      exception_type: 'TypeError',
    });
  });
});

it('saves a picture for each iteration of the sample', async () => {
  const sample = JSON.parse(readFileSync('samples/loop.json', 'utf8')) as PromptNodes;
  const { result } = await tryRun(sample);
  expect(result.outputs['10']?.['images']).toHaveLength(3);
  expect(Object.values(result.meta).map((meta) => meta['display_node'])).toEqual(['10', '8', '8', '8']);
});
