import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../../src/core/catalog/catalog';
import { palettes } from '../../../../src/core/drawing/canvasPalette';
import { changedDrawing, wholeDrawing } from '../../../../src/core/drawing/changedDrawing';
import { type Drawing, emptyDrawing } from '../../../../src/core/drawing/drawing';
import { drawWorkflow } from '../../../../src/core/drawing/drawWorkflow';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import {
  type Style,
  groupNames,
  drawingItems,
  nameElement,
  titleLines,
} from '../../../../src/webview/graph/items';
import { textWidth } from '../../../../src/core/drawing/interWidths';
import type { LayerItem } from '../../../../src/webview/graph/viewport';
import { detailAt, unitAt } from '../../../../src/webview/graph/viewport';
import { smallGraph } from '../../../support/graphFile';

async function drawn(text: string): Promise<Drawing> {
  return (await drawWorkflow(WorkflowDocument.of(text), Catalog.fromDefinitions({}))) ?? emptyDrawing;
}

function looksOf(
  drawing: Drawing,
  seen: Pick<Style, 'detail' | 'unit'> = { detail: 'whole', unit: 1 },
): readonly (readonly LayerItem['look'][])[] {
  const nothing = { findings: new Map(), runs: new Map() };
  const { nodes, links } = drawingItems(drawing, nothing, { theme: 'dark', ...seen });
  return [nodes, links].map((items) => items.map(({ look }) => look));
}

it('makes a link again when the input that its name has is renamed, and what is not changed never', async () => {
  const text = JSON.stringify(smallGraph());
  const before = await drawn(text);
  const renamed = await drawn(text.replaceAll('"images"', '"pictures"'));
  const after = wholeDrawing(changedDrawing(renamed, before), before) ?? emptyDrawing;
  expect(after.links[0]).toBe(before.links[0]);
  const [oldLooks, looks] = [looksOf(before), looksOf(after)];
  const isKept = looks.map((layer, at) =>
    layer.map((look, index) => look.every((part, place) => part === oldLooks[at]?.[index]?.[place])),
  );
  expect(isKept).toEqual([[true, false], [false]]);
});

it('draws a node with a live preview over the next one, which that may hang over', async () => {
  const drawing = await drawn(JSON.stringify(smallGraph()));
  const [first = ''] = drawing.nodes.map(({ id }) => id);
  const run = { node: first, state: 'running', note: '', words: '', frame: 'blob:preview' } as const;
  const { nodes } = drawingItems(
    drawing,
    { findings: new Map(), runs: new Map([[first, run]]) },
    { theme: 'dark', detail: 'whole', unit: 1 },
  );
  expect(nodes.at(-1)?.id).toBe(first);
  expect(nodes).toHaveLength(drawing.nodes.length);
});

describe('a title that is seen from afar', () => {
  it('has as many lines as there is room for, and none wider than that', () => {
    expect(titleLines('Load Checkpoint', 200, 12, 3)).toEqual(['Load Checkpoint']);
    expect(titleLines('Load Checkpoint', 80, 12, 3)).toEqual(['Load', 'Checkpoint']);
    const lines = titleLines('CLIP Text Encode (Prompt) of the lighthouse', 80, 12, 2);
    expect(lines).toEqual(['CLIP Text', 'Encode (Pro…']);
    for (const line of lines) expect(textWidth(line, 12)).toBeLessThanOrEqual(80);
  });

  it('is cut where a word is too long, and is left out where hardly a word of it fits', () => {
    expect(titleLines('CheckpointLoaderSimple', 80, 12, 1)[0]).toMatch(/^Checkpo.*…$/);
    expect(titleLines('CheckpointLoaderSimple', 80, 12, 3)).toEqual(['Checkpoint', 'LoaderSimple']);
    expect(titleLines('ip_adapter-plus_face', 80, 12, 3)).toEqual(['ip_adapter-', 'plus_face']);
    expect(titleLines('\u52a0\u8f7d\u6a21\u578b', 30, 12, 3)).toHaveLength(2);
    expect(titleLines('incomprehensibilities', 80, 12, 3)).toHaveLength(1);
    expect(titleLines('CheckpointLoaderSimple', 10, 12, 3)).toEqual([]);
    expect(titleLines('Load Checkpoint', 200, 12, 0)).toEqual([]);
    expect(titleLines('  ', 200, 12, 3)).toEqual([]);
    expect(titleLines('x y '.repeat(250_000), 200, 12, 3)).toHaveLength(3);
  });
});

describe('what is seen from afar', () => {
  const textsAt = async (scale: number): Promise<string[]> => {
    const view = { x: 0, y: 0, scale };
    const group = { ...{ title: 'Both of them', color: undefined, isPinned: false }, x: 0, y: 0 };
    const { nodes } = await drawn(JSON.stringify(smallGraph()));
    const unit = unitAt(view);
    const made = [
      ...nodes.map((node) => nameElement(node, palettes.dark, unit)),
      ...groupNames({ ...group, width: 700, height: 400 }, { detail: detailAt(view), unit }),
    ];
    for (const { attributes } of made) expect(Number(attributes['font-size']) * scale).toBeGreaterThan(10.9);
    const texts = made.flatMap(({ children }) => children);
    return texts.flatMap((each) => (typeof each === 'string' ? [each] : each.children.map(String)));
  };

  it('is kept while it is zoomed, so that only titles are made again', async () => {
    const drawing = await drawn(JSON.stringify(smallGraph()));
    const far = looksOf(drawing, { detail: 'far', unit: 8 });
    expect(looksOf(drawing, { detail: 'far', unit: 16 })).toEqual(far);
  });

  it('is the title of each node and group, in a size that can be read, while it fits', async () => {
    expect(await textsAt(0.5)).toEqual(['EmptyImage', 'SaveImage', 'Both of them']);
    expect(await textsAt(0.25)).toEqual(['Empty', 'Image', 'SaveImage', 'Both of them']);
    expect(await textsAt(0.15)).toEqual(['Both of …']);
    expect(await textsAt(0.05)).toEqual([]);
  });
});
