import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { strictJson } from '../core/json/strictJson';
import { textOfBytes } from '../core/json/textOfBytes';
import { refuseBySize } from '../core/runs/readWorkflowPrompt';
import { errorCode } from '../core/safety/errorWords';
import { t } from '../core/safety/localize';
import type { Trouble } from './commandProblem';
import { plainText } from './terminal';
import type { RunCallbacks } from '../core/runs/runWorkflow';
import { findLocalFile, type LocalFileQuery, localMediaOf } from '../core/runs/localFile';
import type { LocalMedia } from '../core/runs/localMedia';
import { pathBelow } from '../core/safety/paths';

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

/** Why a file cannot be written, in a sentence. */
export function whyUnwritable(file: string, error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOENT') return t`${file} can't be written, because its folder doesn't exist.`;
  return code === 'EISDIR' ? t`${file} is a folder.` : t`${file} can't be written.`;
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

/** The workflow of a run. */
export interface WorkflowToRun {
  readonly text: string;
  readonly label: string;
  /** Its file, or where that would be: local files are looked for from there. */
  readonly file: string;
  /** The graph of a text that is a prompt. */
  readonly workflowText?: string | undefined;
  /** Finds the local file of an input, if not next to the workflow file; tells people what is odd about it. */
  readonly localMedia?: ((say: (words: string) => void) => RunCallbacks['localMedia']) | undefined;
}

/**
 * The workflow in a file, or why it can't be run.
 * @param edited its text with values of the command line in it
 */
export async function readWorkflow(file: string, edited?: string): Promise<WorkflowToRun | Trouble> {
  const text = edited ?? (await readWorkflowText(file));
  return typeof text === 'string' ? { text, label: path.basename(file), file } : text;
}

/**
 * The file that a workflow names: in the workflow's folder or an `input` or `inputs` folder there, or the same in the
 * working folder if the workflow is below it. Does not follow symbolic links out of the two.
 */
export async function mediaBeside(
  workflow: string,
  name: string,
  workingFolder = process.cwd(),
): Promise<LocalMedia | undefined> {
  const query = queryOf(workflow, name, workingFolder);
  const file = await findLocalFile(query);
  return file && localMediaOf(file, query, path.relative(query.root, file.path));
}

/** Whether there is such a file. */
export async function hasMediaBeside(workflow: string, name: string): Promise<boolean> {
  return (await findLocalFile(queryOf(workflow, name, process.cwd()))) !== undefined;
}

function queryOf(workflow: string, name: string, workingFolder: string): LocalFileQuery {
  const folder = path.dirname(path.resolve(workflow));
  return {
    root: pathBelow(workingFolder, folder, path) !== undefined ? workingFolder : folder,
    folder,
    name,
  };
}
