import { batchDefaults } from '../core/batch/batchFile';
import path from 'node:path';
import { BatchProblem } from '../core/batch/batchProblem';
import { countBatchRows, rowText } from '../core/batch/batchTable';
import { BatchTimes } from '../core/batch/batchTime';
import { rowsToRun } from '../core/batch/batchRow';
import { prepareBatch, workflowFrom, type CheckedBatch, type TextFile } from '../core/batch/prepareBatch';
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
import { type CommandResult, isPlainUpload } from './commandReport';
import { runBatch, type OpenServer } from './runBatch';
import { checkSheet } from './sheetFile';
import { type CommandContext, exitCodes, type InterruptionChoices, plainTerminalLine } from './terminal';

export async function batchCommand(options: Arguments<'batch'>, context: CommandContext): Promise<number> {
  return new BatchCommand(options, context).go((skipped) => requestOfBatch(options, skipped), false);
}

/** `run` with values, a count, or --dry-run: a plain run for one row and a batch for several. */
export async function runValuesCommand(options: Arguments<'run'>, context: CommandContext): Promise<number> {
  const { dryRun, sheet } = options;
  const command = new BatchCommand(options, context);
  const exit = await command.go(() => requestOfRun(options), !dryRun && sheet === undefined);
  if (command.oneRow === undefined) return exit;
  const { runCommand } = await import('./runCommand');
  return runCommand({ ...options, seeds: 'keep' }, context, command.oneRow);
}

class BatchCommand {
  readonly #report: BatchReport;
  #resume: string | undefined;
  oneRow: string | undefined;

  constructor(
    private readonly options: Arguments<'batch'> | Arguments<'run'>,
    private readonly context: CommandContext,
  ) {
    const traceback = 'traceback' in options && options.traceback;
    this.#report = new BatchReport(context.terminal, options.json, traceback);
  }

  /** @param plainIfOne a table of one row is left to the caller */
  go(read: (skipped: Skipped) => Promise<BatchRequest>, plainIfOne: boolean): Promise<number> {
    const say = (words: string): void => this.#report.say(words);
    const choices: InterruptionChoices = {
      onFirst: () => say(t`Cancelling. Press Ctrl+C again to exit immediately.`),
      onExit: (how) => {
        if (how !== 'asked') return;
        say(t`Stopped waiting. Jobs may still be running on the server.`);
        if (this.#resume !== undefined) this.#report.sayHowToResume(this.#resume);
      },
      whenClosed: exitCodes.hangup,
    };
    return this.#report.carryOut(choices, async (signal) => {
      try {
        const request = await read(({ message }) => say(plainTerminalLine(message)));
        return await this.#carryOut(request, plainIfOne, signal);
      } catch (error) {
        const isWrongValue = error instanceof BatchProblem && error.selector !== undefined;
        if (signal.aborted || this.options.command !== 'run' || !isWrongValue) throw error;
        this.#report.trouble(commandTrouble(error));
        return { outcome: 'usage' };
      }
    });
  }

  async #carryOut(
    request: BatchRequest,
    plainIfOne: boolean,
    signal: AbortSignal,
  ): Promise<CommandResult | undefined> {
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
      const started = await this.#prepare(request, servers, plainIfOne, signal);
      if (this.oneRow !== undefined) return undefined;
      if (typeof started === 'string') return { outcome: started === 'refused' ? 'failed' : 'done' };
      return await runBatch({
        request,
        started: { ...started, location: request.earlier?.location ?? folder.location(started.name) },
        servers: started.servers,
        options,
        report: this.#report,
        secrets: context.secrets,
        signal,
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
    signal: AbortSignal,
  ): ReturnType<typeof prepareBatch<OpenServer>> {
    const { options } = this;
    const { workflow, workflowText, earlier, texts } = request;
    const { dryRun, sheet, out } = options;
    const label = path.basename(workflow);
    return prepareBatch(
      { ...request, label, workflow: workflowFrom(path.resolve(out), path.resolve(workflow)) },
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
          checked: (checked) => this.#reportPlan(checked, label, request, signal),
          refused: (step) => this.#report.refusedStep(step),
          unchecked: () => this.#report.say(t`The values after these weren't checked.`),
        },
        hide: (text) => this.context.secrets.hide(text),
      },
      signal,
    );
  }

  async #reportPlan(
    { axes, steps, partners, servers }: CheckedBatch<OpenServer>,
    label: string,
    { texts, earlier }: BatchRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const folder = new NodeFolder(earlier ? path.dirname(path.resolve(earlier.location)) : this.options.out);
    const again = 'retryFailed' in this.options && this.options.retryFailed;
    const known = earlier && (await rowsToRun(folder, earlier.batch));
    const left = known?.filter(({ state }) => state !== 'saved' && (again || state !== 'failed')).length;
    const timed = servers.map(({ name, session: { origin } }) => ({ name, origin }));
    const addresses = servers.map(({ url }) => url);
    const times = new BatchTimes(folder, label);
    const rows = left ?? countBatchRows(axes);
    const time = steps && rows > 0 ? await times.of({ rows, steps }, timed, signal) : undefined;
    this.#report.plan({ axes, left, partners, time, servers: addresses, texts });
    this.#refuseTexts(texts, addresses);
    if (this.options.dryRun) this.#report.table(axes);
  }

  /** A batch file may come from someone else: what it reads leaves this machine only if the person allows it. */
  #refuseTexts(texts: readonly TextFile[], servers: readonly string[]): void {
    const { upload, dryRun } = this.options;
    if (texts.length === 0 || dryRun || (upload ?? isPlainUpload(texts, servers))) return;
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
