import { describe, expect, it } from 'vitest';

import { applyEdits } from '../../../../src/core/json/textEdit';
import { parseJson } from '../../../../src/core/json/tree';
import { prepareRename, renameNode } from '../../../../src/core/language/rename/rename';
import { readGraph } from '../../../../src/core/workflow/graph/graph';
import { chain, cursorIn, graph, marked, type Marked } from '../sample';

function renamed({ doc, offset }: Marked, newId: string): string {
  return applyEdits(doc.text, renameNode(doc, offset, newId));
}

describe('renaming a node of a prompt', () => {
  it('updates all links, from the node or from a link', () => {
    const expected = chain.replace('"1": {', '"load": {').replaceAll('["1",', '["load",');
    expect(renamed(cursorIn(chain, '"1"', 1), 'load')).toBe(expected);
    expect(renamed(cursorIn(chain, '["1", 1]', 2), 'load')).toBe(expected);
  });

  it('keeps strings that only look like the ID', () => {
    const text =
      '{"1": {"class_type": "A", "inputs": {"text": "1", "n": 1, "list": ["1", 0, 2], "l": ["1", 0]}}}';
    expect(renamed(cursorIn(text, '"1"', 1), '5')).toBe(
      '{"5": {"class_type": "A", "inputs": {"text": "1", "n": 1, "list": ["1", 0, 2], "l": ["5", 0]}}}',
    );
  });

  it('writes any name as valid JSON', () => {
    expect(renamed(cursorIn(chain, '"4"', 1), 'a "b"')).toContain('"a \\"b\\"": {');
  });

  it('updates the targets of a request body', () => {
    const body = '{"prompt": {"1": {"class_type": "A", "inputs": {}}}, "partial_execution_targets": ["1"]}';
    expect(renamed(cursorIn(body, '"1"', 1), '2')).toBe(body.replaceAll('"1"', '"2"'));
  });

  it.each([
    ['an id that is taken', cursorIn(chain, '"1"', 1), '2', 'Node 2 already exists'],
    ['an empty id', cursorIn(chain, '"1"', 1), ' ', "can't be empty"],
    ['what is no id', cursorIn(chain, '"seed"', 1), '9', 'Only node IDs'],
    ['a broken text', marked('{"1¦": {"class_type": "A", "inputs": {}}'), '9', "isn't valid JSON"],
    [
      'an id that stands there twice',
      marked('{"1": {"class_type": "A", "inputs": {}}, "1¦": {"class_type": "B", "inputs": {}}}'),
      '9',
      'Several nodes have the ID 1',
    ],
  ])('refuses %s', (_, at, newId, reason) => {
    expect(() => renameNode(at.doc, at.offset, newId)).toThrow(reason);
  });
});

describe('renaming a node of a graph', () => {
  it('marks the ID of a link that is an object, also from the name before it', () => {
    const { doc, offset } = cursorIn(graph, '"origin_id": 11', 3);
    const { id, offset: at, length } = prepareRename(doc, offset);
    expect([id, doc.text.slice(at, at + length)]).toEqual(['11', '11']);
  });

  it('updates link ends, but not unrelated equal numbers', () => {
    const text = renamed(cursorIn(graph, '"id": 1', 7), '9');
    expect(text).toBe(graph.replace('"id": 1,', '"id": 9,').replace('[1, 1, 0, 2, 0', '[1, 9, 0, 2, 0'));
  });

  it('inside a subgraph follows promoted widgets, and raises the counters', () => {
    const text = renamed(cursorIn(graph, '"id": 11', 7), '40');
    const expected = graph
      .replace('"id": 11', '"id": 40')
      .replace('[["11", "steps"]]', '[["40", "steps"]]')
      .replace('"target_id": 11', '"target_id": 40')
      .replace('"origin_id": 11', '"origin_id": 40')
      .replace('"last_node_id": 12', '"last_node_id": 40')
      .replace('"lastNodeId": 12', '"lastNodeId": 40');
    expect(text).toBe(expected);
  });

  it('updates links without effect, too', () => {
    const nodes = [
      { id: 1, type: 'A', outputs: [{ name: 'X', type: 'X', links: [1, 2] }] },
      { id: 2, type: 'B', inputs: [{ name: 'x', type: 'X', link: 1 }] },
    ];
    const links = (from: number): unknown[] => [1, 2].map((id) => [id, from, 0, 2, 0, 'X']);
    const text = JSON.stringify({ nodes, links: links(1), version: 0.4 });
    expect(JSON.parse(renamed(cursorIn(text, '"id":1', 5), '7'))).toMatchObject({ links: links(7) });
  });

  it('can start at a link end', () => {
    const at = cursorIn(graph, '[2, 2, 0, 3', 4);
    expect(prepareRename(at.doc, at.offset)).toEqual({ id: '2', offset: at.offset, length: 1 });
  });

  it('leaves every link between the same nodes', () => {
    for (const id of ['1', '2', '3', '11']) {
      const before = graphOf(graph);
      const after = graphOf(renamed(cursorIn(graph, `"id": ${id},`, 6), '77'));
      const name = (each: string): string => (each === '77' ? id : each);
      const ends = (
        { links, subgraphs }: ReturnType<typeof graphOf>,
        as: (id: string) => string,
      ): string[] => {
        return [links, ...[...subgraphs.values()].map((each) => each.links)].flatMap((table) =>
          [...table.values()].map((link) => `${as(link.originId)}-${as(link.targetId)}`),
        );
      };
      expect(ends(after, name)).toEqual(ends(before, (each) => each));
    }
  });

  it.each([
    ['an id of another scope', '11', 'would renumber one of them'],
    ['a word', 'x', 'integers'],
  ])('refuses %s', (_, newId, reason) => {
    const at = cursorIn(graph, '"id": 1', 7);
    expect(() => renameNode(at.doc, at.offset, newId)).toThrow(reason);
  });
});

function graphOf(text: string): ReturnType<typeof readGraph> {
  const document = parseJson(text);
  if (!document.root) throw new Error('no root');
  return readGraph(document, document.root);
}
