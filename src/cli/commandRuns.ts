import { nodeGivenName, type Job } from '../core/jobs/job';
import { type CancelResult, MayStillRun } from '../core/jobs/cancelJobs';
import { leftOutName, leftOutOutputs, lostSentence } from '../core/jobs/jobWords';
import { tellFailure } from '../core/jobs/failureText';
import { type Ending, failureFields } from './commandReport';
import path from 'node:path';
import {
  cachedOutputsWords,
  misnamedWords,
  unheardOutputs,
  unknownOutputsWords,
} from '../core/jobs/outputCount';
import type { TrackerState } from '../core/jobs/serverWatch';
import { filesNotSaved } from '../core/outputs/outputNames';
import { OutputError } from '../core/outputs/outputError';
import { outputsMade } from '../core/records/runRecord';
import type { RunEvent } from '../core/runLife/ownedRun';
import { RunWork, type WorkPorts } from '../core/runLife/runWork';
import type { EndPhase } from '../core/runLife/run';
import { budgets } from '../core/safety/budgets';
import { endSentence } from '../core/safety/endSentence';
import { errorWords } from '../core/safety/errorWords';
import { listText, t } from '../core/safety/localize';
import { pathBelow } from '../core/safety/paths';
import type { Secrets } from '../core/safety/secrets';
import { type Trouble, commandTrouble } from './commandProblem';
import { fetchCommand, type FetchWords, type RunReport } from './runReport';

/** Larger input files are not copied, bytes; the same as the default of `comfyDeck.keepInputs`. */
export const largestInputCopy = 20_000_000;

export function commandPorts(
  own: Pick<WorkPorts, 'folder' | 'isSandbox' | 'source'> & { readonly temporaryToo: boolean },
  secrets: Secrets,
  report: RunReport,
): WorkPorts {
  const reportServer = serverReporter(report);
  return {
    ...own,
    runs: new RunWork(),
    hide: (text) => secrets.hide(text),
    largestCopy: largestInputCopy,
    endsWithOwner: own.isSandbox,
    giveUpAfter: budgets.serverAway,
    keepsLock: true,
    on: (event) =>
      event.kind === 'server' ? reportServer(event.state) : reportRunEvent(event, report, own.temporaryToo),
  };
}

function reportRunEvent(
  event: Exclude<RunEvent, { kind: 'server' }>,
  report: RunReport,
  temporaryToo: boolean,
): void {
  switch (event.kind) {
    case 'stage':
      report.stage(event.stage);
      return;
    case 'accepted':
      report.accepted(event.jobId);
      return;
    case 'resumed':
      if (!event.job)
        report.say(t`The server doesn't list job ${event.jobId} now. Checking again for a minute.`);
      return;
    case 'cancel':
      if (event.result !== 'stillRunning') report.say(cancelWords[event.result]);
      return;
    case 'notCancelled':
      report.trouble({
        message: t`The job couldn't be cancelled: ${commandTrouble(event.error).message}`,
        nextAction: t`Job ${event.jobId} may still be running. Cancel it on the server.`,
      });
      return;
    case 'ended': {
      report.job(event.job);
      report.blocked(event.job);
      report.texts(event.job);
      const misnamed = misnamedWords(event.job);
      if (misnamed !== undefined) report.trouble({ message: misnamed, nextAction: t`Check the server log.` });
      return;
    }
    case 'saving':
      report.saving(event.progress);
      return;
    case 'saved': {
      if (event.files.length > 0) report.saved(event.files);
      const onDisk = new Set(event.files.map(({ file }) => file));
      if (!event.isPart) {
        report.temporary(
          event.job,
          filesNotSaved(event.job, temporaryToo).filter((file) => !onDisk.has(file)),
        );
      }
      return;
    }
    case 'notRecorded':
      report.trouble(notRecordedWords(event.error));
      return;
    case 'running':
  }
}

/** @param row of a batch, from 0 */
export function notRecordedWords(error: unknown, row?: number): Trouble {
  const { message, nextAction } = errorWords(error);
  return {
    message:
      row === undefined
        ? t`The run record couldn't be written: ${message}`
        : t`The run record of row ${row + 1} couldn't be written: ${message}`,
    nextAction: OutputError.is(error, 'taken') ? nextAction : t`Check the output folder.`,
  };
}

function serverReporter(report: RunReport): (state: TrackerState) => void {
  let isAway = false;
  let isHangReported = false;
  let isUnreadReported = false;
  return ({ trouble, suspectedHang, unread, queueLength }) => {
    if (queueLength !== undefined) report.queue(queueLength);
    if (trouble && !isAway)
      report.say(t`${endSentence(trouble.message)} Waiting for the server. The job may still be running.`);
    else if (!trouble && isAway) report.say(t`The server is back.`);
    isAway = trouble !== undefined;
    if (unread !== undefined && !isUnreadReported) {
      isUnreadReported = true;
      report.say(t`${unread} It was skipped: progress may be missing.`);
    }
    if (suspectedHang && !isHangReported) {
      isHangReported = true;
      report.say(
        t`The server isn't making progress. If this continues, press Ctrl+C and restart the server.`,
      );
    }
  };
}

/** Says what is not on disk yet, and how to get it. */
export function reportOwed(runs: RunWork, report: RunReport, place: Omit<FetchWords, 'job'>): void {
  for (const { facts, location, isWriting } of runs.owed()) {
    // If the process ends at once, the file may lack the ID: it is found by its own name, and by what was sent.
    const command = fetchCommand({ ...place, job: (isWriting ? undefined : facts.job) ?? location });
    const { job, state, files } = facts;
    const [expected, saved] = [outputsMade(facts), files.length];
    report.owed({ job, record: location, state, expected, saved, command });
  }
}

interface EndedRun {
  /** Its job, or its record: what `fetch` and `wait` take. */
  readonly name: string;
  readonly out: string;
  /** Of the command that sent the run; missing for a later one. `isExplained`: people have read why the job failed. */
  readonly sent?: { readonly strict: boolean; readonly isExplained: boolean; readonly wasAborted: boolean };
}

/** Says how a run ended, unless all is well, and returns how its command ends: the only place that decides it. */
export function endingOf(end: EndPhase, { name, out, sent }: EndedRun, report: RunReport): Ending {
  const { job } = end;
  const fail = (trouble: Trouble, ending: Ending = 'failed'): Ending => {
    report.trouble(trouble);
    return ending;
  };
  const isLeft = end.kind === 'owed';
  if (job && ['failed', 'lost', 'cancelled'].includes(job.state) && (sent || !isLeft)) {
    const isCancelled = job.state === 'cancelled';
    if (!(isCancelled && sent?.wasAborted))
      report.trouble(troubleOfJob(job), sent?.isExplained ? '' : undefined);
    return isCancelled && sent ? 'cancelled' : 'failed';
  }
  if (isLeft) return owedEnding(end, name, out, fail);
  const left = sent && job ? leftOutOutputs(job) : [];
  if (left.length > 0) report.say(t`The server skipped ${listText(left.map(leftOutName))} and ran the rest.`);
  if (left.length > 0 && sent?.strict) {
    const nextAction = t`Fix the warnings, or run without --strict.`;
    return fail({ message: t`The server ran only part of the workflow.`, nextAction });
  }
  if (end.kind === 'outputsUnknown') return fail(unknownOutputsWords(), 'outputsUnknown');
  if (job && unheardOutputs(job) === 'cached') report.say(cachedOutputsWords());
  else if (savedFiles(end) === 0 && !(sent && job && job.texts.length > 0))
    report.say(noOutputsWords(job, sent !== undefined));
  return 'done';
}

/** How many outputs of a run are on disk. */
export function savedFiles(end: EndPhase): number {
  return end.kind === 'lost' ? 0 : end.files.length;
}

function owedEnding(
  { why, error }: EndPhase & { readonly kind: 'owed' },
  name: string,
  out: string,
  fail: (trouble: Trouble, ending?: Ending) => Ending,
): Ending {
  switch (why) {
    case 'notFollowed':
      // Its wait was ended.
      if (error !== undefined) return 'failed';
      return fail(
        {
          message: t`The job hasn't finished yet.`,
          nextAction: t`To wait for it, run comfy-deck wait ${name} --out ${out}.`,
        },
        'notEnded',
      );
    case 'serverAway':
      return fail({
        message: t`The server didn't come back.`,
        nextAction: t`Job ${name} may still be running. When the server is back, check it before you run again.`,
      });
    default:
      // The event that it couldn't be cancelled was reported.
      if (why === 'mayStillRun' && !(error instanceof MayStillRun)) return 'notEnded';
      // A wait that was ended needs no words.
      if (error instanceof DOMException) return 'failed';
      return fail(commandTrouble(error), why === 'mayStillRun' ? 'notEnded' : 'failed');
  }
}

/** Leaves out the user's own folders. */
export function workflowPathWithoutHome(file: string, out: string): string {
  const bases = [process.cwd(), path.resolve(out), path.dirname(path.resolve(out))];
  const whole = path.resolve(file);
  const inside = bases.map((base) => pathBelow(base, whole, path)).find((relative) => relative !== undefined);
  return inside ?? path.basename(file);
}

export const cancelWords: Readonly<Record<Exclude<CancelResult, 'stillRunning'>, string>> = {
  cancelled: t`The job was cancelled on the server.`,
  alreadyEnded: t`The job had already finished.`,
  notFound: t`The job is no longer on the server.`,
};

function troubleOfJob(job: Job): Trouble {
  if (job.state === 'lost') {
    return {
      message: lostSentence(job),
      nextAction: t`It may have finished first. Check the server for outputs before you run it again.`,
    };
  }
  if (job.state === 'cancelled') {
    return {
      message: t`The run was cancelled.`,
      nextAction: t`Run it again if you didn't mean to cancel it.`,
    };
  }
  if (!job.failure) return { message: t`The run failed.`, nextAction: t`Check the server log.` };
  const { nodeId, nodeType = nodeId && nodeGivenName(job.origin, nodeId) } = job.failure;
  const { message, nextAction } = tellFailure({ ...job.failure, nodeType });
  return { message, nextAction, ...failureFields(job.failure) };
}

function noOutputsWords(job: Job | undefined, isSent: boolean): string {
  if (job && job.blocked.length > 0)
    return t`The job completed without outputs, because its branches were blocked.`;
  if (!isSent) return t`The server lists no files for this job.`;
  return job?.eventsOnly
    ? t`The job completed without outputs.`
    : t`The server lists no outputs for the job, even after a second request.`;
}
