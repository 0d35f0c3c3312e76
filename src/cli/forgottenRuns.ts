import { NodeFolder } from '../core/outputs/nodeFolder';
import { settleForgotten } from '../core/runLife/settleForgotten';
import { budgets } from '../core/safety/budgets';
import { plural, t } from '../core/safety/localize';
import { troubleOf } from './commandProblem';
import { type Asking, CommandServer } from './commandServer';
import { plainText, type Terminal } from './terminal';

/**
 * Asks a server for the runs that the records of a folder leave open, and records those that it has forgotten.
 * @throws ServerError when the server can't be reached
 */
export async function findForgotten(
  out: string,
  server: string,
  key: string | undefined,
  asking: Asking,
  terminal: Terminal,
): Promise<void> {
  const say = (words: string): unknown => terminal.err(`${plainText(words)}\n`);
  const opened = await CommandServer.open(server, key, asking, terminal);
  const abort = new AbortController();
  const forget = terminal.onInterrupt(() => abort.abort(new DOMException('It was cancelled.', 'AbortError')));
  try {
    await settleForgotten(
      opened.session,
      {
        folder: new NodeFolder(out),
        hide: (text) => asking.secrets.hide(text),
        largestCopy: 0,
        isSandbox: false,
        giveUpAfter: budgets.serverAway,
        on: (event) => event.kind === 'notRecorded' && say(troubleOf(event.error).message),
      },
      abort.signal,
      (count) =>
        say(
          plural(
            count,
            t`${server} doesn't list 1 job now. Checking again for a minute.`,
            t`${server} doesn't list ${count} jobs now. Checking again for a minute.`,
          ),
        ),
    );
  } finally {
    forget();
    await opened.close();
  }
}
