import path from 'node:path';
import ts from 'typescript';

export interface SourceFile {
  /** Path with forward slashes, such as `src/core/json/tree.ts`. */
  readonly file: string;
  readonly text: string;
}

/** Entry points have the same name everywhere. */
const entryPoints = new Set(['main.ts']);

/**
 * Cycles between files, including type imports, which the ESLint rule ignores, and files with the same name, which
 * readers confuse. Each problem is a sentence.
 */
export function importProblems(files: readonly SourceFile[]): string[] {
  const imports = new Map(files.map((each) => [each.file, importsOf(each, files)]));
  const circles = circlesIn(imports).map((circle) => `Import circle: ${circle.join(' -> ')}`);
  return [...circles, ...sharedNames(files)];
}

function importsOf({ file, text }: SourceFile, files: readonly SourceFile[]): string[] {
  const known = new Set(files.map((each) => each.file));
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => path.posix.join(path.posix.dirname(file), fileName))
    .flatMap((target) => [target, `${target}.ts`].filter((each) => known.has(each)));
}

/** One cycle for each file that closes one, found depth first. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>();
  const circles: string[][] = [];
  const walk = (file: string, walked: readonly string[]): void => {
    const begin = walked.indexOf(file);
    if (begin !== -1) circles.push([...walked.slice(begin), file]);
    if (begin !== -1 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) walk(next, [...walked, file]);
    done.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return circles;
}

function sharedNames(files: readonly SourceFile[]): string[] {
  const byName = new Map<string, string[]>();
  for (const { file } of files) {
    const name = path.posix.basename(file);
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  return [...byName]
    .filter(([name, sharing]) => sharing.length > 1 && !entryPoints.has(name))
    .map(([name, sharing]) => `${name} is the name of ${sharing.join(' and ')}`);
}
