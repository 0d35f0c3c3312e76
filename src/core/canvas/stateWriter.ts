import { countAt } from '../safety/lists';
import { isNewList, type NewJson } from '../json/jsonLayout';
import type { JsonNode, JsonObject } from '../json/node';
import type { TextEdit } from '../json/textEdit';
import {
  type LinkPart,
  linkParts,
  partNames,
  partNode,
  subgraphInputId,
  subgraphOutputId,
} from '../workflow/graph/graphLinks';
import {
  listMember,
  objectMember,
  objectsAmong,
  readId,
  readSlotIndex,
  textMember,
} from '../workflow/graph/members';
import {
  type AdoptedSubgraph,
  type CanvasRefusal,
  type CanvasStates,
  byId,
  definitionsIn,
  extraNoise,
  idOfItem,
  isSameValue,
  levelNoise,
  matchSlots,
  memberNames,
  nodeNoise,
  slotNoise,
  levelText,
  readNodeType,
} from './canvasState';
import { JsonWriter } from './jsonWriter';

/** The workflow, or a subgraph definition, in the file and in the two states. */
interface Level {
  readonly file: JsonObject;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

type SlotList = 'inputs' | 'outputs';

/** Where the slots of a node in the later state are in the file. */
type SlotPlaces = ReadonlyMap<JsonObject, number>;

const nothing: ReadonlySet<string> = new Set();

/** Writes into a file how two states of the page differ. */
export class StateWriter {
  refused: { readonly reason: CanvasRefusal; readonly id?: string | undefined } | undefined;
  private readonly json: JsonWriter;
  private readonly definitions: Readonly<
    Record<'file' | 'before' | 'after', ReadonlyMap<string, JsonObject>>
  >;
  private readonly places = new Map<JsonObject, Partial<Record<SlotList, SlotPlaces>>>();
  /** Nodes of the later state whose slots have other places in the file than before, or than the state says. */
  private readonly reslotted = new Set<string | undefined>();
  private readonly lengths = new Map<string, number>();
  private readonly nodesById = new Map<JsonObject, ReturnType<typeof byId>>();

  constructor(
    private readonly states: CanvasStates,
    private readonly adopted: ReadonlySet<string>,
    private readonly isKnownType: (type: string) => boolean,
  ) {
    const { file, before, after, text, shown } = states;
    this.json = new JsonWriter(text, shown);
    this.definitions = {
      file: definitionsIn(file),
      before: definitionsIn(before),
      after: definitionsIn(after),
    };
  }

  edits(): TextEdit[] {
    return this.json.plan.edits();
  }

  adoptedSubgraphs(): AdoptedSubgraph[] {
    return [...this.lengths].map(([id, length]) => {
      const name = textMember(this.definitions.after.get(id), 'name') ?? id;
      return { id, name, length };
    });
  }

  write(): void {
    const { file, before, after } = this.definitions;
    this.level(this.states);
    for (const [id, definition] of after) {
      const [old, inFile] = [before.get(id), file.get(id)];
      if (!old) this.addDefinition(id, definition);
      else if (inFile && this.adopted.has(id)) this.adopt(id, inFile, definition);
      else if (inFile) this.level({ file: inFile, before: old, after: definition });
      else if (levelText(old) !== levelText(definition)) this.refuse('randomSubgraph', id);
    }
    const gone = (item: JsonNode): boolean => {
      const id = idOfItem(item);
      return id !== undefined && before.has(id) && !after.has(id);
    };
    for (const level of [this.states.file, ...file.values()]) {
      this.json.removeItems(listMember(objectMember(level, 'definitions'), 'subgraphs'), gone);
    }
  }

  private refuse(reason: CanvasRefusal, id?: string): void {
    this.refused ??= { reason, id };
  }

  private addDefinition(id: string, definition: JsonObject): void {
    if (this.definitions.file.has(id)) this.refuse('otherIds', id);
    for (const node of objectsAmong(listMember(definition, 'nodes'))) this.checkNewNode(node);
    const { file } = this.states;
    const definitions = file.get('definitions');
    const value = this.json.newValue(definition);
    if (definitions?.kind === 'object') this.json.appendTo(definitions, 'subgraphs', [value]);
    else this.json.set(file, 'definitions', new Map([['subgraphs', [value]]]));
  }

  private adopt(id: string, old: JsonNode, now: JsonNode): void {
    this.lengths.set(id, countAt(this.lengths, id) + this.json.rewrite(old, now).length);
  }

  private level(level: Level): void {
    const { file, before, after } = level;
    this.reslotted.clear();
    this.nodes(level);
    for (const name of memberNames(before, after)) {
      const [old, now] = [before.get(name), after.get(name)];
      if (levelNoise.has(name) || name === 'nodes' || name === 'links' || name === 'definitions') continue;
      if (isSameValue(old, now)) continue;
      if (name === 'inputs' || name === 'outputs') this.slots(name, level);
      else this.json.member(file, name, old, now, name === 'extra' ? extraNoise : nothing);
    }
    this.links(level);
  }

  private nodes({ file, before, after }: Level): void {
    const [inFile, old, now] = [file, before, after].map((each) => byId(listMember(each, 'nodes')));
    if (!inFile || !old || !now) return;
    const added: NewJson[] = [];
    for (const [id, [node]] of now) {
      const [[was], [place]] = [old.list(id), inFile.list(id)];
      if (node?.kind !== 'object') continue;
      const type = readNodeType(node);
      if (!was) {
        this.checkNewNode(node);
        if (place) this.refuse('otherIds', id);
        added.push(this.json.newValue(node));
      } else if (this.adopted.has(type)) {
        if (!place) this.refuseAbsent(node);
        else this.adopt(type, place, node);
        this.reslotted.add(id);
      } else if (was.kind === 'object' && !isSameBut(nodeNoise, was, node)) {
        // Of two nodes with one ID, nobody knows which one the page shows.
        if (place?.kind === 'object' && inFile.list(id).length === 1)
          this.node({ file: place, before: was, after: node }, type);
        else this.refuseAbsent(node);
      }
    }
    const gone = [...old.keys()].filter((id) => !now.has(id));
    for (const id of gone) if (inFile.list(id).length !== 1) this.refuseAbsent(old.list(id)[0]);
    const goneIds = new Set(gone);
    this.json.removeItems(listMember(file, 'nodes'), (item) => goneIds.has(idOfItem(item)));
    this.json.appendTo(file, 'nodes', added);
  }

  /** A node of the page that the file lacks: a group node that became a subgraph, or one that the page numbers anew. */
  private refuseAbsent(node: JsonNode | undefined): void {
    const isRandom = node?.kind === 'object' && this.isRandom(readNodeType(node));
    this.refuse(isRandom ? 'randomSubgraph' : 'otherIds', node && idOfItem(node));
  }

  private checkNewNode(node: JsonObject): void {
    const [id, type = ''] = [readId(node.get('id')), textMember(node, 'type')];
    if (!this.isKnown(type)) this.refuse('unknownType', id);
    if (this.isRandom(type)) this.refuse('randomSubgraph', id);
  }

  private isKnown(type: string): boolean {
    return this.definitions.before.has(type) || this.definitions.after.has(type) || this.isKnownType(type);
  }

  /** The page makes another id for this subgraph at every load: no file can name it. */
  private isRandom(type: string): boolean {
    const { file, before } = this.definitions;
    return before.has(type) && !file.has(type);
  }

  private node(node: Level, type: string): void {
    const { file, before, after } = node;
    const id = readId(after.get('id'));
    if (textMember(before, 'type') !== type) {
      this.checkNewNode(after);
      this.json.rewrite(file, after);
      this.reslotted.add(id);
      return;
    }
    for (const name of memberNames(before, after)) {
      const [old, now] = [before.get(name), after.get(name)];
      if (nodeNoise.has(name) || isSameValue(old, now)) continue;
      if (!this.isKnown(type) && name !== 'pos' && name !== 'mode') this.refuse('unknownType', id);
      if (name === 'inputs' || name === 'outputs') this.slots(name, node);
      else if (name === 'widgets_values') this.widgetValues(node, type);
      else if (name !== 'widgets_values_named' || file.property(name)) this.json.member(file, name, old, now);
    }
  }

  /** By index where the file has the values that the page had, otherwise all. */
  private widgetValues({ file, before, after }: Level, type: string): void {
    const [place, old, now] = [file, before, after].map((each) => each.get('widgets_values'));
    if (this.isRandom(type)) this.refuse('randomSubgraph', readId(after.get('id')));
    const areLists = place?.kind === 'array' && old?.kind === 'array' && now?.kind === 'array';
    if (!areLists) {
      this.json.member(file, 'widgets_values', old, now);
      return;
    }
    const { items } = place;
    const changed = [...now.items.keys()].filter((at) => !isSameValue(now.items[at], old.items[at]));
    const other = old.items.findIndex((value, at) => !isSameValue(items[at], value));
    const isByIndex =
      now.items.length === old.items.length &&
      (items.length === old.items.length
        ? changed.every((at) => isSameValue(items[at], old.items[at]))
        : changed.every((at) => other < 0 || at < other));
    if (!isByIndex) this.json.items(place, now);
    else for (const at of changed) this.json.replace(items[at], now.items[at]);
  }

  private slots(list: SlotList, { file, before, after }: Level): void {
    const [inFile = [], old = [], now = []] = [file, before, after].map((each) => slotsOf(each, list));
    const wasOf = matchSlots(now, old, now.length === old.length);
    const placeOf = matchSlots(old, inFile, list === 'outputs');
    const kept = new Set(wasOf.values());
    const gone = new Set(old.flatMap((slot) => (kept.has(slot) ? [] : (placeOf.get(slot) ?? []))));
    const left = new Map(inFile.filter((slot) => !gone.has(slot)).map((slot, index) => [slot, index]));
    const places = new Map<JsonObject, number>();
    const missing: JsonObject[] = [];
    const needed = new Set<JsonObject>();
    for (const slot of now) {
      const was = wasOf.get(slot);
      const place = was && placeOf.get(was);
      const index = place && left.get(place);
      if (was && place && index !== undefined) {
        this.json.object(place, was, slot, slotNoise, slotSets);
        places.set(slot, index);
        continue;
      }
      missing.push(slot);
      if (was ? isSameBut(slotNoise, was, slot) : isMadeOnLoad(slot)) continue;
      // Outputs count by their place, so those before a new one can't be left out.
      for (const each of list === 'outputs' ? missing.splice(0) : [slot]) needed.add(each);
    }
    [...needed].forEach((slot, index) => places.set(slot, left.size + index));
    this.json.removeItems(listMember(file, list), (item) => gone.has(item as JsonObject));
    this.json.appendTo(
      file,
      list,
      [...needed].map((slot) => this.json.newValue(slot)),
    );
    this.places.set(after, { ...this.places.get(after), [list]: places });
    if (gone.size > 0) this.reslotted.add(readId(after.get('id')));
  }

  /** The place in the file of a slot that a link of the later state names. */
  private slotPlace({ file, after }: Level, id: string | undefined, list: SlotList, slot: number): number {
    const isEdge = id === subgraphInputId || id === subgraphOutputId;
    const [owner, place] = [after, file].map((each) => (isEdge ? each : this.nodesOf(each).list(id)[0]));
    const ownList = isEdge ? (id === subgraphInputId ? 'inputs' : 'outputs') : list;
    if (owner?.kind !== 'object') return slot;
    const slots = slotsOf(owner, ownList);
    const node = slots[slot];
    const isAsShown = !isEdge && this.adopted.has(readNodeType(owner));
    if (!node || place?.kind !== 'object' || isAsShown) return slot;
    const known = this.places.get(owner)?.[ownList];
    if (known) return known.get(node) ?? slot;
    const inFile = slotsOf(place, ownList);
    const matches = matchSlots(slots, inFile, ownList === 'outputs');
    const indexes = new Map(inFile.map((each, index) => [each, index]));
    const places = new Map<JsonObject, number>();
    for (const [each, match] of matches) places.set(each, indexes.get(match) ?? slot);
    this.places.set(owner, { ...this.places.get(owner), [ownList]: places });
    return places.get(node) ?? slot;
  }

  private nodesOf(level: JsonObject): ReturnType<typeof byId> {
    const known = this.nodesById.get(level) ?? byId(listMember(level, 'nodes'));
    this.nodesById.set(level, known);
    return known;
  }

  /** Rows take the slots of the file. */
  private links(level: Level): void {
    const { file, before, after } = level;
    const [inFile, old] = [byId(listMember(file, 'links')), byId(listMember(before, 'links'))];
    const added: NewJson[] = [];
    const now = new Set<string | undefined>();
    for (const link of listMember(after, 'links')) {
      const id = idOfItem(link);
      now.add(id);
      const [was, row] = [old.list(id)[0], inFile.list(id)[0]];
      const isChanged = !isSameValue(was, link);
      if (!isChanged && !endsOf(link).some((end) => this.reslotted.has(end))) continue;
      if (isChanged) this.checkEnds(level, [link, was]);
      const slots = this.rowSlots(level, link);
      const last = listMember(file, 'links').at(-1);
      if ((row ?? last ?? link).kind !== link.kind || !this.readsRows(level)) this.refuse('otherForm');
      else if (row) this.row(row, was ?? row, link, slots);
      else if (isChanged) added.push(this.newRow(link, slots));
    }
    for (const [id, [was]] of old) if (was && !now.has(id)) this.checkEnds(level, [was]);
    this.json.removeItems(
      listMember(file, 'links'),
      (item) => old.has(idOfItem(item)) && !now.has(idOfItem(item)),
    );
    this.json.appendTo(file, 'links', added);
  }

  /** The page reads rows of a workflow only if it has exactly this version. */
  private readsRows({ file }: Level): boolean {
    const version = file.get('version');
    return file !== this.states.file || (version?.kind === 'number' && version.value === 0.4);
  }

  private rowSlots(level: Level, link: JsonNode): Partial<Record<LinkPart, string>> {
    const slot = (end: LinkPart, part: LinkPart, list: SlotList): string =>
      String(this.slotPlace(level, readId(partNode({ node: link }, end)), list, slotOf(link, part)));
    return {
      originSlot: slot('origin', 'originSlot', 'outputs'),
      targetSlot: slot('target', 'targetSlot', 'inputs'),
    };
  }

  private row(row: JsonNode, was: JsonNode, now: JsonNode, slots: Partial<Record<LinkPart, string>>): void {
    for (const part of linkParts) {
      const [place, old, value] = [row, was, now].map((node) => partNode({ node }, part));
      const slot = slots[part];
      if (slot !== undefined && place) {
        if (readId(place) !== slot) this.json.plan.replace(place, slot);
      } else if (!isSameValue(old, value)) this.json.replace(place, value);
    }
    if (row.kind === 'object' && was.kind === 'object' && now.kind === 'object') {
      this.json.object(row, was, now, rowParts);
    }
  }

  private newRow(link: JsonNode, slots: Partial<Record<LinkPart, string>>): NewJson {
    const value = this.json.newValue(link);
    if (typeof value === 'string') return value;
    if (isNewList(value)) return value.map((each, index) => slots[linkParts[index] ?? 'id'] ?? each);
    const placed = new Map(value);
    for (const part of linkParts) {
      const text = slots[part];
      if (text !== undefined) placed.set(partNames[part], text);
    }
    return placed;
  }

  /** Links at a node of unknown type, which keeps the old ones, can't be changed; nor can the file name a node it lacks. */
  private checkEnds({ file, before, after }: Level, links: readonly (JsonNode | undefined)[]): void {
    for (const id of links.flatMap((link) => (link ? endsOf(link) : []))) {
      if (id === subgraphInputId || id === subgraphOutputId) continue;
      const node = this.nodesOf(after).list(id)[0];
      if (node?.kind !== 'object') continue;
      if (!this.isKnown(readNodeType(node))) this.refuse('unknownType', id);
      const isNew = this.nodesOf(before).list(id).length === 0;
      if (!isNew && this.nodesOf(file).list(id).length === 0) this.refuseAbsent(node);
    }
  }
}

const slotSets = new Set(['links', 'linkIds']);
const rowParts = new Set(Object.values(partNames));

function slotsOf(owner: JsonObject, list: SlotList): JsonObject[] {
  return objectsAmong(listMember(owner, list));
}

function isSameBut(noise: ReadonlySet<string>, one: JsonObject, other: JsonObject): boolean {
  return memberNames(one, other).every(
    (name) => noise.has(name) || isSameValue(one.get(name), other.get(name)),
  );
}

/** The page gives every widget a socket when it loads a file. */
function isMadeOnLoad(slot: JsonObject): boolean {
  return slot.get('widget') !== undefined && readId(slot.get('link')) === undefined;
}

function endsOf(link: JsonNode): (string | undefined)[] {
  return [readId(partNode({ node: link }, 'origin')), readId(partNode({ node: link }, 'target'))];
}

function slotOf(link: JsonNode, part: LinkPart): number {
  return readSlotIndex(partNode({ node: link }, part)) ?? 0;
}
