import type { ErrorPlace } from './errorPlace';

/** Models an exception in the server's own code, and never leaves this folder. */
export class PythonRaise extends Error {
  override readonly name = 'PythonRaise';
  constructor(
    /** `KeyError`, `IndexError`, `TypeError` … */
    readonly exceptionType: string,
    /** What `str(exception)` prints. */
    readonly text: string,
    readonly place?: ErrorPlace,
  ) {
    super(`${exceptionType}: ${text}`);
  }
}
