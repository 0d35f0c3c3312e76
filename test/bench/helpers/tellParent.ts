/** Sends a message to the parent process. */
export function tellParent(word: unknown): void {
  process.send?.(word);
}
