import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { indexMembers } from '../core/json/memberIndex';
import { strictJson } from '../core/json/tree';
import { indented } from '../core/json/indentedText';
import { NotUnicode, decodeSentText } from '../core/json/textOfBytes';
import { isRecordName } from '../core/outputs/outputNames';
import { workflowsInLocalFile } from '../core/runs/embeddedFile';
import { refuseLargeWorkflow } from '../core/runs/readWorkflowPrompt';
import type { RunRefusal } from '../core/runs/runRefusal';
import type { EmbeddedWorkflows } from '../core/workflow/pictures/embedded';
import { mayContainWorkflow } from '../core/workflow/pictures/workflowsInPicture';
import { errorCode } from '../core/safety/errorWords';
import { sentencesText, t } from '../core/safety/localize';
import { CommandProblem } from './commandProblem';
import { plainTerminalLine } from './terminal';
import type { RunCallbacks } from '../core/runs/runWorkflow';
import {
  describeLocalMedia,
  findLocalFile,
  type LocalFileQuery,
  type LocalMedia,
} from '../core/runs/localFile';
import { pathBelow } from '../core/safety/paths';
import { writeText } from '../core/outputs/changeFile';

/** A file whose content can't be used. The message begins with its name. */
class UselessFile extends Error {
  constructor(
    readonly words: (file: string) => string,
    readonly remedy = '',
  ) {
    super(words(''));
  }
}

const withoutWorkflow = (): UselessFile => new UselessFile((file) => t`${file} contains no workflow.`);

/** @throws UselessFile for a pipe or a device, which may never end, and whose reading nothing could stop */
async function refusePipe(file: string): Promise<void> {
  const status = await stat(file);
  // Reading a folder fails on its own.
  if (!status.isFile() && !status.isDirectory()) throw new UselessFile((name) => t`${name} is not a file.`);
}

/** Follows symbolic links. @throws an error that {@link whyUnreadable} explains */
export async function readWholeFile(file: string): Promise<Buffer> {
  await refusePipe(file);
  return readFile(file);
}

/** The text of a JSON file in any Unicode encoding. @param binary the message for a file that isn't text */
export async function readJsonFile(
  file: string,
  binary = new UselessFile((name) => t`${name} is not a text file.`),
): Promise<string> {
  const bytes = await readWholeFile(file);
  try {
    return decodeSentText(bytes);
  } catch (error) {
    const { encoding } = error instanceof NotUnicode ? error : {};
    if (encoding === undefined) throw binary;
    throw new UselessFile(
      (name) => t`${name} is not encoded in UTF-8, but probably in ${encoding}.`,
      t`Save it as UTF-8.`,
    );
  }
}

/** Strict JSON at the offsets of the file; only the prompt of a run record. @param name as the person wrote it */
export async function readWorkflowFile(file: string, name = file): Promise<string> {
  const text = await readStrictFile(file);
  const prompt = isRecordName(name) ? indexMembers(text).get('prompt') : undefined;
  if (prompt === undefined || text[prompt.start] !== '{') return text;
  const blank = (part: string): string => part.replace(/[^\r\n]/g, ' ');
  const { start, end } = prompt;
  return blank(text.slice(0, start)) + text.slice(start, end) + blank(text.slice(end));
}

/** `.jsonc` files may contain comments. An output yields its graph, else its prompt, in lines as `extract` does. */
async function readStrictFile(file: string): Promise<string> {
  const { workflow, prompt } = await workflowsInOutput(file);
  const embedded = workflow ?? prompt;
  if (embedded !== undefined) return `${indented(embedded)}\n`;
  const text = await readJsonFile(file, withoutWorkflow());
  return path.extname(file).toLowerCase() === '.jsonc' ? strictJson(text) : text;
}

/** Empty for a text file. @throws UselessFile for an image, audio, video or model file without a workflow */
export async function workflowsInOutput(file: string): Promise<EmbeddedWorkflows> {
  await refusePipe(file);
  const found = await workflowsInLocalFile(file);
  if (found.workflow === undefined && found.prompt === undefined && mayContainWorkflow(file))
    throw withoutWorkflow();
  return found;
}

/** Rejects a workflow file by its size alone. Of an output, only the workflow is read. */
export async function refuseLargeFile(file: string): Promise<RunRefusal | undefined> {
  return mayContainWorkflow(file) ? undefined : refuseLargeWorkflow((await stat(file)).size);
}

export function whyUnreadable(file: string, error: unknown): string {
  if (error instanceof UselessFile) return sentencesText(error.words(file), error.remedy);
  const code = errorCode(error);
  if (code === 'ENOENT') return t`${file} doesn't exist.`;
  return code === 'EISDIR' ? t`${file} is a folder.` : t`${file} can't be read.`;
}

/** Never overwrites the source. @throws CommandProblem */
export async function writeResult(out: string, text: string, source: string): Promise<void> {
  if (await isSameFile(path.resolve(out), path.resolve(source))) {
    throw new CommandProblem(
      t`${plainTerminalLine(out)} would be replaced. Choose another file for the result.`,
    );
  }
  await writeText(out, text).catch((error: unknown) => {
    throw new CommandProblem(whyUnwritable(plainTerminalLine(out), error));
  });
}

/** Paths differ in case or by links, and not every disk has file numbers. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  if (pathBelow(one, other, path) === '') return true;
  const stats = [one, other].map((each) => stat(each, { bigint: true }).catch(() => undefined));
  const [first, second] = await Promise.all(stats);
  return first !== undefined && first.ino !== 0n && first.ino === second?.ino && first.dev === second.dev;
}

function whyUnwritable(file: string, error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOENT') return t`${file} can't be written, because its folder doesn't exist.`;
  return code === 'EISDIR' ? t`${file} is a folder.` : t`${file} can't be written.`;
}

/** @throws CommandProblem */
export async function readWorkflowText(file: string): Promise<string> {
  try {
    const refusal = await refuseLargeFile(file);
    if (refusal) throw new CommandProblem(refusal.message, refusal.nextAction);
    return await readStrictFile(file);
  } catch (error) {
    if (error instanceof CommandProblem) throw error;
    const message = whyUnreadable(plainTerminalLine(file), error);
    const hasRemedy = error instanceof UselessFile && error.remedy !== '';
    throw new CommandProblem(message, hasRemedy ? '' : t`Specify the workflow file to run.`);
  }
}

export interface WorkflowToRun {
  readonly text: string;
  readonly label: string;
  /** Its file, or where that would be: local files are looked for from there. */
  readonly file: string;
  /** The graph, if `text` is a prompt. */
  readonly workflowText?: string | undefined;
  /** Finds the local file of an input, if not next to the workflow file; tells people what is odd about it. */
  readonly localMedia?: ((say: (words: string) => void) => RunCallbacks['localMedia']) | undefined;
}

/** @param edited its text with values of the command line in it */
export async function readWorkflow(file: string, edited?: string): Promise<WorkflowToRun> {
  return { text: edited ?? (await readWorkflowText(file)), label: path.basename(file), file };
}

/**
 * Looks in the workflow's folder, its `input` and `inputs`, then in those of the working folder if it is above. Doesn't
 * follow symbolic links out of these.
 */
export async function mediaBeside(
  workflow: string,
  name: string,
  workingFolder = process.cwd(),
): Promise<LocalMedia | undefined> {
  const query = queryOf(workflow, name, workingFolder);
  const file = await findLocalFile(query);
  return file && describeLocalMedia(file, query, path.relative(query.root, file.path));
}

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
