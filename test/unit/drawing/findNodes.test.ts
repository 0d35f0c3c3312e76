import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { drawInside, loadDrawing } from '../../../src/core/drawing/drawWorkflow';
import { findInLevels, type SearchedLevel, searchedLevels } from '../../../src/core/drawing/findNodes';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { smallPrompt } from '../../support/promptFile';

async function levelsOf(workflow: object): Promise<readonly SearchedLevel[]> {
  const loaded = loadDrawing(WorkflowDocument.of(JSON.stringify(workflow)), Catalog.fromDefinitions({}));
  if (!loaded) throw new Error('There is nothing to draw.');
  return searchedLevels(loaded, (inside) => drawInside(loaded, inside));
}

function foundIn(levels: readonly SearchedLevel[], text: string): string[] {
  const found: string[] = [];
  let last = findInLevels(levels, text, { inside: '' }, 0);
  while (last && found.length < last.count) {
    found.push(last.node);
    last = findInLevels(levels, text, last, 1);
  }
  return found;
}

/** Two instances of a subgraph, and one of another that has an instance of the first and of itself. */
function nested(): object {
  const [outer, inner] = ['11111111-0000-4000-8000-000000000001', '11111111-0000-4000-8000-000000000002'];
  const node = (id: number, type: string, title: string): object => ({
    ...{ id, type, title, pos: [0, 200 * id], size: [200, 100], inputs: [], outputs: [], widgets_values: [] },
  });
  const subgraph = (id: string, nodes: readonly object[]): object => ({
    ...{ id, version: 1, name: id, nodes, links: [], inputs: [], outputs: [] },
    ...{ inputNode: { id: -10, bounding: [0, 0, 1, 1] }, outputNode: { id: -20, bounding: [9, 0, 1, 1] } },
  });
  return {
    nodes: [node(1, 'Step', 'Step here'), node(2, outer, 'LTX-2 Canny'), node(3, inner, 'Samplers')],
    links: [],
    version: 0.4,
    definitions: {
      subgraphs: [
        subgraph(outer, [node(7, inner, 'Samplers'), node(8, outer, 'Again')]),
        subgraph(inner, [node(5, 'Step', 'First'), node(6, 'Step', 'Second')]),
      ],
    },
  };
}

describe('finding nodes', () => {
  it('looks at titles, types, IDs and values', async () => {
    const levels = await levelsOf(smallPrompt(42));
    expect(foundIn(levels, 'ksampler')).toEqual(['5']);
    expect(foundIn(levels, 'cliptext')).toEqual(['2', '3']);
    expect(foundIn(levels, 'lighthouse')).toEqual(['2']);
    expect(foundIn(levels, '7')).toContain('7');
    expect(foundIn(levels, ' ')).toEqual([]);
  });

  it('looks at IDs in either case', async () => {
    expect(foundIn(await levelsOf({ Sampler: { class_type: 'Step', inputs: {} } }), 'Sampler')).toEqual([
      'Sampler',
    ]);
  });

  it('looks into all subgraphs, and says where it has found something', async () => {
    const levels = await levelsOf(nested());
    expect(foundIn(levels, 'step')).toEqual(['1', '2:7:5', '2:7:6', '3:5', '3:6']);
    expect(findInLevels(levels, 'second', { inside: '' }, 0)).toEqual({
      ...{ inside: '2:7', node: '2:7:6', where: 'LTX-2 Canny > Samplers', number: 1, count: 2 },
    });
  });

  it('begins on the level that is shown, and goes both ways around', async () => {
    const levels = await levelsOf(nested());
    const first = findInLevels(levels, 'step', { inside: '3', node: '3:9' }, 0);
    expect(first).toMatchObject({ node: '3:5', number: 4, count: 5 });
    expect(findInLevels(levels, 'step', { inside: '3', node: '3:6' }, 0)).toMatchObject({ node: '3:6' });
    expect(findInLevels(levels, 'step', { inside: '3', node: '3:6' }, 1)).toMatchObject({ node: '1' });
    expect(findInLevels(levels, 'step', { inside: '', node: '1' }, -1)).toMatchObject({ node: '3:6' });
    expect(findInLevels(levels, 'nowhere', { inside: '' }, 1)).toBeUndefined();
  });
});
