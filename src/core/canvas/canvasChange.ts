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
  definitionsIn,
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
  if (loaded === shown || stateText(before) === stateText(after)) return unchanged(document.text);
  const file = format.node;
  if (listMember(before, 'nodes').length < listMember(file, 'nodes').length)
    return { kind: 'refused', reason: 'lostNodes' };
  const states = { file, before, after, text: document.text, shown };
  const adopted = adoptedDefinitions(states);
  const writer = new StateWriter(states, adopted, isKnownType);
  writer.write();
  if (writer.refused) return { kind: 'refused', ...writer.refused };
  const edits = writer.edits();
  const text = applyEdits(document.text, edits);
  const result = parseJson(text);
  if (result.problems.length > json.problems.length || result.root?.kind !== 'object') return wrongResult();
  if (!hasNodesOf(result.root, states)) return wrongResult();
  return { kind: 'edits', edits, text, adopted: writer.adoptedSubgraphs() };
}

/** Whether every level of the result has the nodes that the page shows, but those that the file never had. */
function hasNodesOf(result: JsonObject, { file, before, after }: CanvasStates): boolean {
  const levels = (root: JsonObject): Map<string, JsonObject> => new Map([['', root], ...definitionsIn(root)]);
  const [inFile, old, written] = [levels(file), levels(before), levels(result)];
  const idsOf = (level: JsonObject | undefined): ReadonlySet<string | undefined> =>
    new Set(byId(listMember(level, 'nodes')).keys());
  return [...levels(after)].every(([id, level]) => {
    if (old.has(id) && !inFile.has(id)) return true;
    const [known, loaded, ids] = [idsOf(inFile.get(id)), idsOf(old.get(id)), idsOf(written.get(id))];
    return [...idsOf(level)].every((node) => ids.has(node) || (loaded.has(node) && !known.has(node)));
  });
}

function unchanged(text: string): CanvasEdits {
  return { kind: 'edits', edits: [], text, adopted: [] };
}

function wrongResult(): RefusedChange {
  return { kind: 'refused', reason: 'wrongResult' };
}

function isState(state: JsonObject): boolean {
  return state.get('nodes')?.kind === 'array';
}
