import { describe, expect, it } from 'vitest';

import { definitionAtOffset, nodeReferences } from '../../../../src/core/language/navigation/navigation';
import { chain, cursorIn, graph, type Marked } from '../sample';

function target({ doc, offset }: Marked): string | undefined {
  const found = definitionAtOffset(doc, offset);
  return found && doc.text.slice(found.selection.offset, found.selection.offset + found.selection.length);
}

function uses({ doc, offset }: Marked): string[] {
  return nodeReferences(doc, offset).map((each) => {
    const text = doc.text.slice(each.offset, each.offset + each.length);
    return each.role === 'declaration' ? text : `${text} by ${each.usedBy ?? ''}`;
  });
}

describe('definition', () => {
  it('goes from both parts of a link to the node', () => {
    expect(target(cursorIn(chain, '["3", 0]', 2))).toBe('"3"');
    expect(target(cursorIn(chain, '["3", 0]', 7))).toBe('"3"');
    expect(target(cursorIn(chain, '"seed"', 2))).toBeUndefined();
  });

  it('in graph files follows slots, link tables and instances', () => {
    expect(target(cursorIn(graph, '"link": 2', 8))).toBe('2');
    expect(target(cursorIn(graph, '[2, 2, 0, 3', 10))).toBe('3');
    expect(target(cursorIn(graph, '"links": [1]', 10))).toBe('2');
    expect(target(cursorIn(graph, '"type": "sub-1"', 10))).toBe('"sub-1"');
    expect(target(cursorIn(graph, '"origin_id": 11', 14))).toBe('11');
  });
});

describe('references', () => {
  it('are the node, then its links by output', () => {
    expect(uses(cursorIn(chain, '"1"', 1))).toEqual(['"1"', '["1", 0] by 3', '["1", 1] by 2']);
    expect(uses(cursorIn(chain, '["3", 0]', 2))).toEqual(['"3"', '["3", 0] by 4']);
    expect(uses(cursorIn(graph, '"id": 1', 7))).toEqual(['1', '[1, 1, 0, 2, 0, "MODEL"] by 2']);
  });

  it('are none beside an ID, nor at a slot of a link table', () => {
    expect(uses(cursorIn(graph, '[2, 2, 0, 3', 10))).toEqual(['3']);
    expect(uses(cursorIn(graph, '[2, 2, 0, 3', 7))).toEqual([]);
    expect(uses(cursorIn(graph.replace('[2, 2, 0, 3', '[2,  2, 0, 3'), '[2,  2, 0, 3', 4))).toEqual([]);
  });
});
