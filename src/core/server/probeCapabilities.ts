import * as z from 'zod';
import { addressOrigin } from '../client/address';
import { readAnswer } from '../client/answerShape';
import type { Capabilities } from '../client/capabilities';
import { definitionsLimits, type ExecutionClient } from '../client/execution';
import { isQueueUnknown, readQueue } from '../client/queueReader';
import type { Transport } from '../client/transport';
import { featuresAnswer, systemStats } from '../protocol/answers';
import { jobListings } from '../protocol/jobRecord';
import { ServerError, type ServerErrorReason } from '../protocol/serverError';
import { wireOptional, wireObject } from '../protocol/wire';
import { endSentence } from '../safety/endSentence';
import { budgets } from '../safety/budgets';
import { t } from '../safety/localize';

/** Detects what a server is. Throws `ServerError` when it does not answer, rejects the key, or is not ComfyUI. */
export async function probeCapabilities(transport: Transport, signal?: AbortSignal): Promise<Capabilities> {
  // Such a host supports only v2, so nothing is asked of it.
  if (new URL(transport.baseUrl).hostname.endsWith('.run.comfy.app')) throw speaksV2();
  const asked = transport.json(systemStats, { path: '/api/system_stats', signal });
  const stats = await unlessMissing(asked, false);
  transport.isCloud = stats?.deployEnvironment === 'cloud' || stats === undefined;
  const isKnown = stats !== undefined;
  const listing = transport.json(jobListings, { path: '/api/jobs', query: { limit: 1 }, signal });
  const featuring = transport.json(featuresAnswer, { path: '/api/features', signal });
  const [listed, limits] = await Promise.all([
    unlessMissing(listing, isKnown),
    unlessMissing(featuring, isKnown),
  ]);
  const jobs = listed !== undefined;
  const known = { jobs, ...(jobs ? {} : { jobCancel: false }) };
  if (!stats) {
    // No documented endpoint identifies a server. Only Comfy Cloud is documented without it.
    await recognize(transport, signal);
    return { ...known, dialect: 'cloud', history: jobs, singleNodeInfo: false };
  }
  const dialect = stats.deployEnvironment === 'cloud' ? 'cloud' : 'local';
  return {
    ...known,
    dialect,
    history: true,
    singleNodeInfo: dialect === 'local',
    version: stats.version,
    maxUploadBytes: limits?.maxUploadSize,
  };
}

/** Whether this is ComfyUI at all: its queue shows it, or else its definitions (protocol 1.11, 4.3). */
async function recognize(transport: Transport, signal?: AbortSignal): Promise<void> {
  let v2: ServerError | undefined;
  try {
    await readQueue(transport, budgets.queueOnce, signal);
    return;
  } catch (error) {
    if (!isQueueUnknown(error)) throw error;
    if (error.status !== undefined) v2 = await signOfV2(transport, signal);
  }
  try {
    await transport.json(wireObject, { path: '/api/object_info', ...definitionsLimits, signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw v2 ?? error;
  }
}

/** Asks what only an API v2 answers, which creates nothing. */
async function signOfV2(transport: Transport, signal?: AbortSignal): Promise<ServerError | undefined> {
  for (const path of ['/api/v2/health', '/api/v2/jobs/00000000-0000-4000-8000-000000000000']) {
    const { status, text } = await transport.request({ path, accepts: () => true, once: true, signal });
    try {
      if (status === 200) return speaksV2(readAnswer(v2Health, text, path).upstream);
      readAnswer(v2Refusal, text, path);
      if ([401, 403, 404, 429].includes(status)) return speaksV2();
    } catch {
      // Somebody else's answer.
    }
  }
  return undefined;
}

const v2Health = z.object({ status: z.string(), upstream: wireOptional(z.string()) });
const v2Refusal = z.object({ error: z.object({ code: z.string() }) });

/** `upstream` is the server behind the vendor's proxy, in its own words. */
function speaksV2(upstream?: string): ServerError {
  const isAddress = upstream !== undefined && /^https?:\/\//.test(upstream) && URL.canParse(upstream);
  return new ServerError(t`This address only offers Comfy API v2, which Comfy Deck doesn't use.`, {
    reason: 'badRequest',
    endpoint: 'GET /api/v2/health',
    nextAction: isAddress
      ? t`Use the address of the ComfyUI server behind it: ${addressOrigin(upstream)}`
      : t`Use the address of a ComfyUI server or of Comfy Cloud instead.`,
  });
}

/** Undefined for a missing answer (protocol 4.3). A server that identified itself (`isKnown`) says so with 404 or 405. */
async function unlessMissing<T>(asked: Promise<T>, isKnown: boolean): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!ServerError.is(error)) throw error;
    const { reason, status = 0 } = error;
    const saysSo = [404, 405].includes(status) || (!isKnown && (missing.has(reason) || status === 501));
    if (saysSo) return undefined;
    throw error;
  }
}

const missing: ReadonlySet<ServerErrorReason> = new Set(['badRequest', 'forbidden', 'unexpectedShape']);

export type ConnectionReport =
  | {
      readonly kind: 'connected';
      readonly dialect: Capabilities['dialect'];
      readonly version?: string | undefined;
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
        /** The server identifies itself but refuses access to its jobs (403). */
        | 'jobsRefused'
        | 'notComfy'
        | 'other';
      readonly problem: string;
      readonly nextAction: string;
    };

export interface ConnectionQuestion {
  readonly client: Pick<ExecutionClient, 'user'>;
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
    // Accounts need not identify themselves; only a rejected key counts.
    const account =
      dialect === 'cloud' ? await unlessMissing(question.client.user(signal), false) : undefined;
    return { kind: 'connected', dialect, version, user: account?.id };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ServerError) return failed(error, await question.hasKey());
    throw error;
  }
}

function failed(error: ServerError, hasKey: boolean): ConnectionReport {
  if (error.reason === 'unauthorized' && !hasKey) {
    return {
      kind: 'failed',
      reason: 'noKey',
      problem: endSentence(t`The server needs an API key or a token`),
      nextAction: t`Sign in with a valid API key.`,
    };
  }
  // Jobs are asked for once the server has identified itself.
  const isRefused = error.reason === 'forbidden' && error.endpoint === 'GET /api/jobs';
  const reason = isRefused ? 'jobsRefused' : (failures.get(error.reason) ?? 'other');
  return { kind: 'failed', reason, problem: error.message, nextAction: error.nextAction };
}

type FailedConnection = Extract<ConnectionReport, { kind: 'failed' }>;

const failures = new Map<ServerErrorReason, FailedConnection['reason']>([
  ['network', 'unreachable'],
  ['timeout', 'unreachable'],
  ['certificate', 'certificate'],
  ['unauthorized', 'wrongKey'],
  ['subscription', 'subscription'],
  ['insufficientCredits', 'subscription'],
  ['unexpectedShape', 'notComfy'],
  ['notFound', 'notComfy'],
]);
