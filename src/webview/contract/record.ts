import * as z from 'zod';
import type { RunPage } from '../../core/records/runPage';
import type { InputField, WrongChange } from '../../core/runs/changeValues';

export type PageFact = RunPage['facts'][number];
export type PageInput = RunPage['inputs'][number];
export type PageNode = RunPage['nodes'][number];
export type PageSeed = RunPage['seeds'][number];
export type { NodeValue } from '../../core/records/promptValues';
export type { InputField, WrongChange } from '../../core/runs/changeValues';

/**
 * The messages between the page of a run record and the extension host. The page speaks first (`ready`); the host
 * sends the whole state again whenever the file changes. All texts are in the display language and ready to show.
 */

/** New values: the text itself where there was a text, JSON otherwise. */
export const recordChanges = z
  .array(z.object({ node: z.string(), input: z.string(), text: z.string() }))
  .readonly();
export type RecordChange = z.infer<typeof recordChanges>[number];

export interface RecordOutput extends Omit<RunPage['files'][number], 'name' | 'bytes'> {
  /** Address that the page may load; missing for a file that is not next to the record. */
  readonly source?: string | undefined;
  /** Why it is not shown, if it is not there. */
  readonly missing?: string | undefined;
}

export interface RecordView extends Omit<RunPage, 'files'> {
  readonly files: readonly RecordOutput[];
  readonly canRun: boolean;
}

export type ToRecord =
  | { readonly type: 'show'; readonly view: RecordView }
  /** The file is no run record, or it can't be read. */
  | { readonly type: 'problem'; readonly message: string }
  | { readonly type: 'edit' }
  | { readonly type: 'fields'; readonly fields: readonly InputField[] }
  /** The problems of the changes that it sent last. */
  | { readonly type: 'wrong'; readonly wrong: readonly WrongChange[] }
  /** The edited prompt was sent: the fields close. */
  | { readonly type: 'sent' };

/** The buttons of the page; its menu is VS Code's own. */
const recordAction = z.enum(['runAgain', 'runWithNewSeeds', 'openWorkflow', 'openAsText']);
export type RecordAction = z.infer<typeof recordAction>;

export const recordMessages = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['ready', 'fields']) }),
  z.object({ type: z.enum(['judge', 'runWith']), changes: recordChanges }),
  z.object({ type: z.literal('act'), action: recordAction }),
  /** The seed and the output count from 0, in the order of the view. */
  z.object({ type: z.enum(['copySeed', 'openOutput']), index: z.int().min(0) }),
]);
export type FromRecord = z.infer<typeof recordMessages>;
