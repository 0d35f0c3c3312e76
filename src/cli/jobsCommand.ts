import { isTerminal, type Job } from '../core/jobs/job';
import { jobStateWords } from '../core/jobs/jobWords';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { isRecordLocked, removeDeadLocks } from '../core/records/claimRecord';
import { type ListedRecord, recordsIn } from '../core/records/recordFile';
import { troubleWords } from '../core/records/runWords';
import { lostRuns } from '../core/records/lostRuns';
import { normaliseBase } from '../core/client/address';
import { ServerError } from '../core/protocol/serverError';
import { serversOfOpenRuns } from '../core/runLife/settleForgotten';
import { isOwed, outputsMade } from '../core/records/runRecord';
import { Secrets } from '../core/safety/secrets';
import { printFailure, readApiKey } from './commandProblem';
import { isTrustedAddress } from './arguments/optionValues';
import type { Arguments } from './commandArguments';
import { findForgotten } from './forgottenRuns';
import { fetchCommand } from './runReport';
import { commandLine } from './shellWords';
import { CommandServer } from './commandServer';
import { type CommandContext, exitCodes, jsonLine, plainTerminalLine, type Terminal } from './terminal';
import { listText, plural, t } from '../core/safety/localize';
import { exactTime } from '../core/safety/timeText';

/** The longest part of a server's list that is shown, in jobs. */
const listed = 20;

/**
 * Lists what is owed in a folder and, given a server, its queue and latest jobs. `--json` prints one object per line:
 * `{"event":"owed", …}` as in `run`, with `label`, `sentAt` and `isFollowed`, and `{"event":"job", …}`.
 */
export async function jobsCommand(options: Arguments<'jobs'>, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const key = readApiKey(options.keyEnv, terminal);
  const isWhole = options.lost ? await listLostRuns(options, key, context) : true;
  if (!options.lost) await listOwedRuns(options, terminal);
  if (options.server !== undefined) await listServer(options, options.server, key, context);
  return isWhole ? exitCodes.done : exitCodes.failed;
}

async function listOwedRuns(
  { out, keyEnv, server, json }: Arguments<'jobs'>,
  terminal: Terminal,
): Promise<void> {
  const folder = new NodeFolder(out);
  // All claims are checked at once: below, each would be watched alone.
  await removeDeadLocks(folder);
  let [isAny, isUnread] = [false, false];
  const skipped = ({ message }: Error): void => {
    isUnread = true;
    terminal.err(`${plainTerminalLine(message)}\n`);
  };
  for await (const each of recordsIn(folder, { skipped })) {
    const { job, label, state, sentAt, files, server: origin } = each.record;
    const trouble = troubleWords(each.record);
    if (state === 'outputsUnknown') {
      isAny = true;
      const line = cells(job, label, t`outputs unknown`, trouble);
      terminal.out(json ? jsonLine({ event: 'outputsUnknown', job, label, trouble }) : line);
    }
    if (!isOwed(each.record)) continue;
    isAny = true;
    const isFollowed = await isRecordLocked(folder, each.name);
    const record = folder.location(each.name);
    const address = server ?? new Secrets().scrub(origin);
    const command = fetchCommand({ job: job ?? record, out, server: address, keyEnv });
    if (json) {
      const counts = { expected: outputsMade(each.record), saved: files.length };
      terminal.out(
        jsonLine({ event: 'owed', job, record, label, state, sentAt, isFollowed, ...counts, command }),
      );
    } else {
      terminal.out(cells(job ?? t`no job ID`, label, owedWords(each, isFollowed)));
      if (!isFollowed) terminal.out(`  ${command}\n`);
    }
  }
  if (isAny || json) return;
  const place = plainTerminalLine(out);
  const others = t`No outputs are missing in the other run records of ${place}.`;
  terminal.err(`${isUnread ? others : t`No outputs are missing in ${place}.`}\n`);
}

/** Whether all servers with runs that are open have answered. */
async function listLostRuns(
  { out, server, json }: Arguments<'jobs'>,
  key: string | undefined,
  context: CommandContext,
): Promise<boolean> {
  const { terminal } = context;
  const folder = new NodeFolder(out);
  const open = server === undefined ? await serversOfOpenRuns(folder) : [server];
  let isWhole = true;
  for (const each of open) {
    if (server === undefined && !isTrustedAddress(each)) {
      isWhole = false;
      const [from, option] = [plainTerminalLine(new Secrets().scrub(each)), '--server'];
      terminal.err(`${t`${from} wasn't asked about its runs. If it's yours, specify it with ${option}.`}\n`);
      continue;
    }
    await findForgotten(out, each, key, context).catch((error: unknown) => {
      if (server !== undefined || !ServerError.is(error)) throw error;
      isWhole = false;
      printFailure(error, terminal);
    });
  }
  const onTrouble = (error: Error): unknown => terminal.err(`${plainTerminalLine(error.message)}\n`);
  const lost = await lostRuns(folder, server === undefined ? undefined : normaliseBase(server), onTrouble);
  const servers = new Set<string>();
  for (const { name, record: run } of lost) {
    const { job, label, sentAt } = run;
    const address = new Secrets().scrub(run.server);
    servers.add(address);
    const [record, at] = [folder.location(name), exactTime(Date.parse(sentAt ?? ''))];
    if (json) terminal.out(jsonLine({ event: 'lost', job, record, label, server: address, sentAt }));
    else terminal.out(cells(job, label, t`submitted ${at}`));
  }
  if (json) return isWhole;
  if (lost.length === 0 && isWhole) terminal.err(`${t`No runs were lost in ${plainTerminalLine(out)}.`}\n`);
  for (const each of servers) {
    if (server === undefined && !isTrustedAddress(each)) {
      const [from, option] = [plainTerminalLine(each), '--server'];
      terminal.err(
        `${t`To run those of ${from} again, use rerun --lost with ${option}, if that server is yours.`}\n`,
      );
      continue;
    }
    const words = ['comfy-deck', 'rerun', '--lost', '--server', each, '--out', out];
    terminal.err(`${t`To run them again:`}\n  ${commandLine(words)}\n`);
  }
  return isWhole;
}

function cells(...texts: readonly (string | undefined)[]): string {
  return `${texts.map((text) => plainTerminalLine(text ?? '')).join('  ')}\n`;
}

function owedWords({ record }: ListedRecord, isFollowed: boolean): string {
  const { state, sentAt, files } = record;
  const made = outputsMade(record);
  const saved =
    state === 'submitted' || made === 0
      ? t`submitted, outputs not saved yet`
      : plural(made, t`${files.length} of 1 output saved`, t`${files.length} of ${made} outputs saved`);
  return listText([
    state === 'sending' ? t`may or may not have been accepted by the server` : saved,
    sentAt === undefined ? '' : t`submitted ${exactTime(Date.parse(sentAt))}`,
    troubleWords(record),
    isFollowed ? t`being tracked by a window or another command` : '',
  ]);
}

async function listServer(
  { json }: Arguments<'jobs'>,
  server: string,
  key: string | undefined,
  context: CommandContext,
): Promise<void> {
  const { terminal } = context;
  await CommandServer.use(server, key, context, async ({ session, store }) => {
    await session.tracker.refresh();
    const jobs = [...store.jobs()].sort(byPlace);
    const live = jobs.filter(({ state }) => !isTerminal(state));
    const ended = jobs.filter(({ state }) => isTerminal(state)).slice(0, listed);
    if (session.tracker.state.liveUnknown)
      terminal.err(`${t`${plainTerminalLine(server)} doesn't say which jobs are running or queued.`}\n`);
    else if (!json) terminal.err(`${t`${live.length} running or queued at ${plainTerminalLine(server)}`}\n`);
    for (const { id, state, queuePosition, createdAt } of [...live, ...ended]) {
      if (json) {
        const at = createdAt === undefined ? undefined : new Date(createdAt).toISOString();
        terminal.out(jsonLine({ event: 'job', job: id, state, queuePosition, createdAt: at }));
      } else {
        const at = createdAt === undefined ? '' : `  ${exactTime(createdAt)}`;
        terminal.out(`${plainTerminalLine(id)}  ${jobStateWords()[state]}${at}\n`);
      }
    }
  });
}

function byPlace(one: Job, other: Job): number {
  const place = ({ state, queuePosition }: Job): number =>
    isTerminal(state) ? Number.MAX_SAFE_INTEGER : state === 'running' ? 0 : (queuePosition ?? 1);
  return place(one) - place(other) || (other.createdAt ?? 0) - (one.createdAt ?? 0);
}
