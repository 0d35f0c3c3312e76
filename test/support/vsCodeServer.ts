import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { InstalledVsCode } from './installVsCode';
import { ProcessGroup } from './processGroup';
import type { Scratch } from './scratch';

export interface ServerOptions {
  readonly extensionsDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Allows extension tests in the address. Hides notification toasts, so the workbench tests do without it. */
  readonly testDriver?: boolean;
  /** Folders open in Restricted Mode; without it every folder is trusted. */
  readonly restricted?: boolean;
}

/** A running VS Code server. The workbench is the page at {@link address}. */
export class VsCodeServer {
  constructor(
    readonly port: number,
    readonly group: ProcessGroup,
  ) {}

  address(workspace: string): string {
    return `http://127.0.0.1:${this.port}/?folder=${encodeURIComponent(workspace)}`;
  }

  /** The page that opens a workspace of several folders, by its `.code-workspace` file. */
  addressOfWorkspaceFile(file: string): string {
    return `http://127.0.0.1:${this.port}/?workspace=${encodeURIComponent(file)}`;
  }

  addressOfLoneFile(file: string): string {
    return this.#withPayload(`http://127.0.0.1:${this.port}/?ew=true`, { openFile: file });
  }

  /** The page that runs an extension's tests in the extension host. */
  addressOfTests(workspace: string, extensionDevelopmentPath: string, extensionTestsPath: string): string {
    return this.#withPayload(this.address(workspace), { extensionDevelopmentPath, extensionTestsPath });
  }

  #withPayload(address: string, paths: Readonly<Record<string, string>>): string {
    const remote = `vscode-remote://127.0.0.1:${this.port}`;
    const payload = Object.entries(paths).map(([name, file]) => [name, remote + file]);
    return `${address}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
  }
}

/** Starts a server on loopback for one test run and returns when it listens. */
export function startVsCodeServer(
  vsCode: InstalledVsCode,
  scratch: Scratch,
  { extensionsDir, env, testDriver = false, restricted = false }: ServerOptions = {},
): Promise<VsCodeServer> {
  const args = [
    vsCode.serverMain,
    ...['--host', '127.0.0.1', '--port', '0'],
    '--without-connection-token',
    '--accept-server-license-terms',
    ...(restricted ? [] : ['--disable-workspace-trust']),
    '--disable-telemetry',
    '--disable-experiments',
    ...['--server-data-dir', scratch.userData],
    ...(extensionsDir === undefined ? [] : ['--extensions-dir', extensionsDir]),
    ...(testDriver ? ['--enable-smoke-test-driver'] : []),
  ];
  return listening(vsCode, scratch, args, scratch.environment(env));
}

/**
 * Starts the same VS Code for a person: through code-server, which keeps stored secrets over a restart. The port
 * stays the same if it is free, because a browser stores secrets and layout by address.
 */
export function startCodeServer(
  vsCode: InstalledVsCode,
  scratch: Scratch,
  port: number,
): Promise<VsCodeServer> {
  const args = [
    vsCode.codeServerMain,
    ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
    ...['--user-data-dir', path.join(scratch.userData, 'data')],
    ...['--extensions-dir', path.join(scratch.home, 'extensions')],
    '--disable-workspace-trust',
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    // What the address without a path opens.
    scratch.workspace,
  ];
  return listening(vsCode, scratch, args, scratch.environment());
}

/** Waits for the line with the port. All output is kept in `server.log` of the scratch folder. */
async function listening(
  vsCode: InstalledVsCode,
  scratch: Scratch,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<VsCodeServer> {
  const endWithRunner = path.resolve('test/support/standIns/endWithRunner.mjs');
  const group = new ProcessGroup(vsCode.node, ['--import', endWithRunner, ...args], {
    cwd: scratch.home,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const log = createWriteStream(path.join(scratch.home, 'server.log'));
  const { stdout, stderr } = group.child;
  stderr?.pipe(log);

  const port = new Promise<number>((resolve, reject) => {
    let said = '';
    stdout?.on('data', (chunk: Buffer) => {
      log.write(chunk);
      if (said.length > 20_000) return;
      said += chunk.toString();
      const named = /(?:bound to |listening on http:\/\/)127\.0\.0\.1:(\d+)/.exec(said);
      if (named?.[1] !== undefined) resolve(Number(named[1]));
    });
    void group.gone.then((code) =>
      reject(new Error(`The VS Code server ended with ${code ?? 'a signal'}:\n${said}`)),
    );
    setTimeout(
      () => reject(new Error(`The VS Code server did not listen within 30 s:\n${said}`)),
      30_000,
    ).unref();
  });
  try {
    return new VsCodeServer(await port, group);
  } catch (error) {
    await group.end();
    throw error;
  }
}

/** Installs a .vsix into `extensionsDir` as a user would. */
export function installVsix(
  vsCode: InstalledVsCode,
  scratch: Scratch,
  vsix: string,
  extensionsDir: string,
): void {
  mkdirSync(extensionsDir, { recursive: true });
  const { stdout, stderr } = spawnSync(
    vsCode.node,
    [
      vsCode.serverMain,
      '--accept-server-license-terms',
      ...['--server-data-dir', scratch.userData],
      ...['--extensions-dir', extensionsDir],
      ...['--install-extension', vsix],
    ],
    { encoding: 'utf8', env: scratch.environment() },
  );
  if (!stdout.includes('was successfully installed'))
    throw new Error(`${vsix} did not install:\n${stdout}${stderr}`);
}
