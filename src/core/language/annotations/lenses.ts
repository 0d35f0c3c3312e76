import type { Catalog } from '../../catalog/catalog';
import type { Finding } from '../../check/finding';
import type { JsonRange } from '../../json/node';
import { findSeeds } from '../../workflow/seeds';
import { hasGraphSeeds } from '../places/graphSeeds';
import { bareRange } from '../places/jsonPlace';
import { outputNodes } from '../places/outputNodes';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { problemsText } from '../../safety/countText';
import { t } from '../../safety/localize';

export type Lens = JsonRange &
  (
    | { readonly kind: 'run' | 'runWithNewSeeds'; readonly title: string }
    /** Run only what this output node needs. */
    | { readonly kind: 'runToHere'; readonly title: string; readonly nodeIds: readonly string[] }
    /** Goes to the first of them. */
    | { readonly kind: 'problems'; readonly title: string; readonly count: number; readonly first: JsonRange }
  );

type Problem = Pick<Finding, 'severity' | 'offset' | 'length'>;

/** Above the file: run and problems; above each output node: run to here. */
export function workflowLenses(
  doc: WorkflowDocument,
  findings: readonly Problem[],
  catalog?: Catalog,
): Lens[] {
  if (!doc.isWorkflow) return [];
  const { prompt, graph } = doc;
  const start = bareRange(prompt?.root ?? graph?.node ?? { offset: 0, length: 0 });
  const top = { offset: start.offset, length: 0 };
  const hasSeeds = prompt
    ? findSeeds(prompt, catalog).length > 0
    : graph !== undefined && hasGraphSeeds(graph, catalog);
  return [
    { ...top, kind: 'run', title: t`Run` },
    ...(hasSeeds ? [{ ...top, kind: 'runWithNewSeeds' as const, title: t`Run with New Seeds` }] : []),
    ...problemLens(top, findings),
    ...outputNodes(doc, catalog).map(({ runIds, place }): Lens => {
      return { ...place, kind: 'runToHere', title: t`Run to Here`, nodeIds: runIds };
    }),
  ];
}

function problemLens(top: JsonRange, findings: readonly Problem[]): Lens[] {
  const problems = findings
    .filter(({ severity }) => severity === 'error' || severity === 'warning')
    .sort((a, b) => a.offset - b.offset);
  const first = problems.find(({ severity }) => severity === 'error') ?? problems[0];
  if (!first) return [];
  const count = problems.length;
  const title = problemsText(count);
  return [{ ...top, kind: 'problems', title, count, first: bareRange(first) }];
}
