import type { CancelResult } from '../../core/jobs/cancelJobs';
import { isTerminal, type Job } from '../../core/jobs/job';
import type { RunStore } from '../../core/runLife/runStore';
import { jobStateWords, jobLabel, jobLabelInSentence } from '../../core/jobs/jobWords';
import { jobsText } from '../../core/safety/countText';
import { Shown, shown } from '../../core/safety/shownText';
import { serverRemoved, UserProblem } from '../platform/problems';
import { askModalQuestion, type Button, pickOne, showInformation, showWarning } from '../platform/show';
import type { EndNotice } from '../runs/endNotice';
import type { Servers } from '../servers/servers';

const mostNamed = 10;

const cancelOnlyMine = { label: shown`Cancel Only Mine` };
const cancelAll = { label: shown`Cancel All` };

/** Stops jobs. One that was not submitted from here may belong to someone else, so a question names it first. */
export class StopJobs {
  constructor(
    private readonly servers: Servers,
    private readonly runs: Pick<RunStore, 'live' | 'senderOf'>,
    private readonly ends: EndNotice,
  ) {}

  async cancel(jobs: readonly Job[]): Promise<void> {
    const meant = await this.#askAboutOthers(jobs.filter((job) => !isTerminal(job.state)));
    const results = await Promise.allSettled(
      meant.map(async (job) => ({ job, result: await this.#cancelJob(job) })),
    );
    showCancelResults(results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Our jobs, and the others if the user agreed. */
  async #askAboutOthers(jobs: readonly Job[]): Promise<readonly Job[]> {
    const { ours, others } = this.#byOwner(jobs);
    const [first] = others;
    if (!first) return ours;
    const server = this.servers.nameOf(first.server);
    const [message, label] =
      others.length === 1
        ? [shown`Cancel ${jobLabelInSentence(first)} on ${server}?`, shown`Cancel Job`]
        : [shown`Cancel ${jobsText(others.length)} on ${server}?`, shown`Cancel Jobs`];
    const detail = jobs.length === 1 ? wordsBeforeEnd(first, false) : jobsByOwnerText({ ours, others });
    return askWhich(jobs, ours, message, detail, ours.length > 0 ? [cancelOnlyMine, cancelAll] : [{ label }]);
  }

  async #cancelJob(job: Job): Promise<CancelResult> {
    const session = await this.servers.sessionOf(job.server);
    if (!session && this.servers.isOfSandbox(job)) {
      throw new UserProblem(
        shown`${jobLabel(job)} can't be cancelled. Its sandbox has stopped, and the job with it.`,
        shown`Remove it from the list, or run it again.`,
      );
    }
    if (!session) throw serverRemoved(jobLabelInSentence(job));
    return this.#withoutEndNotice([job.id], () => session.tracker.cancel(job.id));
  }

  async cancelPending(): Promise<void> {
    const session = await this.servers.quietSession();
    if (!session) return;
    const pending = this.runs.live(session.origin).filter((job) => job.state === 'pending');
    if (pending.length === 0) return;
    const { ours, others } = this.#byOwner(pending);
    const some = ours.length > 0 ? [cancelOnlyMine, cancelAll] : [cancelAll];
    const buttons = others.length === 0 ? [{ label: shown`Cancel Jobs` }] : some;
    const message = shown`Cancel ${jobsText(pending.length)} on ${session.server.name}?`;
    const meant = await askWhich(pending, ours, message, jobsByOwnerText({ ours, others }), buttons);
    if (meant.length === 0) return;
    const ids = meant.map(({ id }) => id);
    const results = await this.#withoutEndNotice(ids, () => session.tracker.cancelWaiting(ids));
    showCancelResults(meant.map((job) => ({ job, result: results.get(job.id) ?? 'notFound' })));
  }

  async interrupt(chosen: readonly Job[]): Promise<void> {
    const { servers, runs } = this;
    const origin = chosen[0]?.server;
    const session = origin === undefined ? await servers.quietSession() : await servers.sessionOf(origin);
    if (!session) return;
    const running = (chosen.length > 0 ? chosen : runs.live()).filter(
      (job) => job.state === 'running' && job.server === session.origin,
    );
    const job = running.length > 1 ? await this.#pickRunning(running) : running[0];
    if (!job) {
      if (running.length === 0) void showInformation(shown`No job is running on this server.`);
      return;
    }
    const message = shown`Interrupt ${jobLabelInSentence(job)} on ${session.server.name}?`;
    const detail = wordsBeforeEnd(job, this.#isMine(job));
    const answer = await askModalQuestion({ message, detail }, { label: shown`Interrupt` });
    if (!answer) return;
    const result = await this.#withoutEndNotice([job.id], () => session.tracker.cancel(job.id));
    showCancelResults([{ job, result }]);
  }

  async #pickRunning(jobs: readonly Job[]): Promise<Job | undefined> {
    const picks = jobs.map((job) => ({
      label: shown`${jobLabel(job)}`,
      description: this.#isMine(job) ? shown`yours` : shown`submitted elsewhere`,
      job,
    }));
    const picked = await pickOne(picks, { placeHolder: shown`Select the running job to interrupt` });
    return picked?.job;
  }

  /** A record is no proof that this user sent it: a cloned repository has records as well. */
  #isMine(job: Job): boolean {
    return job.origin !== undefined && this.runs.senderOf(job) !== 'record';
  }

  #byOwner(jobs: readonly Job[]): JobsByOwner {
    return {
      ours: jobs.filter((job) => this.#isMine(job)),
      others: jobs.filter((job) => !this.#isMine(job)),
    };
  }

  /** A user who cancelled a job needs no notification about its end. */
  async #withoutEndNotice<T>(ids: readonly string[], act: () => Promise<T>): Promise<T> {
    this.ends.expectCancelled(ids, true);
    try {
      return await act();
    } catch (error) {
      this.ends.expectCancelled(ids, false);
      throw error;
    }
  }
}

async function askWhich(
  jobs: readonly Job[],
  ours: readonly Job[],
  message: Shown,
  detail: Shown,
  buttons: readonly Button[],
): Promise<readonly Job[]> {
  // VS Code's own "Cancel" could be mistaken for one of the buttons that cancel jobs.
  const close = shown`Don't Cancel`;
  const answer = await askModalQuestion({ message, detail, close }, ...buttons);
  if (answer === cancelOnlyMine) return ours;
  return answer ? jobs : [];
}

const outcomeWords: Readonly<Record<Exclude<CancelResult, 'cancelled'>, (label: string) => Shown>> = {
  alreadyEnded: (label) => shown`${label} had already ended`,
  stillRunning: (label) => shown`${label} may still be running, although you cancelled it`,
  notFound: (label) => shown`${label} is no longer on the server`,
};

/** The list shows what was cancelled, so only the others are named. */
function showCancelResults(outcomes: readonly { readonly job: Job; readonly result: CancelResult }[]): void {
  const cancelled = outcomes.filter(({ result }) => result === 'cancelled').length;
  const notCancelled = outcomes
    .flatMap(({ job, result }) => (result === 'cancelled' ? [] : [{ job, words: outcomeWords[result] }]))
    .map(({ job, words }, index) => words(index + cancelled === 0 ? jobLabel(job) : jobLabelInSentence(job)));
  if (notCancelled.length === 0) return;
  const more = notCancelled.length - mostNamed;
  const words = Shown.join(
    [
      cancelled > 0 ? shown`${jobsText(cancelled)} cancelled` : undefined,
      ...notCancelled.slice(0, mostNamed),
      more > 0 ? shown`${more} more not cancelled` : undefined,
    ],
    shown`; `,
  );
  const show = outcomes.some(({ result }) => result === 'stillRunning') ? showWarning : showInformation;
  void show(shown`${words}.`);
}

type JobsByOwner = Readonly<Record<'ours' | 'others', readonly Job[]>>;

function wordsBeforeEnd({ state }: Job, isMine: boolean): Shown {
  const owner = isMine
    ? shown`You submitted it from this machine.`
    : shown`It wasn't submitted from VS Code on this machine, so it may be someone else's.`;
  const now =
    state === 'running' ? shown`It's running, and its results so far will be lost.` : shown`It is queued.`;
  return Shown.join([owner, now]);
}

function jobsByOwnerText({ ours, others }: JobsByOwner): Shown {
  return Shown.join(
    [
      others.length > 0
        ? shown`Not submitted from VS Code on this machine (may be someone else's):\n${jobLines(others)}`
        : undefined,
      ours.length > 0 ? shown`Yours:\n${jobLines(ours)}` : undefined,
    ],
    shown`\n\n`,
  );
}

function jobLines(jobs: readonly Job[]): Shown {
  const lines = jobs.slice(0, mostNamed).map((job) => shown`${jobLabel(job)}, ${jobStateWords()[job.state]}`);
  const more = jobs.length - lines.length;
  return Shown.join([...lines, more > 0 ? shown`… and ${more} more` : undefined], shown`\n`);
}
