import { describe, expect, it } from 'vitest';
import { prepareRun, withEdits, type PreparedRun } from '../../../src/core/runs/prepareRun';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { catalog } from './definitions';
import type { NodeErrorMap } from '../../../src/core/protocol/nodeErrors';
import { failureFindings, serverFindings } from '../../../src/core/runs/serverFindings';

const largest = '18446744073709551615';

/** A graph as a run record has it: on one line, its seed too large for a double. */
const graph =
  '{"nodes": [' +
  '{"id": 6, "type": "LoadImage", "outputs": [{"name": "IMAGE", "type": "IMAGE", "links": [1]}],' +
  ' "widgets_values": ["known.png", "image"]},' +
  '{"id": 7, "type": "Noise", "inputs": [{"name": "image", "type": "IMAGE", "link": 1}],' +
  ` "outputs": [{"name": "IMAGE", "type": "IMAGE", "links": [2]}], "widgets_values": [${largest}, "fixed"]},` +
  '{"id": 8, "type": "SaveImage", "inputs": [{"name": "images", "type": "IMAGE", "link": 2}],' +
  ' "outputs": [], "widgets_values": ["shot"]}],' +
  '"links": [[1, 6, 0, 7, 0, "IMAGE"], [2, 7, 0, 8, 0, "IMAGE"]], "version": 0.4}';

const prompt =
  '{"6":{"class_type":"LoadImage","inputs":{"image":"known.png"}},' +
  `"7":{"class_type":"Noise","inputs":{"image":["6",0],"seed":${largest}}},` +
  '"8":{"class_type":"SaveImage","inputs":{"images":["7",0],"filename_prefix":"shot"}}}';

/** The run of a file, with the graph that it carries. */
function prepared(text: string, seeds: 'keep' | 'new' = 'keep', workflowText?: string): PreparedRun {
  const source = { workflow: WorkflowDocument.of(text), workflowText, label: 'w.json' };
  const run = prepareRun(source, { seeds }, { catalog }, () => 5n);
  if (run.kind === 'refused') throw new Error(run.message);
  return run;
}

describe('the graph of an earlier run', () => {
  it('goes along as it is with its prompt', () => {
    const run = prepared(prompt, 'keep', graph);
    expect(run).toMatchObject({ promptText: prompt, workflowText: graph });
  });

  it('gets the new seeds of the prompt, and no other change', () => {
    const run = prepared(prompt, 'new', graph);
    expect(run.promptText).toBe(prompt.replace(largest, '5'));
    expect(run.workflowText).toBe(graph.replace(largest, '5'));
  });

  it('gets the name that the server gave to an uploaded file, besides the new seeds', () => {
    const run = prepared(prompt, 'new', graph);
    const offset = prompt.indexOf('"known.png"');
    const renamed = withEdits(run, [{ offset, length: '"known.png"'.length, newText: '"known (1).png"' }]);
    const changed = (text: string): string =>
      text.replace(largest, '5').replace('known.png', 'known (1).png');
    expect(renamed).toMatchObject({ promptText: changed(prompt), workflowText: changed(graph) });
  });

  it.each([
    ['has no such node', graph.replaceAll('7,', '17,')],
    ['has another node in its place', graph.replace('"Noise"', '"EmptyImage"')],
    ['is no graph', '{"name": "x"}'],
  ])('is left out if it %s', (_, other) => {
    expect(prepared(prompt, 'new', other)).toMatchObject({ workflowText: undefined });
    expect(prepared(prompt, 'keep', other)).toMatchObject({ workflowText: other });
  });

  it('is left out if its place for a new seed is that of another value too', () => {
    const shared =
      '{"nodes": [' +
      '{"id": 5, "type": "PrimitiveNode", "outputs": [{"name": "INT", "type": "INT", "links": [1, 2],' +
      ' "widget": {"name": "seed"}}], "widgets_values": [64, "fixed"]},' +
      '{"id": 6, "type": "EmptyImage",' +
      ' "inputs": [{"name": "width", "type": "INT", "link": 1, "widget": {"name": "width"}}],' +
      ' "outputs": [{"name": "IMAGE", "type": "IMAGE", "links": [3]}], "widgets_values": [64, 64]},' +
      '{"id": 7, "type": "Noise", "inputs": [{"name": "image", "type": "IMAGE", "link": 3},' +
      ' {"name": "seed", "type": "INT", "link": 2, "widget": {"name": "seed"}}],' +
      ' "outputs": [{"name": "IMAGE", "type": "IMAGE", "links": [4]}], "widgets_values": [64, "fixed"]},' +
      '{"id": 8, "type": "SaveImage", "inputs": [{"name": "images", "type": "IMAGE", "link": 4}],' +
      ' "outputs": [], "widgets_values": ["shot"]}],' +
      '"links": [[1, 5, 0, 6, 0, "INT"], [2, 5, 0, 7, 1, "INT"], [3, 6, 0, 7, 0, "IMAGE"],' +
      ' [4, 7, 0, 8, 0, "IMAGE"]], "version": 0.4}';
    const { promptText } = prepared(shared);
    const sent = (seed: number) => ({ 6: { inputs: { width: 64 } }, 7: { inputs: { seed } } });
    expect(JSON.parse(promptText)).toMatchObject(sent(64));
    const again = prepared(promptText, 'new', shared);
    expect(JSON.parse(again.promptText)).toMatchObject(sent(5));
    expect(again.workflowText).toBeUndefined();
  });
});

describe('a graph file that is run', () => {
  /** A seed too large for a double, so that a lost digit is noticed. */
  const graphText = `{
    "id": "a", "revision": 0, "last_node_id": 8, "last_link_id": 2,
    "nodes": [
      {"id": 7, "type": "Noise", "pos": [0, 0], "mode": 0,
       "inputs": [], "outputs": [{"name": "IMAGE", "type": "IMAGE", "links": [2]}],
       "widgets_values": [18446744073709551615, "fixed"]},
      {"id": 8, "type": "SaveImage", "pos": [0, 0], "mode": 0,
       "inputs": [{"name": "images", "type": "IMAGE", "link": 2}], "outputs": [],
       "widgets_values": ["shot"]}
    ],
    "links": [[2, 7, 0, 8, 0, "IMAGE"]],
    "groups": [], "config": {}, "extra": {}, "version": 0.4
  }`;

  function at(text: string, range: { offset: number; length: number } | undefined): string | undefined {
    return range && text.slice(range.offset, range.offset + range.length);
  }

  it('is compiled with every digit', () => {
    const { promptText, origin } = prepared(graphText);
    expect(promptText).toContain('18446744073709551615');
    expect(JSON.parse(promptText)).toMatchObject({
      7: { class_type: 'Noise' },
      8: { class_type: 'SaveImage', inputs: { images: ['7', 0], filename_prefix: 'shot' } },
    });
    expect(origin.seeds).toEqual({ '7.seed': '18446744073709551615' });
    expect(origin.nodeNames).toEqual({ 7: 'Noise', 8: 'SaveImage' });
  });

  it('has its new seeds in the prompt and in the graph that the pictures contain', () => {
    const run = prepared(graphText, 'new');
    expect(JSON.parse(run.promptText)).toMatchObject({ 7: { inputs: { seed: 5 } } });
    expect(run.workflowText).toBe(graphText.replace('18446744073709551615', '5'));
  });

  it('shows server errors at their place in the graph', () => {
    const run = prepared(graphText);
    const said = (errors: NodeErrorMap) => serverFindings(errors, run.places)[0];
    const error = (input?: string) => ({
      classType: 'SaveImage',
      errors: [
        {
          type: 'value_not_in_list',
          message: 'x',
          details: '',
          extraInfo: input === undefined ? {} : { input_name: input },
        },
      ],
      dependentOutputs: [],
    });
    expect(at(graphText, said({ 8: error('filename_prefix') }))).toBe('"shot"');
    expect(at(graphText, said({ 8: error('images') }))).toBe('[2, 7, 0, 8, 0, "IMAGE"]');
    expect(at(graphText, said({ 8: error() }))).toBe('"SaveImage"');
    const failure = { nodeId: '7', exceptionType: 'ValueError', message: 'no', traceback: [], executed: [] };
    expect(at(graphText, failureFindings(failure, run.places)[0])).toBe('"Noise"');
  });
});
