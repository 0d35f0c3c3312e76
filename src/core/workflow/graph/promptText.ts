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
  if (isExactList(value)) return `[${value.map(valueText).join(',')}]`;
  if (isExactObject(value)) return objectText(value);
  if (typeof value === 'bigint') return value.toString();
  return JSON.stringify(value);
}

function objectText(object: ExactObject): string {
  return `{${inEditorOrder(object)
    .map(([name, value]) => `${JSON.stringify(name)}:${valueText(value)}`)
    .join(',')}}`;
}

/** In the browser, names that are whole numbers stand first, ascending; all others as they came. */
function inEditorOrder<T>(members: ReadonlyMap<string, T>): [string, T][] {
  const numbers: [string, T][] = [];
  const others: [string, T][] = [];
  for (const member of members) (isIndex(member[0]) ? numbers : others).push(member);
  return [...numbers.sort(([a], [b]) => Number(a) - Number(b)), ...others];
}

function isIndex(name: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < 2 ** 32 - 1;
}
