import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { indexMembers } from '../core/json/memberIndex';
import { strictJson } from '../core/json/tree';
import { indented } from '../core/json/indentedText';
import { NotUnicode, unicodeTextOf } from '../core/json/textOfBytes';
import { isRecordName } from '../core/outputs/recordName';
import { workflowsInLocalFile } from '../core/runs/embeddedFile';
import { refuseBySize } from '../core/runs/readWorkflowPrompt';
import type { RunRefusal } from '../core/runs/runRefusal';
import type { EmbeddedWorkflows } from '../core/workflow/pictures/embedded';
import { mayContainWorkflow } from '../core/workflow/pictures/workflowsInPicture';
import { errorCode } from '../core/safety/errorWords';
import { sentencesText, t } from '../core/safety/localize';
import { CommandProblem, type Trouble } from './commandProblem';
import { plainText } from './terminal';
import type { RunCallbacks } from '../core/runs/runWorkflow';
import { findLocalFile, type LocalFileQuery, localMediaOf } from '../core/runs/localFile';
import type { LocalMedia } from '../core/runs/localMedia';
import { pathBelow } from '../core/safety/paths';
import { writeText } from '../core/outputs/changeFile';

/** Why the content of a file is of no use, in a sentence that begins with its name. */
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

/**
 * The content of a file, or of what a symbolic link leads to.
 * @throws an error that {@link whyUnreadable} explains
 */
export async function readWholeFile(file: string): Promise<Buffer> {
  await refusePipe(file);
  return readFile(file);
}

/** The text of a JSON file in any Unicode encoding. @param binary why a file that is no text is of no use */
export async function readJsonFile(
  file: string,
  binary = new UselessFile((name) => t`${name} is not a text file.`),
): Promise<string> {
  const bytes = await readWholeFile(file);
  try {
    return unicodeTextOf(bytes);
  } catch (error) {
    const { encoding } = error instanceof NotUnicode ? error : {};
    if (encoding === undefined) throw binary;
    throw new UselessFile(
      (name) => t`${name} is not encoded in UTF-8, but probably in ${encoding}.`,
      t`Save it as UTF-8.`,
    );
  }
}

/**
/**
 * The text of a workflow file as strict JSON, at the offsets of the file: of a run record only its prompt.
 * @param name what the person calls the file
 */
export async function readWorkflowFile(file: string, name = file): Promise<string> {
  const text = await readStrictFile(file);
  const prompt = isRecordName(name) ? indexMembers(text).get('prompt') : undefined;
  if (prompt === undefined || text[prompt.start] !== '{') return text;
  const blank = (part: string): string => part.replace(/[^\r\n]/g, ' ');
  const { start, end } = prompt;
  return blank(text.slice(0, start)) + text.slice(start, end) + blank(text.slice(end));
}

/**
 * A `.jsonc` file may contain comments. Of an output, the graph in it, otherwise the prompt, in the lines that `extract`
 * writes.
 */
async function readStrictFile(file: string): Promise<string> {
  const { workflow, prompt } = await workflowsInOutput(file);
  const embedded = workflow ?? prompt;
  if (embedded !== undefined) return `${indented(embedded)}\n`;
  const text = await readJsonFile(file, withoutWorkflow());
  return path.extname(file).toLowerCase() === '.jsonc' ? strictJson(text) : text;
}

/**
 * The workflows in an image, audio, video or model file; none for a text file.
 * @throws UselessFile for an output without one
 */
export async function workflowsInOutput(file: string): Promise<EmbeddedWorkflows> {
  await refusePipe(file);
  const found = await workflowsInLocalFile(file);
  if (found.workflow === undefined && found.prompt === undefined && mayContainWorkflow(file))
    throw withoutWorkflow();
  return found;
}

/** Rejects a workflow file by its size alone. Of an output, only the workflow is read. */
export async function refuseLargeFile(file: string): Promise<RunRefusal | undefined> {
  return mayContainWorkflow(file) ? undefined : refuseBySize((await stat(file)).size);
}

/** Why a file cannot be read, in a sentence. */
export function whyUnreadable(file: string, error: unknown): string {
  if (error instanceof UselessFile) return sentencesText(error.words(file), error.remedy);
  const code = errorCode(error);
  if (code === 'ENOENT') return t`${file} doesn't exist.`;
  return code === 'EISDIR' ? t`${file} is a folder.` : t`${file} can't be read.`;
}

/** Writes what was made of a file, but never over it. @throws CommandProblem */
export async function writeResult(out: string, text: string, source: string): Promise<void> {
  if (await isSameFile(path.resolve(out), path.resolve(source))) {
    throw new CommandProblem(t`${plainText(out)} would be replaced. Choose another file for the result.`);
  }
  await writeText(out, text).catch((error: unknown) => {
    throw new CommandProblem(whyUnwritable(plainText(out), error));
  });
}

/** However they are spelled: in another case, or through a link. Not every disk tells its files apart by a number. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  if (pathBelow(one, other, path) === '') return true;
  const stats = [one, other].map((each) => stat(each, { bigint: true }).catch(() => undefined));
  const [first, second] = await Promise.all(stats);
  return first !== undefined && first.ino !== 0n && first.ino === second?.ino && first.dev === second.dev;
}

/** Why a file cannot be written, in a sentence. */
function whyUnwritable(file: string, error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOENT') return t`${file} can't be written, because its folder doesn't exist.`;
  return code === 'EISDIR' ? t`${file} is a folder.` : t`${file} can't be written.`;
}

/** The text of a workflow file, or why it can't be read. */
export async function readWorkflowText(file: string): Promise<string | Trouble> {
  try {
    return (await refuseLargeFile(file)) ?? (await readStrictFile(file));
  } catch (error) {
    const message = whyUnreadable(plainText(file), error);
    const hasRemedy = error instanceof UselessFile && error.remedy !== '';
    return { message, nextAction: hasRemedy ? '' : t`Specify the workflow file to run.` };
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
