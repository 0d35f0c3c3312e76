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
  const lost: { readonly listed: ListedRecord; readonly hash: string; readonly sentAt: string }[] = [];
  /** Hash of a prompt -> when it was sent last. */
  const sent = new Map<string, string>();
  for await (const listed of recordsIn(folder, skipped)) {
    const { record } = listed;
    const { sentAt = '' } = record;
    const hash = hashOf(record);
    const latest = sent.get(hash);
    if (latest === undefined || sentAt > latest) sent.set(hash, sentAt);
    if (wasForgotten(record) && (server === undefined || record.server === server))
      lost.push({ listed, hash, sentAt });
  }
  return lost
    .filter(({ hash, sentAt }) => sent.get(hash) === sentAt)
    .sort((one, other) => (one.sentAt < other.sentAt ? -1 : 1))
    .map(({ listed }) => listed);
}

/** A run that was given up for another reason than `forgotten` may still run. */
function wasForgotten({ state, job, serverKind, batch, why, promptText }: RunRecord): boolean {
  const isKnown = job !== undefined && promptText !== undefined;
  return (
    state === 'lost' && why === 'forgotten' && isKnown && serverKind !== 'sandbox' && batch === undefined
  );
}

function hashOf({ server, promptText = '', job = '' }: RunRecord): string {
  const text = promptText === '' ? job : compact(promptText);
  return createHash('sha256').update(`${server}\n${text}`).digest('hex');
}

/** Records indent it, each as far as its writer. */
function compact(text: string): string {
  try {
    return writeExact(parseExact(text));
  } catch {
    return text;
  }
}
