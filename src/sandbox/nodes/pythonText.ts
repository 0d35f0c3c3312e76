import { pythonRepr as exactRepr } from '../../core/workflow/values';

/** Writes a value like Python's `repr`, which the real server's failures and text previews are full of. */
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

/** Writes a value like Python's `str`: text as it is, everything else as `repr`. */
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

/** The sandbox's own values have no Python text, so they get a description. */
function describeObject(value: object): string {
  return 'describe' in value && typeof value.describe === 'string'
    ? value.describe
    : `<${value.constructor.name}>`;
}

/**
 * An exception in a node: the real server's exception type and message, so that the sandbox can test how a client
 * reads failures (protocol 7.3).
 */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';

  constructor(
    /** A Python class name, with its module unless it is built in. */
    readonly exceptionType: string,
    message: string,
  ) {
    super(message);
  }
}

/** The failure for a picture or batch too large for any machine, in the real server's words. */
export function outOfMemory(): NodeFailure {
  return new NodeFailure('torch.OutOfMemoryError', 'Allocation on device');
}
