import { sendingRecord } from '../../../src/core/records/recordSteps';
import type { RunRecord } from '../../../src/core/records/runRecord';
import { writeRunRecord } from '../../../src/core/records/runRecord';
import { MemoryFolder } from '../outputs/memoryFolder';

/** A run with outputs of these names. */
export function savedRun(sentAt: number, files: readonly string[], more: Partial<RunRecord> = {}): RunRecord {
  const recorded = files.map((name) => ({
    name,
    node: '9',
    area: 'output',
    original: name,
    sha256: `hash of ${name}`,
    bytes: name.length,
  }));
  const sent = sendingRecord({ server: 'http://127.0.0.1:8188', label: 'portrait.json', seeds: {}, sentAt });
  return { ...sent, state: 'saved', expected: recorded, files: recorded, ...more };
}

export class RunFolder extends MemoryFolder {
  /** Puts a run record and its outputs into the folder. */
  put(record: string, run: RunRecord): void {
    this.files.set(record, writeRunRecord(run));
    for (const { name } of run.files) this.files.set(name, Buffer.from(name));
  }
}
