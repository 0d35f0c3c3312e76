import { createReadStream } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { readRecording, recordedEnd, recordedLine } from '../../core/client/music/musicRecording';
import type { MusicResult } from '../../core/client/music/musicTake';
import { flushFile } from '../../core/outputs/changeFile';
import type { MusicEvent } from '../../core/protocol/musicEvent';

/** Writes music to disk as it arrives, so that it survives the window. */
export class MusicRecording {
  #writing = Promise.resolve();

  private constructor(private readonly file: FileHandle) {}

  static async begin(file: string): Promise<MusicRecording> {
    await mkdir(path.dirname(file), { recursive: true });
    return new MusicRecording(await open(file, 'w'));
  }

  add(event: MusicEvent): void {
    const line = recordedLine(event);
    if (line !== undefined) this.#write(line);
  }

  /** All of it has arrived. */
  complete(): void {
    this.#write(recordedEnd);
  }

  /** Rejects if not all of it could be written. */
  async close(): Promise<void> {
    try {
      await this.#writing;
      await flushFile(this.file);
    } finally {
      await this.file.close();
    }
  }

  #write(text: string): void {
    this.#writing = this.#writing.then(() => this.file.appendFile(text));
    // The error that `close` reports.
    this.#writing.catch(() => undefined);
  }
}

/** Undefined when there is no such recording, or nothing to hear in it. */
export async function recordedMusic(
  file: string,
): Promise<{ readonly result: MusicResult; readonly complete: boolean } | undefined> {
  try {
    return await readRecording(createReadStream(file));
  } catch {
    return undefined;
  }
}
