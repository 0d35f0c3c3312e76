import { plainText } from '../safety/plainText';
import type { Drawing } from './drawing';
import { drawnInsides, type LoadedDrawing, outerInstances } from './drawWorkflow';

export interface SearchedLevel extends Pick<Drawing, 'nodes'> {
  /** The instance that it is inside of; empty for the root. */
  readonly inside: string;
  readonly where: string;
}

const mostNodes = 50_000;

/** @param draw a level as it is shown */
export async function searchedLevels(
  loaded: LoadedDrawing,
  draw: (inside: string) => Promise<Pick<Drawing, 'nodes'> | undefined>,
): Promise<readonly SearchedLevel[]> {
  const levels: SearchedLevel[] = [];
  let count = 0;
  for (const inside of drawnInsides(loaded)) {
    const { nodes } = (await draw(inside)) ?? { nodes: [] };
    const titles = outerInstances(loaded, inside).map(({ title }) => plainText(title));
    levels.push({ inside, where: titles.join(' > '), nodes });
    count += nodes.length;
    if (count > mostNodes) break;
  }
  return levels;
}

/** A node by its ID in the whole workflow, with the level that shows it. */
export interface FoundNode extends Omit<SearchedLevel, 'nodes'> {
  readonly node: string;
}

/** The nodes with a text in their title, type or values, or with that ID, in the order of the drawing. */
function findNodes(nodes: Drawing['nodes'], text: string): string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const has = (part: string): boolean => part.toLowerCase().includes(wanted);
  return nodes
    .filter(
      ({ id, title, type, rows }) =>
        id.toLowerCase() === wanted ||
        id.toLowerCase().endsWith(`:${wanted}`) ||
        has(title) ||
        has(type) ||
        rows.some((row) => !row.isHidden && has(row.text)),
    )
    .map(({ id }) => id);
}

/**
 * Searches all levels. Gives the node to go to with its number, from 1, among all that are found: the next one (1) or the one
 * before (-1); first (0) the same as before if it still is found, or else the first of the level that is shown.
 */
export function findInLevels(
  levels: readonly SearchedLevel[],
  text: string,
  from: { readonly inside: string; readonly node?: string | undefined },
  by: 1 | 0 | -1,
): (FoundNode & { readonly number: number; readonly count: number }) | undefined {
  const found = levels.flatMap(({ inside, where, nodes }) =>
    findNodes(nodes, text).map((node): FoundNode => ({ inside, where, node })),
  );
  const isShown = ({ inside }: FoundNode): boolean => inside === from.inside;
  const before = found.findIndex((each) => isShown(each) && each.node === from.node);
  const count = found.length;
  const at = before < 0 ? Math.max(0, found.findIndex(isShown)) : (before + by + count) % count;
  const node = found[at];
  return node && { ...node, number: at + 1, count };
}
