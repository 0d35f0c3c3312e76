import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { recordName, runPrefix } from '../../src/core/outputs/outputNames';
import { sendingRecord } from '../../src/core/records/recordSteps';
import { writeRunRecord } from '../../src/core/records/runRecord';

/**
 * Run records like those of a text-to-image workflow, each with one output.
 * @param writeOutput writes the file of the output with this number
 */
export async function writeGalleryRuns(
  folder: string,
  runs: number,
  writeOutput: (file: string, number: number) => Promise<void>,
): Promise<void> {
  const start = new Date(2026, 0, 1).getTime();
  for (let number = 0; number < runs; number++) {
    const sentAt = start + number * 60_000;
    const prefix = runPrefix('portrait.json', sentAt);
    const name = `${prefix}-image.png`;
    const file = { name, node: '9', area: 'output', original: name, sha256: String(number), bytes: 0 };
    const inputs = { text: `a picture of animal ${number}, ${'in detail, '.repeat(40)}`, clip: ['4', 1] };
    const nodes = Array.from({ length: 12 }, (_, id) => [id, { class_type: 'CLIPTextEncode', inputs }]);
    const promptText = JSON.stringify(Object.fromEntries(nodes));
    const seeds = { '3.seed': String(number) };
    const sent = sendingRecord({
      server: 'http://127.0.0.1:8188',
      label: 'portrait.json',
      promptText,
      seeds,
      sentAt,
    });
    await writeOutput(path.join(folder, name), number);
    await writeFile(
      path.join(folder, recordName(prefix)),
      writeRunRecord({ ...sent, state: 'saved', expected: [file], files: [file] }),
    );
  }
}
