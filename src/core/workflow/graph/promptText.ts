import { type ExactObject, type ExactValue, isExactList, isExactObject } from '../../json/exactValue';

/** A node of a compiled prompt. */
export interface PromptEntry {
  readonly classType: string;
  readonly title: string;
  readonly inputs: ReadonlyMap<string, ExactValue>;
}

/** The JSON text of a prompt, compact, with every digit of integers and floats as the editor writes them. */
export function promptText(entries: ReadonlyMap<string, PromptEntry>, longest: number): string | undefined {
  const nodes: string[] = [];
  let length = 2;
  for (const [id, { classType, title, inputs }] of inEditorOrder(entries)) {
    const members = `"inputs":${objectText(inputs)},"class_type":${JSON.stringify(classType)}`;
    const node = `${JSON.stringify(id)}:{${members},"_meta":{"title":${JSON.stringify(title)}}}`;
    length += node.length + 1;
    if (length > longest) return undefined;
    nodes.push(node);
  }
  return `{${nodes.join(',')}}`;
}

function valueText(value: ExactValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isExactList(value)) return `[${value.map(valueText).join(',')}]`;
  if (isExactObject(value)) return objectText(value);
  if (typeof value === 'bigint') return value.toString();
  return JSON.stringify(value);
}

function objectText(object: ExactObject): string {
  let text = '';
  for (const [name, value] of inEditorOrder(object)) {
    text += `${text && ','}${JSON.stringify(name)}:${valueText(value)}`;
  }
  return `{${text}}`;
}

/** In the browser, names that are whole numbers stand first, ascending; all others as they came. */
function inEditorOrder<T>(members: ReadonlyMap<string, T>): Iterable<readonly [string, T]> {
  if (!holdsIndex(members)) return members;
  const numbers: [string, T][] = [];
  const others: [string, T][] = [];
  for (const member of members) (isIndex(member[0]) ? numbers : others).push(member);
  return [...numbers.sort(([a], [b]) => Number(a) - Number(b)), ...others];
}

function holdsIndex(members: ReadonlyMap<string, unknown>): boolean {
  for (const name of members.keys()) if (isIndex(name)) return true;
  return false;
}

function isIndex(name: string): boolean {
  // Most names are words.
  const first = name.charCodeAt(0);
  return first >= 48 && first <= 57 && /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < 2 ** 32 - 1;
}
