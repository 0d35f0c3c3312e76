import { describe, expect, it } from 'vitest';

import type { Finding } from '../../../src/core/check/finding';
import type { JsonRange } from '../../../src/core/json/node';
import { documentLinks } from '../../../src/core/language/navigation/documentLinks';
import { foldingRanges } from '../../../src/core/language/outline/folding';
import { inlayHints } from '../../../src/core/language/annotations/inlayHints';
import { workflowLenses } from '../../../src/core/language/annotations/lenses';
import { outputNodeAt, outputNodes } from '../../../src/core/language/places/outputNodes';
import { semanticTokens } from '../../../src/core/language/annotations/semanticTokens';
import { nodeList } from '../../../src/core/language/outline/nodeList';
import { workflowSymbols, type WorkflowSymbol } from '../../../src/core/language/outline/symbols';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { catalog, chain, graph } from './sample';

const whole = { offset: 0, length: 100_000 };

function cut(text: string, { offset, length }: JsonRange): string {
  return text.slice(offset, offset + length);
}

function outline(entries: readonly WorkflowSymbol[], indent = ''): string[] {
  return entries.flatMap(({ name, detail, children }) => [
    `${indent}${name} | ${detail}`,
    ...outline(children, `${indent}  `),
  ]);
}

/** The text with hints in place. */
function hinted(text: string): string {
  const hints = [...inlayHints(WorkflowDocument.of(text), whole, catalog)].sort(
    (a, b) => b.offset - a.offset,
  );
  return hints.reduce(
    (shown, { offset, label }) => `${shown.slice(0, offset)}«${label}»${shown.slice(offset)}`,
    text,
  );
}

describe('outline', () => {
  it('shows nodes by title with their inputs', () => {
    expect(outline(workflowSymbols(WorkflowDocument.of(chain))).slice(0, 8)).toEqual([
      'My model | Checkpoint #1',
      '  ckpt_name | "a.safetensors"',
      'Encode | #2',
      '  text | "a cat"',
      '  clip | ← My model',
      'Sampler | #3',
      '  model | ← My model',
      '  positive | ← Encode',
    ]);
  });

  it('shows the inside of subgraphs', () => {
    expect(outline(workflowSymbols(WorkflowDocument.of(graph)))).toEqual([
      'My model | Checkpoint #1',
      'Sampling | #2',
      '  model | ← My model',
      'Save | #3',
      '  images | ← Sampling',
      'Sampling | subgraph',
      '  Sampler | #11',
      '    model | MODEL',
      '    positive | CONDITIONING',
    ]);
  });

  it('shows the inside of group nodes', () => {
    const inner = { type: 'Sampler', index: 0, inputs: [], outputs: [] };
    const file = {
      nodes: [{ id: 1, type: 'workflow>Pair', mode: 0, inputs: [], outputs: [] }],
      links: [],
      version: 0.4,
      extra: { groupNodes: { Pair: { nodes: [inner, { ...inner, title: 'Twice', index: 1 }], links: [] } } },
    };
    const doc = WorkflowDocument.of(JSON.stringify(file));
    expect(outline(workflowSymbols(doc))).toEqual([
      'workflow>Pair | #1',
      'Pair | group node',
      '  Sampler | ',
      '  Twice | Sampler',
    ]);
    expect(nodeList(doc).map(({ name, within = '' }) => `${within}/${name}`)).toEqual([
      '/workflow>Pair',
      'Pair/Sampler',
      'Pair/Twice',
    ]);
    expect(nodeList(WorkflowDocument.of(graph)).map(({ name, within = '' }) => `${within}/${name}`)).toEqual([
      '/My model',
      '/Sampling',
      '/Save',
      'Sampling/Sampler',
    ]);
  });

  it('has selections inside ranges', () => {
    for (const text of [chain, graph]) {
      const check = (entry: WorkflowSymbol): void => {
        expect(entry.selection.offset).toBeGreaterThanOrEqual(entry.offset);
        expect(entry.selection.offset + entry.selection.length).toBeLessThanOrEqual(
          entry.offset + entry.length,
        );
        entry.children.forEach(check);
      };
      workflowSymbols(WorkflowDocument.of(text)).forEach(check);
    }
  });
});

describe('folding', () => {
  it('folds nodes, and the noise of graphs as one', () => {
    const kinds = foldingRanges(WorkflowDocument.of(graph)).map(
      (range) => `${range.kind} ${cut(graph, range).slice(0, 9)}`,
    );
    expect(kinds).toContain('links "links": ');
    expect(kinds).toContain('noise "pos": [0');
    expect(kinds.filter((each) => each.startsWith('node'))).toHaveLength(4);
    expect(foldingRanges(WorkflowDocument.of(chain)).map(({ kind }) => kind)).toEqual([
      'node',
      'node',
      'node',
      'part',
      'node',
    ]);
  });

  it('has the right lines', () => {
    for (const lineBreak of ['\n', '\r\n']) {
      const text = ['{"1": {', '"class_type": "A",', '"inputs": {', '}', '}, "2": {"class_type": "B"}}'];
      const lines = foldingRanges(WorkflowDocument.of(text.join(lineBreak))).map(
        ({ kind, startLine, endLine }) => `${kind} ${startLine}-${endLine}`,
      );
      expect(lines).toEqual(['node 0-4', 'part 2-3']);
    }
  });
});

describe('inlay hints', () => {
  it('appear beside links', () => {
    expect(hinted(chain)).toContain('"model": ["1", 0]«My model · MODEL»,');
    expect(hinted(chain)).toContain('"positive": ["2", 0]«Encode Text · CONDITIONING»');
  });

  it('label widget values and link ends in graphs', () => {
    const text = hinted(graph);
    expect(text).toContain(
      '[«seed»7, «after each run»"randomize", «steps»20, «sampler»"euler", «tiled»false]',
    );
    expect(text).toContain('"link": 2«Sampling · LATENT»');
    expect(text).toContain('[1, 1, 0«My model · MODEL», 2, 0«Sampling · model», "MODEL"]');
  });

  it('are computed only for the visible range', () => {
    expect(inlayHints(WorkflowDocument.of(chain), { offset: 0, length: 5 }, catalog)).toEqual([]);
  });
});

describe('lenses', () => {
  it('run the file, run to an output, count problems', () => {
    const finding: Finding = { code: 'value-type', severity: 'error', message: '', offset: 9, length: 2 };
    const found = workflowLenses(
      WorkflowDocument.of(chain),
      [finding, { ...finding, severity: 'hint' }],
      catalog,
    );
    expect(found.map(({ title }) => title)).toEqual([
      'Run',
      'Run with New Seeds',
      '1 problem',
      'Run to Here',
    ]);
    expect(found.at(-1)).toMatchObject({ nodeIds: ['4'], offset: chain.indexOf('"4"') });
  });
});

describe('the code lens for new seeds', () => {
  const titles = (text: string, withCatalog = true): string[] =>
    workflowLenses(WorkflowDocument.of(text), [], withCatalog ? catalog : undefined).map(
      ({ title }) => title,
    );
  const graphOf = (...nodes: readonly object[]): string =>
    JSON.stringify({ nodes, links: [], version: 0.4, last_node_id: 9, last_link_id: 9 });
  const sampler = { id: 1, type: 'Sampler', widgets_values: [7, 'fixed', 20, 'euler', false] };
  const save = { id: 2, type: 'Save', widgets_values: ['x'] };

  it('appears on files with a seed', () => {
    expect(titles(chain)).toContain('Run with New Seeds');
    expect(titles(chain.replace('"seed": 7', '"seed": ["1", 0]'))).not.toContain('Run with New Seeds');
    expect(titles(graphOf(sampler, save))).toContain('Run with New Seeds');
    expect(titles(graphOf({ ...sampler, mode: 2 }, save))).not.toContain('Run with New Seeds');
    expect(titles(graphOf(save))).not.toContain('Run with New Seeds');
  });

  it("relies on the graph's seed controls without definitions", () => {
    expect(titles(graphOf(sampler, save), false)).toContain('Run with New Seeds');
    expect(titles(graphOf(save), false)).not.toContain('Run with New Seeds');
    const width = { id: 3, type: 'PrimitiveInt', widgets_values: [512, 'fixed'] };
    expect(titles(graphOf(width, save), false)).not.toContain('Run with New Seeds');
  });
});

describe('lenses of a graph', () => {
  it('run to the outputs of the root graph', () => {
    const found = workflowLenses(WorkflowDocument.of(graph), [], catalog);
    expect(found.map(({ title }) => title)).toEqual(['Run', 'Run with New Seeds', 'Run to Here']);
    expect(found.at(-1)).toMatchObject({ nodeIds: ['3'], offset: graph.indexOf('"id": 3') + 6 });
  });

  it('run to outputs inside each active subgraph instance, with their runtime IDs', () => {
    const inner = graph
      .replace('"type": "Sampler"', '"type": "Save"')
      .replace('"id": 11,', '"id": 3,')
      .replace('"links": [\n    [1', '"later": [\n    [1');
    const nodes = inner.replace(
      '"id": 3,\n      "type": "Save"',
      '"id": 7, "type": "sub-1"\n    },\n    {\n      "id": 8, "type": "sub-1", "mode": 4\n    },\n    {\n      "id": 3,\n      "type": "Save"',
    );
    const doc = WorkflowDocument.of(nodes);
    // The id 3 is taken by the root: the inner node runs under the next free one.
    expect(outputNodes(doc, catalog).map(({ runIds }) => runIds)).toEqual([['2:13', '7:13'], ['3']]);
    const offset = nodes.lastIndexOf('"type": "Save"');
    expect(outputNodeAt(doc, offset, catalog)?.runIds).toEqual(['2:13', '7:13']);
    expect(outputNodeAt(doc, nodes.indexOf('Checkpoint'), catalog)).toBeUndefined();
  });
});

describe('document links', () => {
  it('open input pictures and model sources', () => {
    const prompt = '{"1": {"class_type": "Load", "inputs": {"image": "sub/cat.png [temp]"}}}';
    expect(documentLinks(WorkflowDocument.of(prompt), catalog)).toMatchObject([
      { kind: 'file', fileName: 'sub/cat.png', folder: 'temp', offset: prompt.indexOf('sub/'), length: 18 },
    ]);
    expect(documentLinks(WorkflowDocument.of(graph), catalog)).toMatchObject([
      { kind: 'url', url: 'https://example.org/a.safetensors' },
    ]);
  });

  it('open only web addresses', () => {
    const prompt =
      '{"1": {"class_type": "Load", "inputs": {"a": "command:x", "b": "file:///x", "c": "see https://x"}}}';
    expect(documentLinks(WorkflowDocument.of(prompt), catalog)).toEqual([]);
  });
});

describe('semantic tokens', () => {
  it('mark IDs, node types, links, models and types', () => {
    const marks = (text: string): string[] =>
      semanticTokens(WorkflowDocument.of(text)).map((token) => `${token.kind} ${cut(text, token)}`);
    expect(marks(chain).slice(0, 7)).toEqual([
      'nodeId "1"',
      'classType "Checkpoint"',
      'model "a.safetensors"',
      'nodeId "2"',
      'classType "Encode"',
      'nodeId "1"',
      'link 1',
    ]);
    expect(marks(graph)).toContain('type "IMAGE,LATENT"');
    expect(marks(graph).slice(0, 2)).toEqual(['nodeId 1', 'classType "Checkpoint"']);
  });
});
