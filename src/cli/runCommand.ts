import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isLoopback } from '../core/client/address';
import type { HttpStack } from '../core/client/httpStack';
import type { Job } from '../core/jobs/job';
import { isTerminal } from '../core/jobs/job';
import { JobStore } from '../core/jobs/jobStore';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { OutputsNotSavedError, saveOutputs } from '../core/outputs/saveOutputs';
import type { SavedOutput } from '../core/outputs/saveOutputs';
import { placeFailure } from '../core/runs/placeFailure';
import { runWorkflow } from '../core/runs/runWorkflow';
import type { RunAsks, RunOutcome } from '../core/runs/runWorkflow';
import { ServerSession } from '../core/runs/serverSession';
import { refuseBySize } from '../core/runs/workflowPrompt';
import type { RunArguments } from './commandLine';
import { mediaBeside } from './mediaBeside';
import { RunReport } from './runReport';
import type { Trouble } from './runReport';
import { sentence, troubleOf, troubleOfJob } from './runWords';
import { startSandboxServer } from './sandboxCommand';
import { exitCodes, plainText } from './terminal';
import type { Terminal } from './terminal';
import { waitForEnd } from './waitForEnd';

type Ending = Parameters<RunReport['end']>[0];

/** The server of a run, and what has to be ended after it. */
interface RunServer {
  readonly url: string;
  readonly name: string;
  readonly isSandbox: boolean;
  close(): Promise<void>;
}

export interface ClosableStack extends HttpStack {
  close(): Promise<void>;
}

/** Runs one workflow file to its saved outputs; gives the exit code. */
export async function runCommand(
  options: RunArguments,
  terminal: Terminal,
  http: ClosableStack,
): Promise<number> {
  const report = new RunReport(terminal, options.json);
  const end = (outcome: Ending, code: number, saved = 0): number => {
    report.end(outcome, saved, code);
    return code;
  };
  const key = readKey(options, terminal);
  if (key === 'missing') {
    report.trouble({
      message: `The environment variable ${options.keyEnv ?? ''} is not set.`,
      nextAction: 'Put the API key into it, or name another one.',
    });
    return end('usage', exitCodes.usage);
  }
  const abort = new AbortController();
  const forget = endOnInterrupt(terminal, report, abort);
  let server: RunServer | undefined;
  try {
    const text = await readWorkflow(options.file);
    if (typeof text !== 'string') {
      report.trouble(text);
      return end('failed', exitCodes.failed);
    }
    server = await serverOf(options, terminal);
    report.start(options.file, server.isSandbox ? 'the built-in sandbox' : server.url, options.out);
    const run = new Run(options, server, key, report, http, abort.signal);
    try {
      return await run.go(text, end);
    } finally {
      await run.dispose();
    }
  } catch (error) {
    if (abort.signal.aborted) return end('cancelled', exitCodes.cancelled);
    report.trouble(troubleOf(error));
    return end('failed', exitCodes.failed);
  } finally {
    forget();
    await server?.close();
    await http.close();
  }
}

/** One run: the session with the server, and what is told of the job. */
class Run {
  readonly #store = new JobStore();
  readonly #session: ServerSession;
  readonly #stopWatching: () => void;
  #jobId: string | undefined;

  constructor(
    private readonly options: RunArguments,
    private readonly server: RunServer,
    private readonly key: string | undefined,
    private readonly report: RunReport,
    http: HttpStack,
    private readonly signal: AbortSignal,
  ) {
    this.#session = new ServerSession({
      server: { id: server.url, name: server.name, url: server.url },
      http,
      // No real key is ever given to the sandbox.
      ...(key !== undefined &&
        !server.isSandbox && {
          credential: () => Promise.resolve({ kind: 'apiKey' as const, value: key }),
        }),
      store: this.#store,
    });
    this.#stopWatching = this.#store.onDidChange(({ added, changed }) => {
      if (this.#jobId === undefined || ![...added, ...changed].includes(this.#jobId)) return;
      this.#tellJob(this.#jobId);
    });
  }

  async go(text: string, end: (outcome: Ending, code: number, saved?: number) => number): Promise<number> {
    const { options, report, signal } = this;
    const outcome = await runWorkflow(
      {
        text,
        label: path.basename(options.file),
        seeds: options.seeds,
        force: options.force,
        session: this.#session,
      },
      this.#asks(),
      signal,
    );
    if (outcome.kind !== 'submitted') return this.#notSent(outcome, text, end);
    report.problems(text, outcome.warnings, 'warning');
    report.submitted(outcome);
    this.#jobId = outcome.jobId;
    this.#tellJob(outcome.jobId);
    const { tracker } = this.#session;
    const job = await waitForEnd({ tracker, jobId: outcome.jobId, report, signal });
    report.job(job);
    report.texts(job);
    if (job.failure) report.problems(text, placeFailure(outcome.prepared, job.failure), 'error');
    const saved = await this.#save(job, outcome.promptText);
    return this.#verdict(job, saved, end);
  }

  async dispose(): Promise<void> {
    this.#stopWatching();
    await this.#session.dispose();
  }

  #asks(): RunAsks {
    const { options, server, report } = this;
    return {
      localMedia: (name) => mediaBeside(options.file, name),
      mayUpload: () => Promise.resolve(options.upload ?? isLoopback(server.url)),
      maySpend: () => Promise.resolve(options.spend || server.isSandbox),
      // The sandbox takes any key.
      partnerKey: () => Promise.resolve(server.isSandbox ? 'sandbox' : this.key),
      stage: (stage) => report.stage(stage),
    };
  }

  #tellJob(jobId: string): void {
    const job = this.#store.get(jobId);
    if (job && !isTerminal(job.state)) this.report.job(job);
  }

  #notSent(
    outcome: Exclude<RunOutcome, { kind: 'submitted' }>,
    text: string,
    end: (outcome: Ending, code: number) => number,
  ): number {
    const { report } = this;
    switch (outcome.kind) {
      case 'refused':
        report.problems(text, outcome.refusal.places, 'error');
        report.trouble(
          outcome.refusal.reason === 'invalid'
            ? { ...outcome.refusal, nextAction: `${outcome.refusal.nextAction} --force sends it as it is.` }
            : outcome.refusal,
        );
        return end('failed', exitCodes.failed);
      case 'refusedByServer':
        report.problems(text, outcome.problems, 'error');
        report.trouble({
          message: `The server refused the workflow: ${sentence(outcome.error.message)}`,
          nextAction: 'Correct what it names, then run again.',
        });
        return end('failed', exitCodes.failed);
      case 'declined':
        report.trouble(
          outcome.what === 'upload'
            ? {
                message: 'The workflow names files beside it that the server does not have.',
                nextAction: 'Allow to send them with --upload yes.',
              }
            : {
                message: 'The workflow uses partner nodes, which cost credits of their own.',
                nextAction: 'Allow it with --spend yes.',
              },
        );
        return end('usage', exitCodes.usage);
    }
  }

  /** Also what a job made before it failed: it was paid for. */
  async #save(job: Job, promptText: string): Promise<readonly SavedOutput[] | OutputsNotSavedError> {
    const { report, signal } = this;
    try {
      const saved = await saveOutputs({
        job,
        client: this.#session.client,
        folder: new NodeFolder(this.options.out),
        record: { promptText },
        onProgress: (progress) => report.saving(progress),
        signal,
      });
      if (saved.length > 0) report.saved(saved);
      return saved;
    } catch (error) {
      if (!(error instanceof OutputsNotSavedError)) throw error;
      if (error.saved.length > 0) report.saved(error.saved);
      return error;
    }
  }

  #verdict(
    job: Job,
    saved: readonly SavedOutput[] | OutputsNotSavedError,
    end: (outcome: Ending, code: number, saved?: number) => number,
  ): number {
    const count = 'length' in saved ? saved.length : saved.saved.length;
    if (job.state === 'cancelled') {
      this.report.trouble({
        message: 'The job was cancelled.',
        nextAction: 'Run it again if that was not meant.',
      });
      return end('cancelled', exitCodes.cancelled, count);
    }
    if (job.state !== 'completed') {
      this.report.trouble(troubleOfJob(job));
      return end('failed', exitCodes.failed, count);
    }
    if (!('length' in saved)) {
      this.report.trouble(saved);
      return end('failed', exitCodes.failed, count);
    }
    if (count === 0 && job.texts.length === 0) this.report.say('The job made no files.');
    return end('done', exitCodes.done, count);
  }
}

function readKey({ keyEnv }: RunArguments, { env }: Terminal): string | undefined {
  if (keyEnv === undefined) return undefined;
  const key = env[keyEnv]?.trim();
  return key === undefined || key === '' ? 'missing' : key;
}

async function readWorkflow(file: string): Promise<string | Trouble> {
  try {
    const tooLarge = refuseBySize((await stat(file)).size);
    return tooLarge ?? (await readFile(file, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder' : 'cannot be read';
    return { message: `${plainText(file)} ${why}.`, nextAction: 'Name the workflow file to run.' };
  }
}

async function serverOf({ server }: RunArguments, { columns }: Terminal): Promise<RunServer> {
  if (server !== 'sandbox') {
    return { url: server, name: server, isSandbox: false, close: () => Promise.resolve() };
  }
  // At a pace that a person can watch only where one does.
  const timing = columns === undefined ? 'fast' : 'human';
  const sandbox = await startSandboxServer({ timing });
  return { url: sandbox.url, name: 'Sandbox', isSandbox: true, close: () => sandbox.close() };
}

/** The first Ctrl-C ends the run in good order, the second one leaves at once. */
function endOnInterrupt(terminal: Terminal, report: RunReport, abort: AbortController): () => void {
  return terminal.onInterrupt(() => {
    if (abort.signal.aborted) {
      terminal.exit(exitCodes.cancelled);
      return;
    }
    report.say('Cancelling; press Ctrl-C again to leave at once.');
    abort.abort(new DOMException('The run was cancelled.', 'AbortError'));
  });
}
