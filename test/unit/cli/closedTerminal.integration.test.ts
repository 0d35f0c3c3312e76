import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { buildCli } from '../../support/cliProcess';
import { sandboxForTest } from '../../support/sandboxFixture';
import { worldWith } from './workflows';
import { smallPrompt } from '../../support/promptFile';

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

// The terminal of util-linux's `script` closes with it.
it.runIf(process.platform === 'linux')(
  'a run whose terminal is closed exits with 129 and leaves its job',
  async () => {
    const cli = await buildCli();
    onTestFinished(() => cli.remove());
    const sandbox = await sandboxForTest({ dialect: 'local', timing: 'human' });
    const world = await worldWith(JSON.stringify(smallPrompt(1, 400)));
    const run = [process.execPath, cli.file, 'run', world.path('w.json'), '--server', sandbox.url];
    const command = [...run, '--out', world.path('out')].map(quoted).join(' ');
    // Like an interactive shell, it passes the hangup on, and here it outlives the terminal to say how that ended.
    const shell = `trap 'kill -HUP $!' HUP; ${command} & wait $!; wait $!; echo $? > ${quoted(world.path('code'))}`;
    const terminal = spawn('script', ['-qfec', shell, '/dev/null'], { stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void terminal.kill('SIGKILL'));
    let said = '';
    terminal.stdout.on('data', (data: Buffer) => (said += data.toString()));
    await expect.poll(() => said, { timeout: 30_000 }).toMatch(/\d+\/400/);
    terminal.kill('SIGKILL');
    const code = async (): Promise<string> => readFile(world.path('code'), 'utf8').catch(() => '');
    await expect.poll(code, { timeout: 20_000 }).toBe('129\n');
    expect(sandbox.seen.count('POST', '/interrupt')).toBe(0);
  },
  90_000,
);
