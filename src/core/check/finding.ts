import type { JsonRange } from '../json/node';
import type { CheckCode, Severity } from './codes';

/** One thing to say about a workflow file, at its exact place (UTF-16 offsets of the file's text). */
export interface Finding extends JsonRange {
  readonly code: CheckCode;
  readonly severity: Severity;
  /** What happened, then what to do. */
  readonly message: string;
  /** The node in the prompt; in graph files the id that the node has when it runs, such as `12:3`. */
  readonly nodeId?: string | undefined;
  /** All nodes that it is about, where they are several; `nodeId` is the one that is marked. */
  readonly nodeIds?: readonly string[] | undefined;
  readonly input?: string | undefined;
  readonly tags?: readonly FindingTag[] | undefined;
  readonly related?: readonly RelatedPlace[] | undefined;
  readonly fix?: FixHint | undefined;
}

export type FindingTag = 'unnecessary' | 'deprecated';

export interface RelatedPlace extends JsonRange {
  readonly message: string;
}

/**
 * What a quick fix needs to know; the edits themselves are made from the text of the file as it is then. Values are
 * JSON texts, best first. Fixes that name a node are for prompts; in graph files only `replaceText`, `replaceTexts`,
 * `findPack` and `addOutput` occur.
 */
export type FixHint =
  /** Put one of these texts in the place of what stands there now. */
  | { readonly kind: 'replaceText'; readonly range: JsonRange; readonly texts: readonly string[] }
  /** Put a text in each of several places, which only together make sense. */
  | {
      readonly kind: 'replaceTexts';
      readonly title: string;
      readonly places: readonly { readonly range: JsonRange; readonly text: string }[];
    }
  | { readonly kind: 'insertInput'; readonly nodeId: string; readonly input: string; readonly text: string }
  /** A link is needed: offer outputs that fit the type. */
  | { readonly kind: 'chooseLink'; readonly nodeId: string; readonly input: string; readonly type: string }
  | { readonly kind: 'removeInput'; readonly nodeId: string; readonly input: string }
  | {
      readonly kind: 'renameInput';
      readonly nodeId: string;
      readonly input: string;
      readonly names: readonly string[];
    }
  | { readonly kind: 'removeNode'; readonly nodeId: string }
  /** Write the node with the class that takes its place, as the server's replacement table has it. */
  | { readonly kind: 'replaceNode'; readonly nodeId: string; readonly classType: string }
  | { readonly kind: 'addMeta'; readonly nodeId: string; readonly title: string }
  | { readonly kind: 'addInputs'; readonly nodeId: string }
  /** Similar names come as texts; `pack` is a guess at who brings the class. */
  | {
      readonly kind: 'findPack';
      readonly classType: string;
      readonly pack?: string | undefined;
      readonly range: JsonRange;
      readonly texts: readonly string[];
    }
  /** Add an output node where an output fits. */
  | { readonly kind: 'addOutput' }
  | { readonly kind: 'removeDuplicate'; readonly range: JsonRange }
  | { readonly kind: 'unwrap'; readonly path: readonly string[] };
