import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeStartedBatch } from '../../src/core/batch/startedBatch';
import { countBatchRows, type BatchAxis } from '../../src/core/batch/batchTable';
import { NodeFolder } from '../../src/core/outputs/nodeFolder';
import { recordName, runPrefix } from '../../src/core/outputs/outputNames';
import { sendingRecord } from '../../src/core/records/recordSteps';
import { type RunRecord, writeRunRecord } from '../../src/core/records/runRecord';
import { gradient, promptOf } from './galleryOutputs';

/** A started batch on disk, whose rows are saved as a test likes. */
export class KeptRows {
  readonly rows: number;

  private constructor(
    readonly folder: string,
    readonly id: string,
    readonly label: string,
    readonly name: string,
    axes: readonly BatchAxis[],
  ) {
    this.rows = countBatchRows(axes);
  }

  static async start(
    folder: string,
    label: string,
    axes: Readonly<Record<string, readonly string[]>>,
  ): Promise<KeptRows> {
    mkdirSync(folder, { recursive: true });
    const known = Object.entries(axes).map(([name, steps], index): BatchAxis => {
      const [nodeName = '', input = ''] = name.split('.');
      const column = { nodeId: String(index), nodeName, input, offset: index, length: 1 };
      return { columns: [column], steps: steps.map((text) => [text]) };
    });
    const about = { label, workflow: `../${label}`, workflowHash: '', isPaid: false, axes: known };
    const { name, batch } = await writeStartedBatch(new NodeFolder(folder), about, Date.now());
    return new KeptRows(folder, batch.id, label, name, known);
  }

  save(row: number, ending: string): void {
    this.#write(row, { state: 'saved' }, ending);
  }

  fail(row: number, message: string): void {
    this.#write(row, { state: 'failed', error: { message } }, undefined);
  }

  #write(row: number, change: Partial<RunRecord>, ending: string | undefined): void {
    const seed = String(row * 9);
    const sentAt = Date.UTC(2026, 4, 1) + row * 1_000;
    const prefix = runPrefix(this.label, sentAt);
    const sent = sendingRecord({
      server: 'http://127.0.0.1:8188',
      label: this.label,
      sourceUri: this.label,
      promptText: promptOf({ seed, text: 'a lake' }),
      seeds: { '3.seed': seed },
      sentAt,
    });
    const name = `${prefix}.${ending ?? ''}`;
    const bytes = ending === 'png' ? gradient(seed) : Buffer.from('content');
    if (ending !== undefined) writeFileSync(path.join(this.folder, name), bytes);
    const file = { name, node: '9', area: 'output', original: name, sha256: name, bytes: bytes.length };
    const files = ending === undefined ? [] : [file];
    const batch = { id: this.id, row };
    const record: RunRecord = { ...sent, job: prefix, batch, files, expected: files, ...change };
    writeFileSync(path.join(this.folder, recordName(prefix)), writeRunRecord(record));
  }
}
