import type { JsonObject } from '../json/node';
import { applyEdits, type TextEdit } from '../json/textEdit';
import { parseJson } from '../json/tree';
import { listMember } from '../workflow/graph/members';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import { adoptedDefinitions } from './adoption';
import {
  type AdoptedSubgraph,
  byId,
  type CanvasRefusal,
  type CanvasStates,
  idOfItem,
  type Levels,
  levelsIn,
  levelNodes,
  stateText,
} from './canvasState';
import { StateWriter } from './stateWriter';

export interface CanvasEdits {
  readonly kind: 'edits';
  /** Offsets in the text of the document. None if nothing changed that is kept in a file. */
  readonly edits: readonly TextEdit[];
  /** The text of the document with the edits. */
  readonly text: string;
  /** Not empty: ask before the first edit that makes it so. */
  readonly adopted: readonly AdoptedSubgraph[];
}

export interface RefusedChange {
  readonly kind: 'refused';
  readonly reason: CanvasRefusal;
  /** The node or subgraph that is the reason, as its id; undefined for the whole file. */
  readonly id?: string | undefined;
}

export type CanvasChange = CanvasEdits | RefusedChange;

/**
 * The smallest edits that make a file differ as two states of the page do. Formatting, the order of members, unknown
 * members, and long numbers stay.
 * @param document the text from which the page has the first state
 * @param loaded the page's serialization before the edit, as JSON
 * @param shown the one after it
 * @param isKnownType whether the page has registered a node type
 */
export function canvasChange(
  document: WorkflowDocument,
  loaded: string,
  shown: string,
  isKnownType: (type: string) => boolean,
): CanvasChange {
  const { format, json } = document;
  if (format.kind !== 'graph') return { kind: 'refused', reason: 'notGraph' };
  const [before, after] = [parseJson(loaded).root, parseJson(shown).root];
  if (before?.kind !== 'object' || after?.kind !== 'object' || !isState(before) || !isState(after))
    return { kind: 'refused', reason: 'notState' };
  if (loaded === shown || stateText(loaded, before) === stateText(shown, after))
    return { kind: 'edits', edits: [], text: document.text, adopted: [] };
  const file = format.node;
  if (listMember(before, 'nodes').length < listMember(file, 'nodes').length)
    return { kind: 'refused', reason: 'lostNodes' };
  const states: CanvasStates = {
    file: levelsIn(file),
    before: levelsIn(before),
    after: levelsIn(after),
    text: document.text,
    loaded,
    shown,
  };
  const writer = new StateWriter(states, adoptedDefinitions(states), isKnownType);
  const written = writer.write();
  const isWhole = writer.refused?.reason === 'randomSubgraph' && writer.knowsAll();
  if (writer.refused && !isWhole) return { kind: 'refused', ...writer.refused };
  const edits = isWhole ? writer.writeAll() : written;
  const text = applyEdits(document.text, edits);
  const { problems, root } = parseJson(text);
  const isRight = problems.length <= json.problems.length && root?.kind === 'object';
  if (!isRight || !hasNodesOf(levelsIn(root), states)) return { kind: 'refused', reason: 'wrongResult' };
  return { kind: 'edits', edits, text, adopted: writer.adoptedSubgraphs() };
}

/** Whether every level of the result has the nodes that the page shows, but those that the file never had. */
function hasNodesOf(written: Levels, { file, before, after }: CanvasStates): boolean {
  return [...after].every(([id, level]) => {
    if (before.has(id) && !file.has(id)) return true;
    const [inFile, old, ids] = [file, before, written].map((levels) => byId(levelNodes(levels.get(id))));
    return levelNodes(level).every((node) => {
      const key = idOfItem(node);
      return ids?.has(key) === true || (old?.has(key) === true && inFile?.has(key) !== true);
    });
  });
}

function isState(state: JsonObject): boolean {
  return state.get('nodes')?.kind === 'array';
}
