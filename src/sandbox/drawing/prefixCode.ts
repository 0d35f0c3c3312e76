/** Code lengths (0 to 15) for symbols that occur so often: Huffman's, flattened until none is longer than 15 bits. */
export function codeLengths(counts: Uint32Array): Uint8Array {
  for (let least = 1; ; least *= 2) {
    const lengths = huffmanLengths(counts, least);
    if (lengths.every((length) => length <= 15)) return lengths;
  }
}

interface Branch {
  readonly weight: number;
  readonly symbols: readonly number[];
}

function huffmanLengths(counts: Uint32Array, least: number): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  let branches: Branch[] = [...counts]
    .map((count, symbol) => ({ weight: Math.max(count, least), symbols: [symbol], used: count > 0 }))
    .filter(({ used }) => used);
  while (branches.length > 1) {
    branches.sort((a, b) => b.weight - a.weight);
    const [first, second] = [branches.pop(), branches.pop()];
    if (first === undefined || second === undefined) break;
    const symbols = [...first.symbols, ...second.symbols];
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] ?? 0) + 1;
    branches = [...branches, { weight: first.weight + second.weight, symbols }];
  }
  return lengths;
}

/** The canonical codes for the lengths, with the first bit lowest, as they are written. */
export function codesFor(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  let code = 0;
  for (let length = 1; length <= 15; length += 1) {
    for (const [symbol, own] of lengths.entries()) {
      if (own !== length) continue;
      codes[symbol] = reversed(code, length);
      code += 1;
    }
    code *= 2;
  }
  return codes;
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit += 1) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}
