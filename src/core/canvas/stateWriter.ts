import { EditPlan } from '../json/editPlan';
import { JsonLayout, newJson, type NewJson } from '../json/jsonLayout';
import { JsonArray, type JsonNode, type JsonObject } from '../json/node';
import { groupByKey } from '../workflow/graph/grouped';
import {
  type LinkPart,
  linkParts,
  partNode,
  subgraphInputId,
  subgraphOutputId,
} from '../workflow/graph/graphLinks';
import {
  listMember,
  objectMember,
  objectsAmong,
  readId,
  readIds,
  readSlotIndex,
  textMember,
} from '../workflow/graph/members';
import type { AdoptedSubgraph, CanvasRefusal, CanvasStates } from './canvasChange';
import {
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
  stateText,
} from './canvasState';

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
  readonly plan: EditPlan;
  refused: { readonly reason: CanvasRefusal; readonly id?: string | undefined } | undefined;
  private readonly layout: JsonLayout;
  private readonly definitions: Readonly<Record<'file' | 'before' | 'after', ReadonlyMap<string, JsonObject>>>;
  private readonly places = new Map<JsonObject, Partial<Record<SlotList, SlotPlaces>>>();
  /** Nodes of the later state whose slots have other places in the file than before, or than the state says. */
  private readonly reslotted = new Set<string | undefined>();
  private readonly lengths = new Map<string, number>();

  constructor(
    private readonly states: CanvasStates,
    private readonly adopted: ReadonlySet<string>,
    private readonly isKnownType: (type: string) => boolean,
  ) {
    const { file, before, after, text } = states;
    this.plan = new EditPlan(text);
    this.layout = new JsonLayout(text);
    this.definitions = {
      file: definitionsIn(file),
      before: definitionsIn(before),
      after: definitionsIn(after),
    };
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
      else if (stateText(old) !== stateText(definition)) this.refuse('randomSubgraph', id);
    }
    const gone = (item: JsonNode): boolean => {
      const id = idOfItem(item);
      return id !== undefined && before.has(id) && !after.has(id);
    };
    for (const level of [this.states.file, ...file.values()]) {
      this.removeItems(listMember(objectMember(level, 'definitions'), 'subgraphs'), gone);
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
    const value = this.newValue(definition);
    if (definitions?.kind === 'object') this.appendTo(definitions, 'subgraphs', [value]);
    else this.set(file, 'definitions', new Map([['subgraphs', [value]]]));
  }

  private adopt(id: string, old: JsonNode, now: JsonNode): void {
    const text = this.layout.valueText(old, this.newValue(now, old));
    this.plan.replace(old, text);
    this.lengths.set(id, (this.lengths.get(id) ?? 0) + text.length);
  }

  private level(level: Level): void {
    const { file, before, after } = level;
    this.reslotted.clear();
    this.nodes(level);
    for (const name of memberNames(before, after)) {
      const [old, now] = [before.get(name), after.get(name)];
      if (levelNoise.has(name) || name === 'nodes' || name === 'links' || name === 'definitions') continue;
      if (isSameValue(old, now)) continue;
      if (name === 'groups') this.groups(level);
      else if (name === 'inputs' || name === 'outputs') this.slots(level, name, file, before, after);
      else this.member(file, name, old, now, name === 'extra' ? extraNoise : nothing);
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
      const type = textMember(node, 'type') ?? '';
      if (!was) {
        this.checkNewNode(node);
        if (place) this.refuse('otherIds', id);
        added.push(this.newValue(node));
      } else if (this.adopted.has(type)) {
        if (!place) this.refuse('otherIds', id);
        else this.adopt(type, place, node);
        this.reslotted.add(id);
      } else if (was.kind === 'object' && !isSameNode(was, node)) {
        if (place?.kind === 'object') this.node({ file: place, before: was, after: node }, type);
        else this.refuse('otherIds', id);
      }
    }
    for (const id of old.keys()) if (!now.has(id) && !inFile.has(id)) this.refuse('otherIds', id);
    const isGone = (item: JsonNode): boolean => old.has(idOfItem(item)) && !now.has(idOfItem(item));
    this.removeItems(listMember(file, 'nodes'), isGone);
    this.appendTo(file, 'nodes', added);
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
      this.plan.replace(file, this.layout.valueText(file, this.newValue(after, file)));
      this.reslotted.add(id);
      return;
    }
    for (const name of memberNames(before, after)) {
      const [old, now] = [before.get(name), after.get(name)];
      if (nodeNoise.has(name) || isSameValue(old, now)) continue;
      if (!this.isKnown(type) && name !== 'pos' && name !== 'mode') this.refuse('unknownType', id);
      if (name === 'inputs' || name === 'outputs') this.slots(node, name, file, before, after);
      else if (name === 'widgets_values') this.widgetValues(node, type);
      else if (name !== 'widgets_values_named' || file.property(name)) this.member(file, name, old, now);
    }
  }

  /** By index where the file has the values that the page had, otherwise all. */
  private widgetValues({ file, before, after }: Level, type: string): void {
    const [place, old, now] = [file, before, after].map((each) => each.get('widgets_values'));
    if (this.isRandom(type)) this.refuse('randomSubgraph', readId(after.get('id')));
    const areLists = place?.kind === 'array' && old?.kind === 'array' && now?.kind === 'array';
    if (!areLists) {
      this.member(file, 'widgets_values', old, now);
      return;
    }
    const { items } = place;
    const isAlike = (_: unknown, at: number): boolean => isSameValue(items[at], old.items[at]);
    const common = old.items.every(isAlike) ? old.items.length : old.items.findIndex((_, at) => !isAlike(_, at));
    const changed = [...now.items.keys()].filter((at) => !isSameValue(now.items[at], old.items[at]));
    const isByIndex =
      now.items.length === old.items.length &&
      changed.every((at) => at < common || (items.length === old.items.length && isAlike(undefined, at)));
    if (!isByIndex) this.items(place, now);
    else for (const at of changed) this.replace(items[at], now.items[at]);
  }

  private slots({ file: scope }: Level, list: SlotList, file: JsonObject, before: JsonObject, after: JsonObject): void {
    const [inFile = [], old = [], now = []] = [file, before, after].map((each) => objectsAmong(listMember(each, list)));
    const isOutput = list === 'outputs' && scope === file;
    const wasOf = matchSlots(now, old, now.length === old.length);
    const placeOf = matchSlots(old, inFile, isOutput);
    const indexOf = new Map(inFile.map((slot, index) => [slot, index]));
    const kept = new Set(wasOf.values());
    const gone = new Set(old.flatMap((slot) => (kept.has(slot) ? [] : (placeOf.get(slot) ?? []))));
    const left = inFile.filter((slot) => !gone.has(slot));
    const places = new Map<JsonObject, number>();
    const missing: JsonObject[] = [];
    let needed = 0;
    for (const slot of now) {
      const was = wasOf.get(slot);
      const place = was && placeOf.get(was);
      if (place) {
        if (was) this.object(place, was, slot, slotNoise, slotSets);
        places.set(slot, left.indexOf(place));
        continue;
      }
      missing.push(slot);
      const isNeeded = was ? !isSameSlot(was, slot) : !objectMember(slot, 'widget') || readId(slot.get('link'));
      // Outputs count by their place, so those before a new one can't be left out.
      if (isNeeded !== false && isNeeded !== undefined) needed = list === 'outputs' ? missing.length : needed;
    }
    void indexOf;
    void needed;
  }
}
