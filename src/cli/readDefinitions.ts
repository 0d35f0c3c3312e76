import { Catalog, CatalogError } from '../core/catalog/catalog';
import type { ServerDefinitions } from '../core/server/serverDefinitions';
import type { Arguments } from './commandArguments';
import { CommandProblem, readApiKey } from './commandProblem';
import { CommandServer } from './commandServer';
import { type CommandContext, exitCodes, listenForInterruption, type Terminal } from './terminal';
import { readWorkflowFile, whyUnreadable } from './workflowFile';
import { t } from '../core/safety/localize';

export type DefinitionsPlace = Pick<Arguments<'print'>, 'definitions' | 'server' | 'keyEnv'>;

/** Node definitions, from a file without anything else about its server. */
type WithCatalog = ServerDefinitions & { readonly catalog: Catalog };

export async function readServerDefinitions(
  source: DefinitionsPlace,
  context: CommandContext,
  signal: AbortSignal,
): Promise<WithCatalog> {
  const { definitions: file } = source;
  if (file === undefined) return askServer(source, context, signal);
  const text = await readInput(file);
  try {
    return { catalog: Catalog.fromText(text) };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const message = t`${file} contains no node definitions (reading stopped at character ${error.offset}). Save the response of GET /object_info to it.`;
    throw new CommandProblem(message, '', 'usage');
  }
}

export function readInput(file: string, name = file): Promise<string> {
  return readWorkflowFile(file, name).catch((error: unknown) => {
    throw new CommandProblem(whyUnreadable(name, error), '', 'usage');
  });
}

export async function runUntilInterrupted(
  terminal: Terminal,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const { signal, forget } = listenForInterruption(terminal);
  try {
    return await work(signal);
  } catch (error) {
    if (signal.aborted) return exitCodes.cancelled;
    throw error;
  } finally {
    forget();
  }
}

function askServer(
  { server = 'sandbox', keyEnv }: DefinitionsPlace,
  context: CommandContext,
  signal: AbortSignal,
): Promise<WithCatalog> {
  const key = readApiKey(keyEnv, context.terminal);
  // A sandbox need not take its time.
  const unseen = { ...context, terminal: { ...context.terminal, columns: undefined } };
  return CommandServer.use(server, key, unseen, async ({ session, url }) => {
    const definitions = await session.serverDefinitions(signal);
    const { catalog } = definitions;
    if (catalog) return { ...definitions, catalog };
    throw new CommandProblem(
      t`${url} returned no node definitions. Check the address, or pass them with --definitions.`,
    );
  });
}
