import { readAnswer } from '../client/answerShape';
import type { Capabilities } from '../client/capabilities';
import { readQueue } from '../client/queueReader';
import type { Transport } from '../client/transport';
import { features, systemStats, type SystemStats } from '../protocol/answers';
import { jobListings } from '../protocol/jobRecord';
import { budgets } from '../safety/budgets';

/** Detects what a server is. Throws `ServerError` when it does not answer, rejects the key, or is not ComfyUI. */
export async function probeCapabilities(transport: Transport, signal?: AbortSignal): Promise<Capabilities> {
  const stats = await readStats(transport, signal);
  const [jobs, limits] = await Promise.all([hasJobs(transport, signal), readFeatures(transport, signal)]);
  if (!stats) {
    // No documented endpoint identifies a server. Only Comfy Cloud is documented without it, and the queue shows
    // whether this is ComfyUI at all.
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
    version: stats.version,
    deployEnvironment: stats.deployEnvironment,
    maxUploadBytes: limits.maxUploadSize,
    maxConcurrentJobs: limits.maxConcurrentJobs,
  };
}

/** Undefined if the server does not have it. */
async function readStats(transport: Transport, signal?: AbortSignal): Promise<SystemStats | undefined> {
  const path = '/api/system_stats';
  const answer = await transport.request({ path, accepts: isAbsence, signal });
  return isAbsence(answer.status) ? undefined : readAnswer(systemStats, answer.text, `GET ${path}`);
}

async function hasJobs(transport: Transport, signal?: AbortSignal): Promise<boolean> {
  const path = '/api/jobs';
  const answer = await transport.request({ path, query: { limit: 1 }, accepts: isAbsence, signal });
  // A list exists or not, whatever the body says.
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
