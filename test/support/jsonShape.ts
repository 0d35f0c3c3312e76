import { isRecord } from '../../src/core/protocol/wire';

/** What the values at one place of JSON texts are, over all that were seen there. */
export interface JsonShape {
  readonly kinds: Set<string>;
  readonly members: Map<string, JsonShape>;
  /** One, or none if no list was seen here. */
  readonly items: JsonShape[];
  objects: number;
  values: number;
}

export function emptyShape(): JsonShape {
  return { kinds: new Set(), members: new Map(), items: [], objects: 0, values: 0 };
}

/** Names that are data, such as node IDs and input names, are one member. */
function memberName(name: string): string {
  return /^[a-zA-Z_]\w*$/.test(name) ? name : '<any>';
}

export function addToShape(shape: JsonShape, value: unknown): void {
  shape.values += 1;
  if (Array.isArray(value)) {
    if (shape.items.length === 0) shape.items.push(emptyShape());
    for (const item of value) for (const known of shape.items) addToShape(known, item);
  } else if (isRecord(value)) {
    shape.objects += 1;
    for (const [name, member] of Object.entries(value)) {
      const key = memberName(name);
      const known = shape.members.get(key) ?? emptyShape();
      shape.members.set(key, known);
      addToShape(known, member);
    }
  } else shape.kinds.add(value === null ? 'null' : typeof value);
}

function shapeText(shape: JsonShape, open: readonly string[]): string {
  const kinds = [...shape.kinds].sort();
  for (const item of shape.items) kinds.push(`[${shapeText(item, open)}]`);
  if (shape.objects > 0) kinds.push(`{${memberTexts(shape, open).join(', ')}}`);
  return kinds.join(' | ');
}

/** @param open names of members that hold what a workflow holds, whose shape is not ours */
export function memberTexts({ members, objects }: JsonShape, open: readonly string[]): string[] {
  return [...members]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => {
      const optional = name === '<any>' || member.values >= objects ? '' : '?';
      return `${name}${optional}: ${open.includes(name) ? '…' : shapeText(member, open)}`;
    });
}
