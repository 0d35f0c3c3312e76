import { build } from 'esbuild';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findChromium, launchChromium } from './chromium';
import { desktopVsCode, runInDesktop } from './desktop';
import type { HostEvent } from './hostEvent';
import { installVsCode } from './installVsCode';
import { remark, type PartResult } from './partResult';
import { Scratch, type Settings } from './scratch';
import { startVsCodeServer } from './vsCodeServer';
import type { VsCodeVersion } from './vsCodeVersions';

/** Longer than the start or any test may take: a VS Code that is silent for that long is stuck, and is ended. */
const silenceMinutes = 4;

/** All suites in two parts that take about as long: each runs in a VS Code of its own, and mostly waits. */
const halves = ['^[a-n]', '^[o-z]'];

/**
 * Runs test/host inside real extension hosts: of a desktop VS Code where one can be had, else of the one from npm.
 * @param only the files with such a name, and the tests whose full title holds the text
 */
export async function runHostTests(
  version: VsCodeVersion,
  only: { readonly suites?: RegExp | undefined; readonly grep?: string | undefined } = {},
): Promise<PartResult> {
  const entry = await buildSuites(only.suites);
  const isWhole = only.suites === undefined && only.grep === undefined;
  const shares = isWhole ? halves : [''];
  const desktop = await desktopVsCode(version);
  const runIn = (...run: Run): Promise<string> =>
    desktop === undefined ? runInServer(version, entry, ...run) : runInDesktop(desktop, entry, ...run);
  const results = await Promise.all(shares.map((share) => runShare(runIn, share, only.grep)));
  const sum = (count: (result: Omit<PartResult, 'part'>) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  return {
    part: 'host',
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    remarks: results.flatMap(({ remarks = [] }) => remarks),
  };
}

/** Nobody looks at the window, which takes a third of the time to draw. */
const unseen: Settings = {
  'breadcrumbs.enabled': false,
  'editor.bracketPairColorization.enabled': false,
  'editor.minimap.enabled': false,
  'workbench.activityBar.location': 'hidden',
  'workbench.tree.renderIndentGuides': 'none',
};

type Run = readonly [scratch: Scratch, env: Readonly<Record<string, string>>, limit: AbortSignal];

async function runShare(
  runIn: (...run: Run) => Promise<string>,
  suites: string,
  grep: string | undefined,
): Promise<Omit<PartResult, 'part'>> {
  const scratch = new Scratch();
  scratch.changeSettings(unseen);
  const events = new HostEvents(path.join(scratch.home, 'events.jsonl'));
  const env = {
    COMFY_DECK_HOST_EVENTS: events.file,
    COMFY_DECK_SUITES: suites,
    ...(grep === undefined ? {} : { COMFY_DECK_GREP: grep }),
  };
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), silenceMinutes * 60_000);
  const watch = setInterval(() => {
    if (events.print()) timer.refresh();
  }, 200);
  let ending: string;
  try {
    ending = await runIn(scratch, env, limit.signal);
  } finally {
    clearInterval(watch);
    clearTimeout(timer);
  }
  events.print();

  const result = events.result;
  if (!events.ended) console.log(`  ✗ The suites did not reach their end: ${ending}. See ${scratch.home}.`);
  const failed = result.failed + (events.ended ? 0 : 1);
  if (failed === 0) scratch.remove();
  return { ...result, failed };
}

/** Bundles each suite and the entry to out/host; a chunk of our own never loads the product from there. */
export async function buildSuites(only = /./): Promise<string> {
  rmSync('out/host', { recursive: true, force: true });
  rmSync('out/support', { recursive: true, force: true });
  const suites = readdirSync('test/host').filter((name) => name.endsWith('.test.ts') && only.test(name));
  await build({
    entryPoints: ['test/support/hostEntry.ts', ...suites.map((name) => `test/host/${name}`)],
    outbase: 'test',
    outdir: 'out',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode', 'mocha', 'bufferutil', 'utf-8-validate'],
    loader: { '.m4a': 'binary', '.flac': 'binary', '.mp4': 'binary', '.webp': 'binary' },
    mainFields: ['module', 'main'],
    sourcemap: true,
    logLevel: 'warning',
  });
  return path.resolve('out/support/hostEntry.js');
}

/** The workbench in Chromium brings up the extension host in the server; the page is told when the tests end. */
async function runInServer(
  version: VsCodeVersion,
  entry: string,
  ...[scratch, env, limit]: Run
): Promise<string> {
  const chromium = findChromium();
  const vsCode = installVsCode(version);
  // The server hands it on to the extension host.
  const watch = path.resolve('test/support/standIns/watchActivation.cjs');
  const server = await startVsCodeServer(vsCode, scratch, {
    env: { ...env, NODE_OPTIONS: `--require ${JSON.stringify(watch)}` },
    testDriver: true,
  });
  const browser = await launchChromium(chromium);
  try {
    const page = await browser.newPage({ viewport: { width: 500, height: 400 } });
    const ended = new Promise<string>((resolve) => {
      limit.addEventListener('abort', () => resolve(`nothing for ${silenceMinutes} minutes`));
      page.once('crash', () => resolve('the browser page crashed'));
      void server.group.gone.then(() => resolve('the VS Code server ended'));
      // Names that VS Code calls in a test run; without the second one it would not start the tests.
      void page.exposeFunction('codeAutomationExit', (code: number) => resolve(`VS Code said ${code}`));
      void page.exposeFunction('codeAutomationLog', () => undefined);
    });
    await page.goto(server.addressOfTests(scratch.workspace, process.cwd(), entry));
    return await ended;
  } finally {
    await browser.close();
    await server.group.end();
  }
}

/** The file that the tests write, read and printed as it grows. */
class HostEvents {
  #printed = 0;

  constructor(readonly file: string) {}

  get ended(): boolean {
    return this.#events.some((event) => event.kind === 'end');
  }

  get result(): Omit<PartResult, 'part'> {
    const events = this.#events;
    const count = (kind: HostEvent['kind']) => events.filter((event) => event.kind === kind).length;
    const remarks = events.flatMap((event) => remarkOn(event) ?? []);
    return { passed: count('pass'), failed: count('fail'), skipped: count('skip'), remarks };
  }

  /** Prints what is new; true if there was something. */
  print(): boolean {
    const events = this.#events;
    const fresh = events.slice(this.#printed);
    for (const event of fresh) {
      const line = describe(event);
      if (line !== undefined) console.log(line);
    }
    this.#printed = events.length;
    return fresh.length > 0;
  }

  get #events(): readonly HostEvent[] {
    if (!existsSync(this.file)) return [];
    const complete = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return complete.map((line) => JSON.parse(line) as HostEvent);
  }
}

function describe(event: HostEvent): string | undefined {
  switch (event.kind) {
    case 'start':
      return `  in VS Code ${event.vsCode} (${event.app}), Node ${event.node}`;
    case 'pass':
      return `  ✓ ${event.title} (${event.ms} ms)`;
    case 'skip':
      return `  left out: ${event.title}`;
    case 'fail':
    case 'retry':
      return `  ✗ ${remarkOn(event)}`;
    case 'end':
      return undefined;
  }
}

function remarkOn(event: HostEvent): string | undefined {
  if (event.kind !== 'fail' && event.kind !== 'retry') return undefined;
  return remark(event.kind === 'fail' ? 'failed' : 'failed once', event.title, event.error);
}
