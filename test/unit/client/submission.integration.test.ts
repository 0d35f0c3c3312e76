import { afterEach, describe, expect, it } from 'vitest';
import { ExecutionClient } from '../../../src/core/client/execution';
import { submissionText } from '../../../src/core/client/submission';
import { Transport } from '../../../src/core/client/transport';
import { sendJson } from '../../support/loopback';
import type { Connection } from './executionServer';
import { cloud, connect, newLocal } from './executionServer';

let connection: Connection | undefined;
afterEach(async () => {
  await connection?.close();
  connection = undefined;
});

const promptText =
  '{"3":{"class_type":"KSampler","inputs":{"seed": 18446744073709551615,"cfg":7.0,"x":NaN}}}';
const clientId = 'c';

describe('submitting', () => {
  const submit = async (status: number, body: unknown, capabilities = newLocal, more = {}) => {
    connection = await connect(capabilities, {
      'POST /api/prompt': (response) => {
        if (typeof body === 'string') response.writeHead(status).end(body);
        else sendJson(response, status, body);
      },
    });
    return connection.client.submit({ promptText, clientId, ...more });
  };

  it('posts the prompt text unchanged, once', async () => {
    const answer = await submit(200, { prompt_id: 'p', number: 3, node_errors: [] }, newLocal, {
      promptId: 'mine',
      front: true,
      partialTargets: ['9'],
      partnerKey: 'test-key',
      extraData: { extra_pnginfo: { workflow: {} } },
    });
    expect(answer).toEqual({ kind: 'accepted', promptId: 'p', number: 3, nodeErrors: {} });
    const body = connection?.server.arrivals[0]?.body ?? '';
    expect(body).toContain(`"prompt":${promptText}`);
    expect(JSON.parse(body.replace(promptText, '{}'))).toEqual({
      client_id: 'c',
      prompt_id: 'mine',
      front: true,
      partial_execution_targets: ['9'],
      extra_data: { extra_pnginfo: { workflow: {} }, api_key_comfy_org: 'test-key' },
      prompt: {},
    });
    expect(connection?.server.arrivals[0]?.headers['content-type']).toBe('application/json');
  });

  it('sends no prompt ID to the cloud, and a key only if one was given', () => {
    const text = submissionText({ promptText: '{}', clientId, promptId: 'mine', front: true }, cloud);
    expect(JSON.parse(text)).toEqual({ client_id: 'c', prompt: {} });
  });

  it('names both limits when refused without Retry-After', async () => {
    const turnedAway = await submit(429, { message: 'Too many requests' }, cloud).catch(
      (error: unknown) => error,
    );
    expect(turnedAway).toMatchObject({
      message: "The server isn't accepting more runs right now: Too many requests.",
      nextAction:
        'Either your queue is full or your subscription is inactive: wait for a queued job to end, or check your subscription.',
    });
  });

  it('passes on node errors of an accepted prompt', async () => {
    const answer = await submit(200, {
      prompt_id: 'p',
      node_errors: { '4': { errors: [{ type: 't', message: 'm' }] } },
    });
    expect(answer).toMatchObject({ kind: 'accepted', nodeErrors: { '4': { errors: [{ type: 't' }] } } });
  });

  it('treats an error with status 200 as a refusal', async () => {
    expect(await submit(200, { error: 'no machine', prompt_id: '' })).toEqual({
      kind: 'refused',
      error: { message: 'no machine' },
      nodeErrors: {},
    });
  });

  it('treats a job with status 200 as accepted, whatever error is next to it', async () => {
    expect(await submit(200, { error: 'no preview', prompt_id: 'p' })).toMatchObject({
      kind: 'accepted',
      promptId: 'p',
    });
  });

  it('passes on what the server refuses', async () => {
    const answer = await submit(400, {
      error: { type: 'prompt_outputs_failed_validation', message: 'Bad', details: 'd', extra_info: {} },
      node_errors: { '3': { class_type: 'KSampler', errors: [], dependent_outputs: ['9'] } },
    });
    expect(answer).toEqual({
      kind: 'refused',
      error: { type: 'prompt_outputs_failed_validation', message: 'Bad', details: 'd', extraInfo: {} },
      nodeErrors: { '3': { classType: 'KSampler', errors: [], dependentOutputs: ['9'] } },
    });
  });

  const errors: readonly (readonly [string, number, unknown, object])[] = [
    [
      'no credits',
      402,
      { error: { type: 'PAYMENT_REQUIRED', message: 'Pay' } },
      { reason: 'insufficientCredits' },
    ],
    ['a full queue', 429, { error: { type: 'QUEUE_LIMIT', message: 'Full' } }, { reason: 'queueFull' }],
    [
      'partner nodes that are off',
      403,
      { error: { type: 'PARTNER_NODE_DISABLED', message: 'Off', class_types: ['X'] } },
      { reason: 'forbidden', serverCode: 'PARTNER_NODE_DISABLED' },
    ],
    ['a prompt too large', 413, 'Maximum request body size 104857600 exceeded.', { reason: 'tooLarge' }],
    [
      'a crash',
      500,
      '500 Internal Server Error\n\nServer got itself in trouble',
      { reason: 'server', status: 500 },
    ],
    ['a gateway', 502, '<html>Bad gateway</html>', { reason: 'server' }],
    ['a page under 200', 200, '<html>Sign in</html>', { reason: 'unexpectedShape' }],
    ['words under 400', 400, 'bad', { reason: 'badRequest', serverMessage: 'bad' }],
  ];
  for (const [name, status, body, expected] of errors) {
    it(`throws after ${name}, and does not retry`, async () => {
      await expect(submit(status, body)).rejects.toMatchObject(expected);
      expect(connection?.asked()).toEqual(['POST /api/prompt']);
    });
  }

  it('sends no partner key unencrypted to another machine', async () => {
    const http = { fetch: () => Promise.reject(new Error('must not be asked')), form: () => undefined };
    const remote = new ExecutionClient(new Transport({ baseUrl: 'http://192.0.2.1:8188', http }), () =>
      Promise.resolve(newLocal),
    );
    await expect(remote.submit({ promptText, clientId, partnerKey: 'test-key' })).rejects.toThrow(
      /key was not sent/,
    );
  });
});
