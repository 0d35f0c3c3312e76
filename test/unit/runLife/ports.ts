import type { RunPorts } from '../../../src/core/runLife/ownedRun';
import { MemoryFolder } from '../outputs/memoryFolder';

/** A run that is recorded in memory, and of which nobody is told. */
export function portsInMemory(more: Partial<RunPorts> = {}): RunPorts {
  return {
    folder: new MemoryFolder(),
    hide: (text) => text,
    largestCopy: 20_000_000,
    isSandbox: false,
    giveUpAfter: 120_000,
    ...more,
  };
}
