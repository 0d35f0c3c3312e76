import { countAt } from '../safety/lists';
import { createHash } from 'node:crypto';

interface ComparedOutput {
  readonly nodeId: string;
  /** Among the files, or the texts, of its node; from 1. */
  readonly order: number;
  /** A text that the node showed, not a file. */
  readonly isText: boolean;
}

const longestId = 100;

/** Numbers outputs by node, in the order in which the server lists them. */
export function numberOutputs<T extends { readonly nodeId: string }>(
  outputs: readonly T[],
  isText: boolean,
): (T & ComparedOutput)[] {
  const counts = new Map<string, number>();
  return outputs.map((output) => {
    const order = countAt(counts, output.nodeId) + 1;
    counts.set(output.nodeId, order);
    return { ...output, order, isText };
  });
}

/** The name of a kept output without its extension: `9-1`, `9-text-1`, `3.12-1` for node `3:12` in a subgraph. */
export function expectedStem({ nodeId, order, isText }: ComparedOutput): string {
  return `${idIn(nodeId)}${isText ? '-text' : ''}-${order}`;
}

function idIn(nodeId: string): string {
  const id = nodeId.replace(/[^A-Za-z0-9_]/gu, (character) =>
    character === ':' ? '.' : `~${character.codePointAt(0)?.toString(16) ?? ''}~`,
  );
  const hash = createHash('sha256').update(nodeId).digest('hex').slice(0, 16);
  return id.length > longestId ? `${id.slice(0, longestId)}~${hash}` : id;
}

/** The extension of an expected output: that of the saved file, in lower case; `.bin` if it isn't plain. */
export function expectedExtension(name: string): string {
  return /\.[a-z0-9]{1,10}$/.exec(name.toLowerCase())?.[0] ?? '.bin';
}

/** The stem of an expected output of one of these nodes or of a numeric ID. Files of other names are never touched. */
export function stemOfExpected(name: string, nodeIds: readonly string[]): string | undefined {
  const [, stem, id = ''] = /^(([\w.~]+)(?:-text)?-[1-9]\d{0,5})\.[a-z0-9]{1,10}$/.exec(name) ?? [];
  const isNode = /^\d+(?:(?:\.|~2e~)\d+)*$/.test(id) || nodeIds.some((nodeId) => idIn(nodeId) === id);
  return isNode ? stem : undefined;
}
