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
