import * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import { jobLabelInSentence } from '../../core/jobs/jobWords';
import type { RunChoices } from '../../core/runs/runChoices';
import { hiddenText } from '../../core/safety/secrets';
import { shown, Shown, shownList } from '../../core/safety/shownText';
import { WorkflowDocument } from '../../core/workflow/workflowDocument';
import { serverRemoved, UserProblem } from '../platform/problems';
import { askModalQuestion, showWarning } from '../platform/show';
import { isSourceGone, sentMedia, tellSourceGone } from '../runs/goneSource';
import { requireTrust } from '../platform/requireTrust';
import type { Runs, Unattended } from '../runs/runs';
import type { WindowRuns } from '../runs/windowRuns';
import { mapDefined } from '../../core/safety/lists';
import type { Servers } from '../servers/servers';
import { jobSourceUri } from '../outputs/savingShown';
import type { RunSession } from '../../core/runLife/runSession';
import { sandboxServerName } from '../servers/knownServers';

const namesShown = 5;

/** Sends what was sent before, unchanged or with new seeds: from its run record or the server's. */
export async function runJobsAgain(
  jobs: readonly Job[],
  seeds: RunChoices['seeds'],
  runs: Runs,
): Promise<void> {
  for (const job of jobs) {
    const { source, targets } = await jobToRun(job, runs);
    const on = await serverForAgain(runs.servers, { server: job.server, label: jobLabelInSentence(job) });
    if (on === 'declined') return;
    if (await isSourceGone(source.uri))
      tellSourceGone(source.label, source.workflowText ?? source.workflow.text);
    await runs.run(source, { seeds, targets }, on === 'selected' ? undefined : on);
  }
}

/** @throws UserProblem when it is gone, or may not be sent */
async function jobToRun(job: Job, { servers, windowRuns }: Runs) {
  const sentRun = await windowRuns.folders.sent(job);
  const sent = sentRun ?? (await (await servers.sessionOf(job.server))?.sentTextsOf(job.id));
  if (!sent || sent.promptText.includes(hiddenText)) {
    const problem = sent
      ? shown`The workflow of ${jobLabelInSentence(job)} contained a key, which is hidden in its run record.`
      : shown`The workflow of ${jobLabelInSentence(job)} is no longer available.`;
    throw new UserProblem(problem, shown`Open its workflow file and run it instead.`);
  }
  const uri = jobSourceUri(job) ?? vscode.Uri.from({ scheme: 'untitled', path: `${job.id}.json` });
  const { promptText, workflowText } = sent;
  const workflow = WorkflowDocument.of(promptText);
  const localMedia = sentRun?.inputs && sentMedia(uri, sentRun.inputs, vscode.Uri.file(sentRun.folder));
  return {
    source: { uri, workflow, workflowText, label: jobLabelInSentence(job), localMedia },
    targets: sentRun?.targets,
  };
}

/** The jobs that this user sent and did not send again since: a cloned repository may have records of lost runs. */
async function stillLost(
  jobs: readonly Job[],
  { folders: read }: Pick<WindowRuns, 'folders'>,
): Promise<readonly Job[]> {
  const folders = new Map<string, ReadonlySet<string>>();
  const still: Job[] = [];
  for (const job of jobs) {
    const run = await read.runOf(job);
    if (!run?.isOurs) continue;
    const lost = folders.get(run.place.folder) ?? (await lostIn(run.place.folder));
    folders.set(run.place.folder, lost);
    if (lost.has(job.id)) still.push(job);
  }
  return still;
}

async function lostIn(folder: string): Promise<ReadonlySet<string>> {
  const [{ lostRuns }, { NodeFolder }] = await Promise.all([
    import('../../core/records/lostRuns'),
    import('../../core/outputs/nodeFolder'),
  ]);
  const runs = await lostRuns(new NodeFolder(folder), undefined);
  return new Set(runs.map(({ record }) => record.job).filter((job) => job !== undefined));
}

/**
 * Sends forgotten runs again to the same server, which is asked first and may have them after all. Spending is
 * confirmed once. A batch takes care of its own rows. @param ids jobs; all lost ones of this user if missing
 */
export async function runLostAgain(ids: readonly string[] | undefined, runs: Runs): Promise<void> {
  requireTrust();
  const { servers, consent, windowRuns } = runs;
  const known = ids ? mapDefined(ids, (id) => windowRuns.runs.job(id)) : windowRuns.runs.jobs();
  const lost = known.filter(({ state, origin }) => state === 'lost' && origin !== undefined && !origin.batch);
  const jobs = (ids ? lost : await stillLost(lost, windowRuns)).toSorted(
    (one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0),
  );
  const there: string[] = [];
  const refused: Shown[] = [];
  let agreed: Promise<boolean> | undefined;
  for (const job of jobs) {
    const session = await servers.sessionOf(job.server);
    if (!session) throw serverRemoved(jobLabelInSentence(job));
    // A server that does not respond may have it: this throws, and nothing is sent.
    if ((await session.client.job(job.id)) !== undefined) {
      there.push(jobLabelInSentence(job));
      continue;
    }
    const { source, targets } = await jobToRun(job, runs);
    const answers: Unattended = {
      maySpend: (nodes) => (agreed ??= consent.spend(nodes, jobs.length)),
      mayUpload: (files) => consent.upload(files, session.server.name, session.origin),
      refused: ({ message }) => void refused.push(shown`${source.label}: ${message}`),
    };
    await runs.run(source, { seeds: 'keep', targets }, session, answers);
    if ((await agreed) === false) return;
  }
  if (there.length > 0) {
    const names = shownList(there, namesShown);
    void showWarning(shown`Not submitted again, because the server already has: ${names}.`);
  }
  const [first] = refused;
  if (first) void showWarning(first);
}

type AgainOn = RunSession | 'selected' | 'declined';

interface EarlierRun {
  readonly server: string;
  readonly label: string;
  readonly isSandbox?: boolean;
}

/** Asks when its server is not the selected one. */
export async function serverForAgain(servers: Servers, run: EarlierRun): Promise<AgainOn> {
  const selected = servers.current();
  if (selected && servers.currentOrigin() === run.server) return 'selected';
  const isSandbox = run.isSandbox === true || servers.isOfSandbox(run);
  // The sandbox of an earlier window is gone, so any will do.
  if (isSandbox && selected?.kind === 'sandbox') return 'selected';
  const own = isSandbox ? 'sandbox' : await servers.sessionOf(run.server);
  const open = (): Promise<RunSession> | AgainOn =>
    own === 'sandbox' ? servers.sandboxSession() : (own ?? 'selected');
  if (!selected) return open();
  const before = isSandbox ? sandboxServerName : servers.nameOf(run.server);
  const where = selected.url === undefined ? selected.name : `${selected.name} (${selected.url})`;
  const here = { label: shown`Run on ${selected.name}`, isHere: true };
  const there = own && { label: shown`Run on ${before}`, isHere: false };
  const ranOn = isSandbox || before === run.server ? before : `${before} (${run.server})`;
  const answer = await askModalQuestion(
    {
      message: shown`Run ${run.label} again on ${selected.name}?`,
      detail: Shown.join([
        shown`It ran on ${ranOn}.`,
        own ? undefined : shown`That server has been removed.`,
        shown`The selected server is ${where}.`,
      ]),
    },
    ...(there ? [there, here] : [here]),
  );
  if (!answer) return 'declined';
  return answer.isHere ? 'selected' : open();
}
