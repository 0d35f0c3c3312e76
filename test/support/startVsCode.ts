// `npm start`: a VS Code with the extension and a workspace of samples; Ctrl-C ends it.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { installVsCode } from './installVsCode';
import { CannotRun } from './partResult';
import { ProcessGroup } from './processGroup';
import { Scratch } from './scratch';
import { packageVsix } from './vsix';
import { newest } from './vsCodeVersions';
import { installVsix, startCodeServer } from './vsCodeServer';

/** Opened at the start. */
const sample = 'text-to-image.json';

/** The address of VS Code in the browser, unless the port is taken. */
const usualPort = 8190;

const isWindows = process.platform === 'win32';

/** Kept between starts, with everything that was changed or run in it. */
const scratch = new Scratch(path.resolve('out/start'));

// The sandbox starts with the window: the settings select it.
scratch.changeSettings({ 'comfyDeck.server': 'Sandbox' });

/** The desktop VS Code on the PATH, with a separate profile: it touches no personal settings. */
async function startDesktop(code: string): Promise<void> {
  const userData = path.join(scratch.userData, 'data');
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [
    ...['--wait', '--new-window', '--disable-workspace-trust'],
    `--user-data-dir=${userData}`,
    `--extensionDevelopmentPath=${process.cwd()}`,
    ...asRoot,
    scratch.workspace,
    path.join(scratch.workspace, sample),
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
  installVsix(vsCode, scratch, file, path.join(scratch.home, 'extensions'));
  const server = await startCodeServer(vsCode, scratch, (await isFree(usualPort)) ? usualPort : 0);
  // The address to type is short; where a terminal has links, a press on it also opens the sample.
  const short = `http://127.0.0.1:${server.port}/`;
  const link = `\u001b]8;;${server.addressOfFile(scratch.workspace, sample)}\u0007${short}\u001b]8;;\u0007`;
  console.log(`\nVS Code is at ${process.stdout.isTTY ? link : short}\nPress Ctrl-C to end it.`);
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
