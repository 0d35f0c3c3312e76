import type { JsonObject } from '../json/node';
import { groupByKey } from '../workflow/graph/grouped';
import { nameMember, objectMember, readId } from '../workflow/graph/members';
import {
  byId,
  type CanvasStates,
  isSameValue,
  type Levels,
  levelNodes,
  readNodeType,
  slotsOf,
  stateText,
  structureText,
} from './canvasState';

/**
 * The subgraphs that must be written as the page has them. When the page loads a file, it makes promoted widgets inputs
 * of the subgraph, and gives other ids to inner nodes whose ids are taken. Values and positions can be written all the
 * same, but what names an input, a link, or such a node can't.
 */
export function adoptedDefinitions(states: CanvasStates): ReadonlySet<string> {
  const { file, before, after, loaded, shown } = states;
  const moved = movedDefinitions(states);
  const adopted = new Set<string>();
  const shownIn = groupByKey(
    [...after].flatMap(([id, level]) => levelNodes(level).map((node) => ({ id, type: readNodeType(node) }))),
    ({ type }) => type,
  );
  for (const [id, level] of after) {
    const [inFile, old] = [file.get(id), before.get(id)];
    if (id !== '' && inFile && old) {
      const textOf = isRenumbered(inFile, old) ? stateText : moved.has(id) ? structureText : undefined;
      if (textOf && textOf(loaded, old) !== textOf(shown, level)) adopted.add(id);
    }
    const known = byId(levelNodes(old));
    for (const node of levelNodes(level)) {
      const [type, was] = [readNodeType(node), known.list(readId(node.get('id')))[0]];
      if (!moved.has(type) || adopted.has(type)) continue;
      if (was?.kind !== 'object' || isShownOtherwise(was, node, file.get(type))) adopted.add(type);
    }
  }
  // What is written as the page has it shows subgraphs, and is shown, with the inputs that the page made.
  for (const id of adopted) {
    const around = shownIn.list(id).map((each) => each.id);
    for (const each of [...levelNodes(after.get(id)).map(readNodeType), ...around])
      if (moved.has(each)) adopted.add(each);
  }
  return adopted;
}

/** Subgraphs that have other inputs since the page loaded them, or whose nodes promote their widgets no more. */
function movedDefinitions({ file, before }: CanvasStates): ReadonlySet<string> {
  const promoting = (levels: Levels): Set<string> => {
    const nodes = [...levels.values()].flatMap(levelNodes).filter((node) => {
      const promoted = objectMember(node, 'properties')?.get('proxyWidgets');
      return promoted && !(promoted.kind === 'array' && promoted.items.length === 0);
    });
    return new Set(nodes.map(readNodeType));
  };
  const [promoted, kept] = [promoting(file), promoting(before)];
  const names = (level: JsonObject): string =>
    JSON.stringify(slotsOf(level, 'inputs').map(nameMember).sort());
  const moved = [...file].filter(([id, definition]) => {
    const loaded = before.get(id);
    return (
      id !== '' && loaded && ((promoted.has(id) && !kept.has(id)) || names(loaded) !== names(definition))
    );
  });
  return new Set(moved.map(([id]) => id));
}

function isRenumbered(file: JsonObject, before: JsonObject): boolean {
  const ids = byId(levelNodes(file));
  return levelNodes(before).some((node) => !ids.has(readId(node.get('id'))));
}

/** Whether a node that shows a subgraph has another value, or another link at an input that the page made. */
function isShownOtherwise(was: JsonObject, node: JsonObject, file: JsonObject | undefined): boolean {
  if (!isSameValue(was.get('widgets_values'), node.get('widgets_values'))) return true;
  const inFile = new Set(slotsOf(file, 'inputs').map(nameMember));
  const old = new Map(slotsOf(was, 'inputs').map((slot) => [nameMember(slot), slot.get('link')]));
  return slotsOf(node, 'inputs').some((slot) => {
    const name = nameMember(slot);
    return !inFile.has(name) && !isSameValue(old.get(name), slot.get('link'));
  });
}
