import type { AssetIds, MediaFacts, OutputFile } from '../protocol/outputFile';

/** An output of the job that belongs next to the run record. */
export interface ExpectedFile {
  /** Name in the folder of the record, now or once it is saved. */
  readonly name: string;
  /** ID of the node that made it. */
  readonly node: string;
  readonly area: string;
  /** Name on the server, with its subfolder. */
  readonly original: string;
  /** As the server tells them. */
  readonly facts?: MediaFacts | undefined;
  readonly asset?: AssetIds | undefined;
}

export function expectedFile(file: OutputFile, name: string): ExpectedFile {
  const original = file.subfolder === '' ? file.filename : `${file.subfolder}/${file.filename}`;
  const { nodeId: node, area, facts, asset } = file;
  return { name, node, area, original, facts, asset };
}

/** Equal for the same output of the same run. */
export function outputKey({ node, area, original }: ExpectedFile): string {
  return JSON.stringify([node, area, original]);
}

/** The same for an output as the job lists it. */
export function outputFileKey(file: OutputFile): string {
  return outputKey(expectedFile(file, ''));
}
