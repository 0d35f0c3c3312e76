import type { JsonRange } from '../json/node';
import { budgets } from '../safety/budgets';
import type { CheckCode, Severity } from './codes';
import type { FindingTag, FixHint } from './finding';

/** A place in a prompt, in the prompt's own text; `nodeId` and `input` lead from a compiled prompt back to its graph. */
export interface Place {
  readonly range: JsonRange;
  readonly nodeId?: string | undefined;
  readonly input?: string | undefined;
}

/** A finding of a rule, before settings, reach and the way back to a graph make it a finding of the file. */
export interface RuleFinding extends Place {
  readonly code: CheckCode;
  readonly message: string;
  /** All nodes that it is about, where they are several; `nodeId` is the one that is marked. */
  readonly nodeIds?: readonly string[];
  /** Where it differs from that of the code. */
  readonly severity?: Severity | undefined;
  readonly tags?: readonly FindingTag[];
  readonly related?: readonly (Place & { readonly message: string })[] | undefined;
  readonly fix?: FixHint | undefined;
  /**
   * Where the fault counts in full, `run` unless said. `checked`: the server finds it, in nodes that outputs depend on
   * through declared inputs; while it accepts the prompt all the same, only outputs are lost. `run`: it shows when the
   * node runs. `always`: in every node.
   */
  readonly counts?: 'checked' | 'run' | 'always';
  /** The fault is gone when the workflow runs: nobody is told, and the server's words about it are not repeated. */
  readonly isSilent?: boolean;
}

/**
 * What the rules report about one file, up to a limit: a file of faults would otherwise fill the memory. The first of
 * each code is kept all the same, so that many small faults do not hide one that stops the server.
 */
export class BoundedFindings {
  readonly list: RuleFinding[] = [];
  /** How many were left out. */
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
