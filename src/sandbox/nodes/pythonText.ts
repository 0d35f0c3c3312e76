import { exactFrom } from '../../core/json/exactValue';
import { pythonRepr as exactRepr, pythonTypeName as exactTypeName } from '../../core/workflow/values';

/** Like Python's `repr`; the sandbox's own values have no Python text, so they describe themselves. */
export function sandboxRepr(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sandboxRepr).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return exactRepr(exactFrom(value));
  if ('describe' in value && typeof value.describe === 'string') return value.describe;
  const members = Object.entries(value).map(([key, member]) => `${exactRepr(key)}: ${sandboxRepr(member)}`);
  return `{${members.join(', ')}}`;
}

/** Like Python's `str`: a text as it is, all else as `repr`. */
export function sandboxStr(value: unknown): string {
  return typeof value === 'string' ? value : sandboxRepr(value);
}

/** Python's name for the type of a value. */
export function sandboxTypeName(value: unknown): string {
  return exactTypeName(exactFrom(value));
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
