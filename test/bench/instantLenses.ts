import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const manifest = {
  name: 'instant-lenses',
  publisher: 'bench',
  version: '1.0.0',
  license: 'MIT',
  engines: { vscode: '^1.100.0' },
  main: './main.js',
  activationEvents: ['onLanguage:json'],
  // The workbench counts as open when this container is there.
  contributes: {
    viewsContainers: { activitybar: [{ id: 'instant', title: 'Comfy Deck', icon: '$(play)' }] },
    views: { instant: [{ id: 'instant.view', name: 'Instant' }] },
  },
};

/** A lens on the first line, without reading the document. */
const source = `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.languages.registerCodeLensProvider('json', {
    provideCodeLenses: () => [new vscode.CodeLens(new vscode.Range(0, 0, 0, 1), { title: 'Run', command: 'noop' })],
  }));
};
`;

/**
 * Packages an extension whose lenses need no work: when they appear is the time that VS Code itself takes on this
 * machine.
 */
export function packageInstantLenses(folder: string): string {
  const vsce = path.resolve('node_modules/@vscode/vsce/vsce');
  const file = path.join(folder, 'instant-lenses.vsix');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'main.js'), source);
  const options = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', file];
  const { status, stderr } = spawnSync(process.execPath, [vsce, 'package', ...options], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`vsce could not package the yardstick extension:\n${stderr}`);
  return file;
}
