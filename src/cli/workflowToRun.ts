import path from 'node:path';
import type { RunCallbacks } from '../core/runs/runWorkflow';
import type { Trouble } from './commandReport';
import { readWorkflowText } from './workflowFile';

/** The workflow of a run. */
export interface WorkflowToRun {
  readonly text: string;
  readonly label: string;
  /** Its file, or where that would be: local files are looked for from there. */
  readonly file: string;
  /** The graph of a text that is a prompt. */
  readonly workflowText?: string | undefined;
  /** Finds the local file of an input, if not next to the workflow file; tells people what is odd about it. */
  readonly localMedia?: ((say: (words: string) => void) => RunCallbacks['localMedia']) | undefined;
}

/**
 * The workflow in a file, or why it can't be run.
 * @param edited its text with values of the command line in it
 */
export async function readWorkflow(file: string, edited?: string): Promise<WorkflowToRun | Trouble> {
  const text = edited ?? (await readWorkflowText(file));
  return typeof text === 'string' ? { text, label: path.basename(file), file } : text;
}
