import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { findChromium, launchChromium } from '../support/chromium';
import { installVsCode } from '../support/installVsCode';
import { Scratch } from '../support/scratch';
import { installVsix, startVsCodeServer } from '../support/vsCodeServer';
import { newest } from '../support/vsCodeVersions';
import { Workbench } from '../support/workbench';
import { definitionsText } from './files';

/** How long a user waits after choosing a file in Quick Open, ms. */
export interface Opening {
  readonly file: string;
  readonly isFirst: boolean;
  readonly text: number;
  readonly lens: number;
}

/**
 * Opens files in several windows of the real workbench, one after the other, with the extension from a .vsix and the
 * definitions of a large server, which are already on disk.
 */
export async function openings(
  vsix: string,
  files: Readonly<Record<string, string>>,
  windows: number,
): Promise<readonly Opening[]> {
  const chromium = findChromium();
  const vsCode = installVsCode(newest);
  const scratch = new Scratch();
  const extensionsDir = path.join(scratch.home, 'extensions');
  installVsix(vsCode, scratch, vsix, extensionsDir);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(scratch.workspace, name), text);
  const definer = await definitionServer();
  scratch.changeSettings({
    'comfyDeck.servers': [{ name: 'Large', url: definer.address }],
    'comfyDeck.server': 'Large',
  });
  const server = await startVsCodeServer(vsCode, scratch, { extensionsDir });
  const browser = await launchChromium(chromium);
  const made: Opening[] = [];
  try {
    for (let window = 0; window <= windows; window++) {
      const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
      page.setDefaultTimeout(60_000);
      const workbench = new Workbench(page, scratch, server.address(scratch.workspace));
      await workbench.open();
      for (const [index, file] of Object.keys(files).entries()) {
        const taken = await opening(workbench, file);
        // The first window reads the definitions from the server, and fills every cache.
        if (window > 0) made.push({ file, isFirst: index === 0, ...taken });
        await workbench.command('View: Close All Editors');
      }
      await page.context().close();
    }
  } finally {
    await browser.close();
    await server.group.end();
    await definer.close();
    scratch.remove();
  }
  return made;
}

async function opening(workbench: Workbench, file: string): Promise<Pick<Opening, 'text' | 'lens'>> {
  const { page, quickInput } = workbench;
  await page.keyboard.press('Control+P');
  await quickInput.fill(file);
  await workbench.choice(file).waitFor();
  const start = performance.now();
  await page.keyboard.press('Enter');
  const editor = page.locator(`.monaco-editor[data-uri$="/${file}"]`).first();
  await editor.locator('.view-line').first().waitFor();
  const text = performance.now() - start;
  await editor.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
  return { text, lens: performance.now() - start };
}

/** A server with the definitions of a large one, and nothing else. */
export async function definitionServer() {
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
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
