import { countAt, entryAt } from '../safety/lists';
import { isNewList, type NewJson } from '../json/jsonLayout';
import type { JsonNode, JsonObject } from '../json/node';
import { sourceTextIn, type TextEdit } from '../json/textEdit';
import {
  type LinkPart,
  partNames,
  partNode,
  subgraphInputId,
  subgraphOutputId,
} from '../workflow/graph/graphLinks';
import { listMember, objectMember, readId, readSlotIndex, textMember } from '../workflow/graph/members';
import {
  type AdoptedSubgraph,
  type CanvasRefusal,
  type CanvasStates,
  byId,
  extraNoise,
  idOfItem,
  levelNoise,
  matchSlots,
  memberNames,
  nodeNoise,
  levelNodes,
  readNodeType,
  slotNoise,
  slotsOf,
  stateText,
} from './canvasState';
import { JsonWriter } from './jsonWriter';

/** The workflow, or a subgraph definition, in the file and in the two states. */
interface Level {
  readonly file: JsonObject;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** A node or a link: those of the file with its id, and what the two states have. */
interface Item {
  readonly id: string | undefined;
  readonly places: readonly JsonNode[];
  readonly was: JsonNode | undefined;
  readonly now: JsonNode | undefined;
}

type SlotList = 'inputs' | 'outputs';

/** Writes into a file how two states of the page differ. */
export class StateWriter {
  refused: { readonly reason: CanvasRefusal; readonly id?: string | undefined } | undefined;
  private readonly json: JsonWriter;
  private readonly lengths = new Map<string, number>();
  private readonly nodesById = new Map<JsonObject, ReturnType<typeof byId>>();
  /** Where the slots of the later state are in the file. */
  private readonly places = new Map<JsonObject, number>();
  /** Nodes of a level of which slots went away: the rows of their other slots change, too. */
  private readonly reslotted = new Set<string | undefined>();

  /**
   * @param adopted subgraphs that are written as the page has them
   * @param isKnownType whether the page has registered a node type
   */
  constructor(
    private readonly states: CanvasStates,
    private readonly adopted: ReadonlySet<string>,
    private readonly isKnownType: (type: string) => boolean,
  ) {
    this.json = new JsonWriter(states.text, states.shown);
  }

  adoptedSubgraphs(): AdoptedSubgraph[] {
    return [...this.lengths].map(([id, length]) => {
      const name = textMember(this.states.after.get(id), 'name') ?? id;
      return { id, name, length };
    });
  }

  /** The edits of the file; none of them counts if one is `refused`. */
  write(): TextEdit[] {
    const { file, before, after, loaded, shown } = this.states;
    const added: NewJson[] = [];
    for (const [id, level] of after) {
      const [inFile, old] = [file.get(id), before.get(id)];
      if (!old) added.push(this.newDefinition(id, level));
      else if (inFile && this.adopted.has(id)) this.rewrite(id, inFile, level);
      else if (inFile) this.level({ file: inFile, before: old, after: level });
      // The page measures its nodes anew at every undo.
      else if (withoutSizes(stateText(loaded, old)) !== withoutSizes(stateText(shown, level)))
        this.refuse('randomSubgraph', id);
    }
    const isGone = (item: JsonNode): boolean => {
      const id = idOfItem(item);
      return id !== undefined && before.has(id) && !after.has(id);
    };
    for (const level of file.values())
      this.json.removeItems(listMember(objectMember(level, 'definitions'), 'subgraphs'), isGone);
    const root = file.get('');
    const definitions = objectMember(root, 'definitions');
    if (definitions) this.json.appendTo(definitions, 'subgraphs', added);
    else if (root && added.length > 0) this.json.set(root, 'definitions', new Map([['subgraphs', added]]));
    return this.json.plan.edits();
  }

  /**
   * The edits that make the file that of the page: nothing else can refer to a subgraph to which the page gives another
   * ID at every load.
   */
  writeAll(): TextEdit[] {
    const { file, after, text, shown } = this.states;
    const json = new JsonWriter(text, shown);
    const [root, now] = [file.get(''), after.get('')];
    for (const { name, value } of (root && now?.properties) ?? [])
      if (root && value && name !== 'extensions') json.set(root, name, json.newValue(value, root.get(name)));
    const edits = json.plan.edits();
    this.lengths.clear();
    const [random] = [...after.keys()].filter((id) => this.isRandom(id));
    const length = edits.reduce((sum, { newText }) => sum + newText.length, 0);
    if (random !== undefined) this.lengths.set(random, length);
    return edits;
  }

  /** Whether the page keeps all of every node. */
  knowsAll(): boolean {
    const nodes = [...this.states.after.values()].flatMap(levelNodes);
    return nodes.every((node) => this.isKnown(readNodeType(node)));
  }

  private refuse(reason: CanvasRefusal, id?: string): void {
    this.refused ??= { reason, id };
  }

  private newDefinition(id: string, definition: JsonObject): NewJson {
    if (this.states.file.has(id)) this.refuse('otherIds', id);
    for (const node of levelNodes(definition)) this.check(node, !this.isRandom(readNodeType(node)));
    return this.json.newValue(definition);
  }

  /** Writes a definition, or a node of this type, as the page has it. */
  private rewrite(type: string, old: JsonNode, now: JsonObject): void {
    for (const list of ['inputs', 'outputs'] as const)
      slotsOf(now, list).forEach((slot, index) => this.places.set(slot, index));
    this.reslotted.add(readId(now.get('id')));
    const { length } = this.json.rewrite(old, this.json.newValue(now, old));
    if (this.adopted.has(type)) this.lengths.set(type, countAt(this.lengths, type) + length);
  }

  /** Whether a part of the two states differs only in what looking at it changes. */
  private isSame(old: JsonNode | undefined, now: JsonNode | undefined, name: string): boolean {
    const { loaded, shown } = this.states;
    if (!old || !now) return old === now;
    if (sourceTextIn(loaded, old) === sourceTextIn(shown, now)) return true;
    return stateText(loaded, old, name) === stateText(shown, now, name);
  }

  private level(level: Level): void {
    const { file, before, after } = level;
    this.reslotted.clear();
    this.items('nodes', level, (item) => this.nodeItem(item));
    for (const name of memberNames(before, after)) {
      const [old, now] = [before.get(name), after.get(name)];
      if (levelNoise.has(name) || name === 'nodes' || name === 'links' || name === 'definitions') continue;
      if (this.isSame(old, now, name)) continue;
      if (name === 'inputs' || name === 'outputs') this.slots(name, level);
      else this.json.member(file, name, old, now, name === 'extra' ? extraNoise : undefined);
    }
    this.items('links', level, (item) => this.linkItem(level, item));
  }

  /** @param edit writes an item; a new one is returned, one that is gone has no `now` */
  private items(name: 'nodes' | 'links', level: Level, edit: (item: Item) => NewJson | undefined): void {
    const { file, before, after } = level;
    const [inFile, old, now] = [file, before, after].map((each) => byId(listMember(each, name)));
    if (!inFile || !old || !now) return;
    const added: NewJson[] = [];
    const gone = new Set<string | undefined>();
    for (const id of new Set([...now.keys(), ...old.keys()])) {
      const [[was], [item]] = [old.list(id), now.list(id)];
      const value = edit({ id, places: inFile.list(id), was, now: item });
      if (value !== undefined) added.push(value);
      if (!item) gone.add(id);
    }
    this.json.removeItems(listMember(file, name), (item) => gone.has(idOfItem(item)));
    this.json.appendTo(file, name, added);
  }

  private nodeItem({ id, places, was, now: node }: Item): NewJson | undefined {
    // Of two nodes with one ID, nobody knows which one the page shows.
    const place = places.length === 1 ? places[0] : undefined;
    if (node?.kind !== 'object') {
      if (!place) this.check(was, false);
      return undefined;
    }
    const type = readNodeType(node);
    const isOther = was?.kind !== 'object' || readNodeType(was) !== type;
    if (isOther) this.check(node, !this.isRandom(type));
    if (!was) {
      if (places.length > 0) this.refuse('otherIds', id);
      return this.json.newValue(node);
    }
    const isWhole = isOther || this.adopted.has(type);
    if (!isWhole && this.isSame(was, node, 'node')) return undefined;
    if (place?.kind !== 'object') this.check(node, false);
    else if (isWhole) this.rewrite(type, place, node);
    else this.node({ file: place, before: was, after: node }, type);
    return undefined;
  }

  /**
   * Refuses nodes of which the page keeps little, and those that the file can't name: the page numbers them anew, or they
   * show a subgraph to which it gives another id at every load.
   */
  private check(node: JsonNode | undefined, isNamed: boolean): void {
    if (node?.kind !== 'object') return;
    const [id, type] = [idOfItem(node), readNodeType(node)];
    if (!this.isKnown(type)) this.refuse('unknownType', id);
    if (!isNamed) this.refuse(this.isRandom(type) ? 'randomSubgraph' : 'otherIds', id);
  }

  private isKnown(type: string): boolean {
    const { before, after } = this.states;
    return (type !== '' && (before.has(type) || after.has(type))) || this.isKnownType(type);
  }

  private isRandom(type: string): boolean {
    return this.states.before.has(type) && !this.states.file.has(type);
  }

  private node(node: Level, type: string): void {
    const { file, before, after } = node;
    const id = readId(after.get('id'));
    for (const name of memberNames(before, after)) {
      const [old, now] = [before.get(name), after.get(name)];
      if (nodeNoise.has(name) || this.isSame(old, now, name)) continue;
      if (!this.isKnown(type) && name !== 'pos' && name !== 'mode') this.refuse('unknownType', id);
      if (name === 'widgets_values' && this.isRandom(type)) this.refuse('randomSubgraph', id);
      if (name === 'inputs' || name === 'outputs') this.slots(name, node);
      else if (name !== 'widgets_values_named' || file.property(name)) this.json.member(file, name, old, now);
    }
  }

  private slots(list: SlotList, { file, before, after }: Level): void {
    const [inFile = [], old = [], now = []] = [file, before, after].map((each) => slotsOf(each, list));
    const wasOf = matchSlots(now, old, now.length === old.length);
    const placeOf = matchSlots(old, inFile, list === 'outputs');
    const kept = new Set(wasOf.values());
    const gone = new Set(old.flatMap((slot) => (kept.has(slot) ? [] : (placeOf.get(slot) ?? []))));
    const left = new Map(inFile.filter((slot) => !gone.has(slot)).map((slot, index) => [slot, index]));
    const missing: JsonObject[] = [];
    const needed = new Set<JsonObject>();
    for (const slot of now) {
      const was = wasOf.get(slot);
      const place = was && placeOf.get(was);
      const index = place && left.get(place);
      if (was && place && index !== undefined) {
        this.json.object(place, was, slot, slotNoise, slotSets);
        this.places.set(slot, index);
        continue;
      }
      missing.push(slot);
      if (was ? this.isSame(was, slot, 'slot') : isMadeOnLoad(slot)) continue;
      // Outputs count by their place, so those before a new one can't be left out.
      for (const each of list === 'outputs' ? missing.splice(0) : [slot]) needed.add(each);
    }
    [...needed].forEach((slot, index) => this.places.set(slot, left.size + index));
    this.json.removeItems(listMember(file, list), (item) => gone.has(item as JsonObject));
    this.json.appendTo(
      file,
      list,
      [...needed].map((slot) => this.json.newValue(slot)),
    );
    if (gone.size > 0) this.reslotted.add(readId(after.get('id')));
  }

  /** The place in the file of a slot that a link of the later state names. */
  private slotPlace(level: Level, id: string | undefined, list: SlotList, slot = 0): number {
    const isEdge = id === subgraphInputId || id === subgraphOutputId;
    const ownList = isEdge ? (id === subgraphInputId ? 'inputs' : 'outputs') : list;
    const [file, before, after] = [level.file, level.before, level.after].map((each) =>
      isEdge ? each : this.nodesOf(each).list(id)[0],
    );
    if (file?.kind !== 'object' || before?.kind !== 'object' || after?.kind !== 'object') return slot;
    const shown = slotsOf(after, ownList)[slot];
    if (!shown) return slot;
    if (!this.places.has(shown)) this.slots(ownList, { file, before, after });
    const place = this.places.get(shown) ?? slot;
    this.places.set(shown, place);
    return place;
  }

  private nodesOf(level: JsonObject): ReturnType<typeof byId> {
    const known = this.nodesById.get(level) ?? byId(levelNodes(level));
    this.nodesById.set(level, known);
    return known;
  }

  /** Rows take the slots of the file. */
  private linkItem(level: Level, { places: [row], was, now: link }: Item): NewJson | undefined {
    const isChanged = !this.isSame(was, link, 'link');
    if (isChanged) this.checkEnds(level, [link, was]);
    if (!link || (!isChanged && !endsOf(link).some((end) => this.reslotted.has(end)))) return undefined;
    const last = listMember(level.file, 'links').at(-1);
    if ((row ?? last ?? link).kind !== link.kind || !this.readsRows(level)) this.refuse('otherForm');
    else if (row) this.json.patch(row, this.linkValue(level, link, row));
    else if (isChanged) return this.linkValue(level, link);
    return undefined;
  }

  /** The page reads rows of a workflow only if it has exactly this version. */
  private readsRows({ file }: Level): boolean {
    const version = file.get('version');
    return file !== this.states.file.get('') || (version?.kind === 'number' && version.value === 0.4);
  }

  /** A link with the slots of the file. @param row that it replaces */
  private linkValue(level: Level, link: JsonNode, row?: JsonNode): NewJson {
    const placeOf = (end: LinkPart, slot: LinkPart, list: SlotList): string => {
      const [id, index] = [end, slot].map((part) => partNode({ node: link }, part));
      return String(this.slotPlace(level, readId(id), list, readSlotIndex(index)));
    };
    const slots = new Map<string, string>([
      [partNames.originSlot, placeOf('origin', 'originSlot', 'outputs')],
      [partNames.targetSlot, placeOf('target', 'targetSlot', 'inputs')],
    ]);
    const value = this.json.newValue(link, row);
    if (typeof value === 'string') return value;
    if (!isNewList(value)) return new Map([...value, ...slots]);
    const names = Object.values(partNames);
    return value.map((each, index) => entryAt(slots, names[index]) ?? each);
  }

  /** Links at a node of unknown type, which keeps the old ones, can't be changed; nor can the file name a node it lacks. */
  private checkEnds({ file, before, after }: Level, links: readonly (JsonNode | undefined)[]): void {
    for (const id of links.flatMap((link) => (link ? endsOf(link) : []))) {
      if (id === subgraphInputId || id === subgraphOutputId) continue;
      this.check(
        this.nodesOf(after).list(id)[0],
        this.nodesOf(file).has(id) || !this.nodesOf(before).has(id),
      );
    }
  }
}

const slotSets: ReadonlySet<string> = new Set(['links', 'linkIds']);

/** The page gives every widget a socket when it loads a file. */
function isMadeOnLoad(slot: JsonObject): boolean {
  return slot.get('widget') !== undefined && readId(slot.get('link')) === undefined;
}

function endsOf(link: JsonNode): (string | undefined)[] {
  return [readId(partNode({ node: link }, 'origin')), readId(partNode({ node: link }, 'target'))];
}

function withoutSizes(text: string): string {
  return text.replace(/size:\[[^[\]]*\]/g, '');
}
