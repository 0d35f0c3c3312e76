import { EditPlan } from '../json/editPlan';
import { isNewList, JsonLayout, newJson, type NewJson } from '../json/jsonLayout';
import type { JsonArray, JsonNode, JsonObject } from '../json/node';
import { readId, readIds } from '../workflow/graph/members';
import { byId, idOfItem, isSameValue, memberNames } from './canvasState';

const nothing: ReadonlySet<string> = new Set();
const linkIdSets = new Set(['linkIds']);

/** Makes values of a file differ as two values of the page do, whatever they mean. */
export class JsonWriter {
  readonly plan: EditPlan;
  private readonly layout: JsonLayout;
  /** Names of second copies that no part of the file has. */
  private readonly unknownCopies: ReadonlySet<string>;

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
    this.unknownCopies = new Set(
      ['localized_name', 'widgets_values_named'].filter((name) => !text.includes(`"${name}"`)),
    );
  }

  /** Puts a value of the page in the place of another one, keeping the digits that the page has lost. */
  rewrite(old: JsonNode, now: JsonNode): string {
    const text = this.layout.valueText(old, this.newValue(now, old));
    this.plan.replace(old, text);
    return text;
  }

  object(
    file: JsonObject,
    old: JsonObject,
    now: JsonObject,
    noise: ReadonlySet<string> = nothing,
    sets: ReadonlySet<string> = linkIdSets,
  ): void {
    for (const name of memberNames(old, now)) {
      const [was, value] = [old.get(name), now.get(name)];
      if (noise.has(name) || isSameValue(was, value)) continue;
      if (sets.has(name) && value && file.get(name)?.kind === 'array') this.idSet(file, name, was, value);
      else this.member(file, name, was, value);
    }
  }

  member(
    file: JsonObject,
    name: string,
    old: JsonNode | undefined,
    now: JsonNode | undefined,
    noise: ReadonlySet<string> = nothing,
  ): void {
    const property = file.property(name);
    if (!now) {
      if (property) this.plan.remove(file, property);
    } else if (property?.value && property.value.kind !== 'null') this.value(property.value, old, now, noise);
    else if (old?.kind === 'object' && now.kind === 'object') {
      // What the page added to the file by itself is left out.
      const same = now.properties.filter(({ name: each, value }) => isSameValue(old.get(each), value));
      this.set(file, name, this.newValue(now, undefined, ...noise, ...same.map((each) => each.name)));
    } else this.set(file, name, this.newValue(now, undefined, ...noise));
  }

  value(place: JsonNode, old: JsonNode | undefined, now: JsonNode, noise = nothing): void {
    if (place.kind === 'object' && now.kind === 'object' && old?.kind === 'object') {
      this.object(place, old, now, noise);
    } else if (place.kind === 'object' && now.kind === 'array' && place.get('0')) {
      now.items.forEach((item, index) => {
        this.replace(place.get(String(index)), item);
      });
    } else if (place.kind === 'array' && now.kind === 'array') {
      if (old?.kind === 'array' && haveIds(old.items) && haveIds(now.items)) this.listById(place, old, now);
      else this.items(place, now);
    } else this.replace(place, now);
  }

  /** Files of old pages have groups without ids, in the order in which the page keeps them. */
  private listById(place: JsonArray, old: JsonArray, now: JsonArray): void {
    const [inFile, before, after] = [byId(place.items), byId(old.items), byId(now.items)];
    const isByPlace = !haveIds(place.items) && place.items.length === old.items.length;
    const leftOut = isByPlace && place.items.length > 0 ? ['id'] : [];
    const places = new Map(old.items.map((was, at) => [idOfItem(was), place.items[at]]));
    const placeOf = (id: string | undefined): JsonNode | undefined =>
      isByPlace ? places.get(id) : inFile.list(id)[0];
    for (const item of now.items) {
      const id = idOfItem(item);
      const [[was], row] = [before.list(id), placeOf(id)];
      if (isSameValue(was, item)) continue;
      if (was && row) this.value(row, was, item);
      else this.append(place, this.newValue(item, undefined, ...leftOut));
    }
    const gone = new Set([...before.keys()].filter((id) => !after.has(id)).map(placeOf));
    this.removeItems(place.items, (item) => gone.has(item));
  }

  /** Makes a list of values that of the page. */
  items(place: JsonArray, now: JsonArray): void {
    const [old, items] = [place.items, now.items];
    let first = 0;
    while (first < items.length && first < old.length && isSameValue(old[first], items[first])) first++;
    const isCut = items
      .slice(first)
      .every((item, at) => isSameValue(item, old.at(first + at - items.length)));
    if (old.length > items.length && isCut) {
      const cut = new Set(old.slice(first, first + old.length - items.length));
      this.removeItems(old, (item) => cut.has(item));
      return;
    }
    items.forEach((item, index) => {
      if (index < old.length) this.replace(old[index], item);
      else this.append(place, this.newValue(item));
    });
    const rest = new Set(old.slice(items.length));
    this.removeItems(old, (item) => rest.has(item));
  }

  private idSet(file: JsonObject, name: string, old: JsonNode | undefined, now: JsonNode): void {
    const place = file.get(name);
    if (place?.kind !== 'array') return;
    const [inFile, before, after] = [place, old, now].map(
      (list) => new Set(list?.kind === 'array' ? readIds(list.items) : []),
    );
    this.removeItems(place.items, (item) => {
      const id = readId(item) ?? '';
      return before?.has(id) === true && after?.has(id) !== true;
    });
    for (const item of now.kind === 'array' ? now.items : []) {
      const id = readId(item);
      if (id !== undefined && inFile?.has(id) !== true) this.append(place, this.newValue(item));
    }
  }

  replace(place: JsonNode | undefined, now: JsonNode | undefined): void {
    if (!place || !now || isSameValue(place, now)) return;
    this.plan.replace(place, this.layout.valueText(place, this.newValue(now, place)));
  }

  set(object: JsonObject, name: string, value: NewJson): void {
    const old = object.get(name);
    if (old) this.plan.replace(old, this.layout.valueText(old, value));
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

  /** A value of the page for the file, without the second copies that the file does without. */
  newValue(node: JsonNode, known?: JsonNode, ...leftOut: readonly string[]): NewJson {
    const { text, shown } = this;
    const value = newJson(shown, node, (name) => this.unknownCopies.has(name), { text, node: known });
    if (typeof value === 'string' || isNewList(value)) return value;
    return new Map([...value].filter(([name]) => !leftOut.includes(name)));
  }
}

function haveIds(items: readonly JsonNode[]): boolean {
  const ids = items.map((item) => (item.kind === 'object' ? idOfItem(item) : undefined));
  return !ids.includes(undefined) && new Set(ids).size === ids.length;
}
