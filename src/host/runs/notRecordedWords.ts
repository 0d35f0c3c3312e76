import { OutputError } from '../../core/outputs/outputError';
import { errorWords } from '../../core/safety/errorWords';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { showWarning } from '../platform/show';

/** The outputs are there, but nobody will know how they were made. */
export function tellNotRecorded(records: string | number, error: unknown): void {
  const { message, nextAction } = errorWords(error);
  const what =
    typeof records === 'string'
      ? t`The run record ${records} couldn't be written.`
      : t`Run records that couldn't be written: ${records}.`;
  const next = OutputError.is(error, 'taken') ? nextAction : t`Check the output folder.`;
  void showWarning(shown`${what} ${message} ${next}`);
}
