import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { test as base } from 'vitest';
import { launchChromium } from './chromium';
import { type PortTunnel, portTunnel } from './portTunnel';
import { extensionHosts } from './extensionHost';
import type { InstalledVsCode } from './installVsCode';
import { Scratch, type Settings } from './scratch';
import { startVsCodeServer, type VsCodeServer } from './vsCodeServer';
import { Workbench } from './workbench';

/** What the runner passes to the test files. */
export interface UiEnvironment extends Readonly<Record<string, string>> {
  readonly COMFY_DECK_UI_CHROMIUM: string;
  /** An {@link InstalledVsCode} as JSON. */
  readonly COMFY_DECK_UI_VSCODE: string;
  readonly COMFY_DECK_UI_EXTENSIONS: string;
}

interface Fixtures {
  /** User settings of this test, in addition to those that keep VS Code quiet. Set with `test.override`. */
  settings: Settings;
  /**
   * What the window opens: the copy of the samples; a workspace file with that folder and a second one, `more`,
   * beside it; or no folder, and this one file of the samples.
   */
  opens: 'folder' | 'two folders' | { readonly loneFile: string };
  /** The display language. Without a language pack VS Code's own texts stay English; extensions use the language. */
  language: 'en' | 'zh-cn';
  /** The window is in Restricted Mode, without a trust prompt. */
  restricted: boolean;
  /** The window opens with `changeSettings`: a test that starts a server needs no second one to know it. */
  opensLater: boolean;
  /** A page of a server on this machine has an origin of its own, not a path on the workbench's. */
  ownPorts: boolean;
  /** The tests of a file have one window, one after the other, and see what those before them made. */
  shared: boolean;
  /** Of all files that a worker runs: the last window ends with it. */
  windowsEnd: unknown;
  /**
   * A workbench for the tests of a file that want the same window, or for a test that shares none: new user data, new
   * stored state, new copy of the samples. To open one takes as long as most of what a test does in it.
   */
  workbench: Workbench;
}

/** `test('title', async ({ workbench }) => …)`: a test in the real workbench with the packaged extension installed. */
export const test = base.extend<Fixtures>({
  settings: {},
  opens: 'folder',
  language: 'en',
  restricted: false,
  opensLater: false,
  ownPorts: false,
  shared: true,
  windowsEnd: [
    async ({}, use) => {
      await use(undefined);
      await endWindow();
    },
    { scope: 'worker', auto: true },
  ],
  workbench: async ({ settings, opens, language, restricted, opensLater, ownPorts, shared, task }, use) => {
    const kind = { language, restricted, ownPorts, opens, settings };
    const file = shared ? task.file.id : undefined;
    if (
      file !== undefined &&
      opened?.workbench &&
      opened.file === file &&
      isDeepStrictEqual(opened.kind, kind)
    ) {
      await opened.page.setViewportSize(usualSize);
      await opened.workbench.tidy();
    } else {
      opened = await emptyWindow(kind);
      opened.scratch.changeSettings({ ...(restricted ? restrictedMode : {}), ...settings });
      opened.file = file;
      opened.workbench = new Workbench(opened.page, opened.scratch, addressOf(opened, opens));
      if (!opensLater) await opened.workbench.open();
    }
    const { workbench, scratch } = opened;
    await use(workbench);
    if (task.result?.state === 'fail') await keepEvidence(task.name, workbench, scratch);
    if (task.result?.state === 'fail') await endWindow();
  },
});

/** A test of what changes rarely: with the files that run at night, or when COMFY_DECK_NIGHTLY is set. */
export const nightlyTest: typeof test.skip = process.env.COMFY_DECK_NIGHTLY === undefined ? test.skip : test;

/** What tests must have in common to share a window. */
type Kind = Pick<Fixtures, 'language' | 'restricted' | 'ownPorts' | 'opens' | 'settings'>;

interface OpenWindow {
  kind: Kind;
  readonly scratch: Scratch;
  readonly server: VsCodeServer;
  readonly browser: Browser;
  page: Page;
  readonly tunnel: PortTunnel | undefined;
  workbench?: Workbench;
  /** The tests that share it. */
  file?: string | undefined;
}

/** A worker's tests use one page after another: what a browser has read once, it opens in half the time. */
let opened: OpenWindow | undefined;

async function emptyWindow(kind: Kind): Promise<OpenWindow> {
  const isEmpty = (window: OpenWindow): Promise<boolean> =>
    empty(window).then(
      () => true,
      () => false,
    );
  // The settings are read when a window opens; the rest a running VS Code and its browser can't change, or not always.
  const isAlike = isDeepStrictEqual({ ...opened?.kind, settings: kind.settings }, kind);
  if (opened && isAlike && (await isEmpty(opened))) opened.kind = kind;
  else {
    await endWindow();
    opened = await openWindow(kind);
  }
  return opened;
}

async function openWindow(kind: Kind): Promise<OpenWindow> {
  const { language, restricted, ownPorts } = kind;
  const tunnel = ownPorts ? await portTunnel() : undefined;
  const env = tunnel && { VSCODE_PROXY_URI: tunnel.template };
  const scratch = new Scratch();
  const vsCode = JSON.parse(fromRunner('COMFY_DECK_UI_VSCODE')) as InstalledVsCode;
  const extensionsDir = fromRunner('COMFY_DECK_UI_EXTENSIONS');
  const server = await startVsCodeServer(vsCode, scratch, {
    extensionsDir,
    restricted,
    ...(env && { env }),
  });
  const browser = await launchChromium(fromRunner('COMFY_DECK_UI_CHROMIUM'));
  const context = await browser.newContext({
    viewport: usualSize,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(40_000);
  // Sets what a language pack would set before the workbench loads.
  if (language !== 'en') {
    await context.addInitScript(
      (name) => Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: name }),
      language,
    );
  }
  return { kind, scratch, server, browser, page: await context.newPage(), tunnel };
}

/** Leaves nothing of the test before: not its extension host, nor what it and the page have stored. */
async function empty(window: OpenWindow): Promise<void> {
  const { page, scratch, server, workbench } = window;
  await page.evaluate(() => sessionStorage.clear());
  await page.goto('about:blank');
  await page.unrouteAll();
  await page.setViewportSize(usualSize);
  await page.emulateMedia({ reducedMotion: null });
  const browser = await page.context().newCDPSession(page);
  await browser.send('Storage.clearDataForOrigin', {
    origin: new URL(server.address('')).origin,
    storageTypes: 'cookies,indexeddb,local_storage',
  });
  await browser.detach();
  if (workbench?.hasOwnScripts === true) {
    window.page = await page.context().newPage();
    await page.close();
  }
  await hostsEnded(scratch.home);
  scratch.empty();
}

/** An extension host ends with its page, or is ended. */
async function hostsEnded(home: string): Promise<void> {
  const limit = Date.now() + 1_000;
  for (;;) {
    const hosts = extensionHosts(home);
    if (hosts.length === 0) return;
    if (Date.now() > limit) for (const host of hosts) process.kill(host, 'SIGKILL');
    await setTimeout(50);
  }
}

async function endWindow(): Promise<void> {
  const ending = opened;
  opened = undefined;
  await ending?.browser.close();
  await ending?.server.group.end();
  ending?.tunnel?.close();
  ending?.scratch.remove();
}

const usualSize = { width: 1400, height: 900 };

/** Folders are not trusted, and there is no trust prompt before the window appears. */
const restrictedMode: Settings = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
};

function addressOf({ server, scratch }: OpenWindow, opens: Fixtures['opens']): string {
  if (opens === 'folder') return server.address(scratch.workspace);
  if (opens !== 'two folders') return server.addressOfLoneFile(path.join(scratch.workspace, opens.loneFile));
  mkdirSync(path.join(scratch.home, 'more'));
  const file = path.join(scratch.home, 'both.code-workspace');
  writeFileSync(file, JSON.stringify({ folders: [{ path: 'workspace' }, { path: 'more' }] }));
  return server.addressOfWorkspaceFile(file);
}

function fromRunner(name: keyof UiEnvironment & string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: start these tests with npm run test:ui.`);
  return value;
}

/** A failed test leaves a screenshot and VS Code's logs under out/ui-failures. */
async function keepEvidence(title: string, workbench: Workbench, scratch: Scratch): Promise<void> {
  const folder = path.resolve('out/ui-failures', title.replaceAll(/\W+/g, '-'));
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(scratch.userData, 'data/logs'), path.join(folder, 'logs'), { recursive: true });
  await workbench.screenshot(path.join(folder, 'screen.png'));
  process.stdout.write(`  kept: ${folder}\n`);
}
