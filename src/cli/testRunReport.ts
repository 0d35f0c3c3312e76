import type { Job } from '../core/jobs/job';
import type { LeftOutOutput } from '../core/jobs/leftOutWords';
import type { SavedOutput } from '../core/outputs/savedOutput';
import type { OutputText } from '../core/protocol/outputFile';
import type { RunOutcome } from '../core/runs/runWorkflow';
import type { Ending, Trouble } from './commandReport';
import { RunReport, type OwedWords } from './runReport';
import { exitCodes, type Terminal } from './terminal';

/** Reports a run that is a test: people read only what goes wrong, and what was made is collected. */
export class TestRunReport extends RunReport {
  readonly outputs: SavedOutput[] = [];
  readonly outputTexts: OutputText[] = [];
  readonly troubles: Trouble[] = [];
  nodeNames: Readonly<Record<string, string>> = {};
  /** Whether the server left out part of the workflow. */
  isPartial = false;
  outcome: Ending = 'failed';
  /** Something is still to be fetched from the server into the folder of the run. */
  isOwed = false;

  constructor(
    terminal: Terminal,
    json: boolean,
    /** The server ends with the run: its jobs are of no use to anyone. */
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

  override taken(jobId: string): void {
    if (!this.isPassing) super.taken(jobId);
  }

  override queue(length: number): void {
    if (this.json) super.queue(length);
  }

  override texts(job: Job): void {
    this.outputTexts.push(...job.texts.slice(this.outputTexts.length));
  }

  override saving(): void {
    // Like stages.
  }

  override saved(outputs: readonly SavedOutput[]): void {
    this.outputs.push(...outputs);
  }

  override temporary(): void {
    // They are compared, or nobody asked for them.
  }

  override owed(owed: OwedWords): void {
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
