import { lostSentence } from '../jobs/jobWords';
import { notListedWords, unknownOutputsWords } from '../jobs/outputCount';
import { outputKey } from '../outputs/expectedFile';
import { outputErrorWords, tooManyWords } from '../outputs/outputError';
import { shownName } from '../outputs/outputWords';
import { refusalSentence } from '../protocol/refusal';
import { endSentence, startOfSentence } from '../safety/endSentence';
import { sentencesText, t } from '../safety/localize';
import { Secrets } from '../safety/secrets';
import type { LostWhy, NotSavedWhy, RunRecord } from './runRecord';

/* The words for how a run is, and why something of it is missing. */

export const recordStateTexts = (): Readonly<Record<RunRecord['state'], string>> => ({
  sending: t`Submitted, but the server's response was lost`,
  submitted: startOfSentence(t`outputs not saved yet`),
  saving: startOfSentence(t`saving outputs`),
  incomplete: t`Some outputs aren't saved`,
  saved: startOfSentence(t`saved`),
  failed: startOfSentence(t`failed`),
  cancelled: startOfSentence(t`cancelled`),
  lost: t`Lost (no longer on the server)`,
  outputsUnknown: t`Completed, outputs unknown`,
});

function lostWhyWords(why: LostWhy): string {
  switch (why) {
    case 'neverAccepted':
      return t`The server has no job for this run. It either never accepted it or has since removed it.`;
    case 'forgotten':
      return lostSentence({});
    case 'sandboxEnded':
      return lostSentence({ lostWhy: why });
    case 'givenUp':
      return t`The run was removed from the list.`;
    case 'moved':
      return t`The server stopped answering, so the run went to another one.`;
  }
}

/** Why outputs are missing, in one sentence; undefined if nothing is known to be. */
export function troubleWords(record: RunRecord): string | undefined {
  const { state, why, notSaved } = record;
  if (state === 'outputsUnknown') {
    const { message, nextAction } = unknownOutputsWords();
    return sentencesText(message, nextAction);
  }
  if (why) return lostWhyWords(why);
  return notSaved && notSavedWords(notSaved, record);
}

/** Why a row of a batch has no outputs, as far as its record says; the server's words where the run failed. */
export function rowTrouble(record: RunRecord): string | undefined {
  return troubleWords(record) ?? record.error?.message;
}

/** Names the first output that is missing, as whoever stored the reason did. */
function notSavedWords(why: NotSavedWhy, record: RunRecord): string {
  const { server, expected, files, texts, unlisted = 0 } = record;
  const saved = new Set(files.map(outputKey));
  const filename = expected.find((each) => !saved.has(outputKey(each)))?.original.replace(/^.*\//, '');
  const name = filename === undefined ? t`An output` : shownName({ filename });
  const origin = new Secrets().scrub(server);
  switch (why) {
    case 'interrupted':
      return t`Saving was interrupted.`;
    case 'notListed': {
      const listed = expected.length + texts.length;
      return notListedWords({ listed, counted: listed + unlisted });
    }
    case 'tooLarge':
      return t`${name} is too large.`;
    case 'tooMany':
      return tooManyWords(expected.length);
    case 'network':
      return t`Can't reach ${origin}.`;
    case 'certificate':
      return t`The certificate of ${origin} isn't trusted.`;
    case 'timeout':
      return t`${origin} didn't respond in time.`;
    case 'notFound':
      return endSentence(t`${name} is no longer on the server`);
    case 'unauthorized':
    case 'insufficientCredits':
    case 'subscription':
    case 'queueFull':
    case 'rateLimited':
    case 'forbidden':
    case 'badRequest':
    case 'server':
    case 'unexpectedShape':
      return endSentence(refusalSentence(why));
    default:
      return outputErrorWords(why, name);
  }
}
