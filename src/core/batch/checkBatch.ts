import type { JsonRange } from '../json/node';
import { errorWords } from '../safety/errorWords';
import { budgets } from '../safety/budgets';
import { sentencesText } from '../safety/localize';
import type { BatchFile } from './batchFile';
import { batchInputsOf } from './batchInputs';
import { BatchProblem, type BatchFinding } from './batchProblem';
import { limitRows, rowCountOf, type BatchAxis } from './batchTable';
import { axisOf, refuseDoubles, seedAxis, type PlanRequest } from './planBatch';

/** What an editor shows about a batch file. */
export interface BatchCheck {
  readonly findings: readonly BatchFinding[];
  /** How many rows it has; undefined if that can't be told. */
  readonly rows: number | undefined;
}

export interface CheckRequest extends Pick<PlanRequest, 'workflow' | 'catalog' | 'readText'> {
  readonly file: BatchFile;
}

/**
 * Finds what planning the batch would refuse: all of it, each at its place. Without a catalog, what depends on the
 * server is left out.
 */
export async function checkBatch({ file, workflow, catalog, readText }: CheckRequest): Promise<BatchCheck> {
  const known = batchInputsOf(workflow, catalog);
  if (known.kind === 'refused') {
    const words = sentencesText(known.message, known.nextAction);
    const findings =
      known.reason === 'noDefinitions' ? [] : [{ message: words, ...placeOf(file, 'workflow') }];
    return { findings, rows: undefined };
  }
  const findings: BatchFinding[] = [];
  const axes: BatchAxis[] = [];
  const look = async (act: () => Promise<void> | void, member: string): Promise<void> => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Error) || !('nextAction' in error)) throw error;
      const { message, nextAction } = errorWords(error);
      const selector = error instanceof BatchProblem ? error.selector : undefined;
      const place = selector === undefined ? undefined : file.places.get(selector);
      findings.push({
        message: sentencesText(message, nextAction),
        ...(place ? rangeOf(place) : placeOf(file, member)),
      });
    }
  };
  let isKnown = true;
  for (const setting of file.set) {
    if (setting.source.kind === 'options' && !catalog) {
      isKnown = false;
      continue;
    }
    const place = file.places.get(setting.selector);
    const before = findings.length;
    await look(async () => void axes.push(await axisOf(setting, known, readText)), 'set');
    // A text file that can't be read is a problem of the input that names it.
    const found = findings[before];
    if (found && place) findings[before] = { message: found.message, ...rangeOf(place) };
    if (rowCountOf(axes) > budgets.batchRows) break;
  }
  if (findings.length > 0 || !isKnown) return { findings, rows: undefined };
  await look(() => refuseDoubles(axes, file.set), 'set');
  const { count } = file;
  if (count !== undefined)
    await look(() => void axes.push(seedAxis(known, catalog, axes, count, (min) => min)), 'count');
  await look(() => limitRows(axes, workflow.text), 'set');
  return { findings, rows: findings.length > 0 ? undefined : rowCountOf(axes) };
}

function placeOf({ members }: BatchFile, member: string): JsonRange {
  const place = members.get(member);
  return place ? rangeOf(place) : { offset: 0, length: 1 };
}

function rangeOf({ offset, length }: JsonRange): JsonRange {
  return { offset, length };
}
