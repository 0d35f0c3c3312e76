import { features, systemStats, type SystemStats } from '../protocol/answers';
import { jobListings } from '../protocol/jobRecord';
import { budgets } from '../safety/budgets';
import { readAnswer } from './answerShape';
import { readQueue } from './queueReader';
import type { Transport } from './transport';

/** What a server can do, found out by asking it (protocol 4.3). */
export interface Capabilities {
  readonly dialect: 'cloud' | 'local';
  /** The jobs endpoints are there; without them jobs are read from queue and history. */
  readonly jobs: boolean;
  /** False: what has ended is told by its status alone, and its outputs by the event socket alone. */
  readonly history: boolean;
  /**
   * `POST /api/jobs/{id}/cancel` is there. Asking would cancel something, so the probe leaves it open and the client
   * learns it with the first cancel.
   */
  readonly jobCancel?: boolean;
  /** One class can be asked for: `/api/object_info/{class}`. */
  readonly singleNodeInfo: boolean;
  readonly version?: string;
  readonly deployEnvironment?: string;
  readonly maxUploadBytes?: number;
  readonly maxConcurrentJobs?: number;
}

/** Asks a server what it is. Throws `ServerError` when it does not answer, refuses the key, or is no ComfyUI. */
export async function probeCapabilities(transport: Transport, signal?: AbortSignal): Promise<Capabilities> {
  const stats = await readStats(transport, signal);
  const [jobs, limits] = await Promise.all([hasJobs(transport, signal), readFeatures(transport, signal)]);
  if (!stats) {
    // Nothing documented tells what a server is. Only Comfy Cloud is documented without it, and the queue tells whether
    // this is a ComfyUI at all.
    await readQueue(transport, budgets.queueOnce, signal);
    return {
      dialect: 'cloud',
      jobs,
      ...(jobs ? {} : { jobCancel: false }),
      history: jobs,
      singleNodeInfo: false,
    };
  }
  const dialect = stats.deployEnvironment === 'cloud' ? 'cloud' : 'local';
  return {
    dialect,
    jobs,
    history: true,
    singleNodeInfo: dialect === 'local',
    ...(stats.version === undefined ? {} : { version: stats.version }),
    ...(stats.deployEnvironment === undefined ? {} : { deployEnvironment: stats.deployEnvironment }),
    ...(limits.maxUploadSize === undefined ? {} : { maxUploadBytes: limits.maxUploadSize }),
    ...(limits.maxConcurrentJobs === undefined ? {} : { maxConcurrentJobs: limits.maxConcurrentJobs }),
  };
}

/** Undefined where the server does not have it. */
async function readStats(transport: Transport, signal?: AbortSignal): Promise<SystemStats | undefined> {
  const path = '/api/system_stats';
  const answer = await transport.request({ path, accepts: isAbsence, signal });
  return isAbsence(answer.status) ? undefined : readAnswer(systemStats, answer.text, `GET ${path}`);
}

async function hasJobs(transport: Transport, signal?: AbortSignal): Promise<boolean> {
  const path = '/api/jobs';
  const answer = await transport.request({ path, query: { limit: 1 }, accepts: isAbsence, signal });
  // A list is there or it is not: whatever the body says.
  if (isAbsence(answer.status)) return false;
  readAnswer(jobListings, answer.text, `GET ${path}`);
  return true;
}

/** Missing before 2025. */
async function readFeatures(transport: Transport, signal?: AbortSignal) {
  const path = '/api/features';
  const answer = await transport.request({ path, accepts: isAbsence, signal });
  return answer.status === 200 ? readAnswer(features, answer.text, `GET ${path}`) : {};
}

function isAbsence(status: number): boolean {
  return status === 404 || status === 405;
}
