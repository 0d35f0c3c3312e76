import { budgets } from '../safety/budgets';
import { errorCode } from '../safety/errorWords';
import { sentencesText, t } from '../safety/localize';

/**
 * `notListed`: the server counts outputs of the job but does not list them; `notRead`: a file of ours is not read, since
 * it is too large, or none.
 */
export type OutputErrorReason = (typeof outputErrorReasons)[number];
export const outputErrorReasons = [
  ...(['diskFull', 'notWritable', 'exists', 'missing', 'unsafeName', 'nameTooLong', 'tooLarge'] as const),
  ...(['tooMany', 'tooSlow', 'broken', 'notTheFile', 'notListed', 'notRead', 'taken', 'other'] as const),
] as const;

/** Of the others, the folder is the cause. */
const nextActions = (): Readonly<Partial<Record<OutputErrorReason, string>>> => ({
  unsafeName: t`Choose another name.`,
  tooLarge: t`Download it directly from the server.`,
  tooMany: t`Save the outputs again while the server still has them.`,
  tooSlow: t`Check the connection, then save the outputs again while the server still has them.`,
  broken: t`Save the outputs again while the server still has them.`,
  notTheFile: t`Open the output on the server, or check the proxy in front of it.`,
  notListed: t`Save the outputs again later. You don't need to rerun the job.`,
  notRead: t`Check that it is the right file.`,
  taken: t`Continue there.`,
});

/** What to do about the output folder, before anything is sent or where there is nothing to save again. */
export function folderAction(reason: OutputErrorReason): string {
  switch (reason) {
    case 'diskFull':
      return t`Free some space on the disk.`;
    case 'notWritable':
      return t`Choose an output folder you can write to.`;
    case 'nameTooLong':
      return t`Choose an output folder with a shorter path.`;
    case 'exists':
      return t`Rename or move the existing file.`;
    case 'unsafeName':
      return t`Choose another name.`;
    case 'tooLarge':
      return t`Choose an output folder on another disk.`;
    default:
      return t`Check the output folder.`;
  }
}

/** An output that could not be saved. The message is one clear sentence; no partial file is left. */
export class OutputError extends Error {
  override readonly name: string = 'OutputError';

  constructor(
    message: string,
    readonly reason: OutputErrorReason,
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  get nextAction(): string {
    const { reason } = this;
    return nextActions()[reason] ?? sentencesText(folderAction(reason), t`Then save the outputs again.`);
  }

  static is(error: unknown, reason?: OutputErrorReason): error is OutputError {
    return error instanceof OutputError && (reason === undefined || error.reason === reason);
  }
}

const reasonOfCode: Readonly<Record<string, OutputErrorReason>> = {
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EACCES: 'notWritable',
  EPERM: 'notWritable',
  EROFS: 'notWritable',
  ENOTDIR: 'notWritable',
  EEXIST: 'exists',
  ENOENT: 'missing',
  ENODEV: 'missing',
  ENXIO: 'missing',
  ESTALE: 'missing',
  ENAMETOOLONG: 'nameTooLong',
  EFBIG: 'tooLarge',
};

export function toOutputError(error: unknown, name: string): OutputError {
  if (error instanceof OutputError) return error;
  const code = errorCode(error);
  const reason = reasonOfCode[code] ?? 'other';
  return new OutputError(outputErrorWords(reason, name, code), reason, error);
}

export function outputErrorWords(reason: OutputErrorReason, name: string, code = ''): string {
  switch (reason) {
    case 'diskFull':
      return t`The disk is full, so not everything could be saved.`;
    case 'notWritable':
      return t`The output folder isn't writable, so nothing was saved there.`;
    case 'exists':
      return t`A file named ${name} already exists and is not overwritten.`;
    case 'missing':
      return t`The output folder or a file in it no longer exists.`;
    case 'nameTooLong':
      return t`The name ${name} is too long for the output folder's disk.`;
    case 'tooLarge':
      return t`${name} is too large for the output folder's disk.`;
    case 'tooSlow':
      return t`The download of ${name} took too long and was stopped.`;
    case 'broken':
      return t`The download of ${name} was interrupted.`;
    case 'notTheFile':
      return t`The server sent a web page instead of ${name}.`;
    default:
      return code === '' ? t`${name} couldn't be saved.` : t`${name} couldn't be saved (${code}).`;
  }
}

export function tooManyWords(count: number): string {
  return t`The job made ${count} files, but only ${budgets.outputFiles} are saved at a time.`;
}
