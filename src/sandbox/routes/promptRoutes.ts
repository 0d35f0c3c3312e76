import { randomUUID } from 'node:crypto';
import {
  type ExactObject,
  type ExactValue,
  isExactList,
  isExactObject,
  plainFrom,
} from '../../core/json/exactValue';
import { writeExact } from '../../core/json/exactWriter';
import { badRequest, type Exchange } from '../http/exchange';
import { textList } from './queueRoutes';
import { getRoute, postRoute, type Route } from './router';
import type { SandboxJob } from '../queue/sandboxJob';
import { isCloud, type SandboxServer } from '../sandboxServer';
import { Catalog } from '../../core/catalog/catalog';
import { readReplacements } from '../../core/catalog/nodeReplacements';
import { knownValidators } from '../../core/check/knownValidators';
import type { NodeValidator } from '../../core/check/validators';
import { predictVerdict, type Verdict, verdictBody } from '../../core/check/verdict';
import { parseJson } from '../../core/json/tree';
import { readPrompt } from '../../core/workflow/prompt';
import type { NodeDefinitionJson, SandboxNode } from '../nodes/sandboxNode';
import { memoizeByObject } from '../../core/safety/memoizeByObject';

/** In the server's form (protocol 2.4), for the fixes that offer them. */
export const nodeReplacements = {
  ImageScaleBy: [
    {
      new_node_id: 'ResizeImageMaskNode',
      old_node_id: 'ImageScaleBy',
      old_widget_ids: ['upscale_method', 'scale_by'],
      input_mapping: [
        { new_id: 'input', old_id: 'image' },
        { new_id: 'resize_type', set_value: 'scale by multiplier' },
        { new_id: 'resize_type.multiplier', old_id: 'scale_by' },
        { new_id: 'scale_method', old_id: 'upscale_method' },
      ],
      output_mapping: null,
    },
  ],
  ImageBatch: [
    {
      new_node_id: 'BatchImagesNode',
      old_node_id: 'ImageBatch',
      old_widget_ids: null,
      input_mapping: [
        { new_id: 'images.image0', old_id: 'image1' },
        { new_id: 'images.image1', old_id: 'image2' },
      ],
      output_mapping: null,
    },
  ],
} as const;

export const promptRoutes: readonly Route[] = [
  getRoute('/prompt', (exchange, { queue }) =>
    exchange.answer({ exec_info: { queue_remaining: queue.remaining } }),
  ),
  postRoute('/prompt', submit),
];

const canonicalUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A body that the real server does not expect throws here, and becomes a 500 (protocol 1.5). */
async function submit(exchange: Exchange, server: SandboxServer): Promise<void> {
  const body = await exchange.json();
  if (isCloud(server) && !isExactObject(body)) throw badRequest('No prompt');
  const isStrict = server.dialect === 'documented';
  if (isStrict && isExactObject(body) && !isExactObject(body.get('extra_data') ?? new Map()))
    throw badRequest('extra_data must be an object');
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
  const isCanonical = typeof wantedId === 'string' && canonicalUuid.test(wantedId);
  if (wantedId !== undefined && server.dialect === 'local' && !isCanonical) {
    const message = 'prompt_id must be a canonical UUID';
    refusePrompt(exchange, 'invalid_prompt_id', message, `${message}: ${String(plainFrom(wantedId))}`);
    return;
  }
  const nodes = promptNodes(prompt, server);
  const parts = members.get('partial_execution_targets');
  const targets = isExactList(parts) ? textList(parts) : undefined;
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

/** @throws TypeError where the real server fails on a prompt or node that is not an object */
function promptNodes(prompt: ExactValue, server: SandboxServer): ExactObject {
  // The old server only iterates over it, and an empty list cannot fail.
  if (server.dialect === 'local-old' && isExactList(prompt) && prompt.length === 0) return new Map();
  if (!isExactObject(prompt)) throw new TypeError('The prompt is no object.');
  for (const node of prompt.values()) if (!isExactObject(node)) throw new TypeError('A node is no object.');
  return prompt;
}

const credentialKeys = ['api_key_comfy_org', 'auth_token_comfy_org'];

/** Removes credentials before anything is stored (protocol 1.5). */
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

/** Servers before December 2025 ignore `extra_data.preview_method`. */
function previewsFor(method: ExactValue | undefined, server: SandboxServer): boolean {
  if (server.dialect === 'local-old' || typeof method !== 'string' || method === 'default')
    return server.previews;
  return method !== 'none';
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

/** JSON texts, so that every number stays as sent. */
export type PromptVerdict =
  | {
      readonly kind: 'accepted';
      readonly prompt: ExactObject;
      readonly targets: readonly string[];
      readonly nodeErrors: string;
    }
  | { readonly kind: 'refused'; readonly body: string };

/** @throws TypeError where the real server's own code fails */
function judgePrompt(
  server: SandboxServer,
  promptText: string,
  prompt: ExactObject,
  partialTargets: readonly string[] | undefined,
): PromptVerdict {
  const verdict = predictVerdict(readPrompt(parseJson(promptText)), catalogOf(server.definitions()), {
    validators: validatorsOf(server),
    // The old server does not support replacements.
    ...(server.dialect === 'local-old' ? { generation: '0.3' } : { replacements }),
    partialTargets,
  });
  if (verdict.crash) throw new TypeError(verdict.crash.message);
  const body = verdictBody(verdict);
  if (!verdict.valid) return { kind: 'refused', body };
  return {
    kind: 'accepted',
    prompt: convertedPrompt(prompt, verdict),
    targets: verdict.goodOutputs,
    nodeErrors: nodeErrorsText(body),
  };
}

const replacements = readReplacements(nodeReplacements);

const catalogOf = memoizeByObject((definitions: Readonly<Record<string, NodeDefinitionJson>>) =>
  Catalog.fromDefinitions(definitions),
);

function validatorsOf(server: SandboxServer): ReadonlyMap<string, NodeValidator> {
  const validators = new Map<string, NodeValidator>();
  for (const [classType, node] of server.nodes) {
    if (node.validate || node.validates) validators.set(classType, validatorOf(classType, node, server));
  }
  return validators;
}

function validatorOf(classType: string, node: SandboxNode, server: SandboxServer): NodeValidator {
  const inputs = new Set(node.validates ?? []);
  const opensFiles = knownValidators.get(classType)?.opensFiles;
  const more = opensFiles ? { opensFiles } : { optional: inputs };
  const base = { inputs, takesAll: false, takesTypes: false, ...more };
  if (!node.validate) return base;
  const check = (values: ReadonlyMap<string, ExactValue>): boolean | string => {
    const plain = [...values].map(([name, value]) => [name, plainFrom(value)] as const);
    return node.validate?.(Object.fromEntries(plain), server.files) ?? true;
  };
  return { ...base, check };
}

function convertedPrompt(prompt: ExactObject, verdict: Verdict): ExactObject {
  const nodes = [...prompt].map(([id, node]): [string, ExactValue] => {
    const served = verdict.prompt.get(id);
    if (!served?.inputs || !isExactObject(node)) return [id, node];
    const members = new Map(node);
    members.set('inputs', served.inputs);
    if (served.classType !== undefined) members.set('class_type', served.classType);
    return [id, members];
  });
  return new Map(nodes);
}

function nodeErrorsText(body: string): string {
  const mark = '"node_errors": ';
  return body.slice(body.indexOf(mark) + mark.length, -1);
}
