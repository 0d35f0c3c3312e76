import { describe, it } from 'vitest';

import { canvasChange } from '../../../src/core/canvas/canvasChange';
import { CanvasHistory } from '../../../src/core/canvas/canvasHistory';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { expectGentleGrowth } from '../../support/growth';
import { numbers } from './shapes';

interface Graph {
  readonly nodes: number;
  readonly mode: number;
  readonly links: number;
  readonly type?: string;
}

/** Nodes that all take the output of the first one, each at as many slots as there are links by node. */
function state({ nodes, mode, links, type = 'A' }: Graph): string {
  const rows = numbers(nodes).map((id) => [id, 0, 0, id, id, 'X']);
  const value = numbers(nodes).map((id) => ({
    id,
    type,
    mode,
    pos: [id, mode],
    inputs: [{ name: 'x', type: 'X', link: id < links ? id : null }],
    outputs: id === 0 ? [{ name: 'x', type: 'X', links: numbers(links) }] : [],
    widgets_values: ['text', mode],
  }));
  return JSON.stringify({ nodes: value, links: rows.slice(0, links), version: 0.4 });
}

/** Subgraphs that contain each other, with promoted widgets that the page made inputs. */
function subgraphs(count: number, mode: number, isLoaded: boolean): string {
  const made = isLoaded ? [{ id: 'i', name: 'w', type: 'X', linkIds: [] }] : [];
  const definitions = numbers(count).map((id) => ({
    id: `s${id}`,
    inputs: made,
    nodes: [{ id: 1, type: `s${id + 1}`, mode, inputs: id === 0 && mode > 0 ? made : [], outputs: [] }],
    links: [],
  }));
  return JSON.stringify({
    nodes: [{ id: 1, type: 's0' }],
    links: [],
    definitions: { subgraphs: definitions },
    version: 0.4,
  });
}

const changes: Readonly<
  Record<string, (size: number) => readonly [text: string, before: string, after: string]>
> = {
  'every node and link': (nodes) => {
    const before = state({ nodes, mode: 0, links: nodes });
    return [before, before, state({ nodes, mode: 4, links: 1 })];
  },
  'nodes and links that are new': (nodes) => {
    const before = state({ nodes: 2, mode: 0, links: 1 });
    return [before, before, state({ nodes, mode: 0, links: nodes })];
  },
  'subgraphs that are all adopted': (size) => {
    const count = size >> 1;
    return [subgraphs(count, 0, false), subgraphs(count, 0, true), subgraphs(count, 4, true)];
  },
};

describe('what an edit on the page costs', { timeout: 240_000 }, () => {
  for (const [name, pair] of Object.entries(changes)) {
    it(name, async () => {
      await expectGentleGrowth({
        from: 200,
        to: 60_000,
        input: (size) => pair(size),
        run: ([text, before, after]) => {
          const history = new CanvasHistory();
          history.remember(after, text);
          return canvasChange(WorkflowDocument.of(text), before, after, () => true);
        },
      });
    });
  }
});
