import type * as vscode from 'vscode';
import { countRows } from '../../core/batch/batchRow';
import { shown } from '../../core/safety/shownText';
import type { ShownBatch } from '../batch/batch';
import type { BatchList } from '../batch/batchList';
import { uriName } from '../platform/workflowSource';
import { taskClosed, taskExit, type TaskOutput } from './taskTerminal';

const mostExplained = 10;

/** Runs batch files one after the other, each to its end. A batch that is not saved completely ends the task. */
export async function batchTask(
  files: readonly vscode.Uri[],
  batches: BatchList,
  output: TaskOutput,
): Promise<number> {
  for (const file of files) {
    output.signal.throwIfAborted();
    const id = await (await batches.loaded()).start(file, undefined, true);
    if (id === undefined) {
      output.line(shown`${uriName(file)}: not submitted.`);
      return taskExit.failed;
    }
    const code = await followBatch(id, uriName(file), batches, output);
    if (code !== taskExit.done) return code;
  }
  return taskExit.done;
}

async function followBatch(
  id: string,
  name: string,
  batches: BatchList,
  output: TaskOutput,
): Promise<number> {
  let last = -1;
  const listening = batches.onDidChange((batch) => {
    const { saved, failed, refused } = countRows(batch.rows);
    if (batch.id !== id || last === saved + failed + refused) return;
    last = saved + failed + refused;
    output.line(shown`${name}: ${saved} of ${batch.rows.length} saved, ${failed + refused} failed`);
  });
  const cancel = (): void => batches.find(id)?.cancel();
  output.interrupted.addEventListener('abort', cancel, { once: true });
  try {
    const ended = await Promise.race([batches.find(id)?.ended(), taskClosed(output)]);
    if (ended === 'closed') {
      output.line(shown`${name} is still running. The Jobs view tracks it.`);
      return taskExit.cancelled;
    }
    return ended ? reportEnd(ended, output) : taskExit.failed;
  } finally {
    listening.dispose();
    output.interrupted.removeEventListener('abort', cancel);
  }
}

function reportEnd({ rows, message }: ShownBatch, output: TaskOutput): number {
  const unsaved = rows.filter((row) => row.state !== 'saved' && row.message !== undefined);
  for (const row of unsaved.slice(0, mostExplained)) {
    output.line(shown`Row ${row.index + 1}: ${row.message ?? ''}`);
  }
  if (message !== undefined) output.line(shown`${message}`);
  if (output.interrupted.aborted) return taskExit.cancelled;
  return rows.every(({ state }) => state === 'saved') ? taskExit.done : taskExit.failed;
}
