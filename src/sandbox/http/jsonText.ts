import { floatText } from '../../core/json/exactWriter';

/** Python writes spaces after separators, ASCII only, NaN and Infinity, and floats with a decimal point. */
export function pythonJsonText(data: unknown): string {
  return write(data, false);
}

function write(data: unknown, exact: boolean): string {
  switch (typeof data) {
    case 'string':
      return quoted(data);
    case 'number':
      return exact || !Number.isFinite(data) ? floatText(data) : String(data);
    case 'bigint':
    case 'boolean':
      return String(data);
    case 'object':
      break;
    default:
      return 'null';
  }
  if (data === null) return 'null';
  if (Array.isArray(data)) return `[${data.map((item) => write(item, exact)).join(', ')}]`;
  if (data instanceof Map) return members([...data], true);
  return members(Object.entries(data), exact);
}

function members(entries: readonly (readonly [unknown, unknown])[], exact: boolean): string {
  const kept = entries.filter(([, value]) => value !== undefined);
  return `{${kept.map(([name, value]) => `${quoted(String(name))}: ${write(value, exact)}`).join(', ')}}`;
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
