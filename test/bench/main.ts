import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { corpusFolder, corpusNote } from '../support/corpus';
import type { BenchRow, Measurement } from './row';
import { rows } from './rows';
import { helpers } from './helpers';
import { table } from './table';

/*
 * npm run bench -- [--only NAME[,NAME…]]
 * Measures the product against its bars. Each row runs in a separate process, one after the other; nothing passes or
 * fails here: the table shows the results.
 */

/** A row without its own limit is stopped after this, ms. */
const usualPatience = 120_000;

interface Report {
  readonly name: string;
  readonly measurements: readonly Measurement[];
  readonly problem?: string;
}

/** Runs a row in a fresh process: without another row's heap, compiled code or timers. */
async function inOwnProcess({ name, patience = usualPatience }: BenchRow): Promise<Report> {
  console.error(`measuring ${name} …`);
  const child = fork(process.argv[1] ?? '', ['--row', name], {
    execArgv: ['--expose-gc', '--enable-source-maps'],
  });
  const timer = setTimeout(() => child.kill(), patience);
  let measurements: readonly Measurement[] | undefined;
  child.on('message', (message) => (measurements = message as readonly Measurement[]));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  if (measurements) return { name, measurements };
  return { name, measurements: [], problem: code === null ? 'took too long' : `ended with code ${code}` };
}

async function bench(only: readonly string[]): Promise<void> {
  const unknown = only.filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0) {
    console.error(`There is no row ${unknown.join(', ')}. Rows: ${rows.map(({ name }) => name).join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const wanted = rows.filter(({ name }) => only.length === 0 || only.includes(name));
  const measured = new Map<BenchRow, Report>();
  for (const row of wanted.filter(({ untimed }) => untimed !== true))
    measured.set(row, await inOwnProcess(row));
  const beside = wanted.filter(({ untimed }) => untimed === true);
  await Promise.all(beside.map(async (row) => measured.set(row, await inOwnProcess(row))));
  const reports = wanted.flatMap((row) => measured.get(row) ?? []);
  const machine = `${os.cpus().length} x ${os.cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  const load = os.loadavg()[0] ?? 0;
  console.log(table(reports.flatMap(({ measurements }) => measurements)));
  for (const { name, problem } of reports) if (problem !== undefined) console.log(`${name}: ${problem}`);
  console.log(`${machine}, load ${load.toFixed(1)}`);
  mkdirSync('out', { recursive: true });
  const file = path.resolve('out/bench.json');
  writeFileSync(
    file,
    JSON.stringify({ at: new Date().toISOString(), machine, load, rows: reports }, null, 2),
  );
  if (reports.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
}

/** Sends the measurements to the parent, and ends everything that the row left open. */
async function measureRow(name: string): Promise<void> {
  const row = rows.find((each) => each.name === name);
  const measurements = (await row?.measure()) ?? [];
  await new Promise<void>((resolve) => {
    if (process.send) process.send(measurements, undefined, undefined, () => resolve());
    else resolve();
  });
  process.exit(0);
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    row: { type: 'string' },
    helper: { type: 'string' },
  },
});

if (values.helper !== undefined) await helpers[values.helper]?.();
else if (corpusFolder === undefined) console.log(`Nothing was measured${corpusNote}.`);
else if (values.row !== undefined) await measureRow(values.row);
else await bench(values.only.flatMap((names) => names.split(',')));
