import { Catalog, CatalogError } from '../core/catalog/catalog';
import { JobStore } from '../core/jobs/jobStore';
import type { ServerDefinitions } from '../core/server/serverDefinitions';
import type { Secrets } from '../core/safety/secrets';
import { apiKey, keyNotSet } from './apiKey';
import { openSession } from './openSession';
import type { ClosableStack, OpensHttp } from './closableStack';
import { troubleText } from './runWords';
import { startSandboxServer } from './sandboxCommand';
import { exitCodes, plainText, type Terminal } from './terminal';
import { readJsonFile, whyUnreadable } from './workflowFile';
import { t } from '../core/safety/localize';

/** Something required before the first file can be checked is missing; says what to do. */
export class DefinitionsError extends Error {
  override readonly name = 'DefinitionsError';
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

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
export interface Asking {
  /** Opened only for a request to a server; the caller closes it. */
  readonly http: OpensHttp;
  readonly secrets: Secrets;
}

/** Reads the node definitions; throws {@link DefinitionsError} if there are none. */
export async function readServerDefinitions(
  source: DefinitionsPlace,
  terminal: Terminal,
  asking: Asking,
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
    throw new DefinitionsError(message, exitCodes.usage);
  }
}

/** A file that a command needs before it can start. */
export async function readInput(file: string): Promise<string> {
  try {
    return await readJsonFile(file);
  } catch (error) {
    throw new DefinitionsError(whyUnreadable(file, error), exitCodes.usage);
  }
}

/** Runs a command that may need the definitions of a server, until Ctrl-C; returns the exit code. */
export async function askingIfNeeded(
  terminal: Terminal,
  http: OpensHttp,
  secrets: Secrets,
  work: (asking: Asking, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const abort = new AbortController();
  const forget = terminal.onInterrupt(() => abort.abort());
  let opened: ClosableStack | undefined;
  try {
    return await work({ http: async () => (opened = await http()), secrets }, abort.signal);
  } catch (error) {
    if (abort.signal.aborted) return exitCodes.cancelled;
    terminal.err(`${plainText(troubleText(error))}\n`);
    return error instanceof DefinitionsError ? error.exitCode : exitCodes.failed;
  } finally {
    forget();
    await opened?.close();
  }
}

async function askServer(
  { server = sandboxName, keyEnv }: DefinitionsPlace,
  terminal: Terminal,
  { http, secrets }: Asking,
  signal: AbortSignal,
): Promise<WithCatalog> {
  const key = apiKey(keyEnv, terminal);
  if (keyEnv !== undefined && key === undefined) {
    throw new DefinitionsError(keyNotSet(keyEnv).message, exitCodes.usage);
  }
  if (key !== undefined) secrets.add(key);
  const sandbox = server === sandboxName ? await startSandboxServer({ timing: 'fast' }) : undefined;
  const url = sandbox?.url ?? server;
  const session = openSession({
    server: url,
    name: server,
    // The sandbox never gets a real key.
    key: sandbox ? undefined : key,
    http: await http(),
    store: new JobStore(),
    secrets,
  });
  try {
    const definitions = await session.serverDefinitions(signal);
    const { catalog } = definitions;
    if (!catalog) {
      const message = t`${url} returned no node definitions. Check the address, or pass them with --definitions.`;
      throw new DefinitionsError(message, exitCodes.failed);
    }
    return { ...definitions, catalog };
  } finally {
    await session.dispose();
    await sandbox?.close();
  }
}
