import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/core/json/textEdit';
import { fixesForFinding } from '../../../src/core/language/edits/fixes';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { catalog, check, lines, the } from './checkTexts';
import { graph, links, loader, sampler, save, type Slot } from './graphTexts';

const [outer, inner] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

/** A subgraph with one input, connected to the first input of each of its nodes. */
function subgraph(id: string, name: string, type: string, nodes: readonly Slot[]): Slot {
  const links = nodes.map(({ id: target }, index) => {
    return { id: 50 + index, origin_id: -10, origin_slot: 0, target_id: target, target_slot: 0, type };
  });
  return {
    id,
    name,
    inputs: [{ id: `${id}-i`, name: 'in', type, linkIds: links.map((link) => link.id) }],
    outputs: [],
    links,
    nodes: nodes.map((node, index) => ({
      ...node,
      inputs: [{ ...(node.inputs as Slot[])[0], link: 50 + index }],
    })),
  };
}

function instance(id: number, type: string, more: Slot = {}): Slot {
  return { id, type, mode: 0, inputs: [{ name: 'in', type: 'IMAGE', link: 3 }], outputs: [], ...more };
}

/** A graph with a subgraph that contains another one, in this mode: also of its saver, and of both outputs of the root. */
function nested(mode: number, modeOfSaver = 0, modeOfRoot = 0): string {
  const saver = { ...save, id: 20, mode: modeOfSaver };
  const subgraphs = [
    subgraph(outer, 'Outer', 'IMAGE', [instance(10, inner, { mode })]),
    subgraph(inner, 'Inner', 'IMAGE', [saver]),
  ];
  return graph({
    save: { mode: modeOfRoot },
    more: [instance(7, outer, { mode: modeOfRoot })],
    links: [...links, [3, 2, 0, 7, 0, 'IMAGE']],
    rest: { definitions: { subgraphs } },
  });
}

describe('a muted subgraph inside a subgraph', () => {
  it('runs all the same, unless the nodes inside it are muted', () => {
    expect(lines(nested(0))).toEqual([]);
    expect(lines(nested(2))).toEqual(['warning inactive-subgraph-runs 2']);
    expect(the('inactive-subgraph-runs', nested(2)).message).toMatch(/^Inner \(node 10\) is muted, but/);
    expect(check(nested(2)).verdict?.goodOutputs).toContain('7:10:20');
    expect(the('inactive-subgraph-runs', nested(4)).message).toContain('is bypassed, but');
    expect(lines(nested(2, 2))).toEqual([]);
  });
});

describe('a primitive', () => {
  const outputs = [{ name: 'INT', type: 'INT', links: [3], widget: { name: 'steps' } }];
  const primitive = {
    id: 8,
    type: 'PrimitiveNode',
    mode: 0,
    inputs: [],
    outputs,
    widgets_values: [9, 'fixed'],
  };
  const steps = { name: 'steps', type: 'INT', link: 3, widget: { name: 'steps' } };

  it('changes something only where it is linked to a widget', () => {
    const inputs = [...sampler.inputs, steps];
    const direct = graph({
      sampler: { inputs },
      more: [primitive],
      links: [...links, [3, 8, 0, 2, 1, 'INT']],
    });
    expect(lines(direct)).toEqual([]);
    const socket = { name: '', type: '*', link: 3 };
    const reroute = { id: 9, type: 'Reroute', mode: 0, inputs: [socket], outputs: [{}] };
    const behind = graph({
      sampler: { inputs: [...sampler.inputs, { ...steps, link: 4 }] },
      more: [primitive, reroute],
      links: [...links, [3, 8, 0, 9, 0, 'INT'], [4, 9, 0, 2, 1, 'INT']],
    });
    expect(lines(behind)).toEqual(['warning idle-primitive "PrimitiveNode"']);
    expect(the('idle-primitive', behind).message).toContain('through Reroute (node 9)');
  });

  it('changes nothing in a subgraph', () => {
    const given = { ...primitive, outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [3] }] };
    const subgraphs = [subgraph(inner, 'Inner', 'IMAGE', [{ ...save, id: 20 }])];
    const text = graph({
      more: [given, instance(7, inner)],
      links: [...links, [3, 8, 0, 7, 0, 'INT']],
      rest: { definitions: { subgraphs } },
    });
    expect(the('idle-primitive', text).message).toMatch(
      /^PrimitiveNode \(node 8\) changes nothing, .* to the subgraph Inner \(node 7\)\. Remove the link/,
    );
  });
});

describe('an input that is listed twice', () => {
  it('is reported at the first, as a hint without links', () => {
    const [slot] = sampler.inputs;
    const twice = graph({ sampler: { inputs: [{ ...slot, link: null }, slot] } });
    expect(lines(twice)).toEqual(['warning duplicate-input "model"']);
    const image = { name: 'image', type: 'IMAGE', link: null };
    const unlinked = graph({ sampler: { inputs: [slot, image, image] } });
    expect(lines(unlinked)).toEqual([]);
    expect(lines(unlinked, {}, true)).toEqual(['hint duplicate-input "image"']);
  });
});

describe('output nodes that are muted', () => {
  it('are named instead of asking for one, and a fix unmutes them', () => {
    const text = graph({ save: { mode: 2 } });
    const finding = the('no-output-node', text);
    expect(finding).toMatchObject({ severity: 'error', nodeId: '3' });
    expect(finding.message).toBe('Your output node 3 is muted, so the server has nothing to run. Unmute it.');
    expect(text.slice(finding.offset, finding.offset + finding.length)).toBe('"Save"');
    const [fix, ...others] = fixesForFinding(WorkflowDocument.of(text), finding, { catalog });
    expect([fix?.title, fix?.preferred, others]).toEqual(['Unmute Save (node 3)', true, []]);
    expect(lines(applyEdits(text, fix?.edits ?? []))).toEqual([]);
  });

  it('may be several, bypassed, or inside a subgraph', () => {
    expect(the('no-output-node', graph({ save: { mode: 4 } })).message).toContain('is bypassed, so');
    const two = graph({ save: { mode: 2 }, more: [{ ...save, id: 4, mode: 4, inputs: [] }] });
    expect(the('no-output-node', two).message).toContain('Your output nodes 3 and 4 are muted or bypassed');
    const both = nested(0, 0, 2);
    expect(the('no-output-node', both).message).toContain('Your output nodes 3 and 7 are');
  });

  it('are not meant if there are none', () => {
    const text = graph({ save: { type: 'Sampler', mode: 2 } });
    expect(the('no-output-node', text).message).toContain('has no output node');
    expect(lines(graph({ loader: { ...loader, mode: 0 } }))).toEqual([]);
  });
});

it('looks into subgraphs that contain others many times only once', () => {
  const idOf = (level: number): string => `33333333-3333-4333-8333-${String(level).padStart(12, '0')}`;
  const subgraphs = Array.from({ length: 40 }, (_, level) =>
    subgraph(
      idOf(level),
      `Level ${level}`,
      'IMAGE',
      [1, 2].map((id) =>
        level < 39 ? instance(id, idOf(level + 1), { mode: 2 }) : { ...save, id, mode: 2 },
      ),
    ),
  );
  const more = [instance(7, idOf(0), { mode: 2 })];
  expect(lines(graph({ more, rest: { definitions: { subgraphs } } }))).toEqual(['warning dangling-link 3']);
});
