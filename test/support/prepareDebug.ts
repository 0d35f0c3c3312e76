// What .vscode/launch.json opens: a workspace with the samples, or with --tests the bundled host tests and a
// workspace for them.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { buildSuites } from './hostTests';
import { Scratch } from './scratch';

if (process.argv.includes('--tests')) {
  const home = path.resolve('out/debug');
  rmSync(home, { recursive: true, force: true });
  new Scratch(home);
  await buildSuites();
} else {
  new Scratch(path.resolve('out/start'));
}
