import { MusicFailure } from '../../core/client/music/musicFailure';
import { OutputError } from '../../core/outputs/outputError';
import type { MusicRun } from '../../core/outputs/saveTracks';
import { endSentence } from '../../core/safety/endSentence';
import { ServerError } from '../../core/protocol/serverError';
import { t } from '../../core/safety/localize';
import type { Shown } from '../../core/safety/shownText';
import type { MusicTrouble } from '../../webview/contract/music';
import { UserProblem } from '../platform/problems';
import type { BegunMusic } from './track';
import type { UnsavedMusic } from './unsavedMusic';

/** Why music did not arrive or could not be saved, as text. */
export function musicTrouble(
  error: unknown,
  { prompt, seconds }: Pick<MusicRun, 'prompt' | 'seconds'>,
  unsaved: UnsavedMusic | undefined,
): MusicTrouble {
  const known =
    MusicFailure.is(error) || ServerError.is(error) || OutputError.is(error) || error instanceof UserProblem;
  return {
    message: endSentence(known ? error.message : unknownWords(error)),
    nextAction: known ? wordsOf(error.nextAction) : t`See the log for details.`,
    unsaved: unsaved && unsavedView(unsaved),
    canSignIn: ServerError.is(error, 'unauthorized'),
    prompt,
    seconds,
  };
}

function unknownWords(error: unknown): string {
  return error instanceof Error
    ? t`Something went wrong: ${error.message}`
    : t`Something went wrong for an unknown reason.`;
}

/** The window closed during generation: how far the service got is unknown. */
export function cutOffTrouble(
  { prompt, seconds, charges }: BegunMusic,
  unsaved: UnsavedMusic | undefined,
): MusicTrouble {
  if (unsaved) {
    return {
      message: t`The window closed before the last track was saved.`,
      nextAction: charges
        ? t`Keep the partial track, or generate again (this costs credits again).`
        : t`Keep the partial track, or generate again.`,
      unsaved: unsavedView(unsaved),
      canSignIn: false,
      prompt,
      seconds,
    };
  }
  return {
    message: t`The window closed before the last track was saved.`,
    nextAction: charges
      ? t`You may have been charged for it. Generating it again costs credits again.`
      : t`Generate it again if you still want it.`,
    canSignIn: false,
    prompt,
    seconds,
  };
}

function unsavedView({ run }: UnsavedMusic): NonNullable<MusicTrouble['unsaved']> {
  return { seconds: longest(run), whole: run.complete };
}

function longest({ result }: MusicRun): number {
  return Math.max(0, ...result.tracks.map(({ seconds }) => seconds ?? 0));
}

function wordsOf(words: string | Shown): string {
  return typeof words === 'string' ? words : words.line();
}
