/** Bytes that are reachable now: objects, and texts and buffers outside the heap of objects. Node runs with --expose-gc. */
export function reachableBytes(): number {
  if (!globalThis.gc) throw new Error('Memory is measured with --expose-gc.');
  // The second run frees what finalisers of the first one let go.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
