import type { JsonObject, JsonProperty } from '../../json/node';
import { insertProperty, removedItems, type TextEdit } from '../../json/textEdit';
import { rangeEnd } from '../places/jsonPlace';

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
