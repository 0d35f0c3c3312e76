import { describe, expect, it } from 'vitest';
import type { BatchRow, BatchRowState } from '../../../src/core/batch/batchRow';
import type { ShownBatch } from '../../../src/host/batch/batch';
import { batchRow, listedRows } from '../../../src/host/batch/batchRowWords';

function rowsOf(...states: readonly BatchRowState[]): BatchRow[] {
  return states.map((state, index) => ({ index, state }));
}

function shownRow(
  state: ShownBatch['state'],
  rows: readonly BatchRow[],
  isCancelling = false,
  isElsewhere = false,
) {
  return batchRow({ label: 'w.json', axes: [], rows, state, message: undefined, isElsewhere, isCancelling });
}

describe('the row of a batch', () => {
  it('has one progress', () => {
    const row = shownRow('running', rowsOf('saved', 'failed', 'refused', 'running', 'waiting'));
    expect(row).toMatchObject({ label: '60% w.json', description: '1 of 5 saved, 2 failed' });
    expect(row.spoken).toBe('Batch w.json, 1 of 5 saved, 2 failed');
  });

  it('offers what its state allows, and nothing that is for jobs', () => {
    const offered = (state: ShownBatch['state'], isCancelling = false) =>
      shownRow(state, rowsOf('saved', 'failed', 'waiting'), isCancelling).contextValue;
    expect(offered('running')).toBe('batch batchPausable batchCancellable batchFailed batchOutputs');
    expect(offered('paused')).toBe('batch batchResumable batchCancellable batchFailed batchOutputs');
    expect(offered('stopped')).toBe('batch batchResumable batchFailed batchOutputs batchRemovable');
    expect(offered('done')).toBe('batch batchFailed batchOutputs batchRemovable');
    expect(offered('running', true)).toBe('batch batchOutputs');
    for (const state of ['running', 'paused', 'stopped', 'done'] as const)
      expect(offered(state)).not.toMatch(
        /\b(cancellable|running|saved|unsaved|failure|ended|runnable|job)\b/,
      );
  });

  it('can only be looked at while another window or command runs it', () => {
    const row = shownRow('stopped', rowsOf('saved', 'owed', 'waiting'), false, true);
    expect(row).toMatchObject({
      description: '1 of 3 saved, 1 not saved yet, running elsewhere',
      contextValue: 'batch batchOutputs',
      icon: { id: 'sync~spin' },
    });
  });

  it('shows its state by its icon', () => {
    const icon = (state: ShownBatch['state'], ...states: BatchRowState[]) =>
      shownRow(state, rowsOf(...states)).icon.id;
    expect(icon('running', 'running')).toBe('sync~spin');
    expect(icon('paused', 'waiting')).toBe('debug-pause');
    expect(icon('stopped', 'waiting')).toBe('debug-stop');
    expect(icon('done', 'saved')).toBe('pass');
    expect(icon('done', 'saved', 'failed')).toBe('warning');
  });
});

describe('the rows below a batch', () => {
  it('start with what runs and what went wrong, and are bounded', () => {
    const rows = rowsOf('queued', 'waiting', 'failed', 'running', 'owed', 'saved', 'saved', 'saved');
    const { rows: listed, more } = listedRows(rows, 5);
    expect(listed.map(({ index }) => index)).toEqual([3, 0, 2, 4, 7]);
    expect(more).toBe(2);
  });

  it('are few even if there are thousands', () => {
    const many: BatchRow[] = Array.from({ length: 10_000 }, (_, index) => ({ index, state: 'saved' }));
    const { rows, more } = listedRows(many, 50);
    expect([rows.length, more, rows[0]?.index]).toEqual([50, 9_950, 9_999]);
  });
});
