import fc from 'fast-check';

import type { JsonNode, JsonRange } from '../../src/core/json/node';
import { parseJson } from '../../src/core/json/tree';

/** One change of a text. Places are numbers of any size, wrapped to the text when the change is made. */
export type Mutation =
  | { readonly kind: 'cut'; readonly at: number; readonly length: number }
  | { readonly kind: 'insert'; readonly at: number; readonly text: string }
  | { readonly kind: 'swap'; readonly at: number; readonly with: number; readonly length: number }
  | { readonly kind: 'replaceValue'; readonly at: number; readonly text: string }
  | { readonly kind: 'swapValues'; readonly at: number; readonly with: number }
  | { readonly kind: 'doubleMember'; readonly at: number };

const nest = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

/** Pieces that occur in no valid file. */
const pieces = [
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '/*', '//', '\n', '\0', '\uFEFF', '\uD800', '\u2028'],
  ...[
    '\\u',
    '\\uD834',
    'NaN',
    '-Infinity',
    '-',
    '1e',
    '0x1',
    'nul',
    '"__proto__":',
    '"id":',
    '"nodes":[',
    '{"',
  ],
];

const values = [
  ...[
    'null',
    'true',
    '"false"',
    '""',
    '"\\u0000"',
    '"__proto__"',
    '"*"',
    '{}',
    '[]',
    'NaN',
    '-Infinity',
    '-0',
  ],
  ...[
    '1e999',
    '0.1e-400',
    '9'.repeat(400),
    '-18446744073709551616',
    '1.0',
    '"workflow/x"',
    '"PrimitiveNode"',
  ],
  ...[
    '["1",0]',
    '["1",-1]',
    '["1",1e9]',
    '["1",0.5]',
    '[[],{}]',
    '{"__value__":[1]}',
    '{"__proto__":{"a":1}}',
  ],
  ...[
    nest('[', ']', 60),
    nest('[', ']', 880),
    nest('{"a":', '}', 880).replace(':}', ':1}'),
    nest('[', ']', 2_000),
  ],
];

const place = fc.nat();

/** Changes that turn a good file into a broken one, as by an editor, a merge, or a bad connection. */
export const anyMutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({
    kind: fc.constant('cut' as const),
    at: place,
    length: fc.oneof(fc.integer({ min: 1, max: 20 }), place),
  }),
  fc.record({ kind: fc.constant('insert' as const), at: place, text: fc.constantFrom(...pieces) }),
  fc.record({
    kind: fc.constant('swap' as const),
    at: place,
    with: place,
    length: fc.integer({ min: 1, max: 30 }),
  }),
  fc.record({ kind: fc.constant('replaceValue' as const), at: place, text: fc.constantFrom(...values) }),
  fc.record({ kind: fc.constant('replaceValue' as const), at: place, text: fc.json({ maxDepth: 2 }) }),
  fc.record({ kind: fc.constant('swapValues' as const), at: place, with: place }),
  fc.record({ kind: fc.constant('doubleMember' as const), at: place }),
);

/** The text after a change; the same text if there is nothing to change. */
export function mutated(text: string, mutation: Mutation): string {
  if (text === '') return text;
  switch (mutation.kind) {
    case 'cut': {
      const at = mutation.at % text.length;
      return text.slice(0, at) + text.slice(at + 1 + (mutation.length % text.length));
    }
    case 'insert': {
      const at = mutation.at % text.length;
      return text.slice(0, at) + mutation.text + text.slice(at);
    }
    case 'swap': {
      const range = (at: number): JsonRange => ({ offset: at % text.length, length: mutation.length });
      return swapped(text, range(mutation.at), range(mutation.with));
    }
    case 'replaceValue': {
      const [value] = valuesAt(text, mutation.at);
      return value
        ? text.slice(0, value.offset) + mutation.text + text.slice(value.offset + value.length)
        : text;
    }
    case 'swapValues': {
      const [one, other] = valuesAt(text, mutation.at, mutation.with);
      return one && other ? swapped(text, one, other) : text;
    }
    case 'doubleMember': {
      const members = allValues(parseJson(text).root).flatMap((value) =>
        value.kind === 'object' ? value.properties : [],
      );
      const member = members[mutation.at % Math.max(1, members.length)];
      if (!member) return text;
      const copy = text.slice(member.offset, member.offset + member.length);
      return `${text.slice(0, member.offset)}${copy},${text.slice(member.offset)}`;
    }
  }
}

function swapped(text: string, one: JsonRange, other: JsonRange): string {
  const [first, second] = one.offset < other.offset ? [one, other] : [other, one];
  const firstEnd = first.offset + first.length;
  if (firstEnd > second.offset) return text;
  const [a, b] = [first, second].map(({ offset, length }) => text.slice(offset, offset + length));
  const secondEnd = second.offset + second.length;
  return (
    text.slice(0, first.offset) +
    (b ?? '') +
    text.slice(firstEnd, second.offset) +
    (a ?? '') +
    text.slice(secondEnd)
  );
}

function valuesAt(text: string, ...places: readonly number[]): (JsonNode | undefined)[] {
  const all = allValues(parseJson(text).root);
  return places.map((at) => all[at % Math.max(1, all.length)]);
}

export function allValues(root: JsonNode | undefined): JsonNode[] {
  const all = root ? [root] : [];
  for (const value of all) {
    if (value.kind === 'array') all.push(...value.items);
    else if (value.kind === 'object') all.push(...value.properties.flatMap((each) => each.value ?? []));
  }
  return all;
}
