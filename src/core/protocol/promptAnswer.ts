import * as z from 'zod';
import type { NodeErrorMap } from './nodeErrors';
import { readNodeErrors } from './nodeErrors';
import { isJobId } from './wire';

/** Answer to an accepted prompt (protocol 1.5). */
export interface PromptAnswer {
  readonly promptId: string;
  /** If not empty, the server skipped some output branches and runs the others. */
  readonly nodeErrors: NodeErrorMap;
}

export const promptAnswer = z
  .object({
    prompt_id: z.string().refine(isJobId),
    node_errors: z.unknown().optional(),
  })
  .transform((raw): PromptAnswer => ({
    promptId: raw.prompt_id,
    nodeErrors: readNodeErrors(raw.node_errors),
  }));
