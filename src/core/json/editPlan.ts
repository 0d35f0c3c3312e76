import {
  type JsonArray,
  type JsonNode,
  type JsonObject,
  type JsonProperty,
  type JsonRange,
  rangeEnd,
} from './node';
import { JsonLayout } from './jsonLayout';
import { removedAt, replaceValue, type TextEdit, insertProperty, removedItems } from './textEdit';

/** Changes to a text, collected so that those of one object can be made together. */
export class EditPlan {
  readonly #changes = new Map<JsonObject, { remove: Set<JsonProperty>; add: Map<string, string> }>();
  readonly #items = new Map<readonly JsonRange[], Set<number>>();
  readonly #added = new Map<JsonArray, string[]>();
  readonly #replaced = new Map<number, TextEdit>();

  #layout: JsonLayout | undefined;

  constructor(private readonly text: string) {}

  /** Replaces a name or value. Of two replacements of one range, the first wins. */
  replace(place: JsonRange, newText: string): void {
    if (!this.#replaced.has(place.offset)) this.#replaced.set(place.offset, replaceValue(place, newText));
  }

  remove(object: JsonObject, property: JsonProperty): void {
    this.#change(object).remove.add(property);
  }

  add(object: JsonObject, name: string, valueText: string): void {
    const { add } = this.#change(object);
    if (!add.has(name)) add.set(name, valueText);
  }

  /** Sets a member: the value that is there is replaced, else the member is added. */
  set(object: JsonObject, name: string, valueText: string): void {
    const value: JsonNode | undefined = object.get(name);
    if (value) this.replace(value, valueText);
    else this.add(object, name, valueText);
  }

  /** Adds an item at the end of a list, laid out like those that are there. */
  append(list: JsonArray, valueText: string): void {
    const known = this.#added.get(list);
    if (known) known.push(valueText);
    else this.#added.set(list, [valueText]);
  }

  /** Takes an item out of a list with its comma; all items of one list go together. */
  removeItem(items: readonly JsonRange[], index: number): void {
    const known = this.#items.get(items);
    if (known) known.add(index);
    else this.#items.set(items, new Set([index]));
  }

  /** In text order, without overlaps: edits inside something removed or replaced are dropped. */
  edits(): TextEdit[] {
    const members = [...this.#changes].flatMap(([object, { remove, add }]) => {
      const added = [...add].map(([name, valueText]) => ({ name, valueText }));
      return memberEdits(this.text, object, { remove, add: added });
    });
    const items = [...this.#items].flatMap(([list, places]) => {
      return removedAt(
        list,
        [...places].sort((a, b) => a - b),
      );
    });
    const added = [...this.#added].map(([list, texts]) => this.#addition(list, texts));
    return apart([...members, ...added, ...items, ...this.#replaced.values()]);
  }

  #addition(list: JsonArray, texts: readonly string[]): TextEdit {
    const layout = (this.#layout ??= new JsonLayout(this.text));
    const { items, offset, length } = list;
    if (items.length > (this.#items.get(items)?.size ?? 0)) {
      const last = items.at(-1) ?? list;
      return { offset: rangeEnd(last), length: 0, newText: layout.appendedText(list, texts) };
    }
    return { offset: offset + 1, length: Math.max(0, length - 2), newText: layout.filledText(list, texts) };
  }

  #change(object: JsonObject): { remove: Set<JsonProperty>; add: Map<string, string> } {
    const known = this.#changes.get(object);
    if (known) return known;
    const change = { remove: new Set<JsonProperty>(), add: new Map<string, string>() };
    this.#changes.set(object, change);
    return change;
  }
}

function apart(edits: readonly TextEdit[]): TextEdit[] {
  const taken = new Set<TextEdit>();
  let span: TextEdit | undefined;
  for (const edit of [...edits].sort((a, b) => a.offset - b.offset || b.length - a.length)) {
    // Insertions at the edges of a change are kept.
    const isApart =
      !span || edit.offset >= rangeEnd(span) || (edit.length === 0 && edit.offset === span.offset);
    if (!isApart && span && edit.length <= span.length) continue;
    if (!isApart && span) taken.delete(span);
    if (edit.length > 0) span = edit;
    taken.add(edit);
  }
  return [...taken].sort((a, b) => a.offset - b.offset || a.length - b.length);
}

interface MemberChange {
  readonly remove?: ReadonlySet<JsonProperty>;
  readonly add?: readonly { readonly name: string; readonly valueText: string }[];
  /** The member behind which to add, laid out like the last one; otherwise behind the last one that stays. */
  readonly after?: JsonProperty | undefined;
}

/** All changes of an object must be made together: each depends on which neighbors stay. */
export function memberEdits(
  text: string,
  object: JsonObject,
  { remove = new Set(), add = [], after }: MemberChange,
): TextEdit[] {
  const { properties } = object;
  const kept = properties.filter((each) => !remove.has(each));
  const last = kept.at(-1);
  if (last) {
    const removals = removedItems(properties, (each) => remove.has(each));
    const newText = add.map(({ name, valueText }) => insertedText(text, object, name, valueText)).join('');
    return newText === '' ? removals : [...removals, { offset: rangeEnd(after ?? last), length: 0, newText }];
  }
  const [first, end] = [properties[0], properties.at(-1)];
  if (!first || !end) return intoEmpty(text, object, add);
  // A comma may be behind the last one.
  if (add.length === 0) return [{ offset: object.offset + 1, length: object.length - 2, newText: '' }];
  const layout = properties.length > 1 ? insertedText(text, object, 'x', '0') : undefined;
  const space = layout?.slice(1, layout.indexOf('"')) ?? ' ';
  const members = add.map(({ name, valueText }) => `${JSON.stringify(name)}: ${valueText}`);
  return [{ offset: first.offset, length: rangeEnd(end) - first.offset, newText: members.join(`,${space}`) }];
}

function insertedText(text: string, object: JsonObject, name: string, valueText: string): string {
  return insertProperty(text, object, name, valueText).newText;
}

function intoEmpty(text: string, object: JsonObject, add: MemberChange['add'] = []): TextEdit[] {
  const [first, ...more] = add;
  if (!first) return [];
  const edit = insertProperty(text, object, first.name, first.valueText);
  const before = edit.newText.slice(0, edit.newText.indexOf('"'));
  const member = `${JSON.stringify(first.name)}: ${first.valueText}`;
  const others = more.map(
    ({ name, valueText }) => `,${before === '' ? ' ' : before}${JSON.stringify(name)}: ${valueText}`,
  );
  const after = edit.newText.slice(before.length + member.length);
  return [{ ...edit, newText: before + member + others.join('') + after }];
}
