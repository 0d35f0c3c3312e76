import { randomUUID } from 'node:crypto';
import type { OutputFolder } from './outputFolder';

/** A name for a file that is not finished: hidden, never the same twice. */
export function temporaryName(): string {
  return `.comfy-deck-${randomUUID()}.part`;
}

/** Puts bytes under a name whole or not at all; fails with reason `exists` when the name is taken. */
export async function writeWhole(folder: OutputFolder, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = temporaryName();
  const sink = await folder.create(temporary);
  try {
    try {
      await sink.write(bytes);
    } finally {
      await sink.close();
    }
    await folder.rename(temporary, name);
  } catch (error) {
    await folder.remove(temporary);
    throw error;
  }
}
