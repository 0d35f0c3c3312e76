import { createHash } from 'node:crypto';
import { uptime } from 'node:os';
import { budgets } from '../safety/budgets';
import { OutputError } from '../outputs/outputError';
import type { OutputFolder } from '../outputs/outputFolder';
import { isGone, partOwner, temporaryName } from '../outputs/temporaryName';
import { writeWhole } from '../outputs/writeWhole';

/** Clocks and the count of seconds since the start of the machine may differ by this much, ms. */
const startSlack = 60_000;

/** Lets go of a claim; never fails. */
export type Release = () => Promise<void>;

/**
 * Locks a run record for this process and this caller, so that two windows, or a window and the command line, do not
 * save
 * the same outputs twice. The lock is a hidden file next to the record that names its owner; one whose process is gone
 * does
 * not count. Undefined: another process has it.
 * @throws OutputError when the folder is not writable
 */
export async function claimRecord(folder: OutputFolder, record: string): Promise<Release | undefined> {
  const name = claimName(record);
  const own = `${temporaryName()} ${Date.now()}\n`;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await writeWhole(folder, name, new TextEncoder().encode(own));
      return () => release(folder, name, own);
    } catch (error) {
      if (!OutputError.is(error, 'exists')) throw error;
    }
    const other = await folder.read(name, budgets.claim);
    if (other !== undefined && !(await takeAway(folder, name, other))) return undefined;
  }
  return undefined;
}

/** Whether a live process has locked the record. */
export async function isClaimed(folder: OutputFolder, record: string): Promise<boolean> {
  const claim = await folder.read(claimName(record), budgets.claim);
  return claim !== undefined && !isStale(claim);
}

/** Removes the claims of processes that are gone, such as one killed between its last file and its release. */
export async function sweepClaims(folder: OutputFolder): Promise<void> {
  for (const name of (await folder.list()).filter((each) => claimPattern.test(each))) {
    try {
      const claim = await folder.read(name, budgets.claim);
      if (claim !== undefined) await takeAway(folder, name, claim);
    } catch (error) {
      // What cannot be read or moved is not ours to remove.
      if (!OutputError.is(error)) throw error;
    }
  }
}

const claimPattern = /^\.comfy-deck-[0-9a-f]{16}\.lock$/;

/** Name of the lock file of a record. */
export function claimName(record: string): string {
  return `.comfy-deck-${createHash('sha256').update(record).digest('hex').slice(0, 16)}.lock`;
}

async function release(folder: OutputFolder, name: string, own: string): Promise<void> {
  try {
    if ((await folder.read(name, budgets.claim)) === own) await folder.remove(name);
  } catch {
    // It ends with this process at the latest.
  }
}

/** Removes the lock of a dead process. Two processes may do so at once, so what was moved away is checked again. */
async function takeAway(folder: OutputFolder, name: string, stale: string): Promise<boolean> {
  if (!isStale(stale)) return false;
  const aside = temporaryName();
  try {
    await folder.rename(name, aside);
  } catch (error) {
    // Another process was faster; the next attempt shows whether it took the record.
    if (OutputError.is(error, 'missing')) return true;
    throw error;
  }
  if ((await folder.read(aside, budgets.claim)) === stale) {
    await folder.remove(aside);
    return true;
  }
  await folder.rename(aside, name).catch(() => undefined);
  return false;
}

function isStale(claim: string): boolean {
  const [owner = '', time = ''] = claim.trim().split(' ');
  const part = partOwner(owner);
  const claimedAt = Number(time);
  if (part === undefined || !Number.isFinite(claimedAt)) return true;
  if (isGone(part)) return true;
  // Where process IDs say little, the boot time decides; the last resort is age.
  const startedAt = Date.now() - uptime() * 1000;
  const age = Date.now() - claimedAt;
  const isKnown = isOurs(part.place) && part.start !== '0';
  // No clock is a day ahead, and such a time would never pass.
  if (!isKnown && age < -budgets.unfinishedFileAge) return true;
  return part.start === '0'
    ? claimedAt < startedAt - startSlack
    : age > budgets.unfinishedFileAge && !isKnown;
}

/** Of another machine nothing is known but the time. */
function isOurs(place: string): boolean {
  return partOwner(temporaryName())?.place === place;
}
