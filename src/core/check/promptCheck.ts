import type { NodeView } from './promptView';
import type { Reach } from './reach';
import type { RuleFinding } from './ruleFinding';
import type { Verdict } from './verdict';

/** The result for a prompt, with positions in the prompt's own text. */
export interface PromptCheck {
  readonly ruleFindings: readonly RuleFinding[];
  /** How many findings were left out because there are too many. */
  readonly omitted: number;
  readonly verdict: Verdict | undefined;
  readonly reach: Reach;
  readonly nodes: ReadonlyMap<string, NodeView>;
}
