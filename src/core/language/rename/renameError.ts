/** What is at this position can't be renamed, or not to this name; the message says why and what to do. */
export class RenameError extends Error {
  override readonly name = 'RenameError';
}
