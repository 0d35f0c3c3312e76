import type { OutFolder } from './outFolder';
import { isOwed } from './outFolder';
import type { ProgramEnd } from './program';
import type { SoakCase } from './soakCase';

export interface Seen {
  readonly planned: SoakCase;
  readonly run: ProgramEnd;
  /** The network faults that hit a request. */
  readonly struck: readonly string[];
  /** Ids of the jobs that the sandbox accepted. */
  readonly accepted: readonly string[];
  /** SHA-256 (hex) of every output that the sandbox made. */
  readonly made: readonly string[];
  /** The sandbox can still list their outputs: a restart makes it forget its jobs. */
  readonly isKnown: boolean;
  readonly after: OutFolder;
  /** `comfy-deck jobs` on the folder after that. */
  readonly listing: ProgramEnd;
  /** `comfy-deck fetch` for each record with something owed, killed in the middle, and what it left. */
  readonly killed: readonly ProgramEnd[];
  readonly between: OutFolder;
  /** The same without a kill. */
  readonly recovery: readonly ProgramEnd[];
  readonly recovered: OutFolder;
  /** The same for what was still owed, as if it had been sent long ago. */
  readonly late: readonly ProgramEnd[];
  readonly atLast: OutFolder;
}

export function problemsOf(seen: Seen): readonly string[] {
  return [...endProblems(seen), ...jobProblems(seen), ...folderProblems(seen)];
}

export function missing(made: readonly string[], { outputs }: OutFolder): readonly string[] {
  const there = [...outputs.values()];
  return made.filter((hash) => !there.includes(hash));
}

function endProblems({ planned, run, accepted, made, after }: Seen): readonly string[] {
  const problems: string[] = [];
  if (run.hung) problems.push('the program did not end');
  const wasKilled = planned.kill !== undefined && run.code === null;
  if (!run.hung && !wasKilled && run.code !== 0 && run.code !== 1) {
    problems.push(`exit code ${String(run.code)}`);
  }
  if (/\n\s+at .+:\d+:\d+/.test(run.stderr)) problems.push('a stack trace on standard error');
  const gone = missing(made, after);
  if (run.code === 0 && accepted.length === 0) problems.push('exit 0, and no job was taken');
  if (run.code === 0 && made.length === 0) problems.push('exit 0, and the job made nothing');
  if (run.code === 0 && gone.length > 0) {
    problems.push(`exit 0, and ${gone.length} of ${made.length} outputs are not on disk`);
  }
  if (!wasKilled && after.parts.length > 0) problems.push(`left over: ${after.parts.join(', ')}`);
  return problems;
}

function jobProblems(seen: Seen): readonly string[] {
  const { run, accepted } = seen;
  const problems: string[] = [];
  const claimed = run.events.find(({ event }) => event === 'submitted')?.['job'];
  if (typeof claimed === 'string' && !accepted.includes(claimed)) {
    problems.push(`it calls ${claimed} its job, which somebody else submitted`);
  }
  if (accepted.length > 1) problems.push(`submitted ${accepted.length} times: ${accepted.join(', ')}`);
  return [...problems, ...owedProblems(seen)];
}

/** What is not on disk is listed, and arrives when it is fetched. */
function owedProblems(seen: Seen): readonly string[] {
  const { run, accepted, made, isKnown, after, listing, killed, recovery, recovered } = seen;
  const problems: string[] = [];
  const gone = missing(made, after);
  const [job] = accepted;
  const owed = after.records.filter(isOwed);
  if (job !== undefined && gone.length > 0) {
    if (owed.length === 0)
      problems.push(`${gone.length} of ${made.length} outputs owed, and no record says so`);
    if (run.code === 1 && !`${run.stdout}${run.stderr}`.includes(job)) {
      problems.push('outputs are owed, and the program did not say the id of the job');
    }
  }
  if (listing.code !== 0) problems.push(`jobs ended with ${String(listing.code)}`);
  for (const { name } of owed) {
    if (!listing.stdout.includes(name)) problems.push(`jobs does not list ${name}`);
  }
  const lost = missing(made, recovered);
  if (isKnown && lost.length > 0) {
    const codes = recovery.map(({ code }) => String(code)).join(', ') || 'nothing to fetch';
    problems.push(`${lost.length} of ${made.length} outputs lost; fetch: ${codes}`);
  }
  if ([...killed, ...recovery].some(({ code }) => code === 0) && lost.length > 0) {
    problems.push('fetch ended with 0, and outputs are not on disk');
  }
  const left = recovered.records.filter(isOwed);
  if (job !== undefined && isKnown && left.length > 0) {
    problems.push('a record still says that something is owed after fetch');
  }
  // A server that forgot the job in a restart still has its files.
  if (left.some(({ expected = [] }) => expected.length > 0)) {
    problems.push('outputs are owed whose names are known, and fetch did not get them');
  }
  return [...problems, ...untakenProblems(seen)];
}

/**
 * If a prompt was never accepted, nobody can know at once that it will not arrive; later the user is told, and the
 * record closed.
 */
function untakenProblems({ recovery, recovered, late, atLast }: Seen): readonly string[] {
  const problems: string[] = [];
  const isUntaken = ({ state }: { readonly state: string }): boolean => state === 'sending';
  const waits = recovered.records.filter(isUntaken).length;
  const told = recovery.filter(({ stderr, stdout }) => `${stdout}${stderr}`.includes('Fetch again in'));
  if (told.length < waits) problems.push('fetch does not say to wait for a run that may still arrive');
  if (atLast.records.some(isUntaken)) problems.push('a record waits for ever for a run that was never taken');
  const closed = late.filter(({ stderr, stdout }) => `${stdout}${stderr}`.includes('never accepted it'));
  if (closed.length < waits) problems.push('fetch does not say that the server never took the run');
  return problems;
}

function folderProblems({ made, after, between, recovered, atLast }: Seen): readonly string[] {
  const problems: string[] = [];
  for (const folder of [after, between, recovered, atLast]) {
    for (const [name, hash] of folder.outputs) {
      if (!made.includes(hash)) problems.push(`${name} is not what the server holds`);
      const isRecorded = folder.records.some(({ files, expected = [] }) =>
        [...files, ...expected].some((file) => file.name === name),
      );
      if (!isRecorded) problems.push(`${name} is in no record`);
    }
    for (const { name, files } of folder.records) {
      for (const file of files) {
        if (folder.outputs.get(file.name) !== file.sha256)
          problems.push(`${name} names ${file.name}, which is not so`);
      }
    }
    const hashes = [...folder.outputs.values()];
    if (new Set(hashes).size < hashes.length) problems.push('an output was saved twice');
  }
  if (atLast.parts.length > 0) problems.push(`left over at last: ${atLast.parts.join(', ')}`);
  return [...new Set(problems)];
}
