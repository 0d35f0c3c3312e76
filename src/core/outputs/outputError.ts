/** Why an output could not be kept, as far as a person has to act differently. */
export type OutputErrorReason =
  'diskFull' | 'notWritable' | 'exists' | 'missing' | 'unsafeName' | 'broken' | 'notTheFile' | 'other';

const nextActions: Readonly<Record<OutputErrorReason, string>> = {
  diskFull: 'Free some space on the disk, then save the outputs again.',
  notWritable: 'Choose an output folder that you may write to, then save the outputs again.',
  exists: 'Rename or move the file that is already there, then save the outputs again.',
  missing: 'Save the outputs again.',
  unsafeName: 'Choose another name.',
  broken: 'Save the outputs again while the server still has them.',
  notTheFile: 'Open the output on the server itself, or check what stands between you and the server.',
  other: 'Check the output folder, then save the outputs again.',
};

/** An output that could not be kept. The message is one clear sentence; nothing half is left behind. */
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
    return nextActions[this.reason];
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
};

/** Puts an error of the file system into words. `name` is the file concerned. */
export function outputErrorOf(error: unknown, name: string): OutputError {
  if (error instanceof OutputError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = reasonOfCode[code] ?? 'other';
  return new OutputError(sentence(reason, name, code), reason, error);
}

function sentence(reason: OutputErrorReason, name: string, code: string): string {
  switch (reason) {
    case 'diskFull':
      return 'The disk is full, so not everything could be saved.';
    case 'notWritable':
      return 'The output folder may not be written to, so nothing was saved there.';
    case 'exists':
      return `A file named ${name} already exists and is not overwritten.`;
    case 'missing':
      return `${name} is no longer in the output folder.`;
    default:
      return `${name} could not be saved${code === '' ? '' : ` (${code})`}.`;
  }
}
