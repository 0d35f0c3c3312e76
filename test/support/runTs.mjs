// Runs a TypeScript file in Node: node test/support/runTs.mjs FILE.ts [arguments]
// It is bundled to out/tools first (packages stay outside), because Node 20 reads no TypeScript.
import { build } from 'esbuild';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

process.chdir(path.resolve(import.meta.dirname, '../..'));
const [script, ...args] = process.argv.slice(2);
const outfile = path.resolve(
  'out/tools',
  `${path.basename(path.dirname(script))}-${path.basename(script, '.ts')}.mjs`,
);
await build({
  entryPoints: [script],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  loader: { '.wasm': 'binary', '.m4a': 'binary' },
  sourcemap: true,
  logLevel: 'warning',
});
process.argv = [process.execPath, outfile, ...args];
process.setSourceMapsEnabled(true);
await import(pathToFileURL(outfile).href);
