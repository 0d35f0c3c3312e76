// Runs a TypeScript file in Node: node test/support/runTs.mjs FILE.ts [arguments]
// It is bundled to out/tools first (packages stay outside), because Node 20 cannot read TypeScript.
import { build } from 'esbuild';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

process.chdir(path.resolve(import.meta.dirname, '../..'));
const [script, ...args] = process.argv.slice(2);
const outfile = path.resolve(
  'out/tools',
  `${path.basename(path.dirname(script))}-${path.basename(script, '.ts')}.mjs`,
);
const packagesOutside = {
  name: 'packages-outside',
  setup: (build) =>
    build.onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) =>
      kind === 'entry-point' ? undefined : { path: name, external: true },
    ),
};
await build({
  entryPoints: [script],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  loader: { '.m4a': 'binary', '.flac': 'binary', '.mp4': 'binary', '.webp': 'binary' },
  sourcemap: true,
  logLevel: 'warning',
  plugins: [packagesOutside],
});
process.argv = [process.execPath, outfile, ...args];
process.setSourceMapsEnabled(true);
await import(pathToFileURL(outfile).href);
