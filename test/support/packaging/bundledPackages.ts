import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from '../bundleFiles';

/** A package with at least one file in what ships. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As in its package.json; empty if that contains nothing readable. */
  readonly licence: string;
  /** The built files that contain part of it, sorted. */
  readonly files: readonly string[];
  readonly texts: readonly LicenceText[];
}

export interface LicenceText {
  readonly file: string;
  readonly text: string;
}

const licenceFile = /^(licen[cs]e|copying|notice|third.?party)/i;

/**
 * The packages in the built files, by what esbuild took from `node_modules`, sorted by name and version.
 * @param root the base of the paths in the metafile.
 */
export function bundledPackages(
  { outputs }: Metafile,
  files: readonly string[],
  root = process.cwd(),
): readonly BundledPackage[] {
  const inputsOf = new Map<string, Set<string>>();
  const filesOf = new Map<string, Set<string>>();
  for (const file of files) {
    for (const input of Object.keys(outputs[file]?.inputs ?? {})) {
      const folder = packageFolder(input);
      if (folder === undefined) continue;
      added(inputsOf, folder, input);
      added(filesOf, folder, file);
    }
  }
  const packages = [...inputsOf].map(([folder, inputs]) => ({
    ...readManifest(path.join(root, folder)),
    files: [...(filesOf.get(folder) ?? [])].sort(),
    texts: [
      ...licenceTexts(
        path.join(root, folder),
        [...inputs].map((input) => path.join(root, input)),
      ),
      ...keptText(root, folder),
    ],
  }));
  return packages.sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

/** `node_modules/a/node_modules/@b/c` for a file of `@b/c`. */
function packageFolder(input: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
}

function readManifest(folder: string): Pick<BundledPackage, 'name' | 'version' | 'licence'> {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: unknown;
  };
  return { name, version, licence: typeof license === 'string' ? license : '' };
}

/** The texts at the top of the package, and those on the way to the files that were used. */
function licenceTexts(folder: string, inputs: readonly string[]): readonly LicenceText[] {
  const folders = new Set([folder]);
  for (const input of inputs) {
    for (let at = path.dirname(input); at.startsWith(folder); at = path.dirname(at)) folders.add(at);
  }
  return [...folders].sort().flatMap((at) =>
    (existsSync(at) ? readdirSync(at, { withFileTypes: true }) : [])
      .filter((entry) => entry.isFile() && licenceFile.test(entry.name) && !/\.[cm]?[jt]s$/.test(entry.name))
      .map(({ name }) => name)
      .sort()
      .map((name) => ({
        file: path.relative(folder, path.join(at, name)).replaceAll(path.sep, '/'),
        text: readFileSync(path.join(at, name), 'utf8')
          .replaceAll('\r\n', '\n')
          .replace(/^\n+/, '')
          .trimEnd(),
      }))
      .filter(({ text }) => text !== ''),
  );
}

/** The text for a package without one, from `licences/`: `vscode-l10n.txt` for `@vscode/l10n`. */
function keptText(root: string, folder: string): readonly LicenceText[] {
  const name = folder.replace(/^.*node_modules\//, '').replace(/^@/, '');
  const file = `${name.replace('/', '-')}.txt`;
  const kept = path.join(root, 'licences', file);
  return existsSync(kept) ? [{ file, text: readFileSync(kept, 'utf8').trim() }] : [];
}

function added(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key) ?? new Set();
  map.set(key, values.add(value));
}

/** The same on every machine, whatever its language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
