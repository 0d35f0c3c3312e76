import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from '../safety/errorWords';

/** The writer of an unfinished file, according to its name. */
export interface PartOwner {
  /** The machine, or the container on it, in which process ids count. */
  readonly place: string;
  readonly pid: number;
  /** The process's start time, in the system's own units; `0` if unknown. */
  readonly start: string;
}

const pattern = /^\.comfy-deck-([0-9a-f]{8})-(\d{1,10})-(\d{1,20})-[0-9a-f-]{36}\.part$/;

/** A name for a file that is not finished: hidden, never the same twice, and telling whose it is. */
export function temporaryName(): string {
  const { place, pid, start } = ourselves();
  return `.comfy-deck-${place}-${pid}-${start}-${randomUUID()}.part`;
}

/** Undefined for a file that is not one of ours. */
export function partOwner(name: string): PartOwner | undefined {
  const found = pattern.exec(name);
  if (!found) return undefined;
  const [, place = '', pid, start = ''] = found;
  return { place, pid: Number(pid), start };
}

/**
 * Whether the process that wrote a file is surely gone: it ran here, and its ID is free, that of a process that has
 * ended, or belongs to a younger one. Of another machine or container nothing is known.
 */
export function isGone({ place, pid, start }: PartOwner): boolean {
  if (place !== ourselves().place) return false;
  if (!isRunning(pid)) return true;
  const now = processOf(pid);
  return now.hasEnded || (start !== '0' && now.start !== '0' && now.start !== start);
}

let known: PartOwner | undefined;

function ourselves(): PartOwner {
  known ??= { place: placeOfProcesses(), pid: process.pid, start: processOf(process.pid).start };
  return known;
}

function placeOfProcesses(): string {
  return createHash('sha256')
    .update(`${hostname()} ${orEmpty(() => readlinkSync('/proc/self/ns/pid'))}`)
    .digest('hex')
    .slice(0, 8);
}

/**
 * Available on Linux; elsewhere a reused process ID counts as the old one. A process that was killed keeps its ID until
 * its parent asks how it ended, which the first process of many containers never does.
 */
function processOf(pid: number): { readonly start: string; readonly hasEnded: boolean } {
  const text = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The command in the second field may contain spaces and parentheses; the start time is the 22nd field.
  const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const start = fields[18] ?? '';
  return { start: /^\d+$/.test(start) ? start : '0', hasEnded: state === 'Z' || state === 'X' };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process can't be signalled, but exists.
    return errorCode(error) !== 'ESRCH';
  }
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
