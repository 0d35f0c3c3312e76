import { commandEnding, readApiKey, wholeSentence, type Trouble, commandTrouble } from './commandProblem';
import { WorkflowDocument } from '../core/workflow/workflowDocument';
import { isLoopback } from '../core/client/address';
import { leftOutOutputs } from '../core/jobs/jobWords';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { explainFailure } from '../core/jobs/failureExplanation';
import { ServerError } from '../core/protocol/serverError';
import { failureFindings } from '../core/runs/serverFindings';
import type { RunChoices } from '../core/runs/runChoices';
import type { RunRefusal } from '../core/runs/runRefusal';
import type { RunEvent } from '../core/runLife/ownedRun';
import type { WorkPorts } from '../core/runLife/runWork';
import { declinedWords, type RunCallbacks, type RunOutcome, runWorkflow } from '../core/runs/runWorkflow';
import type { Secrets } from '../core/safety/secrets';
import type { Arguments } from './commandArguments';
import { commandPorts, endingOf, reportOwed, savedFiles, workflowPathWithoutHome } from './commandRuns';
import { CommandServer } from './commandServer';
import { mediaBeside, readWorkflow, type WorkflowToRun } from './workflowFile';
import { RunReport } from './runReport';
import type { CommandResult } from './commandReport';
import { type CommandContext, exitCodes } from './terminal';
import { t } from '../core/safety/localize';

interface OneRunArguments
  extends RunChoices, Omit<Arguments<'rerun'>, 'command' | 'server' | 'lostOn' | keyof RunChoices> {
  readonly server: string;
}

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
  read: () => Promise<WorkflowToRun>,
  context: CommandContext,
  report = new RunReport(context.terminal, options.json, options.traceback),
): Promise<number> {
  let run: Run | undefined;
  const choices = {
    onFirst: () => report.say(t`Cancelling. Press Ctrl+C again to exit immediately.`),
    onExit: () => run?.reportOwed(),
    // Closing the terminal does not mean that the user wants to cancel what was paid for.
    whenClosed: exitCodes.hangup,
  };
  return report.carryOut(choices, async (signal) => {
    const key = readApiKey(options.keyEnv, context.terminal);
    const workflow = await read();
    const server = await CommandServer.open(options.server, key, context, (words) => report.say(words));
    report.start(options.file, server.isSandbox ? t`the built-in sandbox` : server.url, options.out);
    run = new Run(options, workflow, server, context.secrets, report, signal);
    try {
      return await run.go();
    } catch (error) {
      return await run.resultOfError(error);
    } finally {
      await server.close();
    }
  });
}

class Run {
  readonly #ports: WorkPorts;

  constructor(
    private readonly options: OneRunArguments,
    private readonly workflow: WorkflowToRun,
    private readonly server: CommandServer,
    secrets: Secrets,
    private readonly report: RunReport,
    private readonly signal: AbortSignal,
  ) {
    const { out, saveTemporary: temporaryToo } = options;
    const source = { uri: workflowPathWithoutHome(workflow.file, out) };
    const { isSandbox } = server;
    this.#ports = commandPorts(
      { folder: new NodeFolder(out), isSandbox, temporaryToo, source },
      secrets,
      report,
    );
  }

  async go(): Promise<CommandResult> {
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
    const { phase } = await this.#ports.runs.finish(owned, server.session, { ...this.#ports, on }, signal);
    await this.#leave();
    const { job } = phase;
    // The user has already read the server's own words at the place of the failure.
    const isExplained =
      places > 0 && job?.failure !== undefined && explainFailure(job.failure).ownWords !== undefined;
    const sent = { strict: options.strict, isExplained, wasAborted: signal.aborted };
    const ending = endingOf(phase, { name: jobId, out: options.out, sent }, report);
    const isCancelled = signal.aborted && ending !== 'notEnded';
    return { outcome: isCancelled ? 'cancelled' : ending, saved: savedFiles(phase) };
  }

  async resultOfError(error: unknown): Promise<CommandResult> {
    const { report, server } = this;
    const { aborted } = this.signal;
    // Cancelled before it was known whether the job was accepted.
    if (!aborted || ServerError.is(error)) {
      const isHere = this.#ports.runs.owed().length === 0 && !server.isSandbox && isLoopback(server.url);
      report.trouble(isHere ? withoutServer(commandTrouble(error), error) : commandTrouble(error));
    }
    await this.#leave();
    return { outcome: aborted ? 'cancelled' : commandEnding(error) };
  }

  /** Reports missing outputs even right before the process ends. */
  reportOwed(): void {
    const { out, keyEnv } = this.options;
    const { url, isSandbox } = this.server;
    if (!isSandbox) reportOwed(this.#ports.runs, this.report, { out, server: url, keyEnv });
  }

  async #leave(): Promise<void> {
    this.reportOwed();
    await this.#ports.runs.close();
  }

  #asks(): RunCallbacks {
    const { options, server, report, workflow } = this;
    return {
      localMedia:
        workflow.localMedia?.((words) => report.say(words)) ?? ((name) => mediaBeside(workflow.file, name)),
      mayUpload: (files) => report.mayUpload(files, [server.url], options.upload),
      maySpend: () => Promise.resolve(options.spend || server.isSandbox),
      partnerKey: () => Promise.resolve(server.key),
    };
  }

  #notSent(outcome: Exclude<RunOutcome, { kind: 'submitted' | 'unknown' }>, text: string): CommandResult {
    const { report } = this;
    if (outcome.kind === 'declined') {
      const isUpload = outcome.what === 'upload';
      const nextAction = isUpload ? t`To upload them, use --upload yes.` : t`Allow it with --spend yes.`;
      report.trouble({ message: declinedWords()[outcome.what], nextAction });
      return { outcome: 'usage' };
    }
    report.findings(text, outcome.findings);
    if (outcome.kind === 'refused')
      report.trouble(refusalTrouble(outcome), outcome.findings.length > 0 ? outcome.summary : undefined);
    else {
      report.trouble({
        message: t`The server rejected the workflow: ${wholeSentence(outcome.error.message)}`,
        nextAction: t`Fix the reported problems, then run again.`,
      });
    }
    return { outcome: 'failed' };
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
