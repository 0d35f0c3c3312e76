import type { JsonObject } from '../json/node';
import { groupByKey } from '../workflow/graph/grouped';
import {
  listMember,
  nameMember,
  objectMember,
  objectsAmong,
  readId,
  textMember,
} from '../workflow/graph/members';
import {
  type CanvasStates,
  definitionsIn,
  isSameValue,
  levelText,
  readNodeType,
  structureText,
} from './canvasState';

interface Definitions {
  readonly file: ReadonlyMap<string, JsonObject>;
  readonly before: ReadonlyMap<string, JsonObject>;
  readonly after: ReadonlyMap<string, JsonObject>;
}

/**
 * The subgraphs that must be written as the page has them. When the page loads a file, it makes promoted widgets inputs
 * of the subgraph, and gives other ids to inner nodes whose ids are taken. Values and positions can be written all the
 * same, but what names an input, a link, or such a node can't.
 */
export function adoptedDefinitions(states: CanvasStates): ReadonlySet<string> {
  const definitions = {
    file: definitionsIn(states.file),
    before: definitionsIn(states.before),
    after: definitionsIn(states.after),
  };
  const moved = movedDefinitions(states, definitions);
  const adopted = new Set(shownChanges(states, definitions, moved));
  for (const [id, file] of definitions.file) {
    const [before, after] = [definitions.before.get(id), definitions.after.get(id)];
    if (!before || !after) continue;
    if (isRenumbered(file, before) && levelText(before) !== levelText(after)) adopted.add(id);
    if (moved.has(id) && structureText(before) !== structureText(after)) adopted.add(id);
  }
  // What is written as the page has it shows subgraphs, and is shown, with the inputs that the page made.
  const shownIn = groupByKey(
    [...definitions.after].flatMap(([id, level]) => typesIn(level).map((type) => ({ id, type }))),
    ({ type }) => type,
  );
  for (const id of adopted) {
    const around = shownIn.list(id).map((each) => each.id);
    for (const each of [...typesIn(definitions.after.get(id)), ...around])
      if (moved.has(each)) adopted.add(each);
  }
  return adopted;
}

function nodesIn(level: JsonObject | undefined): JsonObject[] {
  return objectsAmong(listMember(level, 'nodes'));
}

function typesIn(level: JsonObject | undefined): string[] {
  return nodesIn(level).map(readNodeType);
}

function slotNames(level: JsonObject | undefined): string {
  return JSON.stringify(objectsAmong(listMember(level, 'inputs')).map(nameMember).sort());
}

function movedDefinitions(states: CanvasStates, { file, before }: Definitions): ReadonlySet<string> {
  const moved = new Set<string>();
  for (const [id, definition] of file) {
    const loaded = before.get(id);
    if (loaded && slotNames(loaded) !== slotNames(definition)) moved.add(id);
  }
  const promoting = (levels: Iterable<JsonObject>): string[] =>
    [...levels].flatMap(nodesIn).flatMap((node) => {
      const promoted = objectMember(node, 'properties')?.get('proxyWidgets');
      const isEmpty = !promoted || (promoted.kind === 'array' && promoted.items.length === 0);
      return isEmpty ? [] : [readNodeType(node)];
    });
  const kept = new Set(promoting([states.before, ...before.values()]));
  for (const type of promoting([states.file, ...file.values()])) {
    if (before.has(type) && !kept.has(type)) moved.add(type);
  }
  return moved;
}

function isRenumbered(file: JsonObject, before: JsonObject): boolean {
  const ids = new Set(nodesIn(file).map((node) => readId(node.get('id'))));
  return nodesIn(before).some((node) => !ids.has(readId(node.get('id'))));
}

/** Moved subgraphs of which a node is new, or has another value or another link at an input that the page made. */
function shownChanges(
  states: CanvasStates,
  { file, before, after }: Definitions,
  moved: ReadonlySet<string>,
): string[] {
  const levels = [[states.before, states.after] as const].concat(
    [...after].map(([id, level]) => [before.get(id) ?? level, level] as const),
  );
  return levels.flatMap(([old, now]) => {
    const known = new Map(nodesIn(old).map((node) => [readId(node.get('id')), node]));
    return nodesIn(now).flatMap((node) => {
      const type = textMember(node, 'type');
      if (type === undefined || !moved.has(type)) return [];
      const was = old === now ? undefined : known.get(readId(node.get('id')));
      if (was && isSameValue(was, node)) return [];
      const isOther =
        !was ||
        !isSameValue(was.get('widgets_values'), node.get('widgets_values')) ||
        hasOtherMadeInput(was, node, file.get(type));
      return isOther ? [type] : [];
    });
  });
}

function hasOtherMadeInput(was: JsonObject, node: JsonObject, file: JsonObject | undefined): boolean {
  const inFile = new Set(objectsAmong(listMember(file, 'inputs')).map(nameMember));
  const old = new Map(objectsAmong(listMember(was, 'inputs')).map((slot) => [nameMember(slot), slot]));
  return objectsAmong(listMember(node, 'inputs')).some((slot) => {
    const name = nameMember(slot);
    return !inFile.has(name) && !isSameValue(old.get(name)?.get('link'), slot.get('link'));
  });
}
