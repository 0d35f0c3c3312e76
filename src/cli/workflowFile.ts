import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { strictJson } from '../core/json/strictJson';
import { textOfBytes } from '../core/json/textOfBytes';
import { refuseBySize } from '../core/runs/readWorkflowPrompt';
import { errorCode } from '../core/safety/errorWords';
import { t } from '../core/safety/localize';
import type { Trouble } from './commandReport';
import { plainText } from './terminal';

/** A pipe or a device, which may never end, and whose reading nothing could stop. */
class NotAFile extends Error {}

/**
 * The content of a file, or of what a symbolic link leads to.
 * @throws an error that {@link whyUnreadable} explains
 */
export async function readWholeFile(file: string): Promise<Buffer> {
  const status = await stat(file);
  // Reading a folder fails on its own.
  if (!status.isFile() && !status.isDirectory()) throw new NotAFile(t`${plainText(file)} is not a file.`);
  return readFile(file);
}

/** The text of a JSON file in any Unicode encoding. */
export async function readJsonFile(file: string): Promise<string> {
  return textOfBytes(await readWholeFile(file));
}

/** The text of a workflow file as strict JSON, at the offsets of the file: a `.jsonc` file may contain comments. */
export async function readWorkflowFile(file: string): Promise<string> {
  const text = await readJsonFile(file);
  return path.extname(file).toLowerCase() === '.jsonc' ? strictJson(text) : text;
}

/** Why a file cannot be read, in a sentence. */
export function whyUnreadable(file: string, error: unknown): string {
  if (error instanceof NotAFile) return t`${file} is not a file.`;
  const code = errorCode(error);
  if (code === 'ENOENT') return t`${file} doesn't exist.`;
  return code === 'EISDIR' ? t`${file} is a folder.` : t`${file} can't be read.`;
}

/** The text of a workflow file, or why it can't be read. */
export async function readWorkflowText(file: string): Promise<string | Trouble> {
  try {
    const tooLarge = refuseBySize((await stat(file)).size);
    return tooLarge ?? (await readWorkflowFile(file));
  } catch (error) {
    return {
      message: whyUnreadable(plainText(file), error),
      nextAction: t`Specify the workflow file to run.`,
    };
  }
}
