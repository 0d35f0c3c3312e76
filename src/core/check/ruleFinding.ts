import type { JsonRange } from '../json/node';
import type { TextEdit } from '../json/textEdit';
import { budgets } from '../safety/budgets';
import type { CheckCode, Severity } from './codes';
import type { FindingTag, FixHint } from './finding';

/** A range in a prompt's own text; `nodeId` and `input` map a compiled prompt back to its graph. */
export interface Place {
  readonly range: JsonRange;
  readonly nodeId?: string | undefined;
  readonly input?: string | undefined;
}

/**
 * A quick fix that makes several edits at once, if there are any.
 * @param isUnsure the user has to decide: Fix All leaves it out
 */
export function textsFix(title: string, edits: readonly TextEdit[], isUnsure = false): FixHint | undefined {
  return edits.length === 0 ? undefined : { kind: 'replaceTexts', title, edits, isUnsure };
}

/** A finding of a rule, before settings, reach and the way back to a graph make it a finding of the file. */
export interface RuleFinding extends Place {
  readonly code: CheckCode;
  readonly message: string;
  /** All nodes it is about, if several; `nodeId` is the marked one. */
  readonly nodeIds?: readonly string[];
  /** The node that a link names, there or not. */
  readonly linksTo?: string;
  /** If it differs from that of the code. */
  readonly severity?: Severity | undefined;
  readonly tags?: readonly FindingTag[];
  readonly related?: readonly (Place & { readonly message: string })[] | undefined;
  readonly fix?: FixHint | undefined;
  /**
   * Where the problem counts in full; default `run`. `checked`: the server finds it, in nodes that outputs depend on
   * through declared inputs; if it accepts the prompt anyway, only outputs are lost. `run`: it shows when the node
   * runs. `always`: in every node.
   */
  readonly counts?: 'checked' | 'run' | 'always';
  /** Parts of a graph: what is missing or wrong there in its prompt follows from this, and is not reported as well. */
  readonly explains?: readonly JsonRange[] | undefined;
  /** The run resolves the problem: it is not reported, and the server's words about it are not repeated. */
  readonly isSilent?: boolean;
}

/**
 * What the rules report about one file, up to a limit: a file full of problems would otherwise fill the memory. The
 * first of each code is always kept, so that many small problems do not hide one that stops the server.
 */
export class BoundedFindings {
  readonly list: RuleFinding[] = [];
  omitted = 0;
  readonly #codes = new Set<CheckCode>();

  add(ruleFinding: RuleFinding): void {
    if (this.list.length >= budgets.reportedFindings && this.#codes.has(ruleFinding.code)) {
      this.omitted++;
      return;
    }
    this.#codes.add(ruleFinding.code);
    this.list.push(ruleFinding);
  }
}
