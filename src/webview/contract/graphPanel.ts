import type { Drawing } from '../../core/drawing/drawing';

/**
 * The messages between the page of a graph and the extension host. The page speaks first (`ready`); the host sends the
 * drawing again whenever the text or the node definitions change. Nodes have the IDs that they have in the whole
 * workflow: `outer:inner` inside a subgraph.
 */

/** A level on the way to the one that is shown. */
export interface GraphCrumb {
  /** The ID of the instance; empty for the root. */
  readonly inside: string;
  readonly title: string;
}

export type GraphSeverity = 'error' | 'warning' | 'information';

/** What the check says about a node, worst first. */
export interface GraphFinding {
  readonly node: string;
  readonly severity: GraphSeverity;
  readonly text: string;
}

/** Findings of a node with what mends them: by the fix's ID, as long as the drawing is the same. */
export interface GraphProblem {
  readonly findings: readonly GraphFinding[];
  /** Undefined until they are known. */
  readonly fixes?: readonly { readonly id: number; readonly title: string }[] | undefined;
}

export type ToGraph =
  | {
      readonly type: 'draw';
      readonly drawing: Drawing;
      /** From the root to the level that is shown. */
      readonly crumbs: readonly GraphCrumb[];
      /** The address of the file, by which the panel is opened again after a reload; none for a comparison. */
      readonly file?: string | undefined;
    }
  /** The text can't be drawn: the page keeps its last drawing. */
  | { readonly type: 'problem'; readonly message: string }
  | { readonly type: 'findings'; readonly findings: readonly GraphFinding[] }
  /** Answers `findFixes`. */
  | { readonly type: 'fixes'; readonly node: string; readonly problems: readonly GraphProblem[] }
  /** The cursor is in this node. */
  | { readonly type: 'select'; readonly node: string };

export type FromGraph =
  /** What it showed before a reload; empty for the root. */
  | { readonly type: 'ready'; readonly inside: string }
  | { readonly type: 'open'; readonly inside: string }
  /** Shows a node in the text, or one of its inputs. */
  | {
      readonly type: 'goTo';
      readonly node: string;
      readonly input?: string | undefined;
      readonly takesFocus: boolean;
    }
  /** Asks for the quick fixes of a node's findings. */
  | { readonly type: 'findFixes'; readonly node: string }
  | { readonly type: 'fix'; readonly id: number };
