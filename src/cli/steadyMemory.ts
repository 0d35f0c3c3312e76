import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How much may be left behind before it is cleared away, bytes. */
const tolerated = 64 * 1024 * 1024;

/**
 * Keeps a long loop over files small: the engine lets rubbish grow to several times of what is in use, and thousands of
 * files leave much of it. The answer is called after each file; it does nothing where the engine cannot be asked.
 */
export function steadyMemory(): () => void {
  const collect = collector();
  let inUse = process.memoryUsage().heapUsed;
  return () => {
    if (!collect || process.memoryUsage().heapUsed < inUse + tolerated) return;
    collect();
    inUse = process.memoryUsage().heapUsed;
  };
}

function collector(): (() => void) | undefined {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('globalThis.gc');
  return typeof found === 'function' ? () => void Reflect.apply(found, undefined, []) : undefined;
}
