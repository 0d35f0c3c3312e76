import type * as vscode from 'vscode';
import type { Job } from '../../core/jobs/job';
import type { JobStore } from '../../core/jobs/jobStore';
import type { OutputFile } from '../../core/protocol/outputFile';
import type { Silence } from '../servers/sessions';
import type { Secrets } from '../../core/safety/secrets';
import type { RefusedRun, RefusedRuns } from '../runs/refusedRuns';
import type { TemporaryOutputs } from '../jobs/temporaryOutputs';
import type { PreviewFrame } from './framePacer';

/** What the preview panel needs from the rest of the extension. */
export interface PreviewSources {
  /** None of them is sent to the page. */
  readonly secrets: Secrets;
  readonly jobs: Pick<JobStore, 'jobs' | 'get' | 'onDidChange'>;
  /** Previews of running nodes, for any job. */
  readonly onPreview: vscode.Event<PreviewFrame>;
  /** Outputs of this job were saved, or saving started or ended. */
  readonly onDidSave: vscode.Event<string>;
  savedOutput(jobId: string, file: OutputFile): vscode.Uri | undefined;
  isSaving(jobId: string): boolean;
  /** Outputs that are shown but not saved. */
  readonly temporary: Pick<TemporaryOutputs, 'find' | 'isFetching' | 'look'>;
  /** Whether temporary outputs are always saved. */
  savesTemporary(job: Job): boolean;
  /** Output folders that the panel may load from. */
  outputFolders(): readonly vscode.Uri[];
  /** Display name of a server, from its origin. */
  serverName(origin: string): string;
  /** Whether the server of a job does not answer. */
  silenceOf(origin: string): Silence | undefined;
  readonly onDidChangeSilence: vscode.Event<string>;
  /** Opens the workflow of a job at a node. */
  goToNode(jobId: string, nodeId: string): Promise<void>;
  /** The last run, if it did not start. */
  readonly refused: Pick<RefusedRuns, 'last' | 'onDidChange' | 'forget'>;
  /** Opens the file of a run that did not start, at the problem. */
  goToProblem(run: RefusedRun, index: number): Promise<void>;
  /** Runs an action of the panel; a failure becomes one notification. */
  guard(action: () => Promise<void>): void;
}
