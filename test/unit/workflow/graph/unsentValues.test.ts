import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../../src/core/catalog/catalog';
import type { GraphCompilation } from '../../../../src/core/workflow/graph/compileGraph';
import { compileAnyGraph } from '../../../support/sentInputs';

const catalog = Catalog.fromDefinitions({
  Sampler: {
    input: {
      required: {
        model: ['MODEL'],
        seed: ['INT', { control_after_generate: true }],
        text: ['STRING', { multiline: true }],
      },
    },
    output: ['LATENT'],
    python_module: 'nodes',
  },
  Loader: { input: { required: {} }, output: ['MODEL'], python_module: 'nodes' },
  Archived: { input: {}, output: [], python_module: 'custom_nodes.ComfyUI_KJNodes-main' },
  'Lora Rows': { input: { required: {} }, output: ['MODEL'], python_module: 'custom_nodes.somebodys-loras' },
  VHS_Old: { input: { required: { force_size: [['64x?']] } }, output: [] },
  VHS_New: { input: { required: { custom_width: ['INT', {}] } }, output: [] },
  Tinted: {
    input: { required: { image: ['IMAGE'], tint: ['FANCY_COLOR', {}] }, optional: { extra: ['FANCY_LINK'] } },
    output: ['IMAGE'],
    python_module: 'custom_nodes.somebodys-tints',
  },
});

type Node = Readonly<Record<string, unknown>>;

function compiled(nodes: readonly Node[], rest: Node = {}): Extract<GraphCompilation, { kind: 'compiled' }> {
  const made = compileAnyGraph({ nodes, links: [], version: 0.4, ...rest }, catalog);
  if (made.kind === 'failed') throw new Error(made.problem.message);
  return made;
}

/** The rule for each value of the nodes that is not sent, by node and value. */
function rules(...nodes: readonly Node[]): string[] {
  const { listUnsent } = compiled(nodes);
  return listUnsent().map(
    ({ node, rule, place }) => `${node} ${rule}: ${place.kind === 'string' ? place.value : place.kind}`,
  );
}

const sampler = { id: 1, type: 'Sampler', widgets_values: [5, 'randomize', 'a cat'] };

describe('values of a graph that are not sent', () => {
  it('are what happens to a seed after a run', () => {
    expect(rules(sampler)).toEqual(['1 not-sent: randomize']);
  });

  it('are those of muted and bypassed nodes, and of notes', () => {
    expect(
      rules(
        { ...sampler, mode: 2 },
        { id: 2, type: 'Loader', mode: 4, widgets_values: ['x'] },
        { id: 3, type: 'Note', widgets_values: ['read me'] },
      ),
    ).toEqual([
      '1 inactive: number',
      '1 inactive: randomize',
      '1 inactive: a cat',
      '2 inactive: x',
      '3 editor-node: read me',
    ]);
  });

  it('are replaced by a link', () => {
    const inputs = [{ name: 'text', type: 'STRING', link: 7, widget: { name: 'text' } }];
    const { listUnsent } = compiled(
      [
        { ...sampler, inputs },
        { id: 2, type: 'Loader', outputs: [{ name: 'x', type: 'STRING' }] },
      ],
      { links: [[7, 2, 0, 1, 0, 'STRING']] },
    );
    expect(listUnsent().map(({ rule }) => rule)).toEqual(['not-sent', 'linked']);
  });

  it('are links to and from muted nodes and notes, and those that are lost', () => {
    const model = (link: number) => [{ name: 'model', type: 'MODEL', link }];
    const { listUnsent, warnings } = compiled(
      [
        { id: 1, type: 'Sampler', inputs: model(7) },
        { id: 2, type: 'Loader', mode: 2, outputs: [{ name: 'm', type: 'MODEL' }] },
        { id: 3, type: 'Sampler', inputs: model(8) },
      ],
      { links: [[7, 2, 0, 1, 0, 'MODEL']] },
    );
    const links = listUnsent().filter(({ what }) => what === 'link');
    expect(links.map(({ node, rule }) => [node, rule])).toEqual([
      ['1', 'inactive'],
      ['3', 'unexplained'],
    ]);
    expect(warnings.map(({ code, nodeId }) => [code, nodeId])).toContainEqual(['link-lost', '3']);
  });

  it('are past the last widget of node types that are known to the end', () => {
    expect(rules({ id: 2, type: 'Loader', widgets_values: ['old', null, ''] })).toEqual([
      '2 past-last-widget: old',
      '2 empty: null',
      '2 empty: ',
    ]);
    expect(compiled([{ id: 2, type: 'Loader', widgets_values: ['old'] }]).warnings).toEqual([]);
    expect(compiled([{ id: 2, type: 'Archived', widgets_values: ['old'] }]).warnings).toEqual([]);
  });

  it('are a size for which VideoHelperSuite is too old, or that another value replaces', () => {
    const values = { force_size: '64x?', custom_width: 512 };
    expect(rules({ id: 5, type: 'VHS_Old', widgets_values: values })).toEqual(['5 unexplained: number']);
    expect(rules({ id: 5, type: 'VHS_New', widgets_values: values })).toContain('5 not-sent: number');
  });

  it('are a warning at their place if nothing explains them', () => {
    const row = { on: true, lora: 'a.safetensors' };
    const { warnings } = compiled([{ id: 4, type: 'Lora Rows', title: 'Styles', widgets_values: [{}, row] }]);
    expect(warnings).toMatchObject([{ code: 'value-not-sent', nodeId: '4', node: { kind: 'object' } }]);
    expect(warnings[0]?.message).toContain('This value is not sent: {"on": true, "lora": "a.safetensors"}.');
  });
});

describe('an input of a widget type that only a pack knows', () => {
  function tint(node: Node): unknown {
    const { prompt } = compiled([{ id: 1, type: 'Tinted', ...node }]);
    const sent = JSON.parse(prompt.document.text) as Record<string, { inputs: Record<string, unknown> }>;
    return sent[1]?.inputs.tint;
  }
  const image = { name: 'image', type: 'IMAGE', link: null };

  it('has the value that the file marks, names, or has left for it', () => {
    const marked = { name: 'tint', type: 'FANCY_COLOR', link: null, widget: { name: 'tint' } };
    expect(tint({ inputs: [image, marked], widgets_values: ['red'] })).toBe('red');
    expect(tint({ inputs: [image], widgets_values: { tint: 'green' } })).toBe('green');
    expect(tint({ inputs: [image], widgets_values: ['blue'] })).toBe('blue');
  });

  it('is a socket where the file has one for it', () => {
    const socket = { name: 'tint', type: 'FANCY_COLOR', link: null };
    expect(tint({ inputs: [image, socket], widgets_values: ['red'] })).toBeUndefined();
  });
});
