import type { ServerErrorReason } from '../../core/protocol/serverError';
import { ServerError } from '../../core/protocol/serverError';
import { t } from '../../core/safety/localize';
import { shown } from '../../core/safety/shownText';
import { commands, settings } from '../platform/contributions';
import { UserProblem } from '../platform/problems';

const connection = () =>
  t`Check your connection, and the registry address in the ${settings.registry} setting.`;
const later = () => t`Try again later.`;

/** Next steps if a registry doesn't answer; a server's own advice is about runs. */
const nextActions: Readonly<Partial<Record<ServerErrorReason, string>>> = {
  network: connection(),
  timeout: connection(),
  unexpectedShape: connection(),
  notFound: connection(),
  server: later(),
  rateLimited: later(),
};

/** Rewords registry errors; passes on everything else unchanged. */
function registryProblem(error: unknown): unknown {
  if (!ServerError.is(error)) return error;
  const next = error.endpoint.startsWith('POST') ? undefined : nextActions[error.reason];
  const steps = [{ label: shown`Show Log`, command: commands.showLog }];
  return new UserProblem(
    shown`The node registry: ${error.message}`,
    shown`${next ?? error.nextAction}`,
    steps,
    { cause: error },
  );
}

export function noSuchPack(id: string): UserProblem {
  return new UserProblem(
    shown`The node registry has no pack “${id}”.`,
    shown`Check the pack's ID. The pack may have been renamed or deleted.`,
  );
}

/** Runs something that uses the registry; its failures are reworded for the registry. */
export async function askingRegistry<T>(ask: () => PromiseLike<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw registryProblem(error);
  }
}
