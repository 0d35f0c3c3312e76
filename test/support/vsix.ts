import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { shippedNotices } from './packaging/shippedNotices';

/** The maximum size of a .vsix: people also install it over slow connections. */
const limitBytes = 1_800_000;

export interface Vsix {
  readonly file: string;
  readonly bytes: number;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository?: unknown;
}

/** Everything is in the bundles. Without a public repository, the links of README.md lead nowhere. */
export function vsceOptions({ repository }: Pick<Manifest, 'repository'>): readonly string[] {
  const withoutRepository = ['--allow-missing-repository', '--no-rewrite-relative-links'];
  return ['--no-dependencies', ...(repository === undefined ? withoutRepository : [])];
}

/** Builds for production and packs what ships. */
export function packageVsix(as?: string): Vsix {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
  const file = as ?? path.resolve(`${manifest.name}-${manifest.version}.vsix`);
  const vsce = path.resolve('node_modules/@vscode/vsce/vsce');
  const options = [...vsceOptions(manifest), '--out', file];
  const { status, stdout, stderr } = spawnSync(process.execPath, [vsce, 'package', ...options], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`vsce could not package the extension:\n${stdout}${stderr}`);
  const content = readFileSync(file);
  for (const name of shippedNotices) {
    if (!content.includes(`extension/${name}`)) throw new Error(`${file} does not hold ${name}.\n${stdout}`);
  }
  const bytes = content.byteLength;
  if (bytes > limitBytes) throw new Error(`${file} has ${bytes} bytes; the bar is ${limitBytes}.\n${stdout}`);
  return { file, bytes };
}
