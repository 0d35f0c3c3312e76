import type { SavedOutput } from '../../src/core/outputs/expectedFile';
import { OwnedRun } from '../../src/core/runLife/ownedRun';
import { saveRunOutputs } from '../../src/core/runLife/saveOutputs';

interface Alone extends Omit<Parameters<typeof saveRunOutputs>[0], 'run'> {
  readonly record: { readonly promptText?: string; readonly hide: (text: string) => string };
}

/** Saves the outputs of a job that was submitted elsewhere, next to a record of its own. */
export async function saveAlone({ record, ...request }: Alone): Promise<SavedOutput[]> {
  const { hide, promptText } = record;
  const ports = { folder: request.folder, hide, largestCopy: 0, isSandbox: false, giveUpAfter: Infinity };
  const run = await OwnedRun.foreign(request.job, ports, promptText);
  try {
    return await saveRunOutputs({ ...request, run: run.file });
  } finally {
    await run.close();
  }
}
