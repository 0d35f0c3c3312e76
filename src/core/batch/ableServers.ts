import { prepareRun } from '../runs/prepareRun';
import type { RunChoices, RunSource } from '../runs/runChoices';
import { errorWords } from '../safety/errorWords';
import { sentencesText } from '../safety/localize';
import type { ServerDefinitions } from '../server/serverDefinitions';
import type { BatchServer } from './batchWork';

/** A server, and what it knows; without definitions it says why. */
export interface KnownServer<S extends BatchServer = BatchServer> {
  readonly server: S;
  readonly definitions: ServerDefinitions | undefined;
  /** Why it can't take part. */
  readonly problem: string | undefined;
}

/** Asks all servers for their node definitions. */
export function knownServers<S extends BatchServer>(
  servers: readonly S[],
  signal: AbortSignal,
): Promise<KnownServer<S>[]> {
  return Promise.all(
    servers.map(async (server) => {
      try {
        const definitions = await server.session.serverDefinitions(signal);
        return { server, definitions, problem: undefined };
      } catch (error) {
        signal.throwIfAborted();
        const { message, nextAction } = errorWords(error);
        return { server, definitions: undefined, problem: sentencesText(message, nextAction) };
      }
    }),
  );
}

/** The same, with those left out that would refuse the workflow: other node types, or other models. */
export function ableServers<S extends BatchServer>(
  known: readonly KnownServer<S>[],
  source: RunSource,
  choices: Pick<RunChoices, 'force' | 'targets'>,
): KnownServer<S>[] {
  return known.map((each) => {
    if (!each.definitions) return each;
    const prepared = prepareRun(source, { ...choices, seeds: 'keep' }, each.definitions);
    if (prepared.kind !== 'refused') return each;
    return { ...each, problem: sentencesText(prepared.message, prepared.nextAction) };
  });
}
