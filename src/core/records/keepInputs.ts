import { budgets } from '../safety/budgets';
import { neutralName } from '../outputs/neutralEnding';
import type { OutputFolder } from '../outputs/outputFolder';
import { inputFacts, type RecordedInput } from './runRecord';
import { safeFileName, splitExtension } from '../outputs/outputNames';
import { writeWhole } from '../outputs/writeWhole';

export interface InputToKeep extends RecordedInput {
  readonly content: Uint8Array;
}

/** Keeps each content once. A copy that can't be written is skipped, because it isn't worth failing a run. */
export async function keepInputs(
  folder: OutputFolder,
  inputs: readonly InputToKeep[],
  mostBytes: number,
): Promise<readonly RecordedInput[]> {
  const copies = new Map<string, string | undefined>();
  for (const input of inputs) {
    if (copies.has(input.sha256) || input.bytes > mostBytes) continue;
    copies.set(input.sha256, await keep(folder, input).catch(() => undefined));
  }
  return inputs.map((input) => ({ ...inputFacts(input), kept: copies.get(input.sha256) }));
}

async function keep(folder: OutputFolder, input: InputToKeep): Promise<string | undefined> {
  const { extension } = splitExtension(safeFileName(input.path, 'input'));
  const name = neutralName(`input-${input.sha256.slice(0, 16)}${extension.toLowerCase()}`);
  const isThere = async (): Promise<boolean | undefined> => {
    const there = await folder.fingerprint(name);
    return there && there.sha256 === input.sha256;
  };
  const before = await isThere();
  if (before !== undefined) return before ? name : undefined;
  const free = await folder.free();
  if (free !== undefined && free - input.bytes < budgets.diskReserve) return undefined;
  try {
    await writeWhole(folder, name, input.content);
    return name;
  } catch (error) {
    // Another run of the same file was faster.
    if (await isThere()) return name;
    throw error;
  }
}
