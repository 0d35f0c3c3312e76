import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FileStore } from '../../../../src/sandbox/files/fileStore';
import { pythonJsonText } from '../../../../src/sandbox/http/jsonText';
import { sandboxRepr } from '../../../../src/sandbox/nodes/pythonText';
import { PendingHeap } from '../../../../src/sandbox/queue/jobQueue';

it('the heap returns the lowest number first, whatever was removed in between', () => {
  const jobs = fc.uniqueArray(fc.record({ number: fc.integer(), id: fc.string() }), {
    selector: ({ id }) => id,
  });
  fc.assert(
    fc.property(jobs, fc.nat(), (all, pick) => {
      const heap = new PendingHeap<{ number: number; id: string }>();
      for (const job of all) heap.push(job);
      const gone = all[pick % Math.max(1, all.length)];
      if (gone) heap.remove(gone.id);
      const left = all.filter((job) => job !== gone);
      const inOrder = left.sort((a, b) => a.number - b.number || (a.id < b.id ? -1 : 1));
      expect(left.map(() => heap.pop())).toEqual(inOrder);
      expect(heap.pop()).toBeUndefined();
    }),
  );
});

it("the heap has the same layout as the real server's", () => {
  const heap = new PendingHeap<{ number: number; id: string }>();
  for (const number of [5, 4, 3, 2, 1]) heap.push({ number, id: String(number) });
  expect(heap.items.map(({ number }) => number)).toEqual([1, 2, 4, 5, 3]);
});

it('JSON is written as Python writes it', () => {
  expect(pythonJsonText({ a: [1, 2.5, NaN], b: undefined, c: '猫', d: 18446744073709551615n })).toBe(
    '{"a": [1, 2.5, NaN], "c": "\\u732b", "d": 18446744073709551615}',
  );
  expect(pythonJsonText(new Map([['f', 1]]))).toBe('{"f": 1.0}');
});

it('stored files are bounded, and inputs are dropped last', () => {
  const files = new FileStore(1_000);
  files.write({ filename: 'keep.png', subfolder: '', type: 'input' }, new Uint8Array(600));
  for (const name of ['a', 'b', 'c']) {
    files.write({ filename: name, subfolder: '', type: 'output' }, new Uint8Array(300));
  }
  expect(files.names('input', '')).toEqual(['keep.png']);
  expect(files.names('output', '')).toEqual(['c']);
  files.write({ filename: 'next.png', subfolder: '', type: 'input' }, new Uint8Array(900));
  expect([files.names('input', ''), files.names('output', '')]).toEqual([['next.png'], []]);
  expect(() => files.write({ filename: '../x', subfolder: '', type: 'output' }, new Uint8Array())).toThrow();
});

it.each([
  [5e-7, '5e-07'],
  [0.1, '0.1'],
  [1e22, '10000000000000000000000'],
  [-0.5, '-0.5'],
  [NaN, 'nan'],
  [-Infinity, '-inf'],
  ["it's\u00a0\n", '"it\'s\\xa0\\n"'],
  [[1, { a: 1e-5 }, null, true], "[1, {'a': 1e-05}, None, True]"],
])('writes %s as Python does', (value, text) => {
  expect(sandboxRepr(value)).toBe(text);
});
