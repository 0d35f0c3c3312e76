import { parseArgs } from 'node:util';
import { isLoopback } from '../../src/core/client/address';
import type { Check, Finding } from './check';
import { LiveServer } from './liveServer';
import { musicChecks } from './musicChecks';
import { queueChecks } from './queueChecks';
import { readingChecks } from './readingChecks';
import { refusalChecks } from './refusalChecks';
import { registryChecks } from './registryChecks';
import { runChecks } from './runChecks';

/**
 * The client's conformance suite against a live server: `npm run test:server -- URL [--key-env NAME]`. Prints what
 * passed and what the server does not have; exits 0 if nothing failed, 1 if something did, 2 for wrong usage. It runs
 * small jobs without models, touches only its own jobs, and leaves none behind. If there is a music service, it
 * requests a few seconds of music.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'key-env': { type: 'string' }, spend: { type: 'boolean', default: false } },
  });
  const [url] = positionals;
  if (url === undefined || !URL.canParse(url)) {
    process.stderr.write('Usage: npm run test:server -- URL [--key-env NAME] [--spend]\n');
    return 2;
  }
  if (!isLoopback(url) && !values.spend) {
    process.stderr.write('Jobs on this server may cost money. Say --spend if that is all right.\n');
    return 2;
  }
  const keyEnv = values['key-env'];
  const server = LiveServer.open(url, keyEnv === undefined ? undefined : process.env[keyEnv]);
  try {
    const failed = await runAll(server, [
      ...readingChecks,
      ...runChecks,
      ...refusalChecks,
      ...queueChecks,
      ...registryChecks,
      ...musicChecks,
    ]);
    return failed === 0 ? 0 : 1;
  } finally {
    await server.close();
  }
}

async function runAll(server: LiveServer, checks: readonly Check[]): Promise<number> {
  const counts = { held: 0, absent: 0, failed: 0 };
  for (const check of [...checks, nothingLeft]) {
    const began = performance.now();
    const row = await outcomeOf(server, check);
    counts[row.kind]++;
    const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
    process.stdout.write(
      `${row.kind.padEnd(7)}${seconds} s  ${check.name}${row.note === '' ? '' : `: ${row.note}`}\n`,
    );
    // If a server does not even answer, everything fails with the same message.
    if (row.kind === 'failed' && check === checks[0]) break;
  }
  process.stdout.write(`${counts.held} held, ${counts.absent} not there, ${counts.failed} failed\n`);
  return counts.failed;
}

async function outcomeOf(
  server: LiveServer,
  check: Check,
): Promise<{ kind: 'held' | 'absent' | 'failed'; note: string }> {
  try {
    const finding: Finding = await check.run(server);
    return finding.kind === 'held'
      ? { kind: 'held', note: finding.note ?? '' }
      : { kind: 'absent', note: finding.why };
  } catch (error) {
    return { kind: 'failed', note: error instanceof Error ? error.message : String(error) };
  }
}

const nothingLeft: Check = {
  name: 'nothing is left in the queue',
  async run(server) {
    const left = await server.leaveNothing();
    if (left > 0) throw new Error(`${left} of our jobs are still there`);
    return { kind: 'held' };
  },
};

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
