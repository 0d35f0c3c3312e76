import { features, systemStats } from '../protocol/answers';
import { jobListings } from '../protocol/jobRecord';
import { readAnswer } from './answerShape';
import { isMissingRoute } from './missingRoute';
import type { Transport } from './transport';

/** What a server can do, found out by asking it (protocol 4.3). */
export interface Capabilities {
  readonly dialect: 'cloud' | 'local';
  /** The jobs endpoints are there; without them jobs are read from queue and history. */
  readonly jobs: boolean;
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
  const stats = await transport.json(systemStats, { path: '/api/system_stats', signal });
  const [jobs, limits] = await Promise.all([hasJobs(transport, signal), readFeatures(transport, signal)]);
  const dialect = stats.deployEnvironment === 'cloud' ? 'cloud' : 'local';
  return {
    dialect,
    jobs,
    singleNodeInfo: dialect === 'local',
    ...(stats.version === undefined ? {} : { version: stats.version }),
    ...(stats.deployEnvironment === undefined ? {} : { deployEnvironment: stats.deployEnvironment }),
    ...(limits.maxUploadSize === undefined ? {} : { maxUploadBytes: limits.maxUploadSize }),
    ...(limits.maxConcurrentJobs === undefined ? {} : { maxConcurrentJobs: limits.maxConcurrentJobs }),
  };
}

async function hasJobs(transport: Transport, signal?: AbortSignal): Promise<boolean> {
  const path = '/api/jobs';
  const answer = await transport.request({ path, query: { limit: 1 }, accepts: isAbsence, signal });
  if (isMissingRoute(answer)) return false;
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
