import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import { jobLabelInSentence } from '../../core/jobs/jobWords';
import { missingOutputs } from '../../core/jobs/outputCount';
import { shown } from '../../core/safety/shownText';
import { commands } from '../platform/contributions';
import { openOutputFiles, revealFile } from '../platform/openFile';
import { serverRemoved, UserProblem } from '../platform/problems';
import { showCancellable } from '../platform/show';
import type { WindowRuns } from '../runs/windowRuns';
import type { RowSubject } from './jobTree';

export async function openOutputs(
  jobs: readonly Job[],
  rows: readonly RowSubject[],
  runs: WindowRuns,
): Promise<void> {
  await openOutputFiles(await savedUris(jobs, rows, runs));
}

export async function revealOutputs(
  jobs: readonly Job[],
  rows: readonly RowSubject[],
  runs: WindowRuns,
): Promise<void> {
  const [uri] = await savedUris(jobs, rows, runs);
  if (uri) await revealFile(uri);
}

export async function saveJobOutputs(jobs: readonly Job[], runs: WindowRuns): Promise<void> {
  for (const job of jobs) await saveOfJob(job, runs);
}

/** The files of rows; the outputs of a job are fetched first if none were saved. */
async function savedUris(
  jobs: readonly Job[],
  rows: readonly RowSubject[],
  runs: WindowRuns,
): Promise<vscode.Uri[]> {
  const uris: vscode.Uri[] = [];
  for (const { kind, jobId, file } of rows) {
    if (jobId === undefined) continue;
    const uri = file && runs.outputUri(jobId, file);
    if (uri) uris.push(uri);
    if (kind !== 'job') continue;
    const job = jobs.find(({ id }) => id === jobId);
    if (job && runs.runs.filesOfJob(jobId).length === 0) await saveOfJob(job, runs);
    uris.push(...runs.runs.filesOfJob(jobId).map(({ location }) => vscode.Uri.file(location)));
  }
  return uris;
}

async function saveOfJob(job: Job, runs: WindowRuns): Promise<void> {
  const { servers } = runs;
  const session = await servers.sessionOf(job.server);
  if (!session && servers.isOfSandbox(job)) {
    throw new UserProblem(
      shown`The outputs of ${jobLabelInSentence(job)} are gone, because the sandbox that made them has stopped.`,
      shown`Run it again to recreate them.`,
      [{ label: shown`Run Again`, command: commands.runAgain, args: [job.id] }],
    );
  }
  if (!session) throw serverRemoved(jobLabelInSentence(job));
  await showCancellable(shown`Outputs of ${jobLabelInSentence(job)}`, async (signal) => {
    const isKnown = job.outputs.length > 0 && !missingOutputs(job);
    const known = isKnown ? job : await servers.details(job);
    await (await runs.attempts()).save(known, session, signal);
    await runs.temporary.fetchMissing(known, runs.runs, session.client, signal);
  });
}
