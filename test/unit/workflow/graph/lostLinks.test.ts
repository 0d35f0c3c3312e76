import { describe, expect, it } from 'vitest';
import type { GraphProblem } from '../../../../src/core/workflow/graph/graphProblem';
import { isLoss } from '../../../../src/core/workflow/graph/graphProblem';
import { compile, graphOf, loader, sampler, subgraph, withInstance } from './graphs';

/** What converting a graph loses, as messages. */
function lostIn(graph: unknown): string[] {
  const compiled = compile(graph);
  if (compiled.kind === 'failed') throw new Error(compiled.problem.message);
  const lost = compiled.warnings.filter((each: GraphProblem) => isLoss(each));
  return lost.map(
    ({ code, nodeId, message }) => `${code} ${nodeId ?? ''}: ${message.split(/[,.]/)[0] ?? ''}`,
  );
}

function getter(name: unknown): object {
  return { id: 8, type: 'GetNode', outputs: [{}], widgets_values: [name] };
}

describe('lost links', () => {
  it('are those of a getter whose name no setter has', () => {
    const links = [[1, 8, 0, 3, 0, 'MODEL']];
    expect(lostIn(graphOf([getter('gone'), sampler()], links))).toEqual([
      'link-lost 8: GetNode (node 8) gets "gone"',
    ]);
    expect(lostIn(graphOf([getter(''), sampler()], links))).toEqual([
      'link-lost 8: GetNode (node 8) gets ""',
    ]);
    const setter = { id: 7, type: 'SetNode', inputs: [{ name: 'MODEL', link: 2 }], widgets_values: ['gone'] };
    const linked = [...links, [2, 1, 0, 7, 0, 'MODEL']];
    expect(lostIn(graphOf([loader, setter, getter('gone'), sampler()], linked))).toEqual([]);
    // Nobody asks for its value.
    expect(lostIn(graphOf([loader, getter('gone'), sampler()]))).toEqual([]);
  });

  it('are those that an input names but the list lacks', () => {
    expect(lostIn(graphOf([loader, sampler()], []))).toEqual([
      'link-lost 3: The link to model of Sampler (node 3) is lost',
    ]);
    expect(lostIn(graphOf([loader, sampler({ mode: 2 })], []))).toEqual([]);
  });

  it('are not those of an input that the file lists twice', () => {
    const twice = [1, null].map((link) => ({ name: 'model', type: 'MODEL', link }));
    expect(lostIn(graphOf([loader, sampler({ inputs: twice })]))).toEqual([]);
  });

  it('are those at a slot that the subgraph or the node type no longer has', () => {
    const slots = [{ name: 'old', type: 'MODEL', link: 1 }];
    expect(lostIn(withInstance({ inputs: slots }))).toEqual([
      'link-lost 5: The link to old of Inside (node 5) is lost',
    ]);
    const inputs = [{ name: 'old', type: 'INT', link: 1, widget: { name: 'old' } }];
    expect(lostIn(graphOf([loader, sampler({ inputs })]))).toEqual([
      'link-lost 3: The link to old of Sampler (node 3) is lost',
    ]);
  });

  it('are those of an output that names no link inside the subgraph', () => {
    const linkedOut = (linkIds: number[]): object => {
      const output = { ...subgraph.outputs[0], linkIds };
      const next = { id: 6, type: 'Far', inputs: [{ name: 'x', type: 'LATENT', link: 4 }], outputs: [{}] };
      const instance = { id: 5, type: 'inner', inputs: [{ name: 'model', type: 'MODEL', link: 1 }] };
      const links = [
        [1, 1, 0, 5, 0, 'MODEL'],
        [4, 5, 0, 6, 0, 'LATENT'],
      ];
      const definitions = { subgraphs: [{ ...subgraph, outputs: [output] }] };
      return graphOf([loader, instance, next], links, { definitions });
    };
    expect(lostIn(linkedOut([12]))).toEqual([]);
    expect(lostIn(linkedOut([99]))).toEqual([
      "link-lost 5: Output LATENT of Inside (node 5) refers to a link that doesn't exist",
    ]);
    expect(lostIn(linkedOut([]))).toHaveLength(1);
  });
});
