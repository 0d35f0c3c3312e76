import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { budgets } from '../../src/core/safety/budgets';
import { isOwed, type OutFolder, readOutFolder } from './outFolder';
import { type Kill, type ProgramEnd, runProgram } from './program';
import type { SoakCase } from './soakCase';
import { soakWorkflow } from './soakPictures';
import { SoakServer } from './soakServer';
import type { Seen } from './verdict';

/**
 * Runs one case: the command line under its faults, then, without faults, the commands that list and fetch what is
 * owed.
 */
export async function runCase(planned: SoakCase): Promise<Seen> {
  const home = mkdtempSync(path.join(tmpdir(), 'comfy-deck-soak-'));
  const out = path.join(home, 'out');
  mkdirSync(out);
  writeFileSync(path.join(home, 'soak.json'), soakWorkflow(planned));
  const server = await SoakServer.start(planned);
  try {
    const run = await runProgram(runArguments(planned, server.sandbox.url), home, planned.kill);
    await server.calm();
    const after = readOutFolder(out);
    const isKnown = await server.knowsAll();
    const listing = await runProgram(['jobs', '--out', 'out', '--json'], home);
    const killed: ProgramEnd[] = [];
    if (planned.killFetch) killed.push(...(await fetchOwed(home, planned.killFetch)));
    const between = readOutFolder(out);
    const recovery = await fetchOwed(home);
    const recovered = readOutFolder(out);
    for (const { name } of recovered.records.filter(isOwed)) makeOld(path.join(out, name));
    const late = await fetchOwed(home);
    // Leftovers of a killed program disappear with the next one.
    if (killed.length > 0) await runProgram(['jobs', '--out', 'out'], home);
    return {
      ...{ planned, run, isKnown, after, listing, killed, between, recovery, recovered, late },
      struck: server.proxy.struck,
      accepted: server.accepted,
      made: server.outputs,
      atLast: readOutFolder(out),
    };
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function runArguments({ lookOut }: SoakCase, server: string): readonly string[] {
  const args = ['run', 'soak.json', '--server', server, '--out', 'out', '--json'];
  return lookOut === undefined ? args : [...args, '--look-out', String(lookOut)];
}

/** Fetches each run with something owed in the folder. */
async function fetchOwed(home: string, kill?: Kill): Promise<ProgramEnd[]> {
  const { records }: OutFolder = readOutFolder(path.join(home, 'out'));
  const ends: ProgramEnd[] = [];
  for (const { name } of records.filter(isOwed)) {
    const args = ['fetch', path.join('out', name), '--out', 'out', '--json'];
    ends.push(await runProgram(args, home, kill));
  }
  return ends;
}

/** As if it had been sent so long ago that it cannot arrive any more. */
function makeOld(file: string): void {
  const record = JSON.parse(readFileSync(file, 'utf8')) as object;
  const sentAt = new Date(Date.now() - budgets.latestArrival - 60_000).toISOString();
  writeFileSync(file, JSON.stringify({ ...record, sentAt }));
}
