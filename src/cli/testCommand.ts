import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { countAt } from '../core/safety/lists';
import { junitXml, type JUnitCase, type JUnitSuite } from '../core/comparison/junitXml';
import { expectedStem, numberOutputs } from '../core/comparison/expectedName';
import { removeFolder, writeText } from '../core/outputs/changeFile';
import { NodeFolder } from '../core/outputs/nodeFolder';
import { shortLabel, splitExtension } from '../core/outputs/outputNames';
import { replaceWhole } from '../core/outputs/writeWhole';
import type { Secrets } from '../core/safety/secrets';
import { sentencesText, t } from '../core/safety/localize';
import { CommandProblem, readApiKey, type Trouble, commandTrouble } from './commandProblem';
import type { Arguments } from './commandArguments';
import { compareToExpected, refuseLinks, type MadeOutput, type TestedOutput } from './compareToExpected';
import { runText } from './runCommand';
import type { Ending } from './commandReport';
import { type CommandContext, exitCodes, plainTerminalLine } from './terminal';
import { failingStatuses, TestReport, testWords, TestRunReport } from './testReport';
import { readWorkflow } from './workflowFile';

interface TestedWorkflow {
  readonly file: string;
  readonly folder: string;
  readonly prefix: string;
}

export function testCommand(options: Arguments<'test'>, context: CommandContext): Promise<number> {
  return new TestCommand(options, context).go();
}

class TestCommand {
  readonly #report: TestReport;
  readonly #suites: JUnitSuite[] = [];
  readonly #counts = { passed: 0, failed: 0, errors: 0, updated: 0 };
  #added = 0;
  #isRunning = false;
  #isCancelled = false;
  readonly #endings = new Set<Ending>();

  constructor(
    private readonly options: Arguments<'test'>,
    private readonly context: CommandContext,
  ) {
    this.#report = new TestReport(context.terminal, options.json);
  }

  async go(): Promise<number> {
    const forget = this.#listen();
    try {
      readApiKey(this.options.keyEnv, this.context.terminal);
      for (const workflow of workflowsOf(this.options)) {
        await this.#test(workflow);
        if (this.#isCancelled) break;
      }
      await this.#writeJUnit();
    } catch (error) {
      return this.#report.failed(error, this.#added);
    } finally {
      forget();
    }
    this.#report.summary(this.#counts);
    return this.#report.end(this.#outcome(), this.#added);
  }

  #outcome(): Ending {
    if (this.#endings.has('notEnded')) return 'notEnded';
    if (this.#isCancelled) return 'cancelled';
    if (this.#endings.has('usage')) return 'usage';
    return this.#counts.failed + this.#counts.errors > 0 ? 'failed' : 'done';
  }

  async #test(workflow: TestedWorkflow): Promise<void> {
    const startedAt = performance.now();
    const suite = (cases: readonly JUnitCase[]): void => {
      const seconds = (performance.now() - startedAt) / 1000;
      this.#suites.push({ name: this.context.secrets.hide(workflow.file), seconds, cases });
    };
    const folder = await mkdtemp(path.join(tmpdir(), 'comfy-deck-test-'));
    let run: TestRunReport | undefined;
    try {
      await refuseLinks({ ...this.options, ...workflow });
      run = await this.#run(workflow, folder);
      suite(await this.#casesOf(run, workflow, folder));
    } catch (error) {
      suite([this.#problem(commandTrouble(error))]);
    } finally {
      // The command that fetches what is owed continues in this folder.
      if (run?.isOwed !== true) await removeFolder(folder);
    }
  }

  async #casesOf(run: TestRunReport, workflow: TestedWorkflow, folder: string): Promise<JUnitCase[]> {
    const name = plainTerminalLine(workflow.file);
    if (run.outcome !== 'done') return [this.#notTested(run.troubles)];
    if (run.isPartial) {
      const message = t`The server ran only part of the workflow.`;
      return [this.#problem({ message, nextAction: t`Fix the warnings.` })];
    }
    const made = await madeOutputs(run, folder, this.context.secrets);
    if (made.length === 0) {
      const message = t`${name} has no outputs to compare.`;
      const blocked = t`Its branches were blocked.`;
      const nextAction = run.isBlocked ? blocked : t`Add a node that saves or shows something.`;
      // A run without outputs is no reason to remove expected ones.
      return [this.#problem({ message, nextAction })];
    }
    const nodeIds = [...Object.keys(run.nodeNames), ...made.map(({ nodeId }) => nodeId)];
    const tested = await compareToExpected(made, { ...this.options, ...workflow, nodeIds });
    const cases = tested.map((each) => this.#countOutput(workflow, each));
    if (tested.every(({ status }) => status === 'notKept'))
      this.#report.say(t`${name} has no expected outputs yet. To accept these, add --update.`);
    return cases;
  }

  async #run({ file }: TestedWorkflow, out: string): Promise<TestRunReport> {
    const { options, context } = this;
    const report = new TestRunReport(context.terminal, options.json, options.server === 'sandbox');
    // The sandbox needn't take its time when nobody watches.
    const terminal = { ...context.terminal, columns: undefined };
    const run = {
      ...options,
      ...{ file, out },
      seeds: 'keep',
      dynamicPrompts: 'first',
      // Skipped parts are reported here, without naming an option of `run`.
      strict: false,
      traceback: false,
    } as const;
    this.#isRunning = true;
    try {
      await runText(run, () => readWorkflow(file), { ...context, terminal }, report);
    } finally {
      this.#isRunning = false;
    }
    this.#endings.add(report.outcome);
    if (report.outcome === 'cancelled') this.#isCancelled = true;
    return report;
  }

  #countOutput({ file }: TestedWorkflow, tested: TestedOutput): JUnitCase {
    this.#report.output(file, tested);
    const { output, status } = tested;
    const counts = this.#counts;
    if (status === 'kept' || status === 'updated') this.#added += 1;
    if (!failingStatuses.has(status)) {
      if (status === 'same' || status === 'close') counts.passed += 1;
      else counts.updated += 1;
      return { name: output };
    }
    counts.failed += 1;
    return {
      name: output,
      problem: { kind: 'failure', message: this.context.secrets.hide(testWords(tested)) },
    };
  }

  #problem(trouble: Trouble): JUnitCase {
    this.#report.trouble(trouble);
    return this.#notTested([trouble]);
  }

  #notTested(troubles: readonly Trouble[]): JUnitCase {
    this.#counts.errors += 1;
    const words = troubles.map(({ message, nextAction }) => sentencesText(message, nextAction));
    const message = words.length > 0 ? words.join('\n') : t`The run was cancelled.`;
    return { name: 'run', problem: { kind: 'error', message: this.context.secrets.hide(message) } };
  }

  async #writeJUnit(): Promise<void> {
    const { junit } = this.options;
    if (junit === undefined) return;
    await mkdir(path.dirname(junit), { recursive: true });
    await writeText(junit, junitXml(this.#suites));
  }

  /** The first Ctrl-C cancels the job and ends the tests, the second one exits at once. */
  #listen(): () => void {
    return this.context.terminal.onInterrupt((how) => {
      if (!this.#isRunning && (this.#isCancelled || how === 'hangup'))
        this.context.terminal.exit(how === 'hangup' ? exitCodes.hangup : exitCodes.cancelled);
      this.#isCancelled = true;
    });
  }
}

function workflowsOf({ files, expected }: Arguments<'test'>): TestedWorkflow[] {
  const prefixes = new Map<string, number>();
  const folders = new Set<string>();
  return files.map((file) => {
    const { stem } = splitExtension(path.basename(file));
    const folder = path.resolve(expected ?? path.dirname(file), `${stem}.expected`);
    if (folders.has(folder))
      throw new CommandProblem(
        t`Several workflows would be compared with the outputs in ${plainTerminalLine(folder)}.`,
        t`Specify each workflow once, and files of the same name without --expected.`,
        'usage',
      );
    folders.add(folder);
    const label = shortLabel(stem, 'workflow');
    const count = countAt(prefixes, label) + 1;
    prefixes.set(label, count);
    return { file, folder, prefix: count === 1 ? label : `${label} (${count})` };
  });
}

async function madeOutputs(
  { outputs, outputTexts, nodeNames }: TestRunReport,
  out: string,
  secrets: Secrets,
): Promise<MadeOutput[]> {
  const titles = new Map(Object.entries(nodeNames));
  const [fileFolder, textFolder] = [new NodeFolder(out), new NodeFolder(path.join(out, 'texts'))];
  const files = outputs.map(({ name, file: { nodeId } }) => ({ nodeId, name, folder: fileFolder }));
  const texts = outputTexts.map(({ nodeId }, at) => ({ nodeId, name: `${at + 1}.txt`, folder: textFolder }));
  for (const [at, { text }] of outputTexts.entries())
    await replaceWhole(textFolder, `${at + 1}.txt`, Buffer.from(secrets.hide(text)));
  const made = [...numberOutputs(files, false), ...numberOutputs(texts, true)];
  return made.map((each) => ({ ...each, stem: expectedStem(each), title: titles.get(each.nodeId) }));
}
