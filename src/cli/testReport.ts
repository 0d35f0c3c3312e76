import { plural, sentencesText, t } from '../core/safety/localize';
import type { Trouble } from './commandProblem';
import type { TestedOutput } from './compareToExpected';
import { CommandReport, type Ending } from './commandReport';
import { plainProgress } from './progressDisplay';
import { plainTerminalLine, type Terminal, exitCodes } from './terminal';
import type { TestCounts, TestEvent, TestStatus } from './jsonEvents';
import type { Job } from '../core/jobs/job';
import type { LeftOutOutput } from '../core/jobs/jobWords';
import type { SavedOutput } from '../core/outputs/expectedFile';
import type { OutputText } from '../core/protocol/outputFile';
import type { RunOutcome } from '../core/runs/runWorkflow';
import { RunReport } from './runReport';

export const failingStatuses: ReadonlySet<TestStatus> = new Set(['different', 'missing', 'notKept']);

/** Results go to standard output for people too. */
export class TestReport extends CommandReport<TestEvent> {
  constructor(terminal: Terminal, json: boolean) {
    super(terminal, json, false, plainProgress(terminal.err));
  }

  output(file: string, tested: TestedOutput): void {
    const { output, nodeId, title, comparison, status, difference, actual } = tested;
    const { distance, share, message } = comparison;
    const compared = { distance, share, message, difference, actual };
    this.emit({ event: 'output', file, output, nodeId, status, ...compared });
    const name = title === undefined ? output : `${output} (${plainTerminalLine(title)})`;
    const words = testWords(tested);
    const mark = failingStatuses.has(status) ? '✗' : '✓';
    this.print(`  ${mark} ${plainTerminalLine(file)} ${name}${words === '' ? '' : `: ${words}`}`);
    const place = difference ?? actual;
    if (place !== undefined) this.print(`      ${plainTerminalLine(place)}`);
  }

  summary(counts: TestCounts): void {
    this.emit({ event: 'summary', ...counts });
    const { passed, failed, errors, updated } = counts;
    const parts = [
      plural(passed, t`1 output passed`, t`${passed} outputs passed`),
      ...(failed > 0 ? [plural(failed, t`1 failed`, t`${failed} failed`)] : []),
      ...(updated > 0 ? [plural(updated, t`1 updated`, t`${updated} updated`)] : []),
      ...(errors > 0 ? [plural(errors, t`1 workflow not tested`, t`${errors} workflows not tested`)] : []),
    ];
    this.print(`${parts.join(', ')}.`);
    if (failed > 0) this.say(t`If these outputs are correct, accept them with --update.`);
  }
}

export function testWords({ status, comparison }: TestedOutput): string {
  return sentencesText(statusWords[status], comparison.message ?? '');
}

/** Words for statuses that no message explains. */
const statusWords: Readonly<Record<TestStatus, string>> = {
  same: '',
  close: t`Within the threshold.`,
  different: '',
  missing: t`Expected, but not produced by this run.`,
  notKept: t`No expected output yet.`,
  kept: t`Added.`,
  updated: t`Updated.`,
  removed: t`Removed, because it's no longer produced.`,
};

/** People read only what goes wrong. */
export class TestRunReport extends RunReport {
  readonly outputs: SavedOutput[] = [];
  readonly outputTexts: OutputText[] = [];
  readonly troubles: Trouble[] = [];
  nodeNames: Readonly<Record<string, string>> = {};
  isPartial = false;
  isBlocked = false;
  outcome: Ending = 'failed';
  isOwed = false;

  constructor(
    terminal: Terminal,
    json: boolean,
    /** The server ends with the run, so nobody needs the IDs of its jobs. */
    private readonly isPassing: boolean,
  ) {
    super(terminal, json);
  }

  override stage(): void {
    // Each step of each run would bury the results.
  }

  override submitted(
    outcome: RunOutcome & { readonly kind: 'submitted' },
    leftOut: readonly LeftOutOutput[],
  ): void {
    this.nodeNames = outcome.run.origin.nodeNames;
    this.isPartial = leftOut.length > 0;
    if (this.json) super.submitted(outcome, leftOut);
  }

  override job(job: Job): void {
    if (this.json) super.job(job);
  }

  override accepted(jobId: string): void {
    if (!this.isPassing) super.accepted(jobId);
  }

  override queue(length: number): void {
    if (this.json) super.queue(length);
  }

  override blocked(job: Job): void {
    this.isBlocked = job.blocked.length > 0;
    super.blocked(job);
  }

  override texts(job: Job): void {
    this.outputTexts.push(...job.texts.slice(this.outputTexts.length));
  }

  override saving(): void {
    // They would bury the results, as stages would.
  }

  override saved(outputs: readonly SavedOutput[]): void {
    this.outputs.push(...outputs);
  }

  override temporary(): void {
    // Outputs are compared, or nobody asked for them.
  }

  override owed(...[owed]: Parameters<RunReport['owed']>): void {
    this.isOwed = true;
    super.owed(owed);
  }

  override trouble(trouble: Trouble, rest?: string): void {
    this.troubles.push(trouble);
    super.trouble(trouble, rest);
  }

  override end(outcome: Ending): number {
    this.outcome = outcome;
    return exitCodes[outcome];
  }
}
