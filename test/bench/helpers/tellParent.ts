/** Says something to the process that started this one. */
export function tellParent(word: unknown): void {
  process.send?.(word);
}
