import {
  installedPacks,
  managerHistory,
  managerQueueStatus,
  type InstalledPack,
  type ManagerTaskEnd,
} from '../../protocol/managerAnswers';
import { type RegistryNodeVersion, registryVersions } from '../../protocol/registry/registryNode';
import { ServerError } from '../../protocol/serverError';
import type { Transport, TransportAnswer } from '../transport';
import { tooOldManager } from './installProblem';

/** ComfyUI-Manager on a server, and how it accepts an install (protocol 9.1). */
export interface NodeManager {
  readonly version: string;
  readonly prefix: '/api' | '/api/v2';
  readonly takes: 'install' | 'task';
}

/** These answers contain only the version. */
const versionBytes = 4 * 1024;
/** Hundreds of packs take some 100 KB. */
const listBytes = 1024 * 1024;
const answerBytes = 256 * 1024;
/** The versions are a check beside: nobody waits long for them, ms. */
const versionsDeadline = 8_000;
const version = /^V?\d[\w.+-]{0,40}$/i;

/** Checks whether a server has ComfyUI-Manager, newest endpoints first; undefined if not. */
export async function findManager(
  transport: Transport,
  signal?: AbortSignal,
): Promise<NodeManager | undefined> {
  const newer = await versionAt(transport, '/api/v2', signal);
  if (newer !== undefined) return { version: newer, prefix: '/api/v2', takes: 'task' };
  const older = await versionAt(transport, '/api', signal);
  return older === undefined ? undefined : { version: older, prefix: '/api', takes: 'install' };
}

async function versionAt(
  transport: Transport,
  prefix: NodeManager['prefix'],
  signal?: AbortSignal,
): Promise<string | undefined> {
  const path = `${prefix}/manager/version`;
  const { status, text } = await transport.request({
    path,
    once: true,
    maxBytes: versionBytes,
    accepts: isMissing,
    signal,
  });
  const told = text.trim();
  return status === 200 && version.test(told) ? told : undefined;
}

export function readQueueStatus(transport: Transport, { prefix }: NodeManager, signal?: AbortSignal) {
  const path = `${prefix}/manager/queue/status`;
  return transport.json(managerQueueStatus, { path, maxBytes: answerBytes, signal });
}

export function readInstalled(
  transport: Transport,
  { prefix }: NodeManager,
  signal?: AbortSignal,
): Promise<readonly InstalledPack[]> {
  const path = `${prefix}/customnode/installed`;
  return transport.json(installedPacks, { path, maxBytes: listBytes, signal });
}

/** Undefined if the manager doesn't report versions (protocol 9.3). It asks its registry for them. */
export async function readManagerVersions(
  transport: Transport,
  { prefix, takes }: NodeManager,
  id: string,
  signal?: AbortSignal,
): Promise<readonly RegistryNodeVersion[] | undefined> {
  if (takes === 'task') return undefined;
  const path = `${prefix}/customnode/versions/${encodeURIComponent(id)}`;
  const request = { path, once: true, deadline: versionsDeadline, maxBytes: listBytes, signal };
  try {
    return await transport.json(registryVersions, request);
  } catch (error) {
    if (ServerError.is(error)) return undefined;
    throw error;
  }
}

/** How a task of version 4 ended; undefined while it has not (protocol 9.4). */
export function readTaskEnd(
  transport: Transport,
  task: string,
  signal?: AbortSignal,
): Promise<ManagerTaskEnd | undefined> {
  const path = '/api/v2/manager/queue/history';
  return transport.json(managerHistory, { path, query: { ui_id: task }, maxBytes: listBytes, signal });
}

export async function tellManager(
  transport: Transport,
  manager: NodeManager,
  what: 'queue/start' | 'reboot',
  deadline: number,
  signal?: AbortSignal,
): Promise<TransportAnswer> {
  const path = `${manager.prefix}/manager/${what}`;
  const request = { path, deadline, maxBytes: answerBytes, accepts: isRefusal, signal };
  // A form's content type is rejected, so declare another.
  const answer = await transport.request({ ...request, method: 'POST', body: { json: {} } });
  if (isMissing(answer.status)) throw tooOldManager(manager);
  return answer;
}

/** Posts once; the caller reads what 400, 403 and missing routes mean. */
export function postToManager(
  transport: Transport,
  { prefix }: NodeManager,
  what: NodeManager['takes'],
  json: unknown,
  signal?: AbortSignal,
): Promise<TransportAnswer> {
  const path = `${prefix}/manager/queue/${what}`;
  return transport.request({
    method: 'POST',
    path,
    body: { json },
    maxBytes: answerBytes,
    accepts: isRefusal,
    signal,
  });
}

function isMissing(status: number): boolean {
  return status === 404 || status === 405;
}

function isRefusal(status: number): boolean {
  return status === 403 || isMissing(status);
}
