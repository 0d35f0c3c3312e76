import { randomUUID } from 'node:crypto';
import {
  type ExactObject,
  type ExactValue,
  isExactList,
  isExactObject,
  plainFrom,
} from '../../core/json/exactValue';
import { writeExact } from '../../core/json/exactWriter';
import type { Exchange } from '../http/exchange';
import { get, post, type Route } from './router';
import { judgePrompt } from './promptVerdict';
import type { SandboxJob } from '../queue/sandboxJob';
import { isCloud, type SandboxServer } from '../sandboxServer';
import { CloudRefusal } from './cloudErrors';

export const promptRoutes: readonly Route[] = [
  get('/prompt', (exchange, server) => exchange.answer(queueInfo(server))),
  post('/prompt', submit),
];

function queueInfo(server: SandboxServer): object {
  return { exec_info: { queue_remaining: server.queue.remaining } };
}

/** `POST /prompt` (protocol 1.5). Anything that the real server does not expect throws here and becomes a 500. */
async function submit(exchange: Exchange, server: SandboxServer): Promise<void> {
  const body = await exchange.json();
  if (isCloud(server) && !isExactObject(body)) throw new CloudRefusal(400, 'INVALID_REQUEST', 'No prompt');
  const isStrict = server.dialect === 'documented';
  if (isStrict && isExactObject(body) && !isExactObject(body.get('extra_data') ?? new Map()))
    throw new CloudRefusal(400, 'INVALID_REQUEST', 'extra_data must be an object');
  const members = isExactObject(body) ? body : new Map<string, ExactValue>();
  const number = isCloud(server)
    ? server.counter.take(undefined, false)
    : server.counter.take(ownNumber(members.get('number')), isTrue(members.get('front')));
  const prompt = members.get('prompt');
  if (prompt === undefined) {
    refusePrompt(exchange, 'no_prompt', 'No prompt provided', 'No prompt provided');
    return;
  }
  const wantedId = isCloud(server) ? undefined : members.get('prompt_id');
  if (wantedId !== undefined && server.dialect === 'local' && !isCanonicalUuid(wantedId)) {
    const message = 'prompt_id must be a canonical UUID';
    refusePrompt(exchange, 'invalid_prompt_id', message, `${message}: ${String(plainFrom(wantedId))}`);
    return;
  }
  const nodes = promptNodes(prompt, server);
  const targets = partialTargets(members.get('partial_execution_targets'));
  const verdict = judgePrompt(server, writeExact(nodes), nodes, targets);
  if (verdict.kind === 'refused') {
    exchange.answerText(400, verdict.body, 'application/json; charset=utf-8');
    return;
  }
  const job = server.queue.submit({
    id: typeof wantedId === 'string' ? wantedId : randomUUID(),
    number,
    prompt: verdict.prompt,
    ...submitter(members, server),
    targets: verdict.targets,
    createTime: server.now(),
  });
  announce(server, job);
  if (isStrict) {
    exchange.answer({ prompt_id: job.id });
    return;
  }
  const answer = `{"prompt_id": ${JSON.stringify(job.id)}, "number": ${number}, "node_errors": ${verdict.nodeErrors}}`;
  exchange.answerText(200, answer, 'application/json; charset=utf-8');
}

function refusePrompt(exchange: Exchange, type: string, message: string, details: string): void {
  exchange.answerJson(400, { error: { type, message, details, extra_info: {} }, node_errors: {} });
}

/** The cloud confirms the job with a message. */
function announce(server: SandboxServer, job: SandboxJob): void {
  if (!isCloud(server)) return;
  server.sockets.send(undefined, {
    type: 'notification',
    data: {
      value: 'Queued for execution',
      [server.dialect === 'documented' ? 'prompt_id' : 'id']: job.id,
    },
  });
}

/** @throws TypeError where the real server fails: the prompt or a node is not an object. */
function promptNodes(prompt: ExactValue, server: SandboxServer): ExactObject {
  // The old server only iterates over it, and an empty list cannot fail.
  if (server.dialect === 'local-old' && isExactList(prompt) && prompt.length === 0) return new Map();
  if (!isExactObject(prompt)) throw new TypeError('The prompt is no object.');
  for (const node of prompt.values()) if (!isExactObject(node)) throw new TypeError('A node is no object.');
  return prompt;
}

const credentialKeys = ['api_key_comfy_org', 'auth_token_comfy_org'];

/** Who submitted, and with what. Credentials are removed before anything is stored (protocol 1.5). */
function submitter(
  members: ExactObject,
  server: SandboxServer,
): Pick<SandboxJob, 'extraData' | 'partnerKey' | 'clientId' | 'previews'> {
  const given = members.get('extra_data');
  const extraData = new Map(isExactObject(given) ? given : []);
  const partnerKey = credentialKeys.map((key) => extraData.get(key)).find((key) => typeof key === 'string');
  for (const key of credentialKeys) {
    if (extraData.delete(key) && isCloud(server)) extraData.set(key, '[REDACTED]');
  }
  const clientId = members.get('client_id');
  if (clientId !== undefined && !isCloud(server)) extraData.set('client_id', clientId);
  if (server.dialect !== 'local-old') extraData.set('create_time', BigInt(server.now()));
  return {
    extraData,
    partnerKey,
    clientId: typeof clientId === 'string' ? clientId : undefined,
    previews: previewsFor(extraData.get('preview_method'), server),
  };
}

/** `extra_data.preview_method` decides for one job; servers before December 2025 ignore it. */
function previewsFor(method: ExactValue | undefined, server: SandboxServer): boolean {
  if (server.dialect === 'local-old' || typeof method !== 'string' || method === 'default')
    return server.previews;
  return method !== 'none';
}

function partialTargets(value: ExactValue | undefined): readonly string[] | undefined {
  if (!isExactList(value)) return undefined;
  return value.filter((target) => typeof target === 'string');
}

function ownNumber(value: ExactValue | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isNaN(number)) throw new TypeError('The number is none.');
  return number;
}

function isTrue(value: ExactValue | undefined): boolean {
  return value !== undefined && value !== null && value !== false && value !== 0n && value !== '';
}

function isCanonicalUuid(value: ExactValue): boolean {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}
