import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encode } from 'fast-png';
import { recordName, runPrefix } from '../../src/core/outputs/outputNames';
import { sendingRecord } from '../../src/core/records/recordSteps';
import { type RunRecord, writeRunRecord } from '../../src/core/records/runRecord';
import { mediaKind } from '../../src/core/protocol/outputRecord';

export interface SavedRun {
  readonly label: string;
  readonly sentAt: number;
  readonly seed: string;
  readonly text: string;
  /** Endings of the outputs, such as `png`. */
  readonly endings: readonly string[];
  /** Gives its pictures this width and height, and noise, which makes their files large. */
  readonly side?: number;
  /** Replaces members of the record. */
  readonly more?: Partial<RunRecord>;
}

/** The prompt of a saved run, with every digit of its seed. */
export function promptOf({ seed, text }: Pick<SavedRun, 'seed' | 'text'>): string {
  const nodes = [
    `"3": {"class_type": "KSampler", "inputs": {"seed": ${seed}, "steps": 20, "cfg": 8.0, "positive": ["6", 0]}}`,
    `"6": {"class_type": "CLIPTextEncode", "inputs": {"text": ${JSON.stringify(text)}}}`,
  ];
  return `{${nodes.join(', ')}}`;
}

/** Writes a run record with its outputs, as if the run had been saved in this folder; the name of the record. */
export function writeSavedRun(folder: string, run: SavedRun): string {
  mkdirSync(folder, { recursive: true });
  const prefix = runPrefix(run.label, run.sentAt);
  const files = run.endings.map((ending, index) => {
    const name = `${prefix}-output_${index}.${ending}`;
    const bytes =
      mediaKind(name, undefined, '') === 'image' ? gradient(run.seed, run.side) : Buffer.from(run.text);
    writeFileSync(path.join(folder, name), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { name, node: '9', area: 'output', original: name, sha256, bytes: bytes.length };
  });
  const sent = sendingRecord({
    server: 'http://127.0.0.1:8188',
    label: run.label,
    sourceUri: run.label,
    promptText: promptOf(run),
    seeds: { '3.seed': run.seed },
    sentAt: run.sentAt,
  });
  const record: RunRecord = { ...sent, state: 'saved', job: prefix, expected: files, files, ...run.more };
  writeFileSync(path.join(folder, recordName(prefix)), writeRunRecord(record));
  return recordName(prefix);
}

/** A gradient whose colors depend on the seed; with a side, a square of noise on top of it. */
export function gradient(seed: string, side?: number): Uint8Array {
  const [width, height] = side === undefined ? [96, 64] : [side, side];
  const hue = Number(BigInt(seed) % 200n);
  const data = new Uint8Array(width * height * 3);
  for (let at = 0, noise = 1; at < width * height; at++) {
    noise = side === undefined ? 0 : (noise * 1103515245 + 12345) % 2 ** 31;
    const [x, y] = [(at % width) * (240 / width), Math.floor(at / width) * (256 / height)];
    data.set([hue, Math.floor(x) + (noise >> 27), Math.floor(y)], at * 3);
  }
  return encode({ width, height, data, channels: 3, depth: 8 });
}
