import type { AssetIds, MediaFacts, MediaKind, OutputFile } from '../protocol/outputFile';
import { mediaKind } from '../protocol/outputRecord';
import type { Fingerprint } from './outputFolder';

export interface ExpectedFile {
  readonly name: string;
  readonly node: string;
  readonly area: string;
  readonly original: string;
  readonly media?: MediaKind | undefined;
  readonly displayName?: string | undefined;
  readonly facts?: MediaFacts | undefined;
  readonly asset?: AssetIds | undefined;
}

export interface SavedOutput extends Fingerprint {
  readonly file: OutputFile;
  readonly name: string;
  readonly location: string;
}

export function expectedFile(file: OutputFile, name: string): ExpectedFile {
  const original = file.subfolder === '' ? file.filename : `${file.subfolder}/${file.filename}`;
  const { nodeId: node, area, displayName, facts, asset } = file;
  const media = file.media === mediaKind(file.filename, undefined, '') ? undefined : file.media;
  return { name, node, area, original, media, displayName, facts, asset };
}

export function fileOfExpected(expected: Omit<ExpectedFile, 'name'>): OutputFile {
  const { node: nodeId, area, original, displayName, facts, asset } = expected;
  const slash = original.lastIndexOf('/');
  const [subfolder, filename] = [original.slice(0, Math.max(0, slash)), original.slice(slash + 1)];
  const media = expected.media ?? mediaKind(filename, undefined, '');
  return { filename, subfolder, area, nodeId, media, displayName, facts, asset };
}

/** Equal for the same output of the same run. */
export function outputKey({ node, area, original }: ExpectedFile): string {
  return JSON.stringify([node, area, original]);
}

export function outputFileKey(file: OutputFile): string {
  return outputKey(expectedFile(file, ''));
}
