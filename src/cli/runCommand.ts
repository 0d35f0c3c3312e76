import type { ClosableStack } from './closableStack';
import { WorkflowDocument } from '../core/workflow/workflowDocument';
import { isLoopback } from '../core/client/address';
import type { HttpStack } from '../core/client/httpStack';
import { MayStillRun } from '../core/jobs/cancelJobs';
import type { Job } from '../core/jobs/job';
import { isTerminal } from '../core/jobs/job';
import { leftOutName, leftOutOutputs } from '../core/jobs/leftOutWords';
import { JobStore } from '../core/jobs/jobStore';
import { cachedOutputsWords, unheardOutputs, unknownOutputsWords } from '../core/jobs/unheardOutputs';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { runEnd } from '../core/outputs/recordSteps';
import { explainFailure } from '../core/jobs/failureExplanation';
import { ServerError } from '../core/protocol/serverError';
import { failureFindings } from '../core/runs/serverFindings';
import type { RunRefusal } from '../core/runs/runRefusal';
import { runWorkflow } from '../core/runs/runWorkflow';
import type { RunCallbacks, RunOutcome } from '../core/runs/runWorkflow';
import type { RunSession } from '../core/runs/runSession';
import { Secrets } from '../core/safety/secrets';
import { apiKey, keyNotSet } from './apiKey';
import type { Arguments, OneRunArguments } from './commandArguments';
import { openSession } from './openSession';
import { OwedOutputs } from './owedOutputs';
import { mediaBeside } from './mediaBeside';
import { RunReport } from './runReport';
import { saveJob, type SavedJob } from './saveJob';
import type { Ending, Trouble } from './commandReport';
import { sentence, troubleOf, troubleOfJob } from './runWords';
import { serverOf, type RunServer } from './runServer';
import { exitCodes } from './terminal';
import type { Terminal } from './terminal';
import { graceAfterCancel, waitForEnd } from './waitForEnd';
import { readWorkflow, type WorkflowToRun } from './workflowToRun';
import { listText, t } from '../core/safety/localize';

/** Runs one workflow file and saves its outputs; returns the exit code. */
export function runCommand(
  options: Arguments<'run'>,
  terminal: Terminal,
  http: ClosableStack,
  secrets = new Secrets(),
  /** The workflow with values of the command line in it; by default as it is in the file. */
  edited?: string,
): Promise<number> {
  return runText(options, () => readWorkflow(options.file, edited), terminal, http, secrets);
}

/** The same for a workflow from anywhere. */
export async function runText(
  options: OneRunArguments,
  read: () => Promise<WorkflowToRun | Trouble>,
  terminal: Terminal,
  http: ClosableStack,
  secrets: Secrets,
  report = new RunReport(terminal, options.json, options.traceback),
): Promise<number> {
  const key = apiKey(options.keyEnv, terminal);
  if (options.keyEnv !== undefined && key === undefined) {
    report.trouble(keyNotSet(options.keyEnv));
    return report.end('usage');
  }
  if (key !== undefined) secrets.add(key);
  const abort = new AbortController();
  let run: Run | undefined;
  const forget = endOnInterrupt(terminal, report, abort, () => run?.owed.tell());
  let server: RunServer | undefined;
  try {
    const workflow = await read();
    if (!('text' in workflow)) {
      report.trouble(workflow);
      return report.end('failed');
    }
    server = await serverOf(options.server, terminal);
    report.start(options.file, server.isSandbox ? t`the built-in sandbox` : server.url, options.out);
    run = new Run(options, workflow, server, key, secrets, report, http, abort.signal);
    return await run.go();
  } catch (error) {
    const isAborted = abort.signal.aborted;
    const mayStillRun = error instanceof MayStillRun;
    // Cancelled before it was known whether the job was accepted.
    if (!isAborted || mayStillRun || ServerError.is(error)) {
      const isUnsent = run?.owed.run === undefined;
      const isHere = server !== undefined && !server.isSandbox && isLoopback(server.url);
      report.trouble(isUnsent && isHere ? withoutServer(troubleOf(error), error) : troubleOf(error));
    }
    await run?.leave();
    if (mayStillRun) return report.end('notEnded');
    return isAborted ? report.end('cancelled') : report.end('failed');
  } finally {
    forget();
    await run?.dispose();
    await server?.close();
    await http.close();
  }
}

/** One run: the session with the server, and the reports about the job. */
class Run {
  readonly #store = new JobStore();
  readonly #session: RunSession;
  readonly #stopWatching: () => void;
  readonly #folder: NodeFolder;
  readonly owed: OwedOutputs;
  #jobId: string | undefined;

  constructor(
    private readonly options: OneRunArguments,
    private readonly workflow: WorkflowToRun,
    private readonly server: RunServer,
    private readonly key: string | undefined,
    private readonly secrets: Secrets,
    private readonly report: RunReport,
    http: HttpStack,
    private readonly signal: AbortSignal,
  ) {
    this.#session = openSession({
      server: server.url,
      name: server.name,
      // The sandbox never gets a real key.
      key: server.isSandbox ? undefined : key,
      http,
      store: this.#store,
      secrets,
      say: (sentence) => report.say(sentence),
    });
    this.#folder = new NodeFolder(options.out);
    this.owed = new OwedOutputs({
      folder: this.#folder,
      secrets,
      out: options.out,
      server: server.url,
      keyEnv: options.keyEnv,
      file: workflow.file,
      report,
      isPassing: server.isSandbox,
    });
    this.#stopWatching = this.#store.onDidChange(({ added, changed }) => {
      if (this.#jobId === undefined || ![...added, ...changed].includes(this.#jobId)) return;
      this.#tellJob(this.#jobId);
    });
  }

  async go(): Promise<number> {
    const { options, report, signal } = this;
    const { text, label, workflowText } = this.workflow;
    const outcome = await runWorkflow(
      { workflow: WorkflowDocument.of(text), label, workflowText },
      options,
      this.#session,
      this.#asks(),
      signal,
    );
    if (outcome.kind !== 'submitted') return this.#notSent(outcome, text);
    report.findings(text, outcome.findings);
    this.#jobId = outcome.jobId;
    report.submitted(outcome, leftOutOutputs({ origin: this.#store.get(outcome.jobId)?.origin }));
    this.#tellJob(outcome.jobId);
    const { tracker } = this.#session;
    const job = await waitForEnd({ tracker, jobId: outcome.jobId, report, signal });
    report.job(job);
    report.texts(job);
    const failed = job.failure ? failureFindings(job.failure, outcome.run.places) : [];
    report.findings(text, failed);
    const saved = await saveJob(
      {
        job,
        client: this.#session.client,
        folder: this.#folder,
        run: this.owed.run,
        record: { promptText: outcome.run.promptText, hide: (text) => this.secrets.hide(text) },
        temporaryToo: options.saveTemporary,
        signal: signal.aborted ? AbortSignal.timeout(graceAfterCancel) : signal,
      },
      report,
    );
    await this.leave();
    return this.#verdict(job, failed.length, saved);
  }

  /** Reports what is owed, if anything, and releases the run record. */
  async leave(): Promise<void> {
    const { run } = this.owed;
    const id = this.#jobId ?? run?.record.job;
    await this.owed.leave(id === undefined ? undefined : this.#store.get(id));
  }

  async dispose(): Promise<void> {
    this.#stopWatching();
    await this.#session.dispose();
  }

  #asks(): RunCallbacks {
    const { options, server, report, workflow } = this;
    return {
      localMedia:
        workflow.localMedia?.((words) => report.say(words)) ?? ((name) => mediaBeside(workflow.file, name)),
      mayUpload: (files) => {
        // Without confirmation only to this machine, and only files that clearly belong to the workflow.
        const isPlain = files.every(({ marks }) => marks.length === 0);
        const allowed = options.upload ?? (isLoopback(server.url) && isPlain);
        report.uploads(files, server.url, allowed);
        return Promise.resolve(allowed);
      },
      maySpend: () => Promise.resolve(options.spend || server.isSandbox),
      // The sandbox accepts any key.
      partnerKey: () => Promise.resolve(server.isSandbox ? 'sandbox' : this.key),
      stage: (stage) => report.stage(stage),
      owe: this.owed.owe,
    };
  }

  #tellJob(jobId: string): void {
    const job = this.#store.get(jobId);
    if (job && !isTerminal(job.state)) this.report.job(job);
  }

  #notSent(outcome: Exclude<RunOutcome, { kind: 'submitted' }>, text: string): number {
    const { report } = this;
    switch (outcome.kind) {
      case 'refused':
        report.findings(text, outcome.refusal.findings);
        report.trouble(
          refusalTrouble(outcome.refusal),
          outcome.refusal.findings.length > 0 ? outcome.refusal.summary : undefined,
        );
        return report.end('failed');
      case 'refusedByServer':
        report.findings(text, outcome.findings);
        report.trouble({
          message: t`The server rejected the workflow: ${sentence(outcome.error.message)}`,
          nextAction: t`Fix the reported problems, then run again.`,
        });
        return report.end('failed');
      case 'declined':
        report.trouble(
          outcome.what === 'upload'
            ? {
                message: t`The workflow uses local files that the server doesn't have.`,
                nextAction: t`To upload them, use --upload yes.`,
              }
            : {
                message: t`The workflow uses partner nodes, which cost extra credits.`,
                nextAction: t`Allow it with --spend yes.`,
              },
        );
        return report.end('usage');
    }
  }

  #verdict(job: Job, places: number, { saved: count, problem }: SavedJob): number {
    const { report, signal } = this;
    const end = (outcome: Ending) => report.end(signal.aborted ? 'cancelled' : outcome, count);
    if (job.state === 'cancelled') {
      if (!signal.aborted) report.trouble(troubleOfJob(job));
      return end('cancelled');
    }
    if (job.state !== 'completed') {
      // The user has already read the server's own words at the place of the failure.
      const isSaid =
        places > 0 && job.failure !== undefined && explainFailure(job.failure).ownWords !== undefined;
      report.trouble(troubleOfJob(job), isSaid ? '' : undefined);
      return end('failed');
    }
    if (problem) {
      report.trouble(problem);
      return end('failed');
    }
    const left = leftOutOutputs(job);
    if (left.length > 0) {
      const names = listText(left.map(leftOutName));
      report.say(t`The server skipped ${names} and ran the rest.`);
      if (this.options.strict) {
        report.trouble({
          message: t`The server ran only part of the workflow.`,
          nextAction: t`Fix the warnings, or run without --strict.`,
        });
        return end('failed');
      }
    }
    if (runEnd(job, this.owed.run?.record) === 'outputsUnknown') {
      report.trouble(unknownOutputsWords());
      return end('outputsUnknown');
    }
    if (unheardOutputs(job) === 'cached') report.say(cachedOutputsWords());
    else if (count === 0 && job.texts.length === 0) report.say(noOutputsWords(job));
    return end('done');
  }
}

function noOutputsWords({ eventsOnly }: Job): string {
  return eventsOnly
    ? t`The job completed without outputs.`
    : t`The server lists no outputs for the job, even after a second request.`;
}

/** Users without a server have nothing at the default address. */
function withoutServer(trouble: Trouble, error: unknown): Trouble {
  if (!ServerError.is(error) || error.reason !== 'network') return trouble;
  return {
    ...trouble,
    nextAction: t`${trouble.nextAction} To try it without a server, use --server sandbox.`,
  };
}

function refusalTrouble(refusal: RunRefusal): Trouble {
  const { reason, nextAction } = refusal;
  if (reason === 'invalid' || reason === 'costUnknown' || reason === 'unheard')
    return { ...refusal, nextAction: t`${nextAction} To run it anyway, use --force.` };
  if (reason !== 'mediaNotSent') return refusal;
  return { ...refusal, nextAction: t`${nextAction} To run it without uploading the file, use --force.` };
}

/** The first Ctrl-C ends the run cleanly, the second one exits at once. */
function endOnInterrupt(
  terminal: Terminal,
  report: RunReport,
  abort: AbortController,
  tellOwed: () => void,
): () => void {
  return terminal.onInterrupt((how) => {
    // Closing the terminal does not mean that the user wants to cancel what was paid for.
    if (abort.signal.aborted || how === 'hangup') {
      tellOwed();
      terminal.exit(how === 'hangup' ? exitCodes.hangup : exitCodes.cancelled);
      return;
    }
    report.say(t`Cancelling. Press Ctrl+C again to exit immediately.`);
    abort.abort(new DOMException('The run was cancelled.', 'AbortError'));
  });
}
