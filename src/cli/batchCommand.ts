import { batchDefaults } from '../core/batch/batchFile';
import path from 'node:path';
import { BatchProblem } from '../core/batch/batchProblem';
import { countBatchRows, rowText } from '../core/batch/batchTable';
import { BatchTimes } from '../core/batch/batchTime';
import { rowsToRun } from '../core/batch/rowsToRun';
import { prepareBatch, workflowFrom, type CheckedBatch, type TextFile } from '../core/batch/prepareBatch';
import type { StartedBatch } from '../core/batch/startedBatch';
import { isLoopback } from '../core/client/address';
import type { Skipped } from '../core/json/boundedJson';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { t } from '../core/safety/localize';
import { CommandProblem, readApiKey, commandTrouble } from './commandProblem';
import { cloudAddress } from './arguments/optionValues';
import { BatchReport } from './batchReport';
import { requestOfBatch, requestOfRun, type BatchRequest } from './batchRequest';
import type { Arguments } from './commandArguments';
import { mediaBeside } from './workflowFile';
import { CommandServer } from './commandServer';
import { runBatch, type BatchResult, type OpenServer } from './runBatch';
import { checkSheet } from './sheetFile';
import { type CommandContext, exitCodes, listenForInterruption, plainTerminalLine } from './terminal';

/** Runs a batch file, or continues a started batch; returns the exit code. */
export async function batchCommand(options: Arguments<'batch'>, context: CommandContext): Promise<number> {
  const command = new BatchCommand(options, context);
  const result = await command.go((skipped) => requestOfBatch(options, skipped), false);
  return result === 'oneRow' ? exitCodes.done : result;
}

/** `run` with values, a count, or --dry-run: a plain run for one row and a batch for several. */
export async function runValuesCommand(options: Arguments<'run'>, context: CommandContext): Promise<number> {
  const { dryRun, sheet } = options;
  const command = new BatchCommand(options, context);
  const result = await command.go(() => requestOfRun(options), !dryRun && sheet === undefined);
  if (result !== 'oneRow') return result;
  const { runCommand } = await import('./runCommand');
  return runCommand({ ...options, seeds: 'keep' }, context, command.oneRow);
}

class BatchCommand {
  readonly #report: BatchReport;
  readonly #interruption: ReturnType<typeof listenForInterruption>;
  #resume: string | undefined;
  oneRow: string | undefined;

  constructor(
    private readonly options: Arguments<'batch'> | Arguments<'run'>,
    private readonly context: CommandContext,
  ) {
    const { terminal } = context;
    this.#report = new BatchReport(terminal, options.json, 'traceback' in options && options.traceback);
    const say = (words: string): void => this.#report.say(words);
    this.#interruption = listenForInterruption(terminal, {
      onFirst: () => say(t`Cancelling. Press Ctrl+C again to exit immediately.`),
      onExit: (how) => {
        if (how !== 'asked') return;
        say(t`Stopped waiting. Jobs may still be running on the server.`);
        if (this.#resume !== undefined) this.#report.sayHowToResume(this.#resume);
      },
      whenClosed: exitCodes.hangup,
    });
  }

  /** @param plainIfOne a table of one row is left to the caller */
  async go(
    read: (skipped: Skipped) => Promise<BatchRequest>,
    plainIfOne: boolean,
  ): Promise<number | 'oneRow'> {
    try {
      const result = await this.#carryOut(
        await read(({ message }) => this.#report.say(plainTerminalLine(message))),
        plainIfOne,
      );
      return result === 'oneRow' ? result : this.#report.end(result.outcome, result.saved);
    } catch (error) {
      if (this.#interruption.signal.aborted) return this.#report.end('cancelled');
      if (!this.#isWrongValue(error)) return this.#report.failed(error);
      this.#report.trouble(commandTrouble(error));
      return this.#report.end('usage');
    } finally {
      this.#interruption.forget();
    }
  }

  #isWrongValue(error: unknown): boolean {
    return this.options.command === 'run' && error instanceof BatchProblem && error.selector !== undefined;
  }

  async #carryOut(request: BatchRequest, plainIfOne: boolean): Promise<BatchResult | 'oneRow'> {
    const { options, context } = this;
    const folder = new NodeFolder(options.out);
    const keyOf = this.#keyOf(request);
    const window = request.spec.window ?? batchDefaults.window;
    const say = (sentence: string): void => this.#report.say(sentence);
    const servers: OpenServer[] = [];
    try {
      for (const address of request.servers) {
        const server = await CommandServer.open(address, keyOf(address), context, say);
        servers.push(Object.assign(server, { window }));
      }
      const started = await this.#prepare(request, servers, plainIfOne);
      if (typeof started === 'string') {
        if (this.oneRow !== undefined) return 'oneRow';
        return { outcome: started === 'refused' ? 'failed' : 'done', saved: 0 };
      }
      return await runBatch({
        request,
        started: { ...started, location: request.earlier?.location ?? folder.location(started.name) },
        servers: started.servers,
        options,
        report: this.#report,
        secrets: context.secrets,
        signal: this.#interruption.signal,
        onBegun: (resume) => (this.#resume = resume),
      });
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
  }

  /** `Declined` after a dry run, and for a table of one row that is left to the caller. */
  #prepare(
    request: BatchRequest,
    servers: readonly OpenServer[],
    plainIfOne: boolean,
  ): ReturnType<typeof prepareBatch<OpenServer>> {
    const { options } = this;
    const { workflow, workflowText, spec, batchHash, earlier, texts } = request;
    const { dryRun, sheet, out } = options;
    const label = path.basename(workflow);
    return prepareBatch(
      {
        label,
        workflowText,
        workflow: workflowFrom(path.resolve(out), path.resolve(workflow)),
        spec,
        batchHash,
        earlier,
      },
      {
        servers,
        choices: options,
        folder: new NodeFolder(out),
        files: { read: request.readText, texts, media: (name) => mediaBeside(workflow, name) },
        ask: {
          rows: (axes) => {
            if (!plainIfOne || earlier || countBatchRows(axes) !== 1) return true;
            this.oneRow = rowText(workflowText, axes, 0);
            return false;
          },
          start: async () => {
            if (!dryRun && sheet !== undefined) await checkSheet(sheet);
            return !dryRun;
          },
          // The plan shows them, or refuses them. Files and credits are asked about as rows are sent.
          sendTexts: () => Promise.resolve(true),
        },
        tell: {
          leftOut: ({ name }, problem) => this.#report.server(name, 'out', problem),
          checked: (checked) => this.#tellPlan(checked, label, request),
          refused: (step) => this.#report.refusedStep(step),
          unchecked: () => this.#report.say(t`The values after these weren't checked.`),
        },
        hide: (text) => this.context.secrets.hide(text),
      },
      this.#interruption.signal,
    );
  }

  async #tellPlan(
    { axes, steps, partners, servers }: CheckedBatch<OpenServer>,
    label: string,
    { texts, earlier }: BatchRequest,
  ): Promise<void> {
    const folder = new NodeFolder(earlier ? path.dirname(path.resolve(earlier.location)) : this.options.out);
    const left = earlier && (await this.#rowsLeft(folder, earlier.batch));
    const timed = servers.map(({ name, session: { origin } }) => ({ name, origin }));
    const addresses = servers.map(({ url }) => url);
    const times = new BatchTimes(folder, label);
    const rows = left ?? countBatchRows(axes);
    const time =
      steps && rows > 0 ? await times.of({ rows, steps }, timed, this.#interruption.signal) : undefined;
    this.#report.plan({ axes, left, partners, time, servers: addresses, texts });
    this.#refuseTexts(texts, addresses);
    if (this.options.dryRun) this.#report.table(axes);
  }

  async #rowsLeft(folder: NodeFolder, batch: StartedBatch): Promise<number> {
    const again = 'retryFailed' in this.options && this.options.retryFailed;
    const rows = await rowsToRun(folder, batch);
    return rows.filter(({ state }) => state !== 'saved' && (again || state !== 'failed')).length;
  }

  /** A batch file may come from someone else: what it reads leaves this machine only if the person allows it. */
  #refuseTexts(texts: readonly TextFile[], servers: readonly string[]): void {
    const { upload, dryRun } = this.options;
    const isPlain = servers.every(isLoopback) && texts.every(({ marks }) => marks.length === 0);
    if (texts.length === 0 || dryRun || (upload ?? isPlain)) return;
    throw new BatchProblem(
      t`The batch sends the text of these files to ${plainTerminalLine(servers.join(', '))}.`,
      t`Allow it with --upload yes.`,
    );
  }

  /** A key goes to the only server, or to Comfy Cloud if there are several. */
  #keyOf({ servers, hasOwnServers }: BatchRequest): (url: string) => string | undefined {
    const { keyEnv } = this.options;
    if (keyEnv === undefined) return () => undefined;
    const key = readApiKey(keyEnv, this.context.terminal);
    if (hasOwnServers && servers.some((server) => server !== cloudAddress)) {
      throw new CommandProblem(
        t`The batch names the servers itself, and a key is only sent to a server that you specify.`,
        t`To send the key there, specify them with --servers ${servers.join(',')}.`,
        'usage',
      );
    }
    if (servers.length > 1 && !servers.includes(cloudAddress)) {
      throw new CommandProblem(
        t`With several servers, the key is sent only to Comfy Cloud, which isn't one of them.`,
        t`Remove --key-env, or specify a single server.`,
        'usage',
      );
    }
    return (url) => (servers.length === 1 || url === cloudAddress ? key : undefined);
  }
}
