import { createHash, randomUUID } from 'node:crypto';
import { budgets } from '../safety/budgets';
import { t } from '../safety/localize';
import { OutputError } from '../outputs/outputError';
import type { OutputFolder } from '../outputs/outputFolder';
import { temporaryName } from '../outputs/temporaryName';
import { writeWhole } from '../outputs/writeWhole';
import { type HeldStamp, holdStamp, isRenewed, isStampName, type Watching } from './ownerStamp';

/** A record that is locked for this caller. */
export interface Claim {
  /**
   * To be awaited before anything is sent or written that two must not do: while this machine slept, another program may
   * have taken the lock.
   * @throws OutputError with reason `taken`, or when the lock can't be read
   */
  requireOwn(): Promise<void>;
  /** Never fails. */
  release(): Promise<void>;
}

/**
 * Locks a run record for this caller, so that two windows, or a window and the command line, on one machine or on two
 * that share the folder, do not save the same outputs twice. The lock is a hidden file next to the record that names the
 * stamp of its owner. Undefined: another has it.
 * @throws OutputError when the folder is not writable
 */
export async function claimRecord(
  folder: OutputFolder,
  record: string,
  watching?: Watching,
): Promise<Claim | undefined> {
  const stamp = await holdStamp(folder);
  const name = claimName(record);
  const own = `${stamp.name} ${randomUUID()}\n`;
  try {
    if (await takeLock(folder, name, own, watching)) return claimOf(folder, name, own, stamp);
  } catch (error) {
    await stamp.letGo();
    throw error;
  }
  await stamp.letGo();
  return undefined;
}

async function takeLock(
  folder: OutputFolder,
  name: string,
  own: string,
  watching?: Watching,
): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await writeWhole(folder, name, new TextEncoder().encode(own));
      return true;
    } catch (error) {
      if (!OutputError.is(error, 'exists')) throw error;
    }
    const other = await folder.read(name, budgets.claim);
    if (other !== undefined && !(await takeAway(folder, name, other, watching))) return false;
  }
  return false;
}

function claimOf(folder: OutputFolder, name: string, own: string, stamp: HeldStamp): Claim {
  const isOwn = async (): Promise<boolean> => (await folder.read(name, budgets.claim)) === own;
  return {
    requireOwn: async () => {
      if (await isOwn()) return;
      throw new OutputError(
        t`Another window or command has taken over, because this one didn't respond for a while.`,
        'taken',
      );
    },
    release: async () => {
      try {
        if (await isOwn()) await folder.remove(name);
      } catch {
        // Others see that its stamp no longer changes.
      }
      await stamp.letGo();
    },
  };
}

/** Whether a program that works has locked the record. */
export async function isClaimed(folder: OutputFolder, record: string): Promise<boolean> {
  const claim = await folder.read(claimName(record), budgets.claim);
  return claim !== undefined && (await isHeld(folder, claim));
}

/** Removes the locks and stamps of programs that are gone, such as one killed between its last file and its release. */
export async function sweepClaims(folder: OutputFolder, watching?: Watching): Promise<void> {
  const names = await folder.list();
  const sweeping = names.map(async (name) => {
    if (claimPattern.test(name)) {
      const claim = await folder.read(name, budgets.claim);
      if (claim !== undefined) await takeAway(folder, name, claim, watching);
    } else if (isStampName(name) && !(await isRenewed(folder, name, watching))) await folder.remove(name);
  });
  for (const { reason } of (await Promise.allSettled(sweeping)).filter(
    (each) => each.status === 'rejected',
  )) {
    // What cannot be read or moved is not ours to remove.
    if (!OutputError.is(reason)) throw reason;
  }
}

const claimPattern = /^\.comfy-deck-[0-9a-f]{16}\.lock$/;

/** Name of the lock file of a record. */
export function claimName(record: string): string {
  return `.comfy-deck-${createHash('sha256').update(record).digest('hex').slice(0, 16)}.lock`;
}

/** Removes the lock of a program that is gone. Two may do so at once, so what was moved away is checked again. */
async function takeAway(
  folder: OutputFolder,
  name: string,
  stale: string,
  watching?: Watching,
): Promise<boolean> {
  if (await isHeld(folder, stale, watching)) return false;
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

/** A lock that names no stamp is nobody's. */
async function isHeld(folder: OutputFolder, claim: string, watching?: Watching): Promise<boolean> {
  const [stamp = ''] = claim.trim().split(' ');
  return isStampName(stamp) && (await isRenewed(folder, stamp, watching));
}
