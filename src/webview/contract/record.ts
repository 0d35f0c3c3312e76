/**
 * The messages between the page of a run record and the extension host. The page speaks first (`ready`); the host
 * sends the whole state again whenever the file changes. All texts are in the display language and ready to show.
 */

export interface RecordFact {
  readonly name: string;
  readonly text: string;
}

export interface RecordSeed {
  readonly node: string;
  readonly input: string;
  readonly digits: string;
}

export interface RecordValue {
  readonly name: string;
  readonly text: string;
  readonly isLink: boolean;
  /** Missing for what can't be edited here. */
  readonly edit?: RecordEdit | undefined;
}

export interface RecordEdit {
  readonly kind: 'text' | 'number' | 'boolean' | 'json';
  /** The value itself, if `text` is not exactly that. */
  readonly exact?: string | undefined;
}

/** A new value: the text itself where there was a text, JSON otherwise. */
export interface RecordChange {
  readonly node: string;
  readonly input: string;
  readonly text: string;
}

export interface RecordNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** How long it ran, or that it was cached. */
  readonly time?: string | undefined;
  readonly values: readonly RecordValue[];
  readonly moreValues: number;
}

export interface RecordOutput {
  readonly label: string;
  readonly node: string;
  readonly media: 'image' | 'video' | 'audio' | 'model3d' | 'text' | 'other';
  /** What the server told of it, such as its size in pixels. */
  readonly facts: string;
  readonly size?: string | undefined;
  /** Address that the page may load; missing for a file that is not next to the record. */
  readonly source?: string | undefined;
  /** Why it is not shown, if it is not there. */
  readonly missing?: string | undefined;
}

export interface RecordInput {
  readonly name: string;
  readonly node: string;
  readonly path: string;
  readonly size: string;
}

export interface RecordView {
  readonly title: string;
  readonly state: string;
  readonly stateText: string;
  readonly facts: readonly RecordFact[];
  readonly seeds: readonly RecordSeed[];
  readonly nodes: readonly RecordNode[];
  readonly moreNodes: number;
  readonly noNodes?: string | undefined;
  readonly files: readonly RecordOutput[];
  readonly moreFiles: number;
  readonly unlisted: number;
  readonly texts: readonly { readonly node: string; readonly text: string }[];
  readonly inputs: readonly RecordInput[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
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

export const recordActions = [
  'runAgain',
  'runWithNewSeeds',
  'compareWith',
  'openWorkflow',
  'openAsText',
  'revealOutputs',
] as const;
export type RecordAction = (typeof recordActions)[number];

export type FromRecord =
  | { readonly type: 'ready' }
  | { readonly type: 'act'; readonly action: RecordAction }
  | { readonly type: 'runWith'; readonly changes: readonly RecordChange[] }
  /** The seed and the output count from 0, in the order of the view. */
  | { readonly type: 'copySeed'; readonly index: number }
  | { readonly type: 'openOutput'; readonly index: number };
