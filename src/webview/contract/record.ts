import type { PageFile, RunPage } from '../../core/records/runPage';

export type { PageFact, PageInput, PageNode, PageSeed } from '../../core/records/runPage';
export type { NodeValue } from '../../core/records/promptValues';

/**
 * The messages between the page of a run record and the extension host. The page speaks first (`ready`); the host
 * sends the whole state again whenever the file changes. All texts are in the display language and ready to show.
 */

/** A new value: the text itself where there was a text, JSON otherwise. */
export interface RecordChange {
  readonly node: string;
  readonly input: string;
  readonly text: string;
}

export interface RecordOutput extends Pick<PageFile, 'label' | 'node' | 'media' | 'facts' | 'size'> {
  /** Address that the page may load; missing for a file that is not next to the record. */
  readonly source?: string | undefined;
  /** Why it is not shown, if it is not there. */
  readonly missing?: string | undefined;
}

export interface RecordView extends Omit<RunPage, 'files'> {
  readonly files: readonly RecordOutput[];
  /** The record contains the prompt. */
  readonly canRun: boolean;
}

export type ToRecord =
  | { readonly type: 'show'; readonly view: RecordView }
  /** The file is no run record, or it can't be read. */
  | { readonly type: 'problem'; readonly message: string }
  /** Lets the user edit the values, as a button of the page does. */
  | { readonly type: 'edit' }
  /** The edited prompt was sent: the fields close. */
  | { readonly type: 'sent' };

/** The buttons of the page; its menu is VS Code's own. */
export const recordActions = ['runAgain', 'runWithNewSeeds', 'openWorkflow', 'openAsText'] as const;
export type RecordAction = (typeof recordActions)[number];

export type FromRecord =
  | { readonly type: 'ready' }
  | { readonly type: 'act'; readonly action: RecordAction }
  | { readonly type: 'runWith'; readonly changes: readonly RecordChange[] }
  /** The seed and the output count from 0, in the order of the view. */
  | { readonly type: 'copySeed'; readonly index: number }
  | { readonly type: 'openOutput'; readonly index: number };
