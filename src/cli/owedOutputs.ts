import type { Secrets } from '../core/safety/secrets';
import { pathBelow } from '../core/safety/paths';
import path from 'node:path';
import type { Job } from '../core/jobs/job';
import { keepInputs } from '../core/outputs/keepInputs';
import type { OutputFolder } from '../core/outputs/outputFolder';
import { filesWorthSaving, runPrefix } from '../core/outputs/outputNames';
import { firstRecord } from '../core/outputs/recordFile';
import type { RecordFile } from '../core/outputs/recordFile';
import {
  lostRecord,
  pricedRecord,
  savingRecord,
  sendingRecord,
  settledRecord,
  submittedRecord,
} from '../core/outputs/recordSteps';
import { isOwed, type RunRecord } from '../core/outputs/runRecord';
import type { OwedRun, RunToOwe } from '../core/runs/owedRun';
import { owedBy } from './fetchCommand';
import type { RunReport } from './runReport';
import { t } from '../core/safety/localize';

/** Larger input files are not copied, bytes; the same as the default of `comfyDeck.keepInputs`. */
export const mostKept = 20_000_000;

export interface OwedOutputsOptions {
  readonly folder: OutputFolder;
  /** No secret gets into the record. */
  readonly secrets: Secrets;
  /** As given: for the command that fetches what is owed. */
  readonly out: string;
  readonly server: string;
  readonly keyEnv: string | undefined;
  /** The workflow file. */
  readonly file: string;
  readonly report: Pick<RunReport, 'taken' | 'owed' | 'trouble'>;
  /** The server ends with this command: nothing can be fetched from it later. */
  readonly isPassing: boolean;
}

/** What a run of the command line owes: the record in its output folder, written before the prompt is sent. */
export class OwedOutputs {
  readonly #options: OwedOutputsOptions;
  #run: RecordFile | undefined;

  constructor(options: OwedOutputsOptions) {
    this.#options = options;
  }

  get run(): RecordFile | undefined {
    return this.#run;
  }

  readonly owe = async (run: RunToOwe): Promise<OwedRun> => {
    const { folder, file, out, report, secrets, isPassing } = this.#options;
    const { label, sourceHash, seeds } = run.origin;
    const sourceUri = relativeSource(file, out);
    const serverKind = isPassing ? 'sandbox' : run.serverKind;
    const inputs = await keepInputs(folder, run.inputs, mostKept);
    const record = sendingRecord({ ...run, inputs, serverKind, label, sourceHash, seeds, sourceUri });
    const hide = (text: string): string => secrets.hide(text);
    const kept = await firstRecord(folder, runPrefix(label, run.sentAt), record, hide);
    this.#run = kept;
    return {
      taken: async (jobId) => {
        report.taken(jobId);
        await this.#quietly(() => kept.change((known) => submittedRecord(known, jobId, Date.now())));
      },
      notTaken: async () => {
        this.#run = undefined;
        await this.#quietly(() => kept.remove());
        await kept.close();
      },
      unclear: () => Promise.resolve(),
    };
  };

  /** Reports what is owed and how to fetch it, even right before the process ends. */
  tell(): void {
    const { out, server, keyEnv, report, isPassing } = this.#options;
    const run = this.#run;
    if (!run || !isOwed(run.record) || isPassing) return;
    // If the process ends at once, the file may lack the id: it is found by its own name, and by what was sent.
    const job = (run.isWriting ? undefined : run.record.job) ?? run.location;
    report.owed(owedBy(run.record, run.location, { job, out, server, keyEnv }));
  }

  /** The end of the run: the record says how it ended, or the outputs still owed are reported. */
  async leave(job: Job | undefined): Promise<void> {
    const run = this.#run;
    if (!run) return;
    const { isPassing } = this.#options;
    if (isOwed(run.record)) {
      // The outputs of a job that ended in any other way are unknown here; saving them adds them to the record.
      const isGivenUp = job?.state === 'cancelled' && filesWorthSaving(job).length === 0;
      const left = (record: RunRecord): RunRecord => {
        if (isGivenUp && record.state !== 'incomplete')
          return settledRecord(savingRecord(record, job, []), job, undefined);
        return isPassing ? lostRecord(record, 'The sandbox stopped when the run ended.') : record;
      };
      // Also where it is gone, as after its folder was renamed: what is owed is found by it.
      await this.#quietly(() => run.change((record) => pricedRecord(left(record), job)));
      this.tell();
    }
    await run.close();
  }

  /**
   * The job continues whatever happens on disk: the failure is reported, and the record is written again with the
   * next step.
   */
  async #quietly(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#options.report.trouble({
        message: t`The run record couldn't be written: ${message}`,
        nextAction: t`Check the output folder.`,
      });
    }
  }
}

/** The path of the workflow, without the user's own folders. */
export function relativeSource(file: string, out: string): string {
  const bases = [process.cwd(), path.resolve(out), path.dirname(path.resolve(out))];
  const whole = path.resolve(file);
  const inside = bases.map((base) => pathBelow(base, whole, path)).find((relative) => relative !== undefined);
  return inside ?? path.basename(file);
}
