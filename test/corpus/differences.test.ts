import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { differencesJson } from '../../src/core/diff/differencesJson';
import { workflowMeaning } from '../../src/core/diff/meaning';
import { workflowDifferences, type WorkflowDifferences } from '../../src/core/diff/workflowDifferences';
import { exactEquals } from '../../src/core/json/exactEquals';
import { type ExactValue, exactValue, isExactList, isExactObject } from '../../src/core/json/exactValue';
import { parseJson } from '../../src/core/json/tree';
import { GraphRefusal } from '../../src/core/workflow/graph/graphProblem';
import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { corpusFolder, sampledCorpusNames, sampleOf, corpusNote, corpusText } from '../support/corpus';

const noNames = Catalog.fromDefinitions({});

function differences(before: string, after: string, catalog: Catalog): WorkflowDifferences {
  const documents = [before, after].map((text) => WorkflowDocument.of(text));
  const asPrompt = documents.some(({ graph }) => graph === undefined);
  const [one, other] = documents.map((document) => workflowMeaning(document, catalog, asPrompt));
  return workflowDifferences(one ?? new Map(), other ?? new Map());
}

const known = (name: string): Catalog => Catalog.fromText(corpusText('object_info', name));

function exact(text: string): ExactValue {
  const { root } = parseJson(text);
  return root ? exactValue(root) : null;
}

const member = (value: ExactValue | undefined, name: string): ExactValue =>
  (isExactObject(value) ? value.get(name) : undefined) ?? null;
const textMember = (value: ExactValue, name: string): string => {
  const text = member(value, name);
  return typeof text === 'string' ? text : '';
};
const listOf = (value: ExactValue): readonly ExactValue[] => (isExactList(value) ? value : []);

/** Whether a change is the one that is expected: by kind, node, input, and both sides. */
function isChange(found: ExactValue, expected: ExactValue): boolean {
  const equal = (name: string): boolean => exactEquals(member(found, name), member(expected, name));
  const [mine, theirs] = [member(found, 'node'), member(expected, 'node')];
  const isNode = ['before', 'after'].every((side) => exactEquals(member(mine, side), member(theirs, side)));
  if (!equal('kind') || !isNode) return false;
  switch (member(expected, 'kind')) {
    case 'added':
    case 'removed':
      return true;
    case 'retitled':
      return equal('after');
    case 'value':
    case 'link':
      return equal('input') && equal('before') && equal('after');
    default:
      return equal('before') && equal('after');
  }
}

function fits(
  found: readonly ExactValue[],
  needed: readonly ExactValue[],
  optional: readonly ExactValue[],
): boolean {
  const left = [...found];
  const take = (expected: ExactValue): boolean => {
    const index = left.findIndex((each) => isChange(each, expected));
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  };
  if (!needed.every(take)) return false;
  optional.forEach(take);
  return left.length === 0;
}

describe.skipIf(corpusFolder === undefined)(`differences of real files${corpusNote}`, () => {
  it('are those that the page made, and none where it merely saved a file again', () => {
    const catalog = known('comfyui-0.33.0-core+24packs.json');
    const counts = new Map<string, { all: number; alike: number }>();
    const wrong: string[] = [];
    for (const line of sampleOf(corpusText('diff_pairs.ndjson').trim().split('\n'))) {
      const pair = exact(line);
      const [name, kind] = [textMember(pair, 'name'), textMember(pair, 'kind')];
      const text = (side: string): string => textMember(pair, side);
      const found = exact(differencesJson(differences(text('before'), text('after'), catalog)));
      const expected = member(pair, 'expect');
      const lists = [member(expected, 'changes'), ...listOf(member(expected, 'alt'))].map(listOf);
      const optional = listOf(member(expected, 'optional'));
      const changes = listOf(member(found, 'changes'));
      const isRight = lists.some((needed) => fits(changes, needed, optional));
      const count = counts.get(kind) ?? { all: 0, alike: 0 };
      counts.set(kind, count);
      count.all++;
      if (isRight) count.alike++;
      else wrong.push(name);
    }
    process.stdout.write(wrong.map((name) => `  differs from what the page made: ${name}\n`).join(''));
    for (const [kind, count] of counts) {
      process.stdout.write(`differences of kind ${kind}: ${count.alike} of ${count.all}\n`);
      expect(count.alike / count.all, kind).toBeGreaterThanOrEqual(kind === 'a' ? 0.99 : 0.97);
    }
  });

  it('are none of a file against itself, reformatted, laid out anew, or renumbered', () => {
    const wrong: string[] = [];
    for (const name of sampledCorpusNames('workflows', 'ui')) {
      const text = corpusText('workflows', 'ui', name);
      const plain = JSON.parse(text) as PlainGraph;
      try {
        const count = (after: string): number => differences(text, after, noNames).changes.length;
        const found = [
          count(text),
          // Numbers beyond 2^53 lose digits when JavaScript writes them.
          count(JSON.stringify(plain, null, 3)),
          count(JSON.stringify(moved(plain))),
          count(JSON.stringify(renumbered(plain))),
        ];
        if (found.some((each) => each > 0) && !/\d{17}/.test(text))
          wrong.push(`${name}: ${found.join(', ')}`);
      } catch (error) {
        if (!(error instanceof GraphRefusal)) throw error;
      }
    }
    expect(wrong).toEqual([]);
  }, 240_000);

  it('are none between a graph and the prompt that the page sends for it', () => {
    const catalog = known('comfyui-0.33.0-core.json');
    const { missing } = JSON.parse(corpusText('golden_ui2api', 'index.core.json')) as {
      readonly missing: Readonly<Record<string, unknown>>;
    };
    const wrong: string[] = [];
    const names = sampledCorpusNames('golden_ui2api', 'core').filter((name) => !Object.hasOwn(missing, name));
    for (const name of names) {
      const [graph, prompt] = [
        corpusText('workflows', 'ui', name),
        corpusText('golden_ui2api', 'core', name),
      ];
      try {
        if (differences(graph, prompt, catalog).changes.length > 0) wrong.push(name);
      } catch (error) {
        if (!(error instanceof GraphRefusal)) throw error;
      }
    }
    process.stdout.write(
      `graphs and their prompts: ${names.length - wrong.length} of ${names.length} alike\n`,
    );
    process.stdout.write(wrong.map((name) => `  differs from its prompt: ${name}\n`).join(''));
    expect(wrong.length / names.length).toBeLessThan(0.03);
  });
});

interface PlainNode {
  id: number | string;
  pos?: unknown;
}

interface PlainGraph {
  nodes: PlainNode[];
  links?: unknown[];
}

function moved(graph: PlainGraph): PlainGraph {
  return { ...graph, nodes: graph.nodes.map((node, index) => ({ ...node, pos: [index * 7, index * 11] })) };
}

/** Each node of the root with another ID; what else names nodes of the root by number stays out of these files. */
function renumbered(graph: PlainGraph): PlainGraph {
  const ids = new Map(graph.nodes.map(({ id }, index) => [id, 5_000 + 3 * index]));
  const other = (id: unknown): unknown => ids.get(id as number) ?? id;
  const links = graph.links?.map((link) => {
    if (Array.isArray(link))
      return link.map((part: unknown, index) => (index === 1 || index === 3 ? other(part) : part));
    const row = link as { origin_id: unknown; target_id: unknown };
    return { ...row, origin_id: other(row.origin_id), target_id: other(row.target_id) };
  });
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, id: ids.get(node.id) ?? node.id })),
    ...(links && { links }),
  };
}
