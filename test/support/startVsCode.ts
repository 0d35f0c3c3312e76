// `npm start`: a VS Code with the extension and a workspace of samples; Ctrl-C ends it.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { installVsCode } from './installVsCode';
import { CannotRun } from './partResult';
import { ProcessGroup } from './processGroup';
import { Scratch } from './scratch';
import { packageVsix } from './vsix';
import { newest } from './vsCodeVersions';
import { installVsix, startCodeServer } from './vsCodeServer';

/** Opened at the first start, beside the walkthrough. */
const sample = 'text-to-image.json';

/** The address of VS Code in the browser, unless the port is taken. */
const usualPort = 8190;

const isWindows = process.platform === 'win32';

/** Kept between starts, with everything that was changed or run in it. */
const scratch = new Scratch(path.resolve('out/start'));

// The sandbox starts with the window: the settings select it. With Git, files can be compared with earlier versions.
scratch.changeSettings({ 'comfyDeck.server': 'Sandbox', 'git.enabled': true });
commitSamples();

/** The workspace as a repository of its own; without Git on this machine, a plain folder. */
function commitSamples(): void {
  if (existsSync(path.join(scratch.workspace, '.git'))) return;
  const git = (...args: readonly string[]): boolean => {
    const author = ['-c', 'user.name=Comfy Deck', '-c', 'user.email=start@localhost'];
    return spawnSync('git', [...author, ...args], { cwd: scratch.workspace }).status === 0;
  };
  if (git('init', '--quiet') && git('add', '.')) git('commit', '--quiet', '--message', 'Samples');
}

/** An extension that opens the sample and the walkthrough in a window where nothing is open. */
function writeOpener(): string {
  const { publisher, name, engines } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
  const folder = path.join(scratch.home, 'opener');
  const manifest = { name: 'opener', publisher, version: '1.0.0', engines, main: 'main.js' };
  const walkthrough = `${publisher}.${name}#comfyDeck.start`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ ...manifest, activationEvents: ['onStartupFinished'] }),
  );
  writeFileSync(
    path.join(folder, 'main.js'),
    `const { commands, Uri, window, workspace } = require('vscode');
exports.activate = async () => {
  const [folder] = workspace.workspaceFolders ?? [];
  if (!folder || window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) return;
  await window.showTextDocument(Uri.joinPath(folder.uri, ${JSON.stringify(sample)}), { preview: false });
  await commands.executeCommand('workbench.action.openWalkthrough', ${JSON.stringify(walkthrough)}, true);
};
`,
  );
  return folder;
}

function packageOpener(): string {
  const file = path.join(scratch.home, 'opener.vsix');
  const vsce = path.resolve('node_modules/@vscode/vsce/vsce');
  const options = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', file];
  const cwd = writeOpener();
  const { status, stderr } = spawnSync(process.execPath, [vsce, 'package', ...options], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`vsce could not package ${cwd}:\n${stderr}`);
  return file;
}

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly engines: Readonly<Record<string, string>>;
}

/** The desktop VS Code on the PATH, with a separate profile: it touches no personal settings. */
async function startDesktop(code: string): Promise<void> {
  const userData = path.join(scratch.userData, 'data');
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [
    ...['--wait', '--new-window', '--disable-workspace-trust'],
    `--user-data-dir=${userData}`,
    ...[process.cwd(), writeOpener()].map((folder) => `--extensionDevelopmentPath=${folder}`),
    ...asRoot,
    scratch.workspace,
  ];
  // On Windows it is code.cmd, which only a shell starts, and that takes quotes around each path.
  const words = isWindows ? args.map((each) => `"${each}"`) : args;
  const group = new ProcessGroup(code, words, { stdio: 'inherit', shell: isWindows });
  // The window's process leaves the group; it writes its id here.
  process.once('exit', () => endProcessIn(path.join(userData, 'code.lock')));
  console.log(`VS Code opens ${scratch.workspace}. Close its window or press Ctrl-C to end.`);
  await group.gone;
}

function endProcessIn(lockFile: string): void {
  if (!existsSync(lockFile)) return;
  try {
    process.kill(Number(readFileSync(lockFile, 'utf8')), 'SIGTERM');
  } catch {
    // It has ended.
  }
}

/** The VS Code from npm, in the user's browser. */
async function startInBrowser(): Promise<void> {
  const vsCode = installVsCode(newest);
  const { file } = packageVsix(path.resolve('out/comfy-deck-start.vsix'));
  for (const vsix of [file, packageOpener()])
    installVsix(vsCode, scratch, vsix, path.join(scratch.home, 'extensions'));
  const server = await startCodeServer(vsCode, scratch, (await isFree(usualPort)) ? usualPort : 0);
  console.log(`\nVS Code is at http://127.0.0.1:${server.port}/\nPress Ctrl-C to end it.`);
  const code = await server.group.gone;
  console.log(`The VS Code server ended (${code ?? 'signal'}).`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

try {
  const onPath = spawnSync('code', ['--version'], { encoding: 'utf8', shell: isWindows });
  if (onPath.status === 0) await startDesktop('code');
  else await startInBrowser();
} catch (error) {
  if (!(error instanceof CannotRun)) throw error;
  console.error(error.message);
  process.exit(1);
}
