import { outputsMade, type RunRecord } from '../core/records/runRecord';
import type { OwedWords } from './runReport';

export interface FetchWords {
  /** A job's id, or the path of a run record. */
  readonly job: string;
  readonly out: string;
  readonly server: string;
  readonly keyEnv?: string | undefined;
}

/** The command that fetches what is owed, ready to paste. Contains the name of the key's variable, never the key. */
export function fetchCommand({ job, out, server, keyEnv }: FetchWords): string {
  const options = ['--out', out, '--server', server];
  if (keyEnv !== undefined) options.push('--key-env', keyEnv);
  // An id that looks like an option must not be parsed as one.
  const rest = job.startsWith('-') ? [...options, '--', job] : [job, ...options];
  const words = ['comfy-deck', 'fetch', ...rest];
  return words.map(quotedWord).join(' ');
}

/** What a run still owes, according to its record at that place. */
export function owedBy(record: RunRecord, location: string, words: FetchWords): OwedWords {
  const { job, state, files } = record;
  const [expected, saved] = [outputsMade(record), files.length];
  return { job, record: location, state, expected, saved, command: fetchCommand(words) };
}

/** Quotes for a POSIX shell; ids come from servers. */
export function quotedWord(word: string): string {
  const line = word.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '');
  return /^[\w@%+=:,./-]+$/.test(line) ? line : `'${line.replaceAll("'", `'\\''`)}'`;
}
