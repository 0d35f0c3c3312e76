import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { boxAround, nodeBox, legible } from '../../../src/core/drawing/drawnNode';
import type { Drawing } from '../../../src/core/drawing/drawing';
import { drawInside, loadDrawing } from '../../../src/core/drawing/drawWorkflow';
import type { Room } from '../../../src/core/drawing/layOutPrompt';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { overlaps } from '../../../src/webview/graph/viewport';

/** A chain of nodes. */
async function chain(length: number, room?: Room): Promise<Drawing> {
  const nodes = Array.from({ length }, (_, at) => [
    String(at),
    { class_type: 'Step', inputs: { amount: 1, before: at > 0 ? [String(at - 1), 0] : 'none' } },
  ]);
  const document = WorkflowDocument.of(JSON.stringify(Object.fromEntries(nodes)));
  const loaded = loadDrawing(document, Catalog.fromDefinitions({}));
  const drawing = loaded && (await drawInside(loaded, '', undefined, room));
  if (!drawing) throw new Error('There is nothing to draw.');
  return drawing;
}

function scaleIn({ nodes }: Drawing, room: Room): number {
  const { width, height } = boxAround(nodes.map(nodeBox));
  return Math.min(room.width / (width + 80), room.height / (height + 80));
}

/** Each row begins left of what it continues. */
function rowsIn({ nodes }: Drawing): number {
  return nodes.filter(({ x }, at) => at === 0 || x < (nodes[at - 1]?.x ?? NaN)).length;
}

describe('a prompt laid out for a room', () => {
  it('stays in one row where it can be read, and continues below where it could not', async () => {
    const [wide, high] = [
      { width: 3000, height: 400 },
      { width: 560, height: 900 },
    ];
    expect(rowsIn(await chain(6))).toBe(1);
    expect(rowsIn(await chain(6, wide))).toBe(1);
    expect(scaleIn(await chain(6), high)).toBeLessThan(0.4);
    const folded = await chain(6, high);
    expect(scaleIn(folded, high)).toBeGreaterThanOrEqual(legible);
    expect(rowsIn(folded)).toBe(3);
  });

  it('puts no node over another', async () => {
    const { nodes } = await chain(9, { width: 600, height: 900 });
    const boxes = nodes.map(nodeBox);
    for (const [at, box] of boxes.entries())
      expect(boxes.slice(at + 1).filter((other) => overlaps(box, other))).toEqual([]);
  });

  it('has the same places in a room that is not known yet', async () => {
    expect(await chain(6, { width: 0, height: 0 })).toEqual(await chain(6));
  });
});
