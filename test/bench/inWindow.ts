import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { findChromium, launchChromium } from '../support/chromium';
import { installVsCode } from '../support/installVsCode';
import { Scratch, type Settings } from '../support/scratch';
import { packageVsix } from '../support/vsix';
import { installVsix, startVsCodeServer } from '../support/vsCodeServer';
import { newest } from '../support/vsCodeVersions';
import { Workbench } from '../support/workbench';
import { definitionsText } from './files';

export interface InWindow {
  /** The installed extension; by default ours. */
  readonly vsix?: string;
  readonly windows: number;
  readonly settings?: Settings;
  /** Runs in each page before the workbench loads. */
  readonly script?: () => void;
  readonly prepare: (scratch: Scratch) => Promise<void> | void;
}

/**
 * Does the same in several windows of the real workbench, one after the other, with the extension installed from a .vsix
 * and the definitions of a large server. A first window, whose results nobody reads, fills every cache.
 */
export async function inWindows<T>(
  how: InWindow,
  use: (workbench: Workbench, browser: Browser) => Promise<T>,
): Promise<T[]> {
  const chromium = findChromium();
  const vsCode = installVsCode(newest);
  mkdirSync('out', { recursive: true });
  const scratch = new Scratch();
  const extensionsDir = path.join(scratch.home, 'extensions');
  const vsix = how.vsix ?? packageVsix(path.resolve('out/comfy-deck-bench.vsix')).file;
  installVsix(vsCode, scratch, vsix, extensionsDir);
  await how.prepare(scratch);
  const definitions = await serveDefinitions();
  scratch.changeSettings({
    'comfyDeck.servers': [{ name: 'Large', url: definitions.url }],
    'comfyDeck.server': 'Large',
    ...how.settings,
  });
  const server = await startVsCodeServer(vsCode, scratch, { extensionsDir });
  const browser = await launchChromium(chromium);
  try {
    const results: T[] = [];
    for (let window = 0; window <= how.windows; window++) {
      const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
      page.setDefaultTimeout(120_000);
      if (how.script) await page.addInitScript(how.script);
      const workbench = new Workbench(page, scratch, server.address(scratch.workspace));
      await workbench.open();
      const result = await use(workbench, browser);
      if (window > 0) results.push(result);
      await page.context().close();
    }
    return results;
  } finally {
    await browser.close();
    await server.group.end();
    definitions.close();
    scratch.remove();
  }
}

/** A server with the definitions of a large one, and nothing else. */
async function serveDefinitions() {
  const answers: Readonly<Record<string, string>> = {
    '/object_info': definitionsText(),
    '/system_stats': JSON.stringify({ system: { comfyui_version: '0.33.0', os: 'posix' }, devices: [] }),
    '/queue': JSON.stringify({ queue_running: [], queue_pending: [] }),
    '/history': '{}',
  };
  const server = createServer((request, response) => {
    const answer = answers[(request.url ?? '').replace(/\?.*$/, '').replace(/^\/api/, '')];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(answer ?? '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Packages an extension of one file. */
export function packageExtension(name: string, contributes: object, source: string): string {
  const folder = path.resolve('out', name);
  const file = path.join(folder, `${name}.vsix`);
  const manifest = {
    ...{ name, publisher: 'bench', version: '1.0.0', license: 'MIT', main: './main.js', contributes },
    engines: { vscode: '^1.100.0' },
    activationEvents: ['onLanguage:json'],
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'main.js'), source);
  const vsce = path.resolve('node_modules/@vscode/vsce/vsce');
  const options = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', file];
  const { status, stderr } = spawnSync(process.execPath, [vsce, 'package', ...options], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`vsce could not package ${name}:\n${stderr}`);
  return file;
}
