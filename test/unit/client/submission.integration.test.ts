import { describe, expect, it } from 'vitest';
import { ExecutionClient } from '../../../src/core/client/execution';
import { Transport } from '../../../src/core/client/transport';
import { sendJson } from '../../support/loopback';
import type { Connection } from './executionServer';
import { cloud, connect, newLocal } from './executionServer';

let connection: Connection;

const posted = '{"client_id":"c","prompt":{"3":{"inputs":{"seed": 18446744073709551615,"cfg":7.0,"x":NaN}}}}';

describe('submitting', () => {
  const submit = async (status: number, body: unknown, capabilities = newLocal) => {
    connection = await connect(capabilities, {
      'POST /api/prompt': (response) => {
        if (typeof body === 'string') response.writeHead(status).end(body);
        else sendJson(response, status, body);
      },
    });
    return connection.client.submit(posted);
  };

  it('posts the text as it is, once', async () => {
    const answer = await submit(200, { prompt_id: 'p', number: 3, node_errors: [] });
    expect(answer).toEqual({ kind: 'accepted', promptId: 'p', nodeErrors: {} });
    expect(connection.server.arrivals.map(({ body }) => body)).toEqual([posted]);
    expect(connection.server.arrivals[0]?.headers['content-type']).toBe('application/json');
  });

  const unknown = 'Additional properties are not allowed';
  it.each([
    ['a list', 422, { detail: [{ loc: ['body', 'client_id'], msg: 'Extra inputs are not permitted' }] }],
    ['a sentence', 400, { error: 'Unknown member "client_id"' }],
    ['an object', 400, { error: { type: 'bad_request', message: "unexpected field 'client_id'" } }],
    ['text', 400, `${unknown} ('client_id' was unexpected)`],
  ])('leaves client_id out for the session once it is refused in %s', async (_, status, body) => {
    connection = await connect(cloud, {
      'POST /api/prompt': (response, { body: sent }) => {
        if (sent.includes('client_id')) sendJson(response, status, body);
        else sendJson(response, 200, { prompt_id: 'p' });
      },
    });
    const { client, server } = connection;
    expect(await client.submit(posted)).toMatchObject({ kind: 'refused', refusesClientId: true });
    expect(await client.submit(posted)).toMatchObject({ kind: 'accepted' });
    expect(await client.submit(posted)).toMatchObject({ kind: 'accepted' });
    const bare = posted.replace('"client_id":"c",', '');
    expect(server.arrivals.map((arrival) => arrival.body)).toEqual([posted, bare, bare]);
  });

  it('drops nothing else that a server does not know', async () => {
    const other = { error: 'Unknown member "partial_execution_targets"' };
    expect(await submit(400, other)).toEqual({
      kind: 'refused',
      error: { message: other.error },
      nodeErrors: {},
    });
    // A text of the workflow is not about a member of the body.
    const node = { error: { message: 'unknown value client_id' }, node_errors: { 3: { errors: [] } } };
    expect(await submit(400, node)).not.toHaveProperty('refusesClientId');
  });

  it('names both limits when refused without Retry-After', async () => {
    const turnedAway = await submit(429, { message: 'Too many requests' }, cloud).catch(
      (error: unknown) => error,
    );
    expect(turnedAway).toMatchObject({
      message: "The server isn't accepting more runs right now: Too many requests.",
      nextAction:
        'Your queue may be full or your subscription inactive. Wait for a queued job to finish, or check your subscription.',
    });
  });

  it('names no subscription of a local server', async () => {
    await expect(submit(429, '', newLocal)).rejects.toMatchObject({
      message: 'The server is rate-limiting requests (status 429).',
      nextAction: 'Try again later.',
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
      expect(connection.asked()).toEqual(['POST /api/prompt']);
    });
  }

  it('sends no partner key unencrypted to another machine', async () => {
    const http = { fetch: () => Promise.reject(new Error('must not be asked')), form: () => undefined };
    const remote = new ExecutionClient(new Transport({ baseUrl: 'http://192.0.2.1:8188', http }), () =>
      Promise.resolve(newLocal),
    );
    await expect(remote.submit(posted, 'test-key')).rejects.toThrow(/key wasn't sent/);
  });
});
