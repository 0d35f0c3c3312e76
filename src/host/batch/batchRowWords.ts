import { countRows, rowCredits, type BatchRow, type BatchRowState } from '../../core/batch/batchRow';
import { type BatchAxis, batchRowValues, columnName, valueShown } from '../../core/batch/batchTable';
import { creditsText } from '../../core/jobs/runPrice';
import { listText, t } from '../../core/safety/localize';
import { Shown, shown } from '../../core/safety/shownText';
import type { RowContent, RowIcon } from '../platform/showItems';
import type { ShownBatch } from './batch';

const icons: Readonly<Record<ShownBatch['state'] | 'failed' | 'cancelling', RowIcon>> = {
  running: { id: 'sync~spin', color: 'progressBar.background' },
  paused: { id: 'debug-pause' },
  stopped: { id: 'debug-stop', color: 'list.warningForeground' },
  done: { id: 'pass', color: 'testing.iconPassed' },
  failed: { id: 'warning', color: 'list.warningForeground' },
  cancelling: { id: 'loading~spin', color: 'disabledForeground' },
};

/** The row of a batch in the Jobs view: its one progress, its state, and what can be done with it. */
export function batchRow(batch: Omit<ShownBatch, 'folder' | 'id' | 'startedAt'>): RowContent {
  const { label, rows, state, message, isElsewhere, isCancelling } = batch;
  const counts = countRows(rows);
  const { saved, refused, owed } = counts;
  const failed = counts.failed + refused;
  const words = [
    t`${saved} of ${rows.length} saved`,
    failed > 0 ? t`${failed} failed` : '',
    owed > 0 && state === 'stopped' ? t`${owed} not saved yet` : '',
    isCancelling ? t`cancelling` : isElsewhere ? t`running elsewhere` : stateWords()[state],
    creditsText(rowCredits(rows)),
  ];
  const look = state === 'done' && failed > 0 ? 'failed' : state;
  const percent = rows.length === 0 ? 0 : Math.floor(((saved + failed) / rows.length) * 100);
  const description = listText(words);
  return {
    label: state === 'done' ? label : t`${percent}% ${label}`,
    description,
    icon: icons[isCancelling ? 'cancelling' : isElsewhere ? 'running' : look],
    contextValue: isElsewhere
      ? `batch${saved > 0 ? ' batchOutputs' : ''}`
      : contextOf(state, failed, saved, isCancelling),
    spoken: t`Batch ${label}, ${description}`,
    tooltip: Shown.join([shown`Batch of ${label}`, description, message], shown`\n`),
  };
}

const stateWords = () => ({ paused: t`paused`, stopped: t`stopped`, running: '', done: '' });

/** Words for `when` clauses: none of those that jobs have. */
function contextOf(state: ShownBatch['state'], failed: number, saved: number, isCancelling: boolean): string {
  const runs = state === 'running' || state === 'paused';
  const words = ['batch'];
  if (state === 'running' && !isCancelling) words.push('batchPausable');
  if (!runs && state !== 'done') words.push('batchResumable');
  if (state === 'paused' && !isCancelling) words.push('batchResumable');
  if (runs && !isCancelling) words.push('batchCancellable');
  if (failed > 0 && !isCancelling) words.push('batchFailed');
  if (saved > 0) words.push('batchOutputs');
  if (!runs) words.push('batchRemovable');
  return words.join(' ');
}

const order: readonly BatchRowState[] = [
  'running',
  'queued',
  'failed',
  'refused',
  'owed',
  'cancelled',
  'saved',
];

/** The rows that run, those that failed, and the last that were saved. */
export function listedRows(
  rows: readonly BatchRow[],
  most: number,
): { readonly rows: readonly BatchRow[]; readonly more: number } {
  const byState = new Map<BatchRowState, BatchRow[]>(order.map((state) => [state, []]));
  let known = 0;
  for (const row of rows) {
    const same = byState.get(row.state);
    if (!same) continue;
    known++;
    same.push(row);
    if (row.state === 'saved' && same.length > most) same.shift();
  }
  const listed = [...byState].flatMap(([state, same]) => (state === 'saved' ? same.toReversed() : same));
  return { rows: listed.slice(0, most), more: known - Math.min(listed.length, most) };
}

const rowLooks = (): Readonly<Record<BatchRowState, RowIcon & { readonly words: string }>> => ({
  waiting: { id: 'clock', words: t`waiting` },
  queued: { id: 'clock', words: t`queued` },
  running: { ...icons.running, words: t`running` },
  owed: { id: 'cloud-download', color: 'list.warningForeground', words: t`not saved yet` },
  saved: { ...icons.done, words: t`saved` },
  failed: { id: 'error', color: 'testing.iconFailed', words: t`failed` },
  refused: { id: 'error', color: 'testing.iconFailed', words: t`rejected` },
  cancelled: { id: 'circle-slash', color: 'disabledForeground', words: t`cancelled` },
});

/** A row of the table that the list has no job of: its values, and how it ended. */
export function partRow(axes: readonly BatchAxis[], row: BatchRow): RowContent {
  const { index, state, server, message } = row;
  const values = batchRowValues(axes, index).map(
    ({ column, text }) => `${columnName(column)} ${valueShown(text)}`,
  );
  const label = t`Row ${index + 1}`;
  const { words, ...icon } = rowLooks()[state];
  const description = listText([words, message, creditsText(rowCredits([row]))]);
  return {
    label,
    description,
    icon,
    contextValue: 'batchRow',
    spoken: listText([label, description]),
    tooltip: Shown.join([label, description, ...values, server], shown`\n`),
  };
}
