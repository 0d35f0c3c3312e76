import * as vscode from 'vscode';
import { countRows, creditsOf } from '../../core/batch/batchRow';
import type { BatchStop } from '../../core/batch/batchRun';
import { creditsText } from '../../core/jobs/runPrice';
import { Shown, shown } from '../../core/safety/shownText';
import { commands, settings } from '../platform/contributions';
import { readSetting } from '../platform/settings';
import { showError, showInformation, showWarning } from '../platform/show';
import type { Batch } from './batch';

interface Offer {
  readonly label: Shown;
  readonly command: string;
}

/** One notification when a batch ends; none for one that the person cancelled. */
export function tellEnd(batch: Batch, { why, message }: BatchStop): void {
  if (why === 'cancelled' || why === 'declined') return;
  const { label, rows, state } = batch;
  const { saved, failed, refused } = countRows(rows);
  const resume: Offer = { label: shown`Resume`, command: commands.resumeBatch };
  const retry: Offer = { label: shown`Retry Failed Runs`, command: commands.retryBatch };
  const open: Offer = { label: shown`Show Batch`, command: commands.showBatch };
  const all = rows.length;
  if (why !== 'done' || state === 'stopped') {
    const words = shown`${label}: the batch stopped, ${saved} of ${all} saved. ${message === '' ? (batch.message ?? '') : message}`;
    offer(batch, showError, words, failed + refused > 0 ? [retry, resume] : [resume]);
  } else if (failed + refused > 0) {
    const words = shown`${label}: ${saved} of ${all} saved, ${failed + refused} failed.`;
    offer(batch, showWarning, words, [retry, open]);
  } else if (isWanted()) {
    offer(batch, showInformation, shown`${label}: all ${all} runs saved.`, [open]);
  }
}

function isWanted(): boolean {
  const when = readSetting(settings.notifyWhenDone);
  return when === 'always' || (when === 'whenAway' && !vscode.window.state.focused);
}

function offer({ id, rows }: Batch, show: typeof showError, words: Shown, offers: readonly Offer[]): void {
  const credits = creditsOf(rows);
  const cost = credits === undefined ? undefined : shown`Cost: ${creditsText(credits)}.`;
  void show(Shown.join([words, cost]), ...offers).then((chosen) => {
    if (chosen) void vscode.commands.executeCommand(chosen.command, id);
  });
}
