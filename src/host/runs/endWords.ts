import type { Job } from '../../core/jobs/job';
import { leftOutName, leftOutOutputs, lostWords, jobLabel } from '../../core/jobs/jobWords';
import {
  cachedOutputsWords,
  misnamedWords,
  unheardOutputs,
  unknownOutputsWords,
} from '../../core/jobs/outputCount';
import { outputsText } from '../../core/safety/countText';
import { Shown, shown, shownList } from '../../core/safety/shownText';

export interface End {
  readonly job: Job;
  readonly saved: number;
}

export interface EndWords {
  readonly tone: 'information' | 'warning' | 'error';
  readonly words: Shown;
  readonly offers: readonly ('runAgain' | 'open' | 'reveal' | 'showJobs')[];
}

const namesShown = 3;

export function endWords({ job, saved }: End): EndWords {
  const label = jobLabel(job);
  switch (job.state) {
    case 'failed':
      return {
        tone: 'error',
        words: shown`${label} failed for an unknown reason. Check the server log, or run it again.`,
        offers: ['runAgain'],
      };
    case 'lost':
      return { tone: 'warning', words: lostNotice([job]), offers: ['runAgain'] };
    case 'cancelled':
      return { tone: 'warning', words: cancelledWords(label, saved), offers: ['runAgain'] };
    default:
      return unheardOutputs(job) === 'unknown' ? unknownWords({ job, saved }) : doneWords({ job, saved });
  }
}

export function lostNotice(jobs: readonly Job[]): Shown {
  const [first] = jobs;
  if (first && jobs.length === 1) {
    if (first.lostWhy) return shown`${jobLabel(first)} was lost: ${lostWords(first)}.`;
    return shown`${jobLabel(first)} is no longer on the server: ${lostWords(first)}. It may have finished first, so check the server for outputs before you run it again.`;
  }
  if (jobs.every(({ lostWhy }) => lostWhy))
    return shown`${jobs.length} runs were lost: ${first ? lostWords(first) : ''}.`;
  const began = jobs.filter(({ startedAt }) => startedAt !== undefined).length;
  const started =
    began === 0
      ? undefined
      : shown`${began} of them had started and may have finished, so check the server for outputs.`;
  return Shown.join([
    shown`The server has forgotten ${jobs.length} runs. It was probably restarted.`,
    started,
  ]);
}

function cancelledWords(label: string, saved: number): Shown {
  const words = shown`${label} was cancelled elsewhere.`;
  return Shown.join([words, saved > 0 ? savedWords(saved) : undefined]);
}

function unknownWords({ job, saved }: End): EndWords {
  const { message, nextAction } = unknownOutputsWords();
  const words = shown`${jobLabel(job)}: ${message} ${nextAction}`;
  return { tone: 'warning', words, offers: saved > 0 ? ['open', 'reveal'] : ['showJobs'] };
}

function doneWords({ job, saved }: End): EndWords {
  const offers = saved > 0 ? (['open', 'reveal'] as const) : [];
  const left = leftOutOutputs(job).map(leftOutName);
  const finished =
    left.length === 0
      ? shown`${jobLabel(job)} finished.`
      : shown`${jobLabel(job)} finished, but the server skipped ${shownList(left, namesShown)}.`;
  if (unheardOutputs(job) === 'cached') {
    const files = saved > 0 ? savedWords(saved) : undefined;
    return { tone: 'information', words: Shown.join([finished, cachedOutputsWords(), files]), offers };
  }
  const misnamed = left.length === 0 ? misnamedWords(job) : undefined;
  const isWhole = left.length === 0 && misnamed === undefined;
  const words = Shown.join([finished, madeWords(job.texts.length, saved), misnamed]);
  return { tone: isWhole ? 'information' : 'warning', words, offers };
}

function madeWords(texts: number, saved: number): Shown {
  if (saved > 0) return savedWords(saved);
  if (texts === 0) return shown`No outputs.`;
  return shown`It made no files. Texts: ${texts}.`;
}

function savedWords(saved: number): Shown {
  return shown`${outputsText(saved)} saved.`;
}

export function batchWords(ends: readonly End[]): EndWords {
  const files = ends.reduce((sum, { saved }) => sum + saved, 0);
  const partly = ends.filter(({ job }) => job.state === 'completed' && job.origin?.leftOut).length;
  const fateTexts = fates(ends);
  const finished = shown`${ends.length} runs finished`;
  const ended = fateTexts.isEmpty ? finished : shown`${finished} (${fateTexts})`;
  const head = partly > 0 ? shown`${ended}, ${partly} with nodes skipped by the server` : ended;
  const isFine = partly === 0 && ends.every(({ job }) => runsFine(job));
  return {
    tone: isFine ? 'information' : 'warning',
    words: shown`${head}: ${savedWords(files)}`,
    offers: files > 0 ? ['showJobs', 'reveal'] : ['showJobs'],
  };
}

function runsFine(job: Job): boolean {
  return job.state === 'completed' && unheardOutputs(job) !== 'unknown';
}

/** Counts the runs that did not succeed. */
function fates(ends: readonly End[]): Shown {
  const number = (state: Job['state']): number => ends.filter(({ job }) => job.state === state).length;
  const unknown = ends.filter(({ job }) => unheardOutputs(job) === 'unknown').length;
  const [failed, cancelled, lost] = [number('failed'), number('cancelled'), number('lost')];
  return shownList(
    [
      failed > 0 ? shown`${failed} failed` : undefined,
      cancelled > 0 ? shown`${cancelled} cancelled elsewhere` : undefined,
      lost > 0 ? shown`${lost} lost because the server was restarted or its queue was cleared` : undefined,
      unknown > 0 ? shown`${unknown} with unknown outputs` : undefined,
    ].filter((fate) => fate !== undefined),
  );
}
