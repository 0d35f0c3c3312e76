import { describe, expect, it } from 'vitest';
import { batchFileFindings, readBatchFile } from '../../../src/core/batch/batchFile';
import { BatchProblem } from '../../../src/core/batch/batchProblem';
import { planBatch, refusedSteps } from '../../../src/core/batch/planBatch';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { Catalog } from '../../../src/core/catalog/catalog';
import { catalog as definitions } from '../runs/definitions';
import { pictureText } from './batchFixture';
import type { BatchAxis } from '../../../src/core/batch/batchTable';

/** The findings of a batch file, each with the text that it marks, and the number of its rows. */
async function check(members: object, workflow = pictureText, catalog?: Catalog) {
  const text = JSON.stringify({ format: 1, workflow: 'w.json', ...members });
  const file = readBatchFile(text);
  if (file.kind === 'invalid') throw new Error(file.findings[0]?.message);
  const planned = await planBatch({
    spec: file,
    mayLackCatalog: true,
    workflow: WorkflowDocument.of(workflow),
    catalog,
    judges: true,
    readText: () => Promise.reject(new BatchProblem("lines.txt can't be read.", 'Check that it exists.')),
  });
  const marked = batchFileFindings(planned.problems, file).map(({ message, offset, length, isWarning }) => [
    text.slice(offset, offset + length),
    message,
    ...(isWarning ? ['warning'] : []),
  ]);
  return { marked, rows: planned.plan?.rows };
}

describe('the check of a batch file', () => {
  it('finds every wrong input at its name, with the candidates', async () => {
    const twice = JSON.stringify({
      1: { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 1 } },
      2: { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 1 } },
    });
    const { marked, rows } = await check(
      { set: { 'EmptyImage.color': [1], '7.color': [1], '1.width': { from: 1, to: 5, step: 0 } } },
      twice,
    );
    expect(marked.map(([text]) => text)).toEqual(['"EmptyImage.color"', '"7.color"', '"1.width"']);
    expect(marked[0]?.[1]).toContain('1.color (EmptyImage)');
    expect(marked[0]?.[1]).toContain('2.color (EmptyImage)');
    expect(rows).toBeUndefined();
  });

  it("warns of values that the definitions don't allow, and counts their rows too", async () => {
    const set = { '1.width': [64, 100_000], '1.height': [64, 'tall'] };
    const { marked, rows } = await check({ set }, pictureText, definitions);
    expect(marked).toEqual([
      ['"1.width"', expect.stringContaining('100000'), 'warning'],
      ['"1.height"', expect.any(String), 'warning'],
    ]);
    expect(rows).toBe(4);
  });

  it('marks the input that names a file which cannot be read', async () => {
    const { marked } = await check({ set: { '1.color': { lines: 'lines.txt' } } });
    expect(marked).toEqual([['"1.color"', expect.stringContaining("lines.txt can't be read.")]]);
  });

  it('expands no more inputs once there are too many rows', async () => {
    const range = { from: 1, to: 200 };
    const set = { '1.color': range, '1.width': range, '1.height': { lines: 'lines.txt' } };
    const { marked, rows } = await check({ set });
    expect(marked).toEqual([[expect.any(String), expect.stringContaining('40000 runs')]]);
    expect(rows).toBeUndefined();
  });

  it('marks two inputs with the same value, and a count without seeds', async () => {
    expect((await check({ set: { '1.color': [1], 'EmptyImage.color': [2] } })).marked).toHaveLength(1);
    expect((await check({ count: 3 })).marked).toMatchObject([['3', expect.stringContaining('no seed')]]);
  });

  it('says nothing about options without a server, and marks a file that is no workflow', async () => {
    expect(await check({ set: { '1.color': { options: true } } })).toEqual({ marked: [], rows: undefined });
    const { marked } = await check({ set: {} }, '{"a": 1}');
    expect(marked.map(([text]) => text)).toEqual(['"w.json"']);
  });
});

const withSamplers = (...samplers: string[]): { readonly catalog: Catalog } => ({
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
    const request = { workflowText, axes, definitions: [withSamplers('euler', 'dpm')], choices: {} };
    const checked = [...refusedSteps(request)];
    expect(checked).toHaveLength(2 + 2);
    expect(checked.filter((each) => each !== undefined)).toMatchObject([
      { axis: axes[1], step: 2, row: 2, refusal: { reason: 'invalid' } },
      { axis: axes[0], step: 2, row: 6, refusal: { reason: 'invalid' } },
    ]);
  });

  it('are refused only if every server would refuse them, and never if forced', () => {
    expect(rowsRefused(false, withSamplers('euler'))).toEqual([2, 3, 6]);
    expect(rowsRefused(false, withSamplers('euler'), withSamplers('euler', 'dpm'))).toEqual([2, 6]);
    expect(rowsRefused(true, withSamplers('euler'))).toEqual([]);
  });
});
