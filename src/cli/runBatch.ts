import { RunWork } from '../core/runLife/runWork';
import { batchDefaults } from '../core/batch/batchFile';
import path from 'node:path';
import { claimBatch, requireStarted, type StartedBatch } from '../core/batch/startedBatch';
import { countRows, rowsLeft, type BatchRow } from '../core/batch/batchRow';
import { BatchRun, type BatchStop } from '../core/batch/batchRun';
import type { BatchServer, BatchWork } from '../core/batch/runRow';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { lockWords } from '../core/records/claimRecord';
import type { Secrets } from '../core/safety/secrets';
import { budgets } from '../core/safety/budgets';
import { t } from '../core/safety/localize';
import { commandTrouble } from './commandProblem';
import type { BatchReport } from './batchReport';
import type { CommandResult } from './commandReport';
import type { BatchRequest, LocatedBatch } from './batchRequest';
import { writeSheet } from './sheetFile';
import type { Arguments } from './commandArguments';
import { commandLine } from './shellWords';
import { mediaBeside } from './workflowFile';
import type { CommandServer } from './commandServer';
import { largestInputCopy, notRecordedWords, workflowPathWithoutHome } from './commandRuns';

export type OpenServer = CommandServer & Pick<BatchServer, 'window'>;

interface RunningBatch {
  readonly request: BatchRequest;
  readonly started: LocatedBatch;
  readonly servers: readonly OpenServer[];
  readonly options: Arguments<'batch'> | Arguments<'run'>;
  readonly report: BatchReport;
  readonly secrets: Secrets;
  readonly signal: AbortSignal;
  /** Called before the first row is sent, with the command that resumes the batch. */
  readonly onBegun: (resume: string) => void;
}

export async function runBatch(running: RunningBatch): Promise<CommandResult> {
  const { request, started: startedBatch, options, report, servers, secrets } = running;
  const { sheet } = options;
  const folder = new NodeFolder(path.dirname(path.resolve(startedBatch.location)));
  const claim = await claimBatch(folder, startedBatch.name, () => report.say(`${lockWords()}…`));
  const forget = servers.map((each) => tellSilence(each, report));
  try {
    const rows = await rowsOf(folder, startedBatch.batch, running);
    const run = new BatchRun({
      work: { ...workOf(running, startedBatch.batch, folder), requireOwn: () => claim.requireOwn() },
      servers,
      rows,
      stopAfterErrors: request.spec.stopAfterErrors ?? batchDefaults.stopAfterErrors,
      onRow: (row) => report.row(row, () => run.counts),
      onServer: (server, state, message) => report.server(server, state, message),
    });
    // The sandbox ends with the command.
    if (servers.every(({ isSandbox }) => !isSandbox))
      running.onBegun(resumeCommand(folder.location(startedBatch.name), servers, options, false));
    const stop = await run.go(running.signal).catch((error: unknown): BatchStop => {
      if (running.signal.aborted) throw error;
      report.trouble(commandTrouble(error));
      return { why: 'done', message: '' };
    });
    const location = folder.location(startedBatch.name);
    const result = await endOf(stop, run, running, folder, startedBatch);
    if (sheet === undefined) return result;
    try {
      await writeSheet(sheet, startedBatch.batch, folder, run.rows, secrets);
      return result;
    } catch (error) {
      const { message } = commandTrouble(error);
      report.trouble({
        message: t`The sheet couldn't be written: ${message}`,
        // It sends nothing if all rows are saved.
        nextAction: t`To write it, run ${commandLine([...batchWords(location, servers), '--sheet', sheet])}.`,
      });
      return result.outcome === 'done' ? { ...result, outcome: 'failed' } : result;
    }
  } finally {
    for (const each of forget) each();
    await claim.release();
  }
}

/** Reports a silent server long before other servers get its rows. */
function tellSilence({ name, session }: OpenServer, report: BatchReport): () => void {
  let isSilent = false;
  return session.tracker.onDidChangeState(({ trouble, silent = false, stream }) => {
    if (silent === isSilent) return;
    isSilent = silent;
    const why = stream.kind === 'waiting' ? stream.reason : '';
    report.server(name, silent ? 'silent' : 'ready', trouble?.message ?? why);
  });
}

async function rowsOf(
  folder: NodeFolder,
  batch: StartedBatch,
  { servers, options, secrets }: RunningBatch,
): Promise<readonly BatchRow[]> {
  const origins = new Set(servers.map(({ session }) => session.origin));
  const again = 'retryFailed' in options && options.retryFailed;
  const hide = (text: string): string => secrets.hide(text);
  return (await rowsLeft(folder, batch, { origins, retry: again, hide })).map((row) => {
    if (row.state !== 'owed' || row.server === undefined || origins.has(row.server)) return row;
    return { ...row, message: t`${row.server} has it or may have it. Add it to --servers.` };
  });
}

function workOf(
  { request, options, servers, secrets, report }: RunningBatch,
  batch: StartedBatch,
  folder: NodeFolder,
): BatchWork {
  const { force, allowLoss, lookOut, upload, spend, saveTemporary, out } = options;
  const addresses = servers.map(({ url }) => url);
  const areSandboxes = servers.every(({ isSandbox }) => isSandbox);
  return {
    runs: new RunWork(),
    batch,
    workflowText: request.workflowText,
    sourceUri: workflowPathWithoutHome(request.workflow, out),
    folder,
    choices: { force, allowLoss, lookOut },
    temporaryToo: saveTemporary,
    asks: {
      localMedia: (name) => mediaBeside(request.workflow, name),
      mayUpload: (files) => report.mayUpload(files, addresses, upload),
      maySpend: () => Promise.resolve(spend || areSandboxes),
      mayMovePaid: () => Promise.resolve(spend || areSandboxes),
    },
    partnerKey: ({ name }) => Promise.resolve(servers.find((each) => each.name === name)?.key),
    hide: (text) => secrets.hide(text),
    largestCopy: largestInputCopy,
    giveUpAfter: budgets.serverAway,
    sandboxEnds: true,
    onRun: (row, event) => {
      if (event.kind === 'saved') report.saved(event.job.id, event.files);
      if (event.kind === 'notRecorded') report.trouble(notRecordedWords(event.error, row));
    },
  };
}

async function endOf(
  stop: BatchStop,
  run: BatchRun,
  { servers, report, options }: RunningBatch,
  folder: NodeFolder,
  { name, batch }: LocatedBatch,
): Promise<CommandResult> {
  const location = folder.location(name);
  const { saved, failed } = countRows(run.rows);
  const isWhole = saved === run.rows.length;
  // The sandbox ends with the command.
  let mayContinue = !isWhole && servers.every(({ isSandbox }) => !isSandbox);
  try {
    if (mayContinue) await requireStarted(folder, name, batch.id);
  } catch (error) {
    mayContinue = false;
    report.trouble(commandTrouble(error));
  }
  report.summary(
    location,
    run.rows,
    mayContinue ? resumeCommand(location, servers, options, failed > 0) : undefined,
  );
  if (stop.why === 'cancelled') {
    if (stop.message !== '') report.trouble({ message: stop.message, nextAction: '' });
    return { outcome: stop.message === '' ? 'cancelled' : 'notEnded', saved };
  }
  if (stop.why === 'declined') {
    report.trouble({ message: stop.message, nextAction: t`Allow it with --upload yes or --spend yes.` });
    return { outcome: 'usage', saved };
  }
  const isStopped = stop.why === 'errors';
  const message = isStopped ? t`The batch stopped: ${stop.message}` : stop.message;
  const nextAction = isStopped ? t`Fix the cause, then resume the batch.` : '';
  if (message !== '') report.trouble({ message, nextAction });
  return { outcome: isWhole ? 'done' : 'failed', saved };
}

function resumeCommand(
  location: string,
  servers: readonly OpenServer[],
  { keyEnv, spend, upload }: Arguments<'batch'> | Arguments<'run'>,
  retry: boolean,
): string {
  const words = batchWords(location, servers);
  if (keyEnv !== undefined) words.push('--key-env', keyEnv);
  if (upload) words.push('--upload', 'yes');
  if (spend) words.push('--spend', 'yes');
  if (retry) words.push('--retry-failed');
  return commandLine(words);
}

function batchWords(location: string, servers: readonly OpenServer[]): string[] {
  const addresses = servers.map(({ url, isSandbox }) => (isSandbox ? 'sandbox' : url));
  return ['comfy-deck', 'batch', location, '--servers', addresses.join(',')];
}
