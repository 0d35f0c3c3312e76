import { filesNotKept } from '../core/outputs/outputNames';
import { OutputsNotSavedError } from '../core/runLife/outputsNotSaved';
import { saveOutputs, type SaveRequest } from '../core/runLife/saveOutputs';
import type { RunReport } from './runReport';

export interface SavedJob {
  /** How many outputs are on disk. */
  readonly saved: number;
  /** Why it is not all of them. */
  readonly problem?: OutputsNotSavedError;
}

/** Saves and reports what a job made, also before it failed: it was paid for. */
export async function saveJob(request: SaveRequest, report: RunReport): Promise<SavedJob> {
  const { job, temporaryToo } = request;
  try {
    const saved = await saveOutputs({ ...request, onProgress: (progress) => report.saving(progress) });
    if (saved.length > 0) report.saved(saved);
    const onDisk = new Set(saved.map(({ file }) => file));
    const others = filesNotKept(job, temporaryToo === true).filter((file) => !onDisk.has(file));
    report.temporary(job, others);
    return { saved: saved.length };
  } catch (problem) {
    if (!(problem instanceof OutputsNotSavedError)) throw problem;
    if (problem.saved.length > 0) report.saved(problem.saved);
    return { saved: problem.saved.length, problem };
  }
}
