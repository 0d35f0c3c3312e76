import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readMetafile } from '../bundleFiles';
import { bundledPackages } from './bundledPackages';
import { licenceProblems } from './licenceRules';
import { noticesText } from './notices';
import { type LockFile, type Product, sbomText } from './sbom';

/** The notices about third-party software in the .vsix, as named in `.vscodeignore`. */
export const shippedNotices = ['dist/THIRD-PARTY-NOTICES.txt', 'dist/sbom.cdx.json'] as const;

/** The command line is not in the .vsix; its notices are beside it. */
const isCommandLine = (file: string): boolean => /^dist\/cli(?:\.js$|-chunks\/)/.test(file);

/**
 * Writes the notices and the bill of materials of the build.
 * @throws Error when a package must not ship as it is.
 */
export function writeShippedNotices(): void {
  const meta = readMetafile('dist');
  const product = JSON.parse(readFileSync('package.json', 'utf8')) as Product;
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
  const files = Object.keys(meta.outputs);
  const inVsix = bundledPackages(
    meta,
    files.filter((file) => !isCommandLine(file)),
  );
  const inCommandLine = bundledPackages(meta, files.filter(isCommandLine));
  const problems = new Set([...licenceProblems(inVsix), ...licenceProblems(inCommandLine)]);
  if (problems.size > 0) throw new Error(`This must not be packaged:\n${[...problems].join('\n')}`);

  const [notices, sbom] = shippedNotices;
  writeFileSync(notices, noticesText('Comfy Deck', inVsix));
  writeFileSync(sbom, sbomText(product, inVsix, lock));
  writeFileSync(path.join('dist', 'cli.THIRD-PARTY-NOTICES.txt'), noticesText('comfy-deck', inCommandLine));
}
