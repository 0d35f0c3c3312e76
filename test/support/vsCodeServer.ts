import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { InstalledVsCode } from './installVsCode';
import { ProcessGroup } from './processGroup';
import type { Scratch } from './scratch';

export interface ServerOptions {
  readonly extensionsDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Lets the address name extension tests. Hides notification toasts, so the workbench tests do without. */
  readonly testDriver?: boolean;
  /** 0, the default, takes any free port. */
  readonly port?: number;
}

/** A running VS Code server. The workbench is the page at {@link address}. */
export class VsCodeServer {
  constructor(
    readonly port: number,
    readonly group: ProcessGroup,
  ) {}

  /** The page that opens `workspace`; with `tests`, one that runs an extension's tests in the extension host. */
  address(workspace: string, tests?: { readonly extension: string; readonly entry: string }): string {
    const page = `http://127.0.0.1:${this.port}/?folder=${encodeURIComponent(workspace)}`;
    if (tests === undefined) return page;
    const remote = `vscode-remote://127.0.0.1:${this.port}`;
    const payload = [
      ['extensionDevelopmentPath', remote + tests.extension],
      ['extensionTestsPath', remote + tests.entry],
    ];
    return `${page}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
  }
}

/** Starts a server on loopback and returns when it listens. Its output is kept in `server.log` of the scratch folder. */
export async function startVsCodeServer(
  vsCode: InstalledVsCode,
  scratch: Scratch,
  { extensionsDir, env, testDriver = false, port = 0 }: ServerOptions = {},
): Promise<VsCodeServer> {
  const args = [
    '--import',
    path.resolve('test/support/standIns/endWithRunner.mjs'),
    vsCode.serverMain,
    ...['--host', '127.0.0.1', '--port', String(port)],
    '--without-connection-token',
    '--accept-server-license-terms',
    '--disable-workspace-trust',
    '--disable-telemetry',
    '--disable-experiments',
    ...['--server-data-dir', scratch.userData],
    ...(extensionsDir === undefined ? [] : ['--extensions-dir', extensionsDir]),
    ...(testDriver ? ['--enable-smoke-test-driver'] : []),
  ];
  const group = new ProcessGroup(vsCode.node, args, {
    cwd: scratch.home,
    env: scratch.environment(env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const log = createWriteStream(path.join(scratch.home, 'server.log'));
  const { stdout, stderr } = group.child;
  stderr?.pipe(log);

  const listening = new Promise<number>((resolve, reject) => {
    let said = '';
    stdout?.on('data', (chunk: Buffer) => {
      log.write(chunk);
      if (said.length > 20_000) return;
      said += chunk.toString();
      const bound = /bound to 127\.0\.0\.1:(\d+)/.exec(said);
      if (bound?.[1] !== undefined) resolve(Number(bound[1]));
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
    return new VsCodeServer(await listening, group);
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
