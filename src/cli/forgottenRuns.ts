import { NodeFolder } from '../core/outputs/nodeFolder';
import { settleForgotten } from '../core/runLife/settleForgotten';
import { budgets } from '../core/safety/budgets';
import { plural, t } from '../core/safety/localize';
import { commandTrouble } from './commandProblem';
import { CommandServer } from './commandServer';
import { type CommandContext, listenForInterruption, plainTerminalLine } from './terminal';

/** Records which runs of a folder a server has forgotten. @throws ServerError when the server can't be reached */
export async function findForgotten(
  out: string,
  server: string,
  key: string | undefined,
  context: CommandContext,
): Promise<void> {
  const say = (words: string): unknown => context.terminal.err(`${plainTerminalLine(words)}\n`);
  const { signal, forget } = listenForInterruption(context.terminal);
  const settle = ({ session }: CommandServer): Promise<unknown> =>
    settleForgotten(
      session,
      {
        folder: new NodeFolder(out),
        hide: (text) => context.secrets.hide(text),
        largestCopy: 0,
        isSandbox: false,
        giveUpAfter: budgets.serverAway,
        on: (event) => event.kind === 'notRecorded' && say(commandTrouble(event.error).message),
      },
      signal,
      (count) =>
        say(
          plural(
            count,
            t`${server} doesn't list 1 job now. Checking again for a minute.`,
            t`${server} doesn't list ${count} jobs now. Checking again for a minute.`,
          ),
        ),
    );
  await CommandServer.use(server, key, context, settle).finally(forget);
}
