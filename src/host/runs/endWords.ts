import type { Job } from '../../core/jobs/job';
import { leftOutName, leftOutOutputs } from '../../core/jobs/leftOutWords';
import { jobStateWords, lostWords } from '../../core/jobs/stateWords';
import { count } from '../../core/safety/count';
import { Shown, shown, shownList } from '../../core/safety/shownText';
import { jobLabel } from '../../core/jobs/jobSummary';

/** A run of this window that has ended. */
export interface End {
  readonly job: Job;
  /** Outputs that are on disk. */
  readonly saved: number;
}

/** What is told of ends, and what is offered with it. */
export interface EndWords {
  readonly tone: 'information' | 'warning' | 'error';
  readonly words: Shown;
  readonly offers: readonly ('runAgain' | 'open' | 'reveal' | 'showJobs')[];
}

/** More nodes than this are counted, not named. */
const namesShown = 3;

/** Of one run; what a failed one says of itself is told by `tellFailure`. */
export function endWords({ job, saved }: End): EndWords {
  const label = jobLabel(job);
  switch (job.state) {
    case 'failed':
      return {
        tone: 'error',
        words: shown`${label} failed, and the server didn't say why. Check the server log, or run it again.`,
        offers: ['runAgain'],
      };
    case 'lost':
      return {
        tone: 'warning',
        words: shown`${label}: ${lostWords(job)}. It may have finished before that: check the server for its outputs before you run it again.`,
        offers: ['runAgain'],
      };
    case 'cancelled': {
      const kept = saved > 0 ? shown`; ${count(saved, 'output')} saved` : shown``;
      return {
        tone: 'warning',
        words: shown`${label} was cancelled elsewhere${kept}. Run it again if you still want it.`,
        offers: ['runAgain'],
      };
    }
    default:
      return doneWords({ job, saved });
  }
}

function doneWords({ job, saved }: End): EndWords {
  const label = jobLabel(job);
  const offers = saved > 0 ? (['open', 'reveal'] as const) : [];
  const left = leftOutOutputs(job).map(leftOutName);
  if (left.length === 0) {
    const made = madeWords(job, saved, ['it', 'the']);
    return { tone: 'information', words: shown`${label} is done: ${made}`, offers };
  }
  const verb = left.length === 1 ? 'was' : 'were';
  const names = shownList(left, namesShown);
  const made = madeWords(job, saved, ['It', 'The']);
  return {
    tone: 'warning',
    words: shown`${label} is done, but the server ran only part of it: ${names} ${verb} left out. ${made}`,
    offers,
  };
}

/** A sentence of its own, or the rest of one: `it` and `the` come as they are written there. */
function madeWords(job: Job, saved: number, [it, the]: readonly [string, string]): Shown {
  if (saved > 0) return shown`${count(saved, 'output')} saved.`;
  if (job.texts.length > 0) return shown`${it} made ${count(job.texts.length, 'text')} and no files.`;
  return shown`${the} server lists no outputs for it.`;
}

/** Of several runs that ended together. */
export function batchWords(ends: readonly End[]): EndWords {
  const files = ends.reduce((sum, { saved }) => sum + saved, 0);
  const partly = ends.filter(({ job }) => job.state === 'completed' && job.origin?.leftOut).length;
  const omissions = partly > 0 ? shown`, ${partly} without nodes that the server left out` : shown``;
  const isFine = partly === 0 && ends.every(({ job }) => job.state === 'completed');
  return {
    tone: isFine ? 'information' : 'warning',
    words: shown`${ends.length} runs have ended${fates(ends)}${omissions}: ${count(files, 'output')} saved.`,
    offers: files > 0 ? ['showJobs', 'reveal'] : ['showJobs'],
  };
}

/** How many of them failed, were cancelled or are lost; nothing of those that are as they should be. */
function fates(ends: readonly End[]): Shown {
  const number = (state: Job['state']): number => ends.filter(({ job }) => job.state === state).length;
  const words: [Job['state'], string][] = [
    ['failed', jobStateWords.failed],
    ['cancelled', `${jobStateWords.cancelled} elsewhere`],
    ['lost', 'no longer known, because the server was restarted or its queue was cleared'],
  ];
  const told = words.flatMap(([state, what]) => (number(state) > 0 ? [shown`${number(state)} ${what}`] : []));
  return told.length === 0 ? shown`` : shown` (${Shown.join(told, shown`, `)})`;
}
