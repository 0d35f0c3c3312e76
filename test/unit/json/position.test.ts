import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { PositionCounter, PositionIndex } from '../../../src/core/json/position';

describe('PositionIndex', () => {
  it('counts lines at every kind of line break and characters in UTF-16 units', () => {
    const index = new PositionIndex('a\nb\r\n🐈c\rd');
    expect(index.positionAt(0)).toEqual({ line: 0, character: 0 });
    expect(index.positionAt(5)).toEqual({ line: 2, character: 0 });
    expect(index.positionAt(7)).toEqual({ line: 2, character: 2 });
    expect(index.positionAt(9)).toEqual({ line: 3, character: 0 });
  });

  it('counts lines when all breaks are of one kind', () => {
    for (const lineBreak of ['\n', '\r\n', '\r']) {
      const index = new PositionIndex(['a', '', 'b'].join(lineBreak));
      expect(index.positionAt(2 * lineBreak.length + 2)).toEqual({ line: 2, character: 1 });
      expect(index.lineAt(1 + lineBreak.length)).toBe(1);
    }
  });

  it('clamps positions outside the text', () => {
    const index = new PositionIndex('ab\ncd');
    expect(index.positionAt(99)).toEqual({ line: 1, character: 2 });
    expect(index.positionAt(-1)).toEqual({ line: 0, character: 0 });
  });
});

it('PositionCounter counts ascending offsets as the index finds them', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '🐈', ' ') });
  fc.assert(
    fc.property(texts, (text) => {
      const index = new PositionIndex(text);
      const counter = new PositionCounter(text);
      for (let offset = 0; offset <= text.length; offset++) {
        // Nothing starts inside a line break.
        if (text[offset - 1] === '\r') continue;
        expect(counter.positionAt(offset)).toEqual(index.positionAt(offset));
      }
    }),
  );
});
