import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { corpusFolder, corpusNote } from '../support/corpus';
import { CannotRun } from '../support/partResult';
import type { BenchRow, Measurement } from './measure';
import { activation } from './rows/activation';
import { batch, serveSandbox } from './rows/batch';
import { definitions } from './rows/definitions';
import { diagnostics } from './rows/diagnostics';
import { events, sendEvents } from './rows/events';
import { galleryScroll } from './rows/galleryScroll';
import { graph } from './rows/graph';
import { language } from './rows/language';
import { lenses } from './rows/lenses';
import { output, serveHugeFile } from './rows/output';
import { previews } from './rows/previews';
import { records } from './rows/records';

/*
 * npm run bench -- [--only NAME[,NAME…]]
 * Measures the product against its bars. Each row runs in a separate process, one after the other; a missed bar fails
 * nothing: the table shows it.
 */

/** In the order of the table. */
const rows: readonly BenchRow[] = [
  ...[activation, definitions, diagnostics, language, previews, events, output, records],
  ...[lenses, galleryScroll, graph, batch],
];
const helpers: Readonly<Record<string, () => unknown>> = { sendEvents, serveHugeFile, serveSandbox };

interface Report {
  readonly name: string;
  readonly measurements: readonly Measurement[];
  readonly problem?: string;
}

/** Runs a row in a fresh process: without another row's heap, compiled code or timers. */
async function inOwnProcess({ name, patience = 120_000 }: BenchRow): Promise<Report> {
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
  const reports: Report[] = [];
  for (const row of rows.filter(({ name }) => only.length === 0 || only.includes(name)))
    reports.push(await inOwnProcess(row));
  const machine = `${os.cpus().length} x ${os.cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  const load = os.loadavg()[0] ?? 0;
  console.log(tableOf(reports.flatMap(({ measurements }) => measurements)));
  for (const { name, problem } of reports) if (problem !== undefined) console.log(`${name}: ${problem}`);
  console.log(`${machine}, load ${load.toFixed(1)}`);
  mkdirSync('out', { recursive: true });
  const report = { at: new Date().toISOString(), machine, load, rows: reports };
  writeFileSync(path.resolve('out/bench.json'), JSON.stringify(report, null, 2));
  if (reports.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
}

function tableOf(measurements: readonly Measurement[]): string {
  const cells = measurements.map(({ what, bar, value, held }) => [
    held === undefined ? '-' : held ? 'held' : 'MISSED',
    ...[what, bar, value],
  ]);
  const all = [['', 'what', 'bar', 'measured'], ...cells];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return all.map((row) => line(row).trimEnd()).join('\n');
}

/** Sends the measurements to the parent, and ends everything that the row left open. */
async function measureRow(name: string): Promise<void> {
  const row = rows.find((each) => each.name === name);
  let measurements: readonly Measurement[];
  try {
    measurements = (await row?.measure()) ?? [];
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    measurements = [{ what: name, bar: '-', value: `not measured: ${error.message}`, numbers: {} }];
  }
  await new Promise((resolve) => process.send?.(measurements, undefined, undefined, resolve));
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
