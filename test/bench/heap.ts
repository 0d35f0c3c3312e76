/** Reachable bytes: objects, and texts and buffers outside the heap of objects. Node runs with --expose-gc. */
export function reachableBytes(): number {
  if (!globalThis.gc) throw new Error('Memory is measured with --expose-gc.');
  // The second run frees what finalizers of the first one released.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
