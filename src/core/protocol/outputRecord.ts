import type { OutputFile, OutputText } from './outputFile';

export declare function collectOutputs(
  outputs: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>,
  displayNodes?: Readonly<Record<string, string>>,
): { readonly files: OutputFile[]; readonly texts: OutputText[] };
