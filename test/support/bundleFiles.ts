import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Import {
  readonly path: string;
  readonly kind: string;
  readonly external?: boolean;
}

export interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      {
        readonly entryPoint?: string;
        readonly inputs: Readonly<Record<string, unknown>>;
        readonly imports: readonly Import[];
      }
    >
  >;
}

export function readMetafile(outdir: string): Metafile {
  return JSON.parse(readFileSync(path.join(outdir, 'meta.json'), 'utf8')) as Metafile;
}

/** The output of an entry and the chunks it imports statically, as files: everything that is read before it runs. */
export function neededAtOnce(meta: Metafile, entryPoint: string): readonly string[] {
  const entry = Object.keys(meta.outputs).find((file) => meta.outputs[file]?.entryPoint === entryPoint);
  const needed = new Set<string>();
  const follow = (file: string): void => {
    if (needed.has(file)) return;
    needed.add(file);
    for (const { path: imported, kind, external } of meta.outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) follow(imported);
    }
  };
  if (entry !== undefined) follow(entry);
  return [...needed];
}
