import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../../src/core/catalog/catalog';
import { drawWorkflow } from '../../../../src/core/drawing/drawWorkflow';
import type { Drawing } from '../../../../src/core/drawing/drawing';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { firstNode, nextNode } from '../../../../src/webview/graph/walk';
import { smallPrompt } from '../../../support/promptFile';

async function drawn(prompt: object = smallPrompt(42)): Promise<Drawing> {
  const catalog = Catalog.fromDefinitions({});
  const drawing = await drawWorkflow(WorkflowDocument.of(JSON.stringify(prompt)), catalog);
  if (!drawing) throw new Error('There is nothing to draw.');
  return drawing;
}

describe('the way from node to node', () => {
  it('leads right to the first consumer, and left to the first source', async () => {
    const drawing = await drawn();
    expect(nextNode(drawing, '5', 'right')).toBe('6');
    expect(nextNode(drawing, '6', 'left')).toBe('5');
    expect(nextNode(drawing, '5', 'left')).toBe('1');
    expect(nextNode(drawing, '7', 'right')).toBeUndefined();
    expect(nextNode(drawing, '1', 'left')).toBeUndefined();
  });

  it('leads up and down to the nearest node there, and back', async () => {
    const drawing = await drawn();
    const below = nextNode(drawing, '2', 'down') ?? nextNode(drawing, '2', 'up');
    expect(['3', '4']).toContain(below);
    expect(nextNode(drawing, 'gone', 'down')).toBeUndefined();
  });
});

describe('where a workflow starts', () => {
  it('is at the first node that feeds others', async () => {
    expect(firstNode((await drawn()).nodes)?.id).toBe('1');
    expect(firstNode([])).toBeUndefined();
    const alone = await drawn({ 4: { class_type: 'Note', inputs: {} } });
    expect(firstNode(alone.nodes)?.id).toBe('4');
  });
});
