import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineTooLong, NdjsonReader, type NdjsonLine } from '../../../src/core/protocol/ndjson';

function read(text: string | Uint8Array, cuts: readonly number[] = [], maxBytes = 1000): NdjsonLine[] {
  const bytes = Buffer.from(text);
  const reader = new NdjsonReader(maxBytes);
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  const lines = places.slice(1).flatMap((end, index) => reader.push(bytes.subarray(places[index], end)));
  return [...lines, ...reader.end()];
}

const sample =
  '{"type":"title","title":"Été 🎵 in 東京"}\r\n\n  \r\nno JSON\n[1]\n"text"\n{"n":NaN}\n{"type":"complete"}';

describe('newline-delimited JSON', () => {
  it('is split into objects, skipping blank lines and, by number, what is not an object', () => {
    expect(read(sample)).toEqual([
      { line: 1, kind: 'object', value: { type: 'title', title: 'Été 🎵 in 東京' } },
      { line: 4, kind: 'skipped' },
      { line: 5, kind: 'skipped' },
      { line: 6, kind: 'skipped' },
      { line: 7, kind: 'object', value: { n: NaN } },
      { line: 8, kind: 'object', value: { type: 'complete' } },
    ]);
  });

  it('reads the same however it is cut', () => {
    const size = Buffer.byteLength(sample);
    const cuts = fc.array(fc.integer({ min: 0, max: size }), { maxLength: size });
    fc.assert(
      fc.property(cuts, (places) => {
        expect(read(sample, places)).toEqual(read(sample));
      }),
    );
  });

  it('returns each object as soon as its line ends, even if the buffer is reused', () => {
    const reader = new NdjsonReader(100);
    const buffer = Buffer.from('{"a":1');
    expect(reader.push(buffer)).toEqual([]);
    buffer.fill(0);
    expect(reader.push(Buffer.from('}\n{'))).toEqual([{ line: 1, kind: 'object', value: { a: 1 } }]);
  });

  it('rejects an endless line before it fills the memory', () => {
    const reader = new NdjsonReader(10);
    reader.push(Buffer.from('{}\n12345'));
    expect(() => reader.push(Buffer.from('678901'))).toThrow(new LineTooLong(2, 10));
    expect(read('12345\n'.repeat(50), [], 10)).toHaveLength(50);
  });

  it('skips a byte order mark and bytes that are not UTF-8', () => {
    expect(read('\uFEFF{"a":1}')).toEqual([{ line: 1, kind: 'object', value: { a: 1 } }]);
    expect(read(Uint8Array.of(0xff, 0xfe, 0x0a, 0x7b, 0x7d))).toEqual([
      { line: 1, kind: 'skipped' },
      { line: 2, kind: 'object', value: {} },
    ]);
  });
});
