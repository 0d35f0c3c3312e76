import type { NodeView } from './promptView';
import type { Reach } from './promptView';
import type { RuleFinding } from './rule';
import type { Verdict } from './verdict';

export interface PromptCheck {
  readonly ruleFindings: readonly RuleFinding[];
  readonly omitted: number;
  readonly verdict: Verdict | undefined;
  readonly reach: Reach;
  readonly nodes: ReadonlyMap<string, NodeView>;
}
