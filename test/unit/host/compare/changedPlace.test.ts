import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { Catalog } from '../../../../src/core/catalog/catalog';
import { workflowMeaning } from '../../../../src/core/diff/meaning';
import { workflowDifferences } from '../../../../src/core/diff/workflowDifferences';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { changedPlace } from '../../../../src/host/compare/changedPlace';
import { ChangedPlaces } from '../../../../src/host/compare/changedPlaces';
import type { SideMeaning } from '../../../../src/host/compare/comparison';
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

describe('a change that is shown', () => {
  const shown: (readonly [unknown, unknown])[] = [];

  function side(name: string, seed: number | undefined): SideMeaning {
    const document = seed === undefined ? undefined : WorkflowDocument.of(JSON.stringify(smallPrompt(seed)));
    const compared = document
      ? workflowMeaning(document, Catalog.fromDefinitions({}), true)
      : new Map<string, never>();
    const uri = document && (name as never);
    return { side: { label: name, document, uri: () => uri }, compared, own: () => compared };
  }

  async function show(before: SideMeaning, after: SideMeaning, columns: number[]): Promise<void> {
    const differences = workflowDifferences(before.compared, after.compared);
    const places = new ChangedPlaces(
      { before, after, differences },
      undefined as never,
      () => columns.shift() ?? 1,
    );
    const [change] = differences.changes;
    if (!change) return;
    await places.show(change, true);
    await places.show(change, true);
  }

  beforeEach(() => {
    shown.splice(0);
    // On a slow machine, an editor that has just opened doesn't know its group yet.
    const show = ((document: unknown, { viewColumn }: vscode.TextDocumentShowOptions) => {
      shown.push([document, viewColumn]);
      return Promise.resolve({ viewColumn: undefined, revealRange: () => undefined });
    }) as unknown as typeof vscode.window.showTextDocument;
    vi.spyOn(vscode.window, 'showTextDocument').mockImplementation(show);
  });
  afterEach(() => vi.restoreAllMocks());

  it('two texts are side by side, though their editors do not know where they are', async () => {
    await show(side('one', 1), side('two', 2), []);
    expect(shown).toEqual([
      ['one', 1],
      ['two', 2],
      ['one', 1],
      ['two', 2],
    ]);
  });

  it('two texts stay beside the graph that has moved to another group', async () => {
    await show(side('one', 1), side('two', 2), [1, 2]);
    expect(shown).toEqual([
      ['one', 1],
      ['two', 2],
      ['one', 2],
      ['two', 3],
    ]);
  });

  it('the only text is in the first group', async () => {
    await show(side('gone', undefined), side('two', 2), []);
    expect(shown).toEqual([
      ['two', 1],
      ['two', 1],
    ]);
  });
});
