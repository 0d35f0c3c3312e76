import { pythonRepr as exactRepr } from '../../core/workflow/values';

/** Like Python's `repr`, which failures and text previews of the real server are full of. */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return exactRepr(value);
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    const members = Object.entries(value).map(([key, member]) => `${exactRepr(key)}: ${pythonRepr(member)}`);
    return `{${members.join(', ')}}`;
  }
  return typeof value === 'object' ? describeObject(value) : typeof value;
}

/** Like Python's `str`: a text as it is, all else as `repr`. */
export function pythonStr(value: unknown): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

/** Python's name for the type of a value. */
export function pythonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (Array.isArray(value)) return 'list';
  return 'dict';
}

function numberText(value: number | bigint): string {
  if (typeof value === 'bigint') return value.toString();
  return Number.isInteger(value) ? BigInt(value).toString() : exactRepr(value);
}

/** The sandbox's own values have no Python text. */
function describeObject(value: object): string {
  return 'describe' in value && typeof value.describe === 'string'
    ? value.describe
    : `<${value.constructor.name}>`;
}

/** Carries the real server's exception type and message (protocol 7.3). */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';

  constructor(
    /** With the module, unless the class is built in. */
    readonly exceptionType: string,
    message: string,
  ) {
    super(message);
  }
}

export function outOfMemory(): NodeFailure {
  return new NodeFailure('torch.OutOfMemoryError', 'Allocation on device');
}
