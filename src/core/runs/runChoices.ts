import type { JobOrigin } from '../jobs/job';
import type { WorkflowDocument } from '../workflow/workflowDocument';

export interface RunSource {
  readonly workflow: WorkflowDocument;
  /** Name to show: the file's name. */
  readonly label: string;
  /** The workflow's address; missing if the outputs need not lead back to it. */
  readonly uri?: { toString(): string } | undefined;
  /** The graph that goes with a prompt, for the pictures to carry; a text that is a graph goes itself. */
  readonly workflowText?: string | undefined;
  /** The text of the file if the workflow was made of it. */
  readonly fileText?: string;
  readonly batch?: JobOrigin['batch'];
}

/** The editor and the command line fill it in, and nothing changes it on the way to the server. */
export interface RunChoices {
  readonly seeds: 'keep' | 'new';
  readonly targets?: readonly string[] | undefined;
  /** Which option of {a|b} in a graph's texts is sent; by default a new one each time, as in the ComfyUI editor. */
  readonly dynamicPrompts?: 'random' | 'first' | undefined;
  /** Send although the server is expected to refuse it; what would stop the server is refused all the same. */
  readonly force?: boolean | undefined;
  readonly allowLoss?: boolean | undefined;
  /** Nobody is asked about a run whose outputs could not be found: it is refused. */
  readonly refuseUnheard?: boolean | undefined;
  /** How long a job whose answer was lost is looked for, ms. */
  readonly lookOut?: number | undefined;
  /** Runs before what waits, which only a local server can do. */
  readonly next?: boolean | undefined;
  /** Who gets the events of the job, in place of this program: a ComfyUI page. */
  readonly clientId?: string | undefined;
  /** Fails at once when the server asks to be left alone for a while: somebody else may take the run. */
  readonly neverWait?: boolean | undefined;
}
