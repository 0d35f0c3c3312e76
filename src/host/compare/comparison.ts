import type { Meaning } from '../../core/diff/meaning';
import type { WorkflowDifferences } from '../../core/diff/workflowDifferences';
import { type Shown, shown } from '../../core/safety/shownText';
import type { ComparedSide } from './comparedSide';

/** A side with what it means. */
export interface SideMeaning {
  readonly side: ComparedSide;
  readonly compared: Meaning;
  readonly own: () => Meaning;
}

/** Two workflows, and what differs between them. */
export interface WorkflowComparison {
  readonly before: SideMeaning;
  readonly after: SideMeaning;
  readonly differences: WorkflowDifferences;
}

export function comparisonTitle({ before, after }: WorkflowComparison): Shown {
  return shown`${before.side.label} ↔ ${after.side.label}`;
}
