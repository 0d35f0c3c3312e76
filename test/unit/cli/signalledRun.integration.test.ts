import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isOwed } from '../../../src/core/records/runRecord';
import { buildCli, type BuiltCli, type CliProcess } from '../../support/cliProcess';
import { notOnWindows } from '../../support/notOnWindows';
import { smallPrompt } from '../../support/promptFile';
import { worldBeside, picture } from './workflows';

/** Has the answer to a prompt and may pass on all of it or a part. */
type AtAnswer = (answer: { readonly whole: Buffer; readonly response: ServerResponse }) => Promise<void>;

/** A gateway in front of the sandbox that lets a test act on the answer to a prompt before the client gets it. */
async function gatewayTo(target: string, atAnswer: AtAnswer): Promise<string> {
  const { hostname, port, host } = new URL(target);
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url: path, headers } = request;
    const onward = httpRequest({ hostname, port, method, path, headers: { ...headers, host } });
    request.pipe(onward);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    if (method !== 'POST' || path !== '/api/prompt') {
      answer.pipe(response);
      return;
    }
    const whole = Buffer.concat((await answer.toArray()) as Buffer[]);
    await atAnswer({ whole, response });
    response.end();
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  // The run is followed by polling.
  server.on('upgrade', (_request, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(notOnWindows('it ends another program at once, without a signal'))(
  'a run whose process is asked to exit while the answer to its prompt arrives',
  () => {
    let cli: BuiltCli;
    beforeAll(async () => {
      cli = await buildCli();
    }, 60_000);
    afterAll(() => cli.remove());

    /** When the signal is sent; the answer to the prompt is passed on in two halves. */
    const moments = ['before the answer', 'within the answer', 'with the answer', 'at the job id'] as const;
    const signals = ['SIGHUP', 'SIGTERM', 'SIGINT'] as const;

    it.each(moments.flatMap((moment) => signals.map((signal) => [moment, signal] as const)))(
      'lists its job as owed, and says how to get it: %s, %s',
      async (moment, signal) => {
        const { sandbox, world } = await worldBeside('local', picture);
        const started: { run?: CliProcess } = {};
        const strike = async (): Promise<void> => {
          started.run?.child.kill(signal);
          // It has received the signal: it has exited, or continues until it has the answer.
          await expect
            .poll(() => started.run?.said(), { timeout: 30_000 })
            .toMatch(/Cancelling|comfy-deck fetch/);
        };
        const url = await gatewayTo(sandbox.url, async ({ whole, response }) => {
          if (moment === 'before the answer') await strike();
          response.write(whole.subarray(0, 12));
          if (moment === 'within the answer') await strike();
          response.write(whole.subarray(12));
          if (moment === 'with the answer') started.run?.child.kill(signal);
        });
        const out = world.path('out');
        const run = cli.start(['run', world.path('w.json'), '--server', url, '--out', out]);
        started.run = run;
        const { child, said, ended } = run;
        if (moment === 'at the job id') {
          child.stderr?.on('data', (data: Buffer) => {
            if (data.toString().includes('Job ')) child.kill(signal);
          });
        }
        const code = await ended;
        // A run that was already over has nothing to report.
        if (code !== 0) expect(code).toBe(signal === 'SIGHUP' ? 129 : 130);
        expect(sandbox.seen.count('POST', '/prompt')).toBe(1);

        const owed = (await world.records()).filter(isOwed);
        const [, told] = /comfy-deck (fetch .*)/.exec(said()) ?? [];
        expect(told !== undefined, said()).toBe(owed.length > 0);
        if (told !== undefined) {
          await expect.poll(() => sandbox.seen.accepted.length, { timeout: 30_000 }).toBe(1);
          expect(await world.run('wait', ...told.split(' ').slice(1)), world.err + said()).toBe(0);
        }
        // Nothing of it is owed any more, and nothing was saved twice.
        const records = await world.records();
        expect(records).toHaveLength(1);
        expect(records.filter(isOwed)).toEqual([]);
        expect(await world.names('out', '.png')).toHaveLength(records[0]?.files.length ?? 0);
        if (signal === 'SIGHUP') expect(records[0]?.files).toHaveLength(1);
      },
      120_000,
    );
  },
);

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

// The terminal of util-linux's `script` closes with it.
it.runIf(process.platform === 'linux')(
  'a run whose terminal is closed exits with 129 and leaves its job',
  async () => {
    const cli = await buildCli();
    onTestFinished(() => cli.remove());
    const { sandbox, world } = await worldBeside('human', JSON.stringify(smallPrompt(1, 400)));
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

it('a run by a reader that exits early continues and saves its outputs', async () => {
  const cli = await buildCli();
  onTestFinished(() => cli.remove());
  const { sandbox, world } = await worldBeside('local', picture);
  const run = ['run', world.path('w.json'), '--server', sandbox.url, '--out', world.path('out')];
  const { child, ended } = cli.start(run);
  child.stdout?.destroy();
  child.stderr?.once('data', () => child.stderr?.destroy());
  expect(await ended).toBe(0);
  expect((await readdir(world.path('out'))).filter((name) => name.endsWith('.png'))).toHaveLength(1);
}, 60_000);
