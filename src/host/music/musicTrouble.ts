import { MusicFailure } from '../../core/client/musicFailure';
import { OutputError } from '../../core/outputs/outputError';
import type { MusicRun } from '../../core/outputs/saveTracks';
import { endSentence } from '../../core/protocol/endSentence';
import { ServerError } from '../../core/protocol/serverError';
import type { MusicTrouble } from '../../webview/contract/music';
import { UserProblem } from '../platform/problems';
import type { BegunMusic } from './track';
import type { UnsavedMusic } from './unsavedMusic';

/** Why music did not come or could not be kept, in words. */
export function troubleOf(
  error: unknown,
  { prompt, seconds }: Pick<MusicRun, 'prompt' | 'seconds'>,
  unsaved: UnsavedMusic | undefined,
): MusicTrouble {
  const known =
    MusicFailure.is(error) || ServerError.is(error) || OutputError.is(error) || error instanceof UserProblem;
  const message = error instanceof Error ? error.message : 'for an unknown reason';
  return {
    message: endSentence(known ? message : `That did not work: ${message}`),
    nextAction: known ? error.nextAction : 'The log has the details.',
    unsaved: unsaved && { seconds: longest(unsaved.run), whole: unsaved.run.complete },
    canSignIn: ServerError.is(error, 'unauthorized'),
    prompt,
    seconds,
  };
}

/** The window went while music was under way: nobody can say how far the service came. */
export function cutOffTrouble({ prompt, seconds, charges }: BegunMusic): MusicTrouble {
  return {
    message: 'The last music is lost: the window was closed or loaded anew before it was saved.',
    nextAction: charges
      ? 'The service may have charged for it. Generate again if you still want it; that costs anew.'
      : 'Generate again if you still want it.',
    canSignIn: false,
    prompt,
    seconds,
  };
}

function longest({ result }: MusicRun): number {
  return Math.max(0, ...result.tracks.map(({ seconds }) => seconds ?? 0));
}
