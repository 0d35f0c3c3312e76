import type { Capabilities } from '../client/capabilities';
import type { ExecutionClient } from '../client/execution';
import { ServerError } from '../protocol/serverError';
import { t } from '../safety/localize';
import { unlessMissing } from './probeCapabilities';

/** The result of a connection check; `problem` and `nextAction` are complete sentences. */
export type ConnectionReport =
  | {
      readonly kind: 'connected';
      readonly dialect: Capabilities['dialect'];
      readonly version?: string | undefined;
      /** Id of the signed-in account; cloud only. */
      readonly user?: string | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly reason:
        | 'unreachable'
        | 'certificate'
        | 'noKey'
        | 'wrongKey'
        | 'subscription'
        /** It identifies itself but refuses access to its jobs (403). */
        | 'jobsRefused'
        | 'notComfy'
        | 'other';
      readonly problem: string;
      readonly nextAction: string;
    };

export interface ConnectionQuestion {
  readonly client: Pick<ExecutionClient, 'user'>;
  /** Asks the server again. */
  readonly probe: () => Promise<Capabilities>;
  readonly hasKey: () => Promise<boolean>;
}

/** Finds out whether the server can be worked with, and if not, what to do. Aborts are passed on. */
export async function askConnection(
  question: ConnectionQuestion,
  signal?: AbortSignal,
): Promise<ConnectionReport> {
  try {
    const { dialect, version } = await question.probe();
    const user = dialect === 'cloud' ? await signedInUser(question, signal) : undefined;
    return { kind: 'connected', dialect, version, user };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ServerError) return failed(error, await question.hasKey());
    throw error;
  }
}

/** Accounts need not identify themselves; only a rejected key counts. */
async function signedInUser(
  { client }: ConnectionQuestion,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  return (await unlessMissing(client.user(signal), false))?.id;
}

function failed(error: ServerError, hasKey: boolean): ConnectionReport {
  const problem = error.message;
  const nextAction = error.nextAction;
  switch (error.reason) {
    case 'network':
    case 'timeout':
      return { kind: 'failed', reason: 'unreachable', problem, nextAction };
    case 'certificate':
      return { kind: 'failed', reason: 'certificate', problem, nextAction };
    case 'unauthorized':
      if (hasKey) return { kind: 'failed', reason: 'wrongKey', problem, nextAction };
      return {
        kind: 'failed',
        reason: 'noKey',
        problem: t`The server requires an API key, and none is stored for it.`,
        nextAction: t`Sign in with an API key.`,
      };
    case 'subscription':
    case 'insufficientCredits':
      return { kind: 'failed', reason: 'subscription', problem, nextAction };
    case 'forbidden':
      return { kind: 'failed', reason: isAboutJobs(error) ? 'jobsRefused' : 'other', problem, nextAction };
    case 'unexpectedShape':
    case 'notFound':
      return { kind: 'failed', reason: 'notComfy', problem, nextAction };
    default:
      return { kind: 'failed', reason: 'other', problem, nextAction };
  }
}

/** Requested once the server has identified itself. */
function isAboutJobs({ endpoint }: ServerError): boolean {
  return endpoint === 'GET /api/jobs';
}
