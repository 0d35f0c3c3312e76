import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Figures } from './figures';
import { runCase } from './runCase';
import { describeCase, planCase, type SoakSize } from './soakCase';
import { problemsOf, type Seen } from './verdict';

/**
 * `npm run soak [-- --seed N --network N --server N --kill N --jobs N --only K]`: runs the command line as a separate
 * program, again and again, while the network and the server fail and the program is killed. Exits 0 if every promise
 * held.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      network: { type: 'string', default: '200' },
      server: { type: 'string', default: '75' },
      kill: { type: 'string', default: '40' },
      jobs: { type: 'string', default: '2' },
      only: { type: 'string' },
    },
  });
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  const size = { network: Number(values.network), server: Number(values.server), kill: Number(values.kill) };
  const count = size.network + size.server + size.kill;
  if (![seed, count, Number(values.jobs)].every((number) => Number.isSafeInteger(number) && number >= 0)) {
    process.stderr.write('Seed and counts are whole numbers.\n');
    return 2;
  }
  const asked = [
    '--seed',
    seed,
    '--network',
    size.network,
    '--server',
    size.server,
    '--kill',
    size.kill,
  ].join(' ');
  console.log(`npm run soak -- ${asked}`);
  const waiting = values.only === undefined ? [...Array(count).keys()] : [Number(values.only)];
  const figures = new Figures();
  const worker = async (): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      await soak(seed, index, size, figures, asked);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
  console.log(`\n${figures.table()}\nSeed ${seed}.`);
  return figures.failed === 0 ? 0 : 1;
}

async function soak(
  seed: number,
  index: number,
  size: SoakSize,
  figures: Figures,
  asked: string,
): Promise<void> {
  const planned = planCase(seed, index, size);
  const again = `npm run soak -- ${asked} --only ${index}`;
  let seen: Seen;
  try {
    seen = await runCase(planned);
  } catch (error) {
    figures.broke();
    console.log(`\n${describeCase(planned)}\n  ${String(error)}\n  again: ${again}`);
    return;
  }
  const problems = problemsOf(seen);
  figures.add(seen, problems);
  if (problems.length === 0) return;
  console.log(`\n${describeCase(planned)}\n  ${problems.join('\n  ')}\n  again: ${again}`);
  mkdirSync('out/soak', { recursive: true });
  const { run, listing, killed, recovery, late } = seen;
  const said = [run, listing, ...killed, ...recovery, ...late]
    .flatMap(({ stdout, stderr }) => [stdout, stderr])
    .join('\n---\n');
  writeFileSync(
    `out/soak/${seed}-${index}.txt`,
    `${describeCase(planned)}\n${problems.join('\n')}\n\n${said}`,
  );
}

process.exitCode = await main();
