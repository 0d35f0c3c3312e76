import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { strictJson } from '../core/json/strictJson';
import { textOfBytes } from '../core/json/textOfBytes';
import { errorCode } from '../core/safety/errorWords';

/** The text of a JSON file, whatever Unicode encoding it is in. */
export async function readJsonFile(file: string): Promise<string> {
  return textOfBytes(await readFile(file));
}

/** The text of a workflow file as strict JSON, at the offsets of the file: a `.jsonc` file may hold comments. */
export async function readWorkflowFile(file: string): Promise<string> {
  const text = await readJsonFile(file);
  return path.extname(file).toLowerCase() === '.jsonc' ? strictJson(text) : text;
}

/** Why a file cannot be read, as the end of a sentence. */
export function whyUnreadable(error: unknown): string {
  const code = errorCode(error);
  return code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder' : 'cannot be read';
}
