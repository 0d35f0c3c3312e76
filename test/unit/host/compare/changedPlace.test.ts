import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../../src/core/catalog/catalog';
import { workflowMeaning } from '../../../../src/core/diff/meaning';
import { workflowDifferences } from '../../../../src/core/diff/workflowDifferences';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { changedPlace } from '../../../../src/host/compare/changedPlace';
import { smallGraph } from '../../../support/graphFile';
import { smallPrompt } from '../../../support/promptFile';

const catalog = Catalog.fromDefinitions({});

/** What is selected in both texts for each change; undefined for a side that lacks the node. */
function selected(before: unknown, after: unknown): (readonly [kind: string, ...texts: unknown[]])[] {
  const [one, other] = [before, after].map((each) => WorkflowDocument.of(JSON.stringify(each, null, 1)));
  if (!one || !other) return [];
  const asPrompt = !one.graph || !other.graph;
  const meant = (document: WorkflowDocument, compiled: boolean) =>
    workflowMeaning(document, catalog, compiled);
  const { changes } = workflowDifferences(meant(one, asPrompt), meant(other, asPrompt));
  return changes.map((change) => {
    const texts = (
      [
        ['before', one],
        ['after', other],
      ] as const
    ).map(([side, document]) => {
      const place = changedPlace(change, side, document, meant(document, false));
      return place && (document.text.slice(place.offset, place.offset + place.length) || 'the node');
    });
    return [change.kind, ...texts];
  });
}

describe('the place of a change', () => {
  it('is the value, the link or the ID in a prompt', () => {
    const [before, after] = [smallPrompt(), smallPrompt(18, 30)];
    after['5'].inputs.latent_image = ['9', 0];
    const added = { class_type: 'EmptyLatentImage', inputs: { width: 8, height: 8, batch_size: 1 } };
    const texts = selected(before, { ...after, 9: added });
    expect(texts).toEqual([
      ['value', '1', '18'],
      ['value', '2', '30'],
      ['link', expect.stringMatching(/^\[\s*"4",\s*0\s*\]$/), expect.stringMatching(/^\[\s*"9",\s*0\s*\]$/)],
      ['added', undefined, '"9"'],
    ]);
  });

  it('is the value, the slot, the mode or the title of a node in a graph', () => {
    const edited = (change: (nodes: Record<string, unknown>[]) => void) => {
      const graph = smallGraph() as { nodes: Record<string, unknown>[] };
      change(graph.nodes);
      return graph;
    };
    const after = edited(([first, second]) => {
      Object.assign(first ?? {}, { mode: 4, title: 'Canvas', widgets_values: [64, 128, 1, 255] });
      Object.assign(second ?? {}, { inputs: [{ name: 'images', type: 'IMAGE', link: null }] });
    });
    const before = edited(([first]) => Object.assign(first ?? {}, { title: 'Empty' }));
    expect(selected(before, { ...after, links: [] })).toEqual([
      ['retitled', '"Empty"', '"Canvas"'],
      ['mode', '0', '4'],
      ['value', '64', '128'],
      ['link', '"images"', '"images"'],
    ]);
  });

  it('is in the graph itself where a graph is compared with a prompt', () => {
    const prompt = {
      1: { class_type: 'EmptyImage', inputs: {} },
      2: { class_type: 'SaveImage', inputs: { images: ['7', 0] } },
    };
    const kinds = selected(smallGraph(), prompt);
    expect(kinds).toContainEqual(['link', '"images"', expect.stringMatching(/"7"/)]);
  });
});
