import { describe, expect, it } from 'vitest';
import type { BatchAxis } from '../../../src/core/batch/batchTable';
import { refusedSteps } from '../../../src/core/batch/refusedSteps';
import { Catalog } from '../../../src/core/catalog/catalog';

const definitions = (...samplers: string[]): { readonly catalog: Catalog } => ({
  catalog: Catalog.fromText(
    JSON.stringify({
      Make: {
        input: { required: { sampler: [samplers], cfg: ['FLOAT', { min: 0, max: 10 }] } },
        output: ['IMAGE'],
        output_node: true,
      },
    }),
  ),
});
const workflowText = JSON.stringify({ 1: { class_type: 'Make', inputs: { sampler: 'euler', cfg: 7 } } });

function axis(input: string, old: string, ...texts: string[]): BatchAxis {
  const offset = workflowText.indexOf(`"${input}":`) + input.length + 3;
  return {
    columns: [{ nodeId: '1', nodeName: 'Make', input, offset, length: old.length }],
    steps: texts.map((text) => [text]),
  };
}
const axes = [axis('sampler', '"euler"', '"euler"', '"dpm"', '"nope"'), axis('cfg', '7', '7', '8', '1000')];

function rowsRefused(force: boolean, ...servers: readonly { readonly catalog: Catalog }[]): number[] {
  const all = [...refusedSteps({ workflowText, axes, definitions: servers, choices: { force } })];
  return all.flatMap((each) => (each ? [each.row] : []));
}

describe('the values of a batch', () => {
  it('are checked once each, in the first row that has them', () => {
    const request = { workflowText, axes, definitions: [definitions('euler', 'dpm')], choices: {} };
    const checked = [...refusedSteps(request)];
    expect(checked).toHaveLength(2 + 2);
    expect(checked.filter((each) => each !== undefined)).toMatchObject([
      { axis: axes[1], step: 2, row: 2, refusal: { reason: 'invalid' } },
      { axis: axes[0], step: 2, row: 6, refusal: { reason: 'invalid' } },
    ]);
  });

  it('are refused only if every server would refuse them, and never if forced', () => {
    expect(rowsRefused(false, definitions('euler'))).toEqual([2, 3, 6]);
    expect(rowsRefused(false, definitions('euler'), definitions('euler', 'dpm'))).toEqual([2, 6]);
    expect(rowsRefused(true, definitions('euler'))).toEqual([]);
  });
});
