import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../../src/core/catalog/catalog';
import { applyEdits } from '../../../../src/core/json/textEdit';
import { workflowActions, type ActionName } from '../../../../src/core/language/edits/actions';
import { convertToApi } from '../../../../src/core/language/edits/convertToApi';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { catalog, chain, cursorIn, graph, type Marked } from '../sample';

const context = { catalog, randomSeed: (): bigint => 5n };

/** The text after an action; undefined if it is not offered. */
function after({ doc, offset }: Marked, name: ActionName): string | undefined {
  const found = workflowActions(doc, offset, context).find((each) => each.name === name);
  return found && applyEdits(doc.text, found.edits);
}

describe('actions on a prompt', () => {
  it('new seeds change only the digits', () => {
    expect(after(cursorIn(chain, '"steps"'), 'newSeed')).toBe(chain.replace('"seed": 7', '"seed": 5'));
    expect(after(cursorIn(chain, '"4"'), 'newSeed')).toBeUndefined();
    expect(after(cursorIn(chain, '"4"'), 'newSeeds')).toBe(chain.replace('"seed": 7', '"seed": 5'));
  });

  it("bypass links a node's targets to its sources", () => {
    const upscaled = chain
      .replace('"images": ["3", 0]', '"images": ["5", 0]')
      .replace(
        '  "4": {',
        '  "5": { "class_type": "Upscale", "inputs": { "model": ["1", 0], "latent": ["3", 0] } },\n  "4": {',
      );
    expect(after(cursorIn(upscaled, '"5": {'), 'bypassNode')).toBe(chain);
    // A model is not conditioning: nothing could replace it.
    expect(after(cursorIn(chain, '"2"'), 'bypassNode')).toBeUndefined();
  });

  it('removes nodes that no output depends on', () => {
    const more = chain.replace(
      '  "4": {',
      '  "8": { "class_type": "Encode", "inputs": { "text": "", "clip": ["1", 1] } },\n  "4": {',
    );
    expect(after(cursorIn(more, '"4"'), 'removeUnused')).toBe(chain);
    expect(after(cursorIn(chain, '"4"'), 'removeUnused')).toBeUndefined();
    const unknown = chain.replace('"Save"', '"Unknown"');
    expect(after(cursorIn(unknown, '"4"'), 'removeUnused')).toBeUndefined();
  });

  it('wraps and unwraps, there and back', () => {
    for (const text of [
      chain,
      '{"1": {"class_type": "Save", "inputs": {}}}',
      chain.replaceAll('\n', '\r\n'),
    ]) {
      const wrapped = after(cursorIn(text, '"1"'), 'wrapPost') ?? '';
      expect(Object.keys(JSON.parse(wrapped) as object)).toEqual(['prompt']);
      expect(after(cursorIn(wrapped, '"1"'), 'unwrapPost')).toBe(text);
    }
    expect(after(cursorIn(chain, '"1"'), 'wrapPost')).toContain(
      '{\n  "prompt": {\n    "1": {\n      "class_type"',
    );
  });

  it('sorts nodes after their sources', () => {
    const node = (id: string, source?: string): string =>
      `"${id}": {"class_type": "A", "inputs": {${source === undefined ? '' : `"x": ["${source}", 0]`}}}`;
    const text = `{\n  ${node('3', '2')},\n  ${node('9')},\n  ${node('2', '1')},\n  ${node('1')}\n}`;
    const sorted = `{\n  ${node('1')},\n  ${node('2', '1')},\n  ${node('3', '2')},\n  ${node('9')}\n}`;
    expect(after(cursorIn(text, '"3"'), 'sortNodes')).toBe(sorted);
    expect(after(cursorIn(sorted, '"3"'), 'sortNodes')).toBeUndefined();
    const loop = `{${node('1', '2')}, ${node('2', '1')}}`;
    expect(JSON.parse(after(cursorIn(loop, '"1"'), 'sortNodes') ?? loop)).toEqual(JSON.parse(loop));
  });
});

describe('actions on a graph', () => {
  it('changes seeds with their copies by name, and modes', () => {
    const copies = '"widgets_values_named": {"seed": 7, "control_after_generate": "randomize"}';
    const text = graph.replace('"widgets_values": [7,', `${copies}, "widgets_values": [7,`);
    const seeded = text.replace('"seed": 7', '"seed": 5').replace('[7, "ran', '[5, "ran');
    expect(after(cursorIn(text, '7, "ran'), 'newSeed')).toBe(seeded);
    expect(after(cursorIn(text, '7, "ran'), 'fixSeed')).toBe(text.replaceAll('"randomize"', '"fixed"'));
    const bypassed = graph.replace('"mode": 0', '"mode": 4');
    expect(after(cursorIn(graph, '"Checkpoint"'), 'bypassNode')).toBe(bypassed);
    expect(after(cursorIn(bypassed, '"Checkpoint"'), 'bypassNode')).toBe(graph);
    expect(after(cursorIn(graph, '"Save"'), 'bypassNode')).toContain(
      '"widgets_values": ["x"],\n      "mode": 4\n',
    );
  });

  it('leaves numbers that are not seeds, and linked seeds, alone', () => {
    const value = ['INT', { control_after_generate: 'fixed' }];
    const numbers = Catalog.fromDefinitions({
      PrimitiveInt: { input: { required: { value } }, output: ['INT'] },
      Sampler: { input: { required: { seed: ['INT'], width: ['INT'] } }, output_node: true },
    });
    const outputs = (link: number): object[] => [{ name: 'INT', type: 'INT', links: [link] }];
    const input = (name: string, link: number): object => ({ name, type: 'INT', widget: { name }, link });
    const inputs = [input('seed', 2), input('width', 1)];
    const nodes = [
      { id: 1, type: 'PrimitiveInt', outputs: outputs(1), widgets_values: [512, 'fixed'] },
      { id: 2, type: 'PrimitiveInt', outputs: outputs(2), widgets_values: [77, 'fixed'] },
      { id: 3, type: 'Sampler', inputs, widgets_values: [4, 'randomize', 16] },
    ];
    const links = [1, 2].map((id) => [id, id, 0, 3, 2 - id, 'INT']);
    const text = JSON.stringify({ nodes, links, version: 0.4 });
    const found = workflowActions(WorkflowDocument.of(text), text.indexOf('Sampler'), {
      ...context,
      catalog: numbers,
    });
    const edits = found.find(({ name }) => name === 'newSeeds')?.edits ?? [];
    expect(applyEdits(text, [...edits])).toBe(text.replace('[77,', '[5,'));
  });

  it('converts it to a readable prompt', () => {
    const converted = convertToApi(WorkflowDocument.of(graph), catalog);
    if (converted?.kind !== 'converted') throw new Error('not converted');
    expect(converted.text).toContain(
      '    "inputs": {\n      "prefix": "x",\n      "images": ["2:11", 0]\n    },',
    );
    expect(WorkflowDocument.of(converted.text).format.kind).toBe('api');
    expect(convertToApi(WorkflowDocument.of(chain), catalog)).toBeUndefined();
  });
});
