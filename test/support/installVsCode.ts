import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CannotRun } from './partResult';
import type { VsCodeVersion } from './vsCodeVersions';

export interface InstalledVsCode {
  readonly node: string;
  readonly serverMain: string;
  readonly codeServerMain: string;
}

/** Raise this when the installed files change, so that older installations are replaced. */
const recipe = 1;

/**
 * Installs VS Code from npm (code-server) if a desktop one is not available. Takes about 20 s once and needs no
 * compiler.
 */
export function installVsCode(version: VsCodeVersion): InstalledVsCode {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
    throw new CannotRun(
      `The VS Code from npm is for Linux on x64 and arm64, this is ${process.platform} on ${process.arch}.`,
      'Set VSCODE_EXECUTABLE to a desktop VS Code.',
    );
  }
  const home = path.resolve(
    process.env.COMFY_DECK_VSCODE_CACHE ?? '.vscode-test',
    `code-server-${version.codeServer}`,
  );
  const nodePackage = `node-linux-${process.arch}`;
  const node = path.join(home, 'node_modules', nodePackage, 'bin/node');
  const root = path.join(home, 'node_modules/code-server/lib/vscode');
  const serverMain = path.join(root, 'out/server-main.js');
  const codeServerMain = path.join(home, 'node_modules/code-server/out/node/entry.js');
  const stamp = path.join(home, 'ready.txt');
  const wanted = `${version.codeServer} ${version.node} ${recipe}`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted)
    return { node, serverMain, codeServerMain };

  console.log(`Installing VS Code ${version.desktop} from npm (once, about 500 MB, up to a minute) …`);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(
    path.join(home, 'package.json'),
    JSON.stringify({
      private: true,
      dependencies: { 'code-server': version.codeServer, [nodePackage]: version.node },
    }),
  );
  npmInstall(home);
  // Not `npm ci`: the shrinkwrap in the package does not match its package.json.
  npmInstall(root, '--omit=dev');
  replaceNativeModules(root);
  bringRipgrep(home, root);
  dropWhatNoTestNeeds(root);

  const started = spawnSync(node, [serverMain, '--version'], {
    encoding: 'utf8',
    env: { ...process.env, HOME: home },
  });
  if (started.status !== 0) {
    throw new CannotRun(
      `The VS Code from npm does not start: ${started.stdout}${started.stderr}`.trim(),
      `Remove ${home} and try again, or set VSCODE_EXECUTABLE to a desktop VS Code.`,
    );
  }
  writeFileSync(stamp, wanted);
  return { node, serverMain, codeServerMain };
}

function npmInstall(cwd: string, ...args: readonly string[]): void {
  // The environment of `npm run` names our own folder; npm must not see it when it runs in another one.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(package|lifecycle|command|config_local_prefix)/.test(name),
    ),
  );
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stdout, stderr } = spawnSync('npm', ['install', ...args, ...options], {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status === 0) return;
  const words = `${stdout}${stderr}`.trim().split('\n').slice(0, 5).join('\n');
  throw new CannotRun(
    `npm could not bring VS Code for the tests:\n${words}\n`,
    'Check that the npm registry can be reached, or set VSCODE_EXECUTABLE to a desktop VS Code.',
  );
}

/** Without install scripts these two are not compiled; small scripts of ours replace them. */
function replaceNativeModules(root: string): void {
  const standIns = path.resolve('test/support/standIns');
  const modules: readonly (readonly [string, string])[] = [
    ['@vscode/spdlog', 'spdlog.cjs'],
    ['@vscode/native-watchdog', 'nativeWatchdog.cjs'],
    ['native-watchdog', 'nativeWatchdog.cjs'],
  ];
  for (const [name, standIn] of modules) {
    const folder = path.join(root, 'node_modules', name);
    if (existsSync(folder)) cpSync(path.join(standIns, standIn), path.join(folder, 'index.js'));
  }
}

/** File search needs ripgrep: newer versions contain it, older ones would download it in an install script. */
function bringRipgrep(home: string, root: string): void {
  const target = path.join(root, 'node_modules/@vscode/ripgrep');
  if (!existsSync(target) || existsSync(path.join(target, 'bin/rg'))) return;
  npmInstall(home, '@vscode/ripgrep-universal@1.18.0');
  const universal = path.join(home, 'node_modules/@vscode/ripgrep-universal/bin');
  mkdirSync(path.join(target, 'bin'), { recursive: true });
  cpSync(path.join(universal, `linux-${process.arch}/rg`), path.join(target, 'bin/rg'));
}

/** Other platforms' binaries and the parts for language models: 300 MB less to keep. */
function dropWhatNoTestNeeds(root: string): void {
  const ripgrep = path.join(root, 'node_modules/@vscode/ripgrep-universal/bin');
  const otherPlatforms = (existsSync(ripgrep) ? readdirSync(ripgrep) : [])
    .filter((name) => name !== `linux-${process.arch}`)
    .map((name) => path.join(ripgrep, name));
  const unused = [
    'node_modules/@github/copilot-sdk-linux-x64',
    'node_modules/@github/copilot-sdk-linux-arm64',
    'node_modules/@microsoft/mxc-sdk',
    'extensions/copilot',
    'extensions/mermaid-markdown-features',
  ].map((folder) => path.join(root, folder));
  for (const folder of [...otherPlatforms, ...unused]) rmSync(folder, { recursive: true, force: true });
}
