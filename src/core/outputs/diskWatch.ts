import type { OutputFile } from '../protocol/outputFile';
import { budgets } from '../safety/budgets';
import { OutputError } from './outputError';
import type { OutputFolder } from './outputFolder';
import { t } from '../safety/localize';
import { sizeText } from '../safety/sizeText';
import { shownName } from './outputWords';

export interface WatchedDownload {
  readonly file: OutputFile;
  readonly folder: OutputFolder;
  /** Bytes that the file may have at most. */
  readonly room?: number | undefined;
}

/** Makes sure that a file neither exceeds its limit nor fills the disk. */
export class DiskWatch {
  #checkedAt: number;

  constructor(
    private readonly download: WatchedDownload,
    private readonly written: { readonly bytes: number },
    private readonly size: number | undefined,
  ) {
    this.#checkedAt = written.bytes;
  }

  /** Before the first byte: does what was announced fit? */
  async begin(): Promise<void> {
    const { size } = this;
    if (size === undefined) return;
    this.#refuse(size);
    const free = await this.download.folder.free();
    if (free === undefined || size - this.written.bytes <= free) return;
    throw new OutputError(
      t`${shownName(this.download.file)} is ${sizeText(size)}, and the disk has ${sizeText(free)} left.`,
      'diskFull',
    );
  }

  /** After each piece that was written. */
  async check(): Promise<void> {
    const { bytes } = this.written;
    this.#refuse(bytes);
    if (bytes - this.#checkedAt < budgets.diskCheckEvery) return;
    this.#checkedAt = bytes;
    const free = await this.download.folder.free();
    if (free === undefined || free >= budgets.diskReserve || bytes === this.size) return;
    throw new OutputError(
      t`The disk has ${sizeText(free)} left, so ${shownName(this.download.file)} wasn't saved.`,
      'diskFull',
    );
  }

  #refuse(bytes: number): void {
    const name = shownName(this.download.file);
    if (bytes > budgets.outputFileBytes) {
      const most = sizeText(budgets.outputFileBytes);
      throw new OutputError(t`${name} is larger than the limit of ${most} per file.`, 'tooLarge');
    }
    if (bytes > (this.download.room ?? Infinity)) {
      const most = sizeText(budgets.outputJobBytes);
      throw new OutputError(
        t`${name} wasn't saved, because the files of a job are limited to ${most} in total.`,
        'tooLarge',
      );
    }
  }
}
