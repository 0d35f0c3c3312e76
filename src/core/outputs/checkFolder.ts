import type { OutputFolder } from './outputFolder';
import { OutputError, type OutputErrorReason } from './outputError';
import { temporaryName } from './temporaryName';
import { t } from '../safety/localize';

const steps = (): Readonly<Partial<Record<OutputErrorReason, string>>> => ({
  diskFull: t`Free some space on the disk, then run again.`,
  notWritable: t`Choose an output folder you can write to, then run again.`,
  nameTooLong: t`Choose an output folder with a shorter path, then run again.`,
});

/** A run's outputs could not be saved. No server has been contacted yet. */
export class FolderNotUsableError extends OutputError {
  override readonly name = 'FolderNotUsableError';

  constructor({ message, reason, cause }: OutputError) {
    super(message, reason, cause);
  }

  override get nextAction(): string {
    return steps()[this.reason] ?? t`Check the output folder, then run again.`;
  }
}

/** Done before anything that costs is requested. @throws FolderNotUsableError */
export async function checkFolder(folder: OutputFolder): Promise<void> {
  const name = temporaryName();
  try {
    const sink = await folder.create(name);
    try {
      await sink.write(new TextEncoder().encode('Comfy Deck checks that this folder is writable.\n'));
      await sink.sync();
    } finally {
      await sink.close();
    }
    await folder.remove(name);
  } catch (error) {
    if (!OutputError.is(error)) throw error;
    await folder.remove(name).catch(() => undefined);
    throw new FolderNotUsableError(error);
  }
}
