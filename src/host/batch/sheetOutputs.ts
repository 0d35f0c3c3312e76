import { lstat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { recordNamed } from '../../core/records/recordFile';
import type { MediaKind } from '../../core/protocol/outputFile';
import { mediaKind } from '../../core/protocol/outputRecord';

export interface SheetOutput {
  /** In the folder of the record. */
  readonly name: string;
  readonly kind: MediaKind;
}

/** The one that a cell shows, if a run has several. */
const order: readonly MediaKind[] = ['image', 'video', 'audio', 'model3d', 'text', 'other'];

/** What saved rows made, by their run records, each of which is read once. */
export class SheetOutputs {
  readonly #known = new Map<string, Promise<SheetOutput | undefined>>();

  /** The output that a cell shows; undefined if the run has none, or its record can't be read. */
  of(folder: vscode.Uri, record: string): Promise<SheetOutput | undefined> {
    const known = this.#known.get(record) ?? firstOutput(folder, record);
    this.#known.set(record, known);
    return known;
  }
}

async function firstOutput(folder: vscode.Uri, record: string): Promise<SheetOutput | undefined> {
  const outputFolder = new NodeFolder(folder.fsPath);
  const listed = await recordNamed(outputFolder, record).catch(() => undefined);
  const outputs = (listed?.record.files ?? []).map(({ name }) => ({
    name,
    kind: mediaKind(name, undefined, ''),
  }));
  const [first] = outputs.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  // A link might lead elsewhere. What was deleted is named all the same.
  const isOther =
    first &&
    (await lstat(outputFolder.location(first.name)).then(
      (status) => !status.isFile(),
      () => false,
    ));
  return isOther ? undefined : first;
}
