import type { OutputFolder } from './outputFolder';
import { folderAction, OutputError } from './outputError';
import { temporaryName } from './temporaryName';

/** A run's outputs could not be saved. No server has been contacted yet. */
export class FolderNotUsableError extends OutputError {
  override readonly name = 'FolderNotUsableError';

  constructor({ message, reason, cause }: OutputError) {
    super(message, reason, cause);
  }

  override get nextAction(): string {
    return folderAction(this.reason);
  }
}

/** Call it before requesting anything that costs money. @throws FolderNotUsableError */
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
