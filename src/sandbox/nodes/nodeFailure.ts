/**
 * What a node raises: the real server's exception type and words, so that a client's reading of failures can be tried
 * out on the sandbox (protocol 7.3).
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

/** The answer to a picture or a batch that no machine would hold, in the words of the real one. */
export function outOfMemory(): NodeFailure {
  return new NodeFailure('torch.OutOfMemoryError', 'Allocation on device');
}
