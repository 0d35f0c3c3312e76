import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { applyEdits, type TextEdit } from '../../../src/core/json/textEdit';
import { parseJson } from '../../../src/core/json/tree';
import { workflowActions } from '../../../src/core/language/edits/actions';
import { fixAll } from '../../../src/core/language/edits/fixes';
import { renameNode } from '../../../src/core/language/rename/rename';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { compileGraph } from '../../../src/core/workflow/graph/compileGraph';
import { corpusFolder, corpusNames, corpusNote, corpusText } from '../../support/corpus';

/** Uses one of this many files; all of them give the same result but take minutes. */
const step = 12;

interface PlainNode {
  readonly inputs: Readonly<Record<string, unknown>>;
}

function documents(kind: 'api' | 'ui'): WorkflowDocument[] {
  const names = corpusNames('workflows', kind).filter((_, index) => index % step === 0);
  return names.map((name) => WorkflowDocument.of(corpusText('workflows', kind, name)));
}

function compiled(doc: WorkflowDocument, catalog: Catalog): string | undefined {
  if (!doc.graph) return undefined;
  const made = compileGraph(doc.graph, catalog, { now: new Date(0) });
  return made.kind === 'compiled' ? made.prompt.document.text : undefined;
}

/** A prompt with some of its ids renamed, in an order that does not depend on ids. */
function withId(promptText: string, from: string, to: string): [string, unknown][] {
  const named = (id: string): string =>
    id
      .split(':')
      .map((part) => (part === from ? to : part))
      .join(':');
  const prompt = JSON.parse(promptText) as Record<string, PlainNode>;
  const nodes = Object.entries(prompt).map(([id, node]): [string, unknown] => {
    const inputs = Object.entries(node.inputs).map(([name, value]) => {
      const isLink = Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
      return [name, isLink ? [named(String(value[0])), value[1]] : value];
    });
    return [named(id), { ...node, inputs: Object.fromEntries(inputs) as unknown }];
  });
  return nodes.sort(([a], [b]) => (a < b ? -1 : 1));
}

function isJson(text: string): boolean {
  return parseJson(text).problems.every(({ kind }) => kind === 'duplicateKey' || kind === 'nonFinite');
}

describe.skipIf(corpusFolder === undefined)(`real files${corpusNote}`, () => {
  const catalog =
    corpusFolder === undefined
      ? undefined
      : Catalog.fromText(corpusText('object_info', 'comfyui-0.33.0-core.json'));

  it('a graph with a renamed node gives the same prompt with the new ID', () => {
    if (!catalog) throw new Error('no corpus');
    let compared = 0;
    for (const doc of documents('ui')) {
      const before = compiled(doc, catalog);
      if (before === undefined || !doc.graph) continue;
      const scopes = [doc.graph, ...doc.graph.subgraphs.values()];
      const ids = scopes.flatMap(({ nodes }) => nodes.map(({ id }) => id));
      // If two scopes use one id, and in group nodes, the editor assigns new ids: there a rename moves others too.
      if (new Set(ids).size < ids.length || doc.graph.groups.size > 0) continue;
      for (const { nodes } of scopes) {
        const node = nodes[Math.floor(nodes.length / 2)];
        const place = node?.node.get('id');
        if (!node || !place) continue;
        const text = applyEdits(doc.text, renameNode(doc, place.offset, '990099'));
        const after = compiled(WorkflowDocument.of(text), catalog);
        expect(withId(after ?? '{}', '990099', node.id)).toEqual(withId(before, '', ''));
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(50);
  });

  it('edits leave valid JSON, and fix-all adds no errors', () => {
    if (!catalog) throw new Error('no corpus');
    const errors = (text: string): number => {
      const { findings } = checkWorkflow(WorkflowDocument.of(text), { catalog });
      return findings.filter(({ severity }) => severity === 'error').length;
    };
    for (const doc of [...documents('api'), ...documents('ui')]) {
      if (!isJson(doc.text)) continue;
      const fixed = fixAll(doc, checkWorkflow(doc, { catalog }).findings, { catalog });
      const middle = Math.floor(doc.text.length / 2);
      const changes: (readonly TextEdit[])[] = [
        fixed,
        ...workflowActions(doc, middle, { catalog, randomSeed: (min) => min }).map(({ edits }) => edits),
      ];
      for (const edits of changes) expect(isJson(applyEdits(doc.text, edits))).toBe(true);
      expect(errors(applyEdits(doc.text, fixed))).toBeLessThanOrEqual(errors(doc.text));
    }
  });
});
