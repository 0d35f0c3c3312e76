import type { OutputFolder } from './outputFolder';
import { folderAction, OutputError } from './outputError';
import { writeTemporary } from './writeWhole';

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
  const text = new TextEncoder().encode('Comfy Deck checks that this folder is writable.\n');
  try {
    await writeTemporary(folder, text, (temporary) => folder.remove(temporary));
  } catch (error) {
    throw OutputError.is(error) ? new FolderNotUsableError(error) : error;
  }
}
