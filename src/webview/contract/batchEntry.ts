import * as z from 'zod';
import type { BatchForm, FormProblem, PreviewTable } from '../../core/batch/batchForm';
import type { InputChoice } from '../../core/batch/batchInputs';
import { budgets } from '../../core/safety/budgets';
import { axisKinds } from './constants';

export type { AxisKind, BatchForm, FormAxis, FormProblem } from '../../core/batch/batchForm';
export type { InputChoice } from '../../core/batch/batchInputs';

/**
 * The messages between the Set Up Batch form and the extension host. The page speaks first (`ready`), with its form if it
 * has one from before it was hidden. The host plans every changed form and says what it makes.
 */

export interface BatchSetup {
  readonly workflow: string;
  readonly file: string;
  readonly uri: string;
  readonly choices: readonly InputChoice[];
  readonly servers: readonly { readonly id: string; readonly name: string }[];
}

interface PlannedTable extends PreviewTable {
  readonly count: number;
  readonly facts: readonly string[];
}

export interface BatchPreview {
  /** Missing if there are problems. */
  readonly table?: PlannedTable | undefined;
  readonly problems: readonly FormProblem[];
}

export type ToBatchForm =
  | { readonly type: 'setup'; readonly setup: BatchSetup }
  | { readonly type: 'form'; readonly form: BatchForm }
  | { readonly type: 'preview'; readonly revision: number; readonly preview: BatchPreview }
  | { readonly type: 'picked'; readonly file: string; readonly column: string }
  | { readonly type: 'saved' };

const text = z.string().max(budgets.batchFile);
const axis = z.object({ selector: text, kind: z.enum(axisKinds), text, column: text });
const form = z.object({
  count: text,
  axes: z.array(axis).max(1_000).readonly(),
  servers: z.array(text).max(1_000).readonly(),
  window: text,
});

export const formMessages = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), form: form.optional() }),
  z.object({ type: z.literal('change'), revision: z.int().min(0), form }),
  z.object({ type: z.literal('pickFile') }),
  z.object({ type: z.enum(['save', 'run']), form }),
]);
export type FromBatchForm = z.infer<typeof formMessages>;
