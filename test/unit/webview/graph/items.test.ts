import { expect, it } from 'vitest';
import { Catalog } from '../../../../src/core/catalog/catalog';
import { changedDrawing, wholeDrawing } from '../../../../src/core/drawing/changedDrawing';
import { type Drawing, emptyDrawing } from '../../../../src/core/drawing/drawing';
import { drawWorkflow } from '../../../../src/core/drawing/drawWorkflow';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { itemsOf } from '../../../../src/webview/graph/items';
import type { LayerItem } from '../../../../src/webview/graph/layer';
import { smallGraph } from '../../../support/graphFile';

async function drawn(text: string): Promise<Drawing> {
  return (await drawWorkflow(WorkflowDocument.of(text), Catalog.fromDefinitions({}))) ?? emptyDrawing;
}

function looksOf(drawing: Drawing): readonly (readonly LayerItem['look'][])[] {
  const { nodes, links } = itemsOf(
    drawing,
    { findings: new Map(), runs: new Map() },
    { theme: 'dark', detail: 'whole' },
  );
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
