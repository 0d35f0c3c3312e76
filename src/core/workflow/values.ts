import { type ExactValue, isExactList, isExactObject } from '../json/exactValue';
import { floatText } from '../json/exactWriter';

/** `type(value).__name__` for a value from JSON. */
export function pythonTypeName(value: ExactValue): string {
  if (value === null) return 'NoneType';
  if (isExactList(value)) return 'list';
  if (isExactObject(value)) return 'dict';
  switch (typeof value) {
    case 'bigint':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    default:
      return 'str';
  }
}

/** What `repr(value)` prints: `'text'`, `True`, `None`, `1.0`, `{'a': [1, nan]}`. */
export function pythonRepr(value: ExactValue): string {
  if (value === null) return 'None';
  if (isExactList(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  if (isExactObject(value)) {
    return `{${[...value].map(([name, member]) => `${pythonRepr(name)}: ${pythonRepr(member)}`).join(', ')}}`;
  }
  switch (typeof value) {
    case 'boolean':
      return value ? 'True' : 'False';
    case 'bigint':
      return value.toString();
    case 'number':
      return pythonFloat(value);
    default:
      return quoted(value);
  }
}

export function pythonStr(value: ExactValue): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return floatText(value);
}

const named = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Python uses double quotes only around a text with a single quote and no double one. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replace(/[\\\p{C}\p{Z}]|['"]/gu, (sign) => {
    if (sign === ' ' || (sign !== quote && /['"]/.test(sign))) return sign;
    return sign === quote ? `\\${sign}` : (named.get(sign) ?? escaped(sign));
  });
  return quote + inner + quote;
}

function escaped(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
