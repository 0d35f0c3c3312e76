import type { UploadKind } from '../catalog/inputSpec';
import type { ExactValue } from '../json/exactValue';
import type { JsonRange } from '../json/node';
import type { TextEdit } from '../json/textEdit';
import type { CheckCode, Severity } from './codes';

/** A finding in a workflow file, with its exact range (UTF-16 offsets of the file's text). */
export interface Finding extends JsonRange {
  readonly code: CheckCode;
  readonly severity: Severity;
  readonly message: string;
  /** The node in the prompt; in graph files the id that the node has when it runs, such as `12:3`. */
  readonly nodeId?: string | undefined;
  /** All nodes it is about, if several; `nodeId` is the marked one. */
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
 * The data for a quick fix. Its edits are computed from the file's current text. Values are JSON texts, best first.
 * Fixes that name a node are for prompts; in graph files only `replaceText`, `replaceTexts`, `chooseFile`, `findPack`,
 * `cutRow` and `addOutput` occur.
 */
export type FixHint =
  /** Replace the current value with one of these texts, or with another one of `choices`. */
  | {
      readonly kind: 'replaceText';
      readonly range: JsonRange;
      readonly texts: readonly string[];
      readonly choices?: readonly ExactValue[];
    }
  | {
      readonly kind: 'replaceTexts';
      readonly title: string;
      /** Whether the user has to decide, so that Fix All leaves it out. */
      readonly isUnsure: boolean;
      readonly edits: readonly TextEdit[];
    }
  /** Replace the name of a file with one that the server or the workspace has. */
  | {
      readonly kind: 'chooseFile';
      readonly range: JsonRange;
      readonly fileName: string;
      readonly classType: string;
      readonly input: string;
      readonly upload: UploadKind;
    }
  | { readonly kind: 'insertInput'; readonly nodeId: string; readonly input: string; readonly text: string }
  /** A link is needed: offer outputs of a matching type. */
  | { readonly kind: 'chooseLink'; readonly nodeId: string; readonly input: string; readonly type: string }
  | { readonly kind: 'removeInput'; readonly nodeId: string; readonly input: string }
  | {
      readonly kind: 'renameInput';
      readonly nodeId: string;
      readonly input: string;
      readonly names: readonly string[];
    }
  | {
      readonly kind: 'cutLink';
      readonly links: readonly { readonly nodeId: string; readonly input: string }[];
    }
  | { readonly kind: 'cutRow'; readonly places: readonly JsonRange[] }
  | { readonly kind: 'removeNode'; readonly nodeId: string }
  /** Rewrite the node with its replacement, from the server's replacement table. */
  | { readonly kind: 'replaceNode'; readonly nodeId: string; readonly classType: string }
  | { readonly kind: 'addMeta'; readonly nodeId: string; readonly title: string }
  | { readonly kind: 'addInputs'; readonly nodeId: string }
  /** Similar names as texts; `pack` is a guess at the pack that provides the node type. */
  | {
      readonly kind: 'findPack';
      readonly classType: string;
      readonly pack?: string | undefined;
      readonly range: JsonRange;
      readonly texts: readonly string[];
    }
  | { readonly kind: 'addOutput' }
  /** `meantId`: links lead to this ID, which no node has. */
  | { readonly kind: 'removeDuplicate'; readonly range: JsonRange; readonly meantId?: string }
  | { readonly kind: 'unwrap' };
