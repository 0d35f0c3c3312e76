import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { changedDrawing, wholeDrawing } from '../../../src/core/drawing/changedDrawing';
import { type Drawing, emptyDrawing } from '../../../src/core/drawing/drawing';
import { drawWorkflow } from '../../../src/core/drawing/drawWorkflow';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { smallGraph } from '../../support/graphFile';

async function drawn(text: string): Promise<Drawing> {
  return (await drawWorkflow(WorkflowDocument.of(text), Catalog.fromDefinitions({}))) ?? emptyDrawing;
}

/** As it arrives in another process. */
function sent<T>(message: T): T {
  return JSON.parse(JSON.stringify(message)) as T;
}

describe('a drawing after another one', () => {
  it('is sent whole at first', async () => {
    const drawing = await drawn(JSON.stringify(smallGraph()));
    expect(wholeDrawing(sent(changedDrawing(drawing, emptyDrawing)), emptyDrawing)).toEqual(sent(drawing));
  });

  it('brings only what an edit has changed, and keeps the objects of the rest', async () => {
    const text = JSON.stringify(smallGraph());
    const [before, after] = [await drawn(text), await drawn(text.replace('"graph"', '"another name"'))];
    const there = sent(before);
    const message = sent(changedDrawing(after, before));
    expect(message.nodes).toEqual([0, sent(after.nodes[1])]);
    expect(message.links).toEqual([0]);
    const whole = wholeDrawing(message, there);
    expect(whole).toEqual(sent(after));
    expect(whole?.nodes[0]).toBe(there.nodes[0]);
  });

  it('follows nodes that were removed and reordered', async () => {
    const graph = smallGraph();
    const [before, after] = [await drawn(JSON.stringify(graph)), { ...graph, links: [] }];
    const reordered = await drawn(
      JSON.stringify({ ...after, nodes: (graph['nodes'] as object[]).toReversed() }),
    );
    const message = sent(changedDrawing(reordered, before));
    expect(wholeDrawing(message, sent(before))).toEqual(sent(reordered));
  });

  it('is nothing for a page that lacks the one before', async () => {
    const drawing = await drawn(JSON.stringify(smallGraph()));
    expect(wholeDrawing(changedDrawing(drawing, drawing), emptyDrawing)).toBeUndefined();
  });
});
