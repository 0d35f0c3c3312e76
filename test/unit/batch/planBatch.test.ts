import { describe, expect, it } from 'vitest';
import { readBatchInputs, selectInput } from '../../../src/core/batch/batchInputs';
import { BatchProblem, batchProblemFrom } from '../../../src/core/batch/batchProblem';
import { batchRowValues, rowText } from '../../../src/core/batch/batchTable';
import type { AxisSource } from '../../../src/core/batch/axisSource';
import { partnerPrices, planBatch, seedAxis, type BatchPlan } from '../../../src/core/batch/planBatch';
import { Catalog } from '../../../src/core/catalog/catalog';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { catalog } from '../runs/definitions';

const promptText = JSON.stringify({
  1: { class_type: 'Noise', inputs: { seed: 7 }, _meta: { title: 'First v1.5' } },
  2: { class_type: 'Noise', inputs: { seed: 8, image: ['4', 0] } },
  3: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'shot' } },
  4: { class_type: 'LoadImage', inputs: { image: 'known.png' } },
});

const graphText = `{
  "nodes": [
    {"id": 7, "type": "Noise", "pos": [0, 0], "mode": 0, "inputs": [],
     "outputs": [{"name": "IMAGE", "type": "IMAGE", "links": [2]}],
     "widgets_values": [18446744073709551615, "fixed"]},
    {"id": 8, "type": "SaveImage", "pos": [0, 0], "mode": 0,
     "inputs": [{"name": "images", "type": "IMAGE", "link": 2}], "outputs": [], "widgets_values": ["shot"]}
  ],
  "links": [[2, 7, 0, 8, 0, "IMAGE"]], "groups": [], "config": {}, "extra": {}, "version": 0.4
}`;

const seedInput = { name: 'seed', label: 'Dice', type: 'INT', linkIds: [11] };

/** Two uses of a subgraph with two nodes that have seeds; the first shows a value of its own. */
function subgraphText(
  first: { link?: number; [more: string]: unknown } = {},
  inputs: readonly object[] = [seedInput],
): string {
  const widget = { name: 'seed', type: 'INT', widget: { name: 'seed' } };
  const noise = { type: 'Noise', mode: 0, outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [] }] };
  const inner = (id: number, link: number) => {
    const isLinked = JSON.stringify(inputs).includes(`[${link}]`);
    const slot = { ...widget, link: isLinked ? link : null };
    return { ...noise, id, inputs: [slot], widgets_values: [5, 'fixed'] };
  };
  const link = (id: number, target_id: number, origin_slot: number): object => {
    return { id, origin_id: -10, origin_slot, target_id, target_slot: 0, type: 'INT' };
  };
  const subgraph = {
    ...{ id: 'aaaaaaaa-0000-4000-8000-000000000000', name: 'Dice', inputs, outputs: [] },
    nodes: [inner(51, 11), inner(52, 12)],
    links: [link(11, 51, 0), link(12, 52, 1)].slice(0, inputs.length),
  };
  const { link: linked = null, ...more } = first;
  const use = { type: subgraph.id, mode: 0, inputs: [{ ...widget, link: linked }], outputs: [] };
  return JSON.stringify({
    nodes: [
      { ...noise, id: 7, inputs: [], widgets_values: [1, 'fixed'] },
      { ...use, id: 40, title: 'Roll the dice', widgets_values: [77], ...more },
      { ...use, id: 41, inputs: [{ ...widget, link: null }], widgets_values: [] },
    ],
    links: linked === null ? [] : [[linked, 7, 0, 40, 0, 'IMAGE']],
    version: 0.4,
    definitions: { subgraphs: [subgraph] },
  });
}

function select(selector: string, text = promptText): string | { message: string; next: string } {
  const known = readBatchInputs(WorkflowDocument.of(text), catalog);
  if (known.kind === 'refused') throw new Error(known.message);
  try {
    const { nodeId, input, value } = selectInput(selector, known.inputs);
    return `${nodeId}.${input} = ${text.slice(value.offset, value.offset + value.length)}`;
  } catch (error) {
    if (!(error instanceof BatchProblem)) throw error;
    return { message: error.message, next: error.nextAction };
  }
}

async function plan(set: Record<string, AxisSource>, count?: number, text = promptText): Promise<BatchPlan> {
  const { plan: planned, problems } = await planBatch({
    workflow: WorkflowDocument.of(text),
    spec: { set: Object.entries(set).map(([selector, source]) => ({ selector, source })), count },
    catalog,
    readText: (file) => Promise.resolve(`of ${file}\nsecond`),
    draw: counting(),
  });
  if (!planned) throw batchProblemFrom(problems);
  return planned;
}

function counting(): () => bigint {
  let next = 100n;
  return () => next++;
}

const written = (text: string): AxisSource => ({ kind: 'written', text });

describe('an input is named', () => {
  it.each([
    ['1.seed', '1.seed = 7'],
    ['SaveImage.filename_prefix', '3.filename_prefix = "shot"'],
    ['First v1.5.seed', '1.seed = 7'],
    ['"First v1.5".seed', '1.seed = 7'],
  ])('as %s', (selector, found) => {
    expect(select(selector)).toBe(found);
  });

  it('as the subgraph node that shows it, by name or label', () => {
    const text = subgraphText();
    expect(select('40.seed', text)).toBe('40:51.seed = 77');
    expect(select('Roll the dice.Dice', text)).toBe('40:51.seed = 77');
    expect(select('40:51.seed', text)).toBe('40:51.seed = 77');
    // Without a value of its own, the inner one is sent.
    expect(select('41.seed', text)).toBe('41:51.seed = 5');
    expect(select('40.cfg', text)).toEqual({
      message: 'The workflow has no input 40.cfg.',
      next: 'Did you mean 40.seed (Roll the dice), 40.Dice (Roll the dice)?',
    });
    expect(select('40.seed', subgraphText({ link: 9 }))).toEqual({
      message: '40.seed is linked to node 7, so it has no value of its own.',
      next: 'Set an input of that node instead.',
    });
  });

  it('as an older editor showed it on the subgraph node', () => {
    const properties = { proxyWidgets: [['51', 'seed']] };
    const bare = { inputs: [], properties, widgets_values: [] };
    expect(select('40.seed', subgraphText(bare, []))).toBe('40:51.seed = 5');
    expect(select('40.seed', subgraphText({ ...bare, widgets_values: [6] }, []))).toBe('40:51.seed = 6');
  });

  it('on a subgraph node that has two of the name only by the nodes inside', () => {
    const second = { name: 'other', label: 'seed', type: 'INT', linkIds: [12] };
    expect(select('40.seed', subgraphText({}, [seedInput, second]))).toEqual({
      message: '40.seed matches 2 inputs: 40:51.seed (Noise), 40:52.seed (Noise).',
      next: 'Use the node ID instead.',
    });
  });

  it('is changed in what is sent', async () => {
    const text = subgraphText();
    const { axes } = await plan({ '40.Dice': written('123') }, undefined, text);
    const changed = rowText(text, axes, 0);
    expect(select('40:51.seed', changed)).toBe('40:51.seed = 123');
    expect(select('41:51.seed', changed)).toBe('41:51.seed = 5');
  });

  it('in a graph file too, at its place there', () => {
    expect(select('Noise.seed', graphText)).toBe('7.seed = 18446744073709551615');
    expect(select('8.filename_prefix', graphText)).toBe('8.filename_prefix = "shot"');
  });

  it.each([
    ['Noise.seed', ' matches 2 inputs: 1.seed (First v1.5), 2.seed (Noise).', 'Use the node ID instead.'],
    ['2.image', ' is linked to node 4, so it has no value of its own.', 'Set an input of that node instead.'],
    ['3.quality', 'The workflow has no input 3.quality.', 'Did you mean 3.filename_prefix (SaveImage)?'],
    [
      'KSampler.seed',
      'The workflow has no input KSampler.seed.',
      'Did you mean 1.seed (First v1.5), 2.seed (Noise)?',
    ],
    ['seed', 'is not an input.', 'Enter a node and one of its inputs, such as 3.seed or KSampler.cfg.'],
  ])('but not as %s', (selector, message, next) => {
    expect(select(selector)).toEqual({ message: expect.stringContaining(message) as string, next });
  });
});

describe('a batch', () => {
  it('has every digit in the rows of a graph', async () => {
    const { axes, rows } = await plan(
      { '7.seed': written('18446744073709551614..18446744073709551615') },
      undefined,
      graphText,
    );
    expect(rows).toBe(2);
    expect(rowText(graphText, axes, 0)).toBe(graphText.replace('551615', '551614'));
    expect(rowText(graphText, axes, 1)).toBe(graphText);
  });

  it.each<[string, string, readonly string[]]>([
    ['1.seed', '6,7,8', ['6', '7', '8']],
    // What PowerShell makes of them without quotes.
    ['1.seed', '6 7 8', ['6', '7', '8']],
    ['1.seed', '1..3', ['1', '2', '3']],
    ['4.image', '*', ['"known.png"']],
    ['4.image', 'a.png,b.png', ['"a.png"', '"b.png"']],
    ['3.filename_prefix', 'a cat, sitting', ['"a cat, sitting"']],
    ['3.filename_prefix', 'a {red|blue} cat', ['"a red cat"', '"a blue cat"']],
    ['3.filename_prefix', '["a,b", "c"]', ['"a,b"', '"c"']],
    ['3.filename_prefix', '@names.txt', ['"of names.txt"', '"second"']],
  ])('reads --set %s=%s', async (selector, text, values) => {
    const { axes } = await plan({ [selector]: written(text) });
    expect(axes[0]?.steps.map(([value]) => value)).toEqual(values);
  });

  it('draws the seeds that it does not set, once for each repetition', async () => {
    const { axes, rows } = await plan({ '1.seed': written('1,2') }, 3);
    expect(rows).toBe(6);
    expect(axes[1]?.columns.map(({ nodeId, input }) => `${nodeId}.${input}`)).toEqual(['2.seed']);
    expect(batchRowValues(axes, 5).map(({ text }) => text)).toEqual(['2', '102']);
  });

  it.each<[string, Record<string, AxisSource | string>, string, number?]>([
    ['a whole number', { '1.seed': '1.5' }, '1.seed: "1.5" is not a whole number.'],
    ['options', { '1.seed': { kind: 'options' } }, '1.seed: The server has no options for this input.'],
    ['one setting per value', { '1.seed': '1', 'First v1.5.seed': '2' }, ' set the same value.'],
    ['a seed to draw', { '1.seed': '1', '2.seed': '2' }, 'The workflow has no seed to randomize', 4],
    ['few enough rows', { '1.seed': '1..200', '2.seed': '1..200' }, 'The batch has 40000 runs (200 × 200).'],
  ])('needs %s', async (_, set, message, count) => {
    const sources = Object.entries(set).map(([selector, source]) => {
      return [selector, typeof source === 'string' ? written(source) : source] as const;
    });
    await expect(plan(Object.fromEntries(sources), count)).rejects.toThrow(message);
  });
});

it('new seeds for thousands of nodes look at each input a few times', () => {
  const nodes = Array.from({ length: 300 }, (_, at) => [
    at,
    { class_type: 'KSampler', inputs: { seed: at } },
  ]);
  const known = readBatchInputs(WorkflowDocument.of(JSON.stringify(Object.fromEntries(nodes))), undefined);
  if (known.kind === 'refused') throw new Error(known.message);
  let looks = 0;
  const inputs = new Proxy(known.inputs, {
    get: (list, name) => (looks++, Reflect.get(list, name) as unknown),
  });
  expect(seedAxis({ ...known, inputs }, undefined, [], 2, (min) => min).columns).toHaveLength(300);
  expect(looks).toBeLessThan(5 * 300);
});

it('costs what any of its servers charges for, whichever is asked first', () => {
  const serverThat = (charges: boolean): Catalog =>
    Catalog.fromDefinitions({ Noise: { input: {}, output: [], output_node: false, api_node: charges } });
  const [free, paid] = [serverThat(false), serverThat(true)];
  const pricesOn = (...catalogs: Catalog[]): readonly string[] =>
    partnerPrices(WorkflowDocument.of(promptText), catalogs).map(({ classType }) => classType);
  expect(pricesOn(free)).toEqual([]);
  expect(pricesOn(free, paid, paid)).toEqual(['Noise']);
});
