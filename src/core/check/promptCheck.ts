import type { NodeView } from './promptView';
import type { Reach } from './reach';
import type { RuleFinding } from './ruleFinding';
import type { Verdict } from './verdict';

export interface PromptCheck {
  readonly ruleFindings: readonly RuleFinding[];
  readonly omitted: number;
  readonly verdict: Verdict | undefined;
  readonly reach: Reach;
  readonly nodes: ReadonlyMap<string, NodeView>;
}
