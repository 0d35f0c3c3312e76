import { commandEnding, readApiKey, wholeSentence, type Trouble, commandTrouble } from './commandProblem';
import { WorkflowDocument } from '../core/workflow/workflowDocument';
import { isLoopback } from '../core/client/address';
import { leftOutName, leftOutOutputs } from '../core/jobs/jobWords';
import { cachedOutputsWords, unheardOutputs, unknownOutputsWords } from '../core/jobs/outputCount';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { explainFailure } from '../core/jobs/failureExplanation';
import { ServerError } from '../core/protocol/serverError';
import { failureFindings } from '../core/runs/serverFindings';
import type { RunRefusal } from '../core/runs/runRefusal';
import { finishRun } from '../core/runLife/finishRun';
import type { OwnedRun, RunEvent, RunPorts } from '../core/runLife/ownedRun';
import type { RunEnd } from '../core/runLife/runEnd';
import { type RunCallbacks, type RunOutcome, runWorkflow } from '../core/runs/runWorkflow';
import type { Secrets } from '../core/safety/secrets';
import type { Arguments, OneRunArguments } from './commandArguments';
import {
  commandPorts,
  noOutputsWords,
  owedTrouble,
  workflowPathWithoutHome,
  tellOwed,
  troubleOfJob,
} from './commandPorts';
import { CommandServer } from './commandServer';
import { mediaBeside, readWorkflow, type WorkflowToRun } from './workflowFile';
import { RunReport } from './runReport';
import type { Ending } from './commandReport';
import { type CommandContext, exitCodes, listenForInterruption } from './terminal';
import { listText, t } from '../core/safety/localize';

export function runCommand(
  options: Arguments<'run'>,
  context: CommandContext,
  /** The workflow with values of the command line in it, if any were given. */
  edited?: string,
): Promise<number> {
  return runText(options, () => readWorkflow(options.file, edited), context);
}

export async function runText(
  options: OneRunArguments,
  read: () => Promise<WorkflowToRun | Trouble>,
  context: CommandContext,
  report = new RunReport(context.terminal, options.json, options.traceback),
): Promise<number> {
  let run: Run | undefined;
  const { signal, forget } = listenForInterruption(context.terminal, {
    onFirst: () => report.say(t`Cancelling. Press Ctrl+C again to exit immediately.`),
    onExit: () => run?.tellOwed(),
    // Closing the terminal does not mean that the user wants to cancel what was paid for.
    whenClosed: exitCodes.hangup,
  });
  let server: CommandServer | undefined;
  try {
    const key = readApiKey(options.keyEnv, context.terminal);
    const workflow = await read();
    if (!('text' in workflow)) {
      report.trouble(workflow);
      return report.end('failed');
    }
    server = await CommandServer.open(options.server, key, context, (words) => report.say(words));
    report.start(options.file, server.isSandbox ? t`the built-in sandbox` : server.url, options.out);
    run = new Run(options, workflow, server, context.secrets, report, signal);
    return await run.go();
  } catch (error) {
    const isAborted = signal.aborted;
    // Cancelled before it was known whether the job was accepted.
    if (!isAborted || ServerError.is(error)) {
      const isUnsent = run?.isUnsent !== false;
      const isHere = server !== undefined && !server.isSandbox && isLoopback(server.url);
      report.trouble(
        isUnsent && isHere ? withoutServer(commandTrouble(error), error) : commandTrouble(error),
      );
    }
    await run?.leave();
    return report.end(isAborted ? 'cancelled' : commandEnding(error));
  } finally {
    forget();
    await server?.close();
  }
}

class Run {
  readonly #ports: RunPorts;
  #owned: OwnedRun | undefined;

  constructor(
    private readonly options: OneRunArguments,
    private readonly workflow: WorkflowToRun,
    private readonly server: CommandServer,
    secrets: Secrets,
    private readonly report: RunReport,
    private readonly signal: AbortSignal,
  ) {
    this.#ports = {
      ...commandPorts({
        folder: new NodeFolder(options.out),
        secrets,
        isSandbox: server.isSandbox,
        temporaryToo: options.saveTemporary,
        sourceUri: workflowPathWithoutHome(workflow.file, options.out),
        report,
      }),
      pointers: {
        put: (run) => {
          this.#owned = run;
          return Promise.resolve();
        },
        remove: () => {
          this.#owned = undefined;
          return Promise.resolve();
        },
      },
    };
  }

  get isUnsent(): boolean {
    return this.#owned === undefined;
  }

  async go(): Promise<number> {
    const { options, report, server, signal } = this;
    const { text, label, workflowText } = this.workflow;
    const outcome = await runWorkflow(
      { workflow: WorkflowDocument.of(text), label, workflowText },
      options,
      server.session,
      this.#asks(),
      this.#ports,
      signal,
    );
    if (outcome.kind === 'unknown') throw outcome.error;
    if (outcome.kind !== 'submitted') return this.#notSent(outcome, text);
    const { jobId, owned, run } = outcome;
    report.findings(text, outcome.findings);
    report.submitted(outcome, leftOutOutputs({ origin: server.store.get(jobId)?.origin }));
    server.follow(jobId, report);
    let places = 0;
    const on = (event: RunEvent): void => {
      this.#ports.on?.(event);
      if (event.kind !== 'ended' || !event.job.failure) return;
      const failed = failureFindings(event.job.failure, run.places);
      places = failed.length;
      report.findings(text, failed);
    };
    const end = await finishRun(owned, server.session, { ...this.#ports, on }, signal);
    await this.leave();
    return this.#verdict(end, jobId, places);
  }

  /** Reports missing outputs even right before the process ends. */
  tellOwed(): void {
    const { options, server } = this;
    const place = { out: options.out, server: server.url, keyEnv: options.keyEnv };
    if (this.#owned && !server.isSandbox) tellOwed(this.#owned, this.report, place);
  }

  async leave(): Promise<void> {
    // Saved again if its folder was renamed meanwhile: what is missing is found by the record.
    if (this.#owned?.isOwed) await this.#owned.change((record) => record);
    this.tellOwed();
    await this.#owned?.close();
  }

  #asks(): RunCallbacks {
    const { options, server, report, workflow } = this;
    return {
      localMedia:
        workflow.localMedia?.((words) => report.say(words)) ?? ((name) => mediaBeside(workflow.file, name)),
      mayUpload: (files) => {
        // Without confirmation, files are sent only to this machine, and only if they clearly belong to the workflow.
        const isPlain = files.every(({ marks }) => marks.length === 0);
        const allowed = options.upload ?? (isLoopback(server.url) && isPlain);
        report.uploads(files, server.url, allowed);
        return Promise.resolve(allowed);
      },
      maySpend: () => Promise.resolve(options.spend || server.isSandbox),
      partnerKey: () => Promise.resolve(server.key),
    };
  }

  #notSent(outcome: Exclude<RunOutcome, { kind: 'submitted' | 'unknown' }>, text: string): number {
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
          message: t`The server rejected the workflow: ${wholeSentence(outcome.error.message)}`,
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

  #verdict(end: RunEnd, jobId: string, places: number): number {
    const { report, signal } = this;
    const count = end.kind === 'lost' ? 0 : end.files.length;
    const ending = (outcome: Ending) => report.end(signal.aborted ? 'cancelled' : outcome, count);
    const { job } = end;
    if (job && (job.state === 'failed' || job.state === 'lost')) {
      // The user has already read the server's own words at the place of the failure.
      const isSaid =
        places > 0 && job.failure !== undefined && explainFailure(job.failure).ownWords !== undefined;
      report.trouble(troubleOfJob(job), isSaid ? '' : undefined);
      return ending('failed');
    }
    if (job?.state === 'cancelled') {
      if (!signal.aborted) report.trouble(troubleOfJob(job));
      return ending('cancelled');
    }
    if (end.kind === 'owed') {
      const trouble = owedTrouble(end, jobId);
      if (trouble) report.trouble(trouble);
      return end.why === 'mayStillRun' ? report.end('notEnded') : ending('failed');
    }
    const left = job ? leftOutOutputs(job) : [];
    if (left.length > 0) {
      const names = listText(left.map(leftOutName));
      report.say(t`The server skipped ${names} and ran the rest.`);
      if (this.options.strict) {
        report.trouble({
          message: t`The server ran only part of the workflow.`,
          nextAction: t`Fix the warnings, or run without --strict.`,
        });
        return ending('failed');
      }
    }
    if (end.kind === 'outputsUnknown') {
      report.trouble(unknownOutputsWords());
      return ending('outputsUnknown');
    }
    if (job && unheardOutputs(job) === 'cached') report.say(cachedOutputsWords());
    else if (job && count === 0 && job.texts.length === 0) report.say(noOutputsWords(job));
    return ending('done');
  }
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
  if (reason === 'lossy')
    return { ...refusal, nextAction: t`${nextAction} To run it anyway, use --allow-loss.` };
  if (reason !== 'mediaNotSent') return refusal;
  return { ...refusal, nextAction: t`${nextAction} To run it without uploading the file, use --force.` };
}
