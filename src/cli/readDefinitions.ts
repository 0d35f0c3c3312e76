import { Catalog, CatalogError } from '../core/catalog/catalog';
import type { ServerDefinitions } from '../core/server/serverDefinitions';
import type { Secrets } from '../core/safety/secrets';
import { CommandProblem, printFailure } from './commandProblem';
import { apiKey } from './apiKey';
import { type Asking, CommandServer } from './commandServer';
import type { ClosableStack, OpensHttp } from './closableStack';
import { exitCodes, type Terminal } from './terminal';
import { readWorkflowFile, whyUnreadable } from './workflowFile';
import { t } from '../core/safety/localize';

/** Where the node definitions come from: a file, or a server. */
export interface DefinitionsPlace {
  readonly definitions?: string | undefined;
  /** An address, or `sandbox`. */
  readonly server?: string | undefined;
  readonly keyEnv?: string | undefined;
}

/** Those of a server that has some, or of a file, which tells nothing else. */
type WithCatalog = ServerDefinitions & { readonly catalog: Catalog };

/** The name for a server that is started for one command. */
export const sandboxName = 'sandbox';

/** What a request to a server needs. */
export interface OpensAsking extends Pick<Asking, 'secrets'> {
  /** Opened only for a request to a server; the caller closes it. */
  readonly http: OpensHttp;
}

/** Reads the node definitions; throws {@link CommandProblem} if there are none. */
export async function readServerDefinitions(
  source: DefinitionsPlace,
  terminal: Terminal,
  asking: OpensAsking,
  signal: AbortSignal,
): Promise<WithCatalog> {
  const { definitions } = source;
  if (definitions === undefined) return askServer(source, terminal, asking, signal);
  return { catalog: await readDefinitionsFile(definitions) };
}

async function readDefinitionsFile(file: string): Promise<Catalog> {
  const text = await readInput(file);
  try {
    return Catalog.fromText(text);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const message = t`${file} contains no node definitions (reading stopped at character ${error.offset}). Save the response of GET /object_info to it.`;
    throw new CommandProblem(message, '', 'usage');
  }
}

/** A file that a command needs before it can start. @param name what the person calls it */
export async function readInput(file: string, name = file): Promise<string> {
  try {
    return await readWorkflowFile(file, name);
  } catch (error) {
    throw new CommandProblem(whyUnreadable(name, error), '', 'usage');
  }
}

/** Runs a command that may need the definitions of a server, until Ctrl-C; returns the exit code. */
export async function askingIfNeeded(
  terminal: Terminal,
  http: OpensHttp,
  secrets: Secrets,
  work: (asking: OpensAsking, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const abort = new AbortController();
  const forget = terminal.onInterrupt(() => abort.abort());
  let opened: ClosableStack | undefined;
  try {
    return await work({ http: async () => (opened = await http()), secrets }, abort.signal);
  } catch (error) {
    if (abort.signal.aborted) return exitCodes.cancelled;
    return printFailure(error, terminal);
  } finally {
    forget();
    await opened?.close();
  }
}

async function askServer(
  { server = sandboxName, keyEnv }: DefinitionsPlace,
  terminal: Terminal,
  { http, secrets }: OpensAsking,
  signal: AbortSignal,
): Promise<WithCatalog> {
  const key = apiKey(keyEnv, terminal);
  // A sandbox need not take its time.
  const unseen = { columns: undefined };
  const opened = await CommandServer.open(server, key, { http: await http(), secrets }, unseen);
  try {
    const definitions = await opened.session.serverDefinitions(signal);
    const { catalog } = definitions;
    if (catalog) return { ...definitions, catalog };
    throw new CommandProblem(
      t`${opened.url} returned no node definitions. Check the address, or pass them with --definitions.`,
    );
  } finally {
    await opened.close();
  }
}
