import { createHash } from 'node:crypto';
import { parseExact, type Skipped } from '../json/boundedJson';
import { writeExact } from '../json/exactWriter';
import type { OutputFolder } from '../outputs/outputFolder';
import { recordsIn, type ListedRecord } from './recordFile';
import type { RunRecord } from './runRecord';

/**
 * Finds runs that their server forgot and that were not run again since, oldest first; no rows of batches.
 * @param server origin of the only server that counts; all if missing
 */
export async function lostRuns(
  folder: OutputFolder,
  server: string | undefined,
  skipped?: Skipped,
): Promise<readonly ListedRecord[]> {
  const lost: { readonly listed: ListedRecord; readonly key: string; readonly sentAt: string }[] = [];
  /** A prompt and its server -> when it was sent last. */
  const sent = new Map<string, string>();
  for await (const listed of recordsIn(folder, { skipped })) {
    const { record } = listed;
    const { sentAt = '' } = record;
    const key = sentPromptKey(record);
    if (sentAt > (sent.get(key) ?? '')) sent.set(key, sentAt);
    const isMeant = server === undefined || record.server === server;
    if (wasForgotten(record) && isMeant) lost.push({ listed, key, sentAt });
  }
  return lost
    .filter(({ key, sentAt }) => (sent.get(key) ?? '') === sentAt)
    .sort((one, other) => (one.sentAt < other.sentAt ? -1 : 1))
    .map(({ listed }) => listed);
}

/** A run that was given up for another reason than `forgotten` may still run. */
function wasForgotten({ state, job, serverKind, batch, why, promptText }: RunRecord): boolean {
  if (state !== 'lost' || why !== 'forgotten' || job === undefined || promptText === undefined) return false;
  return serverKind !== 'sandbox' && batch === undefined;
}

function sentPromptKey({ server, promptText = '', job = '' }: RunRecord): string {
  const text = promptText === '' ? job : compactJson(promptText);
  return createHash('sha256').update(`${server}\n${text}`).digest('hex');
}

/** Records indent it, each as far as its writer. */
function compactJson(text: string): string {
  try {
    return writeExact(parseExact(text));
  } catch {
    return text;
  }
}
