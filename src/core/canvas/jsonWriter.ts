import { EditPlan } from '../json/editPlan';
import { isNewList, JsonLayout, newJson, type NewJson } from '../json/jsonLayout';
import type { JsonArray, JsonNode, JsonObject } from '../json/node';
import { sourceTextIn, textDifference } from '../json/textEdit';
import { listMember } from '../workflow/graph/members';
import { byId, idOfItem, isSameValue, memberNames, rolled } from './canvasState';

const nothing: ReadonlySet<string> = new Set();
const copies = new Set(['localized_name', 'widgets_values_named']);
const linkIdSets: ReadonlySet<string> = new Set(['linkIds']);

/** Makes values of a file differ as two values of the page do, whatever they mean. */
export class JsonWriter {
  readonly plan: EditPlan;
  private readonly layout: JsonLayout;

  /**
   * @param text of the file
   * @param shown the text of the later state
   */
  constructor(
    private readonly text: string,
    private readonly shown: string,
  ) {
    this.plan = new EditPlan(text);
    this.layout = new JsonLayout(text);
  }

  /** Puts a value in the place of another one. */
  rewrite(old: JsonNode, value: NewJson): string {
    const text = this.layout.valueText(old, value);
    this.plan.replace(old, text);
    return text;
  }

  /** Does so in the smallest edit of its text. */
  patch(old: JsonNode, value: NewJson): void {
    const edit = textDifference(sourceTextIn(this.text, old), this.layout.valueText(old, value));
    if (edit) this.plan.replace({ ...edit, offset: old.offset + edit.offset }, edit.newText);
  }

  object(file: JsonObject, old: JsonObject, now: JsonObject, noise = nothing, sets = linkIdSets): void {
    for (const [at, name] of memberNames(old, now).entries()) {
      const [place, was, value] = [file, old, now].map((each) => each.get(name));
      const [wasNext, next] = [old, now].map((each) => each.properties[at + 1]?.value);
      const isFixed = isWord(next, fixed) && !isWord(wasNext, fixed);
      if (noise.has(name) || (isSameValue(was, value) && !isFixed)) continue;
      if (sets.has(name) && place?.kind === 'array')
        this.listById(place, listMember(old, name), listMember(now, name));
      else this.member(file, name, was, value);
    }
  }

  member(
    file: JsonObject,
    name: string,
    old: JsonNode | undefined,
    now: JsonNode | undefined,
    noise = nothing,
  ): void {
    const property = file.property(name);
    if (!now) {
      if (property) this.plan.remove(file, property);
    } else if (property?.value && property.value.kind !== 'null') {
      this.value(property.value, old, now, noise);
    } else {
      // What the page added to the file by itself is left out.
      const isObject = old?.kind === 'object' && now.kind === 'object';
      const same = isObject
        ? now.properties.filter((each) => isSameValue(old.get(each.name), each.value))
        : [];
      this.set(file, name, this.newValue(now, undefined, [...noise, ...same.map((each) => each.name)]));
    }
  }

  value(place: JsonNode, old: JsonNode | undefined, now: JsonNode, noise = nothing): void {
    if (place.kind === 'object' && now.kind === 'object' && old?.kind === 'object') {
      this.object(place, old, now, noise);
    } else if (place.kind === 'object' && now.kind === 'array' && place.get('0')) {
      now.items.forEach((item, index) => {
        this.replace(place.get(String(index)), item);
      });
    } else if (place.kind === 'array' && now.kind === 'array') {
      if (old?.kind === 'array' && haveIds(old.items) && haveIds(now.items))
        this.listById(place, old.items, now.items);
      else this.items(place, old?.kind === 'array' ? old.items : [], now.items);
    } else this.replace(place, now);
  }

  /** Files of old pages have groups without ids, in the order in which the page keeps them. */
  private listById(place: JsonArray, old: readonly JsonNode[], now: readonly JsonNode[]): void {
    const [inFile, before, after] = [byId(place.items), byId(old), byId(now)];
    const isWhole = inFile.size === place.items.length && !inFile.has(undefined);
    const isByPlace = !isWhole && place.items.length === old.length;
    const places = isByPlace ? new Map(old.map((was, at) => [idOfItem(was), place.items[at]])) : undefined;
    const placeOf = (id: string | undefined): JsonNode | undefined =>
      places ? places.get(id) : inFile.list(id)[0];
    for (const [id, [item]] of after) {
      const [[was], row] = [before.list(id), placeOf(id)];
      if (!item || isSameValue(was, item)) continue;
      if (row) this.value(row, was, item);
      else this.append(place, this.newValue(item, undefined, places ? ['id'] : []));
    }
    const gone = new Set([...before.keys()].filter((id) => !after.has(id)).map(placeOf));
    this.removeItems(place.items, (item) => gone.has(item));
  }

  /** Values change by index where the file has those that the page had, otherwise the list becomes that of the page. */
  private items(place: JsonArray, before: readonly JsonNode[], now: readonly JsonNode[]): void {
    const old = place.items;
    // A run may have rolled the seed that the page shows: it counts once the user fixes it.
    const isFixed = (at: number): boolean => isWord(now[at + 1], fixed) && !isWord(before[at + 1], fixed);
    const changed = [...now.keys()].filter((at) => !isSameValue(now[at], before[at]) || isFixed(at));
    const other = before.findIndex(
      (value, at) => !isSameValue(old[at], value) && !isWord(old[at + 1], rolled),
    );
    const isKnown = (at: number): boolean =>
      old.length === before.length ? isSameValue(old[at], before[at]) : other < 0 || at < other;
    if (now.length === before.length && changed.every(isKnown)) {
      for (const at of changed) this.replace(old[at], now[at]);
      return;
    }
    let first = 0;
    while (first < now.length && first < old.length && isSameValue(old[first], now[first])) first++;
    const isCut = now.slice(first).every((item, at) => isSameValue(item, old.at(first + at - now.length)));
    const rest = isCut
      ? old.slice(first, first + Math.max(0, old.length - now.length))
      : old.slice(now.length);
    const cut = new Set(rest);
    this.removeItems(old, (item) => cut.has(item));
    if (isCut && cut.size > 0) return;
    now.forEach((item, index) => {
      if (index < old.length) this.replace(old[index], item);
      else this.append(place, this.newValue(item));
    });
  }

  replace(place: JsonNode | undefined, now: JsonNode | undefined): void {
    if (!place || !now || isSameValue(place, now)) return;
    this.rewrite(place, this.newValue(now, place));
  }

  set(object: JsonObject, name: string, value: NewJson): void {
    const old = object.get(name);
    if (old) this.rewrite(old, value);
    else this.plan.add(object, name, this.layout.memberText(object, value));
  }

  append(list: JsonArray, value: NewJson): void {
    this.plan.append(list, this.layout.itemText(list, value));
  }

  appendTo(object: JsonObject, name: string, values: readonly NewJson[]): void {
    const list = object.get(name);
    if (values.length === 0) return;
    if (list?.kind === 'array') for (const value of values) this.append(list, value);
    else this.set(object, name, values);
  }

  removeItems(items: readonly JsonNode[], isGone: (item: JsonNode) => boolean): void {
    items.forEach((item, index) => {
      if (isGone(item)) this.plan.removeItem(items, index);
    });
  }

  /** A value of the page for the file, with the digits of the one it replaces, without the second copies that the page makes. */
  newValue(node: JsonNode, known?: JsonNode, leftOut: readonly string[] = []): NewJson {
    const { text, shown } = this;
    const value = newJson(shown, node, (name) => copies.has(name), { text, node: known });
    if (typeof value === 'string' || isNewList(value)) return value;
    return new Map([...value].filter(([name]) => !leftOut.includes(name)));
  }
}

const fixed = /^fixed$/;

function isWord(node: JsonNode | undefined, word: RegExp): boolean {
  return node?.kind === 'string' && word.test(node.value);
}

function haveIds(items: readonly JsonNode[]): boolean {
  const ids = items.map((item) => (item.kind === 'object' ? idOfItem(item) : undefined));
  return !ids.includes(undefined) && new Set(ids).size === ids.length;
}
