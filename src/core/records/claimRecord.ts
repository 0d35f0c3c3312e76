import { createHash, randomUUID } from 'node:crypto';
import { budgets } from '../safety/budgets';
import { t } from '../safety/localize';
import { OutputError } from '../outputs/outputError';
import type { OutputFolder } from '../outputs/outputFolder';
import {
  holdStamp,
  isRenewed,
  isStampName,
  type LetGo,
  ownStampName,
  removeUnfinished,
  temporaryName,
  type Watching,
} from '../outputs/ownerStamp';
import { writeWhole } from '../outputs/writeWhole';

export interface HeldLock {
  /**
   * Await it before anything that only one may do: another may have taken the lock while this machine slept.
   * @param orMoved takes the lock again if the record is gone with it: the folder was renamed
   * @throws OutputError with reason `taken`, or when the lock can't be read
   */
  requireOwn(orMoved?: 'orMoved'): Promise<void>;
  /** Never fails. */
  release(): Promise<void>;
}

/** A killed program and one on a machine that sleeps look alike, so a lock is watched for a while. */
export function lockWords(): string {
  return t`Waiting a few seconds to see whether another window or command is still working on this`;
}

/**
 * Locks a run record, so that two programs, on one machine or on two that share the folder, don't save the same
 * outputs twice: a hidden file names the stamp of its owner. Undefined: another has it.
 * @throws OutputError when the folder is not writable
 */
export async function lockRecord(
  folder: OutputFolder,
  record: string,
  watching?: Watching,
): Promise<HeldLock | undefined> {
  const letGo = await holdStamp(folder);
  const own = `${ownStampName} ${randomUUID()}\n`;
  let isOurs = false;
  try {
    isOurs = await acquireLock(folder, lockFileName(record), own, watching);
    return isOurs ? heldClaim(folder, record, own, letGo) : undefined;
  } finally {
    if (!isOurs) await letGo();
  }
}

async function acquireLock(
  folder: OutputFolder,
  name: string,
  own: string,
  watching?: Watching,
): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await writeWhole(folder, name, new TextEncoder().encode(own), false);
      return true;
    } catch (error) {
      if (!OutputError.is(error, 'exists')) throw error;
    }
    const other = await folder.read(name, budgets.claim);
    if (other !== undefined && !(await removeDeadLock(folder, name, other, watching))) return false;
  }
  return false;
}

function heldClaim(folder: OutputFolder, record: string, own: string, letGo: LetGo): HeldLock {
  const name = lockFileName(record);
  const isOwn = async (): Promise<boolean> => (await folder.read(name, budgets.claim)) === own;
  return {
    requireOwn: async (orMoved) => {
      if (await isOwn()) return;
      if (orMoved && !(await folder.exists(record)) && (await acquireLock(folder, name, own))) return;
      throw takenError();
    },
    release: async () => {
      try {
        if (await isOwn()) await folder.remove(name);
      } catch {
        // Others see that its stamp no longer changes.
      }
      await letGo();
    },
  };
}

export function takenError(): OutputError {
  return new OutputError(
    t`Another window or command has taken over, or the output folder was moved.`,
    'taken',
  );
}

export async function isRecordLocked(folder: OutputFolder, record: string): Promise<boolean> {
  const claim = await folder.read(lockFileName(record), budgets.claim);
  return claim !== undefined && (await isHeld(folder, claim));
}

/** Removes what programs that are gone have left, such as one killed between its last file and its release. */
export async function removeDeadLocks(folder: OutputFolder, watching?: Watching): Promise<void> {
  const locks = (await folder.list()).filter((name) => claimPattern.test(name));
  const sweeping = locks.map(async (name) => {
    const claim = await folder.read(name, budgets.claim);
    if (claim !== undefined) await removeDeadLock(folder, name, claim, watching);
  });
  await Promise.allSettled([removeUnfinished(folder, watching), ...sweeping]);
}

const claimPattern = /^\.comfy-deck-[0-9a-f]{16}\.lock$/;

export function lockFileName(record: string): string {
  return `.comfy-deck-${createHash('sha256').update(record).digest('hex').slice(0, 16)}.lock`;
}

/** Removes the lock of a program that is gone. Two may do so at once, so what was moved away is checked again. */
async function removeDeadLock(
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
