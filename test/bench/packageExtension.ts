import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Packages an extension of one file, `main.js`.
 * @returns the `.vsix`
 */
export function packageExtension(
  folder: string,
  manifest: { readonly name: string } & Readonly<Record<string, unknown>>,
  source: string,
): string {
  const vsce = path.resolve('node_modules/@vscode/vsce/vsce');
  const file = path.join(folder, `${manifest.name}.vsix`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'main.js'), source);
  const options = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', file];
  const { status, stderr } = spawnSync(process.execPath, [vsce, 'package', ...options], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`vsce could not package ${manifest.name}:\n${stderr}`);
  return file;
}
