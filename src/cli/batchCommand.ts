import { ableServers, knownServers, type KnownServer } from '../core/batch/ableServers';
import { BatchProblem, problemOf } from '../core/batch/batchProblem';
import { rowText, type BatchAxis } from '../core/batch/batchTable';
import { medianRunTime } from '../core/batch/batchTime';
import { hashOf, planBatch, type BatchPlan } from '../core/batch/planBatch';
import { refusedSteps } from '../core/batch/refusedSteps';
import { isLoopback } from '../core/client/address';
import type { Skipped } from '../core/json/boundedJson';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { Secrets } from '../core/safety/secrets';
import { t } from '../core/safety/localize';
import { WorkflowDocument } from '../core/workflow/workflowDocument';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { apiKey, keyNotSet } from './apiKey';
import { BatchReport } from './batchReport';
import { requestOfBatch, requestOfRun, type BatchRequest, type TextFile } from './batchRequest';
import type { ClosableStack } from './closableStack';
import type { BatchArguments, RunArguments } from './commandArguments';
import { openBatchServers, type OpenServer } from './openBatchServers';
import { runBatch, type BatchResult } from './runBatch';
import { troubleOf } from './runWords';
import { exitCodes, plainText, type Terminal } from './terminal';

/** The origin that gets the key if there are several servers. */
const cloud = 'https://cloud.comfy.org';
const defaultWindow = 2;
/** Refused values that are listed. */
const mostRefused = 10;

/** Runs a batch file, or continues a started batch; returns the exit code. */
export async function batchCommand(
  options: BatchArguments,
  terminal: Terminal,
  http: ClosableStack,
  secrets = new Secrets(),
): Promise<number> {
  try {
    const command = new BatchCommand(options, terminal, http, secrets);
    const result = await command.go((skipped) => requestOfBatch(options, skipped), false);
    return result === 'oneRow' ? exitCodes.done : result;
  } finally {
    await http.close();
  }
}

/** `run` with values or a count: a plain run for one row, a batch for several. */
export async function runRowsCommand(
  options: RunArguments,
  terminal: Terminal,
  http: ClosableStack,
  secrets = new Secrets(),
): Promise<number> {
  const command = new BatchCommand(options, terminal, http, secrets);
  const result = await command.go(
    () => requestOfRun(options),
    !options.dryRun && options.sheet === undefined,
  );
  if (result !== 'oneRow') {
    await http.close();
    return result;
  }
  const { runCommand } = await import('./runCommand');
  return runCommand({ ...options, seeds: 'keep' }, terminal, http, secrets, command.oneRow);
}

class BatchCommand {
  readonly #report: BatchReport;
  readonly #abort = new AbortController();
  /** The workflow with the values of a table of one row. */
  oneRow: string | undefined;

  constructor(
    private readonly options: BatchArguments | RunArguments,
    private readonly terminal: Terminal,
    private readonly http: ClosableStack,
    private readonly secrets: Secrets,
  ) {
    this.#report = new BatchReport(terminal, options.json, 'traceback' in options && options.traceback);
  }

  /** @param plainIfOne a table of one row is left to the caller */
  async go(
    read: (skipped: Skipped) => Promise<BatchRequest>,
    plainIfOne: boolean,
  ): Promise<number | 'oneRow'> {
    const forget = this.#endOnInterrupt();
    try {
      const result = await this.#carryOut(
        await read(({ message }) => this.#report.say(plainText(message))),
        plainIfOne,
      );
      return result === 'oneRow' ? result : this.#report.end(result.outcome, result.saved);
    } catch (error) {
      if (this.#abort.signal.aborted) return this.#report.end('cancelled');
      this.#report.trouble(troubleOf(error));
      return this.#report.end(this.#isUsage(error) ? 'usage' : 'failed');
    } finally {
      forget();
    }
  }

  /** An argument is wrong, not a file. */
  #isUsage(error: unknown): boolean {
    if (error instanceof KeyProblem) return true;
    return this.options.command === 'run' && error instanceof BatchProblem && error.selector !== undefined;
  }

  async #carryOut(request: BatchRequest, plainIfOne: boolean): Promise<BatchResult | 'oneRow'> {
    const { options, terminal, http, secrets } = this;
    refuseChanged(request);
    const servers = await openBatchServers(request.servers, {
      http,
      secrets,
      say: (sentence) => this.#report.say(sentence),
      terminal,
      window: request.spec.window ?? defaultWindow,
      keyOf: this.#keyOf(request),
    });
    try {
      const known = await knownServers(servers, this.#abort.signal);
      const plan = request.kept?.batch ?? (await this.#plan(request, known));
      if (plainIfOne && 'rows' in plan && plan.rows === 1) {
        this.oneRow = rowText(request.workflowText, plan.axes, 0);
        return 'oneRow';
      }
      const source = {
        workflow: WorkflowDocument.of(rowText(request.workflowText, plan.axes, 0)),
        label: path.basename(request.workflow),
      };
      const able = this.#able(ableServers(known, source, options));
      await this.#tellPlan(request, plan, able);
      if (options.dryRun) this.#report.table(plan.axes);
      // Rows of a started batch may be done; the others are checked as they are sent.
      const isRefused = !request.kept && (await this.#tellRefused(request, plan.axes, able));
      if (isRefused || options.dryRun) return { outcome: isRefused ? 'failed' : 'done', saved: 0 };
      return await runBatch({
        request,
        plan,
        servers: able.map(({ server }) => server),
        options,
        report: this.#report,
        secrets,
        signal: this.#abort.signal,
      });
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
  }

  async #plan(
    { workflowText, spec, readText }: BatchRequest,
    known: readonly KnownServer<OpenServer>[],
  ): Promise<BatchPlan> {
    const catalog = known.find(({ definitions }) => definitions?.catalog)?.definitions?.catalog;
    const planned = await planBatch({ workflow: WorkflowDocument.of(workflowText), spec, catalog, readText });
    if (planned.plan) return planned.plan;
    throw problemOf(planned.problems);
  }

  /** The servers that can run it; the others are named. */
  #able(known: readonly KnownServer<OpenServer>[]): KnownServer<OpenServer>[] {
    const able = known.filter(({ problem }) => problem === undefined);
    for (const { server, problem } of known) {
      if (problem === undefined) continue;
      if (able.length === 0) throw new BatchProblem(problem, '');
      this.#report.server(server.name, 'out', problem);
    }
    return able;
  }

  /** Whether there are values that all servers would refuse; each is named. */
  async #tellRefused(
    { workflowText }: BatchRequest,
    axes: readonly BatchAxis[],
    able: readonly KnownServer<OpenServer>[],
  ): Promise<boolean> {
    const definitions = able.flatMap((each) => each.definitions ?? []);
    const { force } = this.options;
    let told = 0;
    for (const refused of refusedSteps({ workflowText, axes, definitions, force })) {
      // Ctrl-C is heard in between.
      await setImmediate();
      this.#abort.signal.throwIfAborted();
      if (refused) this.#report.refusedStep(refused);
      if (refused && ++told === mostRefused) {
        this.#report.say(t`The values after these weren't checked.`);
        break;
      }
    }
    return told > 0;
  }

  async #tellPlan(
    request: BatchRequest,
    plan: Pick<BatchPlan, 'axes'> & Partial<BatchPlan>,
    able: readonly KnownServer<OpenServer>[],
  ): Promise<void> {
    const origins = able.map(({ server }) => server.session.origin);
    const servers = able.map(({ server: { url } }) => url);
    const label = path.basename(request.workflow);
    this.#report.plan({
      axes: plan.axes,
      partners: plan.partners ?? [],
      runTime: await medianRunTime(new NodeFolder(this.options.out), label, origins),
      servers,
      texts: request.texts,
    });
    this.#refuseTexts(request.texts, servers);
  }

  /** A batch file may come from someone else: what it reads leaves this machine only if the person allows it. */
  #refuseTexts(texts: readonly TextFile[], servers: readonly string[]): void {
    const { upload, dryRun } = this.options;
    const isPlain = servers.every(isLoopback) && texts.every(({ marks }) => marks.length === 0);
    if (texts.length === 0 || dryRun || (upload ?? isPlain)) return;
    throw new BatchProblem(
      t`The batch sends the text of these files to ${plainText(servers.join(', '))}.`,
      t`Allow it with --upload yes.`,
    );
  }

  /** A key goes to the only server, or to Comfy Cloud. */
  #keyOf({ servers, hasOwnServers }: BatchRequest): (url: string) => string | undefined {
    const { keyEnv } = this.options;
    if (keyEnv === undefined) return () => undefined;
    const key = apiKey(keyEnv, this.terminal);
    if (key === undefined) {
      const { message, nextAction } = keyNotSet(keyEnv);
      throw new KeyProblem(message, nextAction);
    }
    this.secrets.add(key);
    if (hasOwnServers && servers.some((server) => server !== cloud)) {
      throw new KeyProblem(
        t`The batch file names the servers, and a key is only sent to a server that you specify.`,
        t`To send the key there, specify them with --servers ${servers.join(',')}.`,
      );
    }
    if (servers.length > 1 && !servers.includes(cloud)) {
      throw new KeyProblem(
        t`With several servers, the key is sent only to Comfy Cloud, which isn't one of them.`,
        t`Remove --key-env, or specify a single server.`,
      );
    }
    return (url) => (servers.length === 1 || url === cloud ? key : undefined);
  }

  /** The first Ctrl-C cancels what is on the servers, the second one exits at once. */
  #endOnInterrupt(): () => void {
    return this.terminal.onInterrupt((how) => {
      if (this.#abort.signal.aborted || how === 'hangup') {
        if (how !== 'hangup') this.#report.say(t`Stopped waiting. Jobs may still be running on the server.`);
        this.terminal.exit(how === 'hangup' ? exitCodes.hangup : exitCodes.cancelled);
        return;
      }
      this.#report.say(t`Cancelling. Press Ctrl+C again to exit immediately.`);
      this.#abort.abort(new DOMException('The batch was cancelled.', 'AbortError'));
    });
  }
}

/** The places of the values hold for the text with which the batch was started. */
function refuseChanged({ kept, workflowText }: BatchRequest): void {
  if (!kept || kept.batch.workflowHash === hashOf(workflowText)) return;
  throw new BatchProblem(
    t`The workflow has changed since the batch was started.`,
    t`Restore it, or start a new batch.`,
  );
}

/** Wrong usage. */
class KeyProblem extends BatchProblem {}
