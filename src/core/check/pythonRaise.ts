import type { ErrorPlace } from './errorPlace';

/**
 * The server's own code raises an exception at this point of its checks. It is the model of an event, caught by the
 * code that models the server's handlers; it never leaves this folder.
 */
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
