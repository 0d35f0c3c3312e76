import { afterEach, describe, expect, it } from 'vitest';
import { probeCapabilities } from '../../../src/core/client/capabilities';
import { submissionText } from '../../../src/core/client/submission';
import { ExecutionClient } from '../../../src/core/client/execution';
import { Transport } from '../../../src/core/client/transport';
import { sendJson } from '../../support/loopback';
import type { Connection, Routes } from './executionServer';
import { cloud, connect, localQueue, newLocal, oldLocal, remembered } from './executionServer';

let connection: Connection;
afterEach(() => connection.close());

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

  it('posts the text of the prompt as it is, once', async () => {
    const answer = await submit(200, { prompt_id: 'p', number: 3, node_errors: [] }, newLocal, {
      promptId: 'mine',
      front: true,
      partialTargets: ['9'],
      partnerKey: 'test-key',
      extraData: { extra_pnginfo: { workflow: {} } },
    });
    expect(answer).toEqual({ kind: 'accepted', promptId: 'p', number: 3, nodeErrors: {} });
    const body = connection.server.arrivals[0]?.body ?? '';
    expect(body).toContain(`"prompt":${promptText}`);
    expect(JSON.parse(body.replace(promptText, '{}'))).toEqual({
      client_id: 'c',
      prompt_id: 'mine',
      front: true,
      partial_execution_targets: ['9'],
      extra_data: { extra_pnginfo: { workflow: {} }, api_key_comfy_org: 'test-key' },
      prompt: {},
    });
    expect(connection.server.arrivals[0]?.headers['content-type']).toBe('application/json');
  });

  it('sends the cloud no prompt id and nobody a key that was not given', () => {
    const text = submissionText({ promptText: '{}', clientId, promptId: 'mine', front: true }, cloud);
    expect(JSON.parse(text)).toEqual({ client_id: 'c', prompt: {} });
  });

  it('hands on node errors beside an accepted prompt', async () => {
    const answer = await submit(200, {
      prompt_id: 'p',
      node_errors: { '4': { errors: [{ type: 't', message: 'm' }] } },
    });
    expect(answer).toMatchObject({ kind: 'accepted', nodeErrors: { '4': { errors: [{ type: 't' }] } } });
  });

  it('takes an error under 200 for a refusal', async () => {
    expect(await submit(200, { error: 'no machine', prompt_id: '' })).toEqual({
      kind: 'refused',
      error: { message: 'no machine' },
      nodeErrors: {},
    });
  });

  it('hands on what the server refuses', async () => {
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
    it(`throws after ${name}, and does not ask again`, async () => {
      await expect(submit(status, body)).rejects.toMatchObject(expected);
      expect(connection.asked()).toEqual(['POST /api/prompt']);
    });
  }

  it('sends no partner key in clear text to another machine', async () => {
    connection = await connect(newLocal, {});
    const http = { fetch: () => Promise.reject(new Error('must not be asked')), form: () => undefined };
    const remote = new ExecutionClient(new Transport({ baseUrl: 'http://192.0.2.1:8188', http }), () =>
      Promise.resolve(newLocal),
    );
    await expect(remote.submit({ promptText, clientId, partnerKey: 'test-key' })).rejects.toThrow(
      /key was not sent/,
    );
  });
});

describe('uploading', () => {
  const stored: Routes = {
    'POST /api/upload/image': (response) => {
      sendJson(response, 200, { name: 'a (1).png', subfolder: 's', type: 'input' });
    },
    'POST /api/upload/mask': (response) => {
      sendJson(response, 200, { name: 'hash.png' });
    },
  };

  it('sends the file as a form and believes the name of the answer', async () => {
    connection = await connect(newLocal, stored);
    const bytes = new TextEncoder().encode('the bytes');
    const answer = await connection.client.uploadImage({
      filename: 'ä "1".png',
      bytes,
      subfolder: 's',
      overwrite: true,
    });
    expect(answer).toEqual({ name: 'a (1).png', subfolder: 's', type: 'input' });
    const { body, headers } = connection.server.arrivals[0] ?? { body: '', headers: {} };
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    for (const part of [
      'name="type"\r\n\r\ninput',
      'name="overwrite"\r\n\r\ntrue',
      'the bytes',
      'ä %221%22.png',
    ]) {
      expect(body).toContain(part);
    }
  });

  it('sends a mask with the picture that it belongs to', async () => {
    connection = await connect(cloud, stored);
    const original = { filename: 'o.png', type: 'output' };
    expect(
      await connection.client.uploadMask({ filename: 'm.png', bytes: Uint8Array.of(1), original }),
    ).toEqual({
      name: 'hash.png',
      subfolder: '',
      type: 'input',
    });
    expect(connection.server.arrivals[0]?.body).toContain(
      '{"filename":"o.png","subfolder":"","type":"output"}',
    );
  });

  it('says something when the server says nothing', async () => {
    connection = await connect(newLocal, {
      'POST /api/upload/image': (response) => {
        response.writeHead(400).end();
      },
    });
    await expect(
      connection.client.uploadImage({ filename: 'x', bytes: Uint8Array.of(1) }),
    ).rejects.toMatchObject({
      reason: 'badRequest',
      message: 'The server refused the request (status 400).',
    });
  });
});

describe('jobs', () => {
  it('are asked for by page and state', async () => {
    connection = await connect(newLocal, {
      '/api/jobs': (response) => {
        sendJson(response, 200, { jobs: [{ id: 'a', status: 'pending' }], pagination: { has_more: true } });
      },
    });
    const page = await connection.client.jobs({ limit: 1, offset: 2, status: ['pending', 'in_progress'] });
    expect(page).toMatchObject({ jobs: [{ id: 'a' }], hasMore: true });
    expect(connection.asked()).toEqual(['GET /api/jobs?limit=1&offset=2&status=pending%2Cin_progress']);
  });

  it('that are not known are told from a route that is missing', async () => {
    connection = await connect(newLocal, {
      '/api/jobs/unknown': (response) => {
        sendJson(response, 404, { error: 'Job not found' });
      },
    });
    expect(await connection.client.job('unknown')).toBeUndefined();
    expect(await connection.client.jobStatus('unknown')).toBeUndefined();
    await expect(connection.client.job('elsewhere')).rejects.toMatchObject({ reason: 'notFound' });
  });

  it('of old servers are found in queue and history, queue first, twice before they are unknown', async () => {
    let read = 0;
    connection = await connect(oldLocal, {
      '/api/queue': (response) => {
        sendJson(response, 200, localQueue(['run'], ['wait']));
      },
      '/api/history/late': (response) => {
        sendJson(response, 200, ++read < 2 ? {} : remembered('late', 'execution_success'));
      },
      '/api/history/never': (response) => {
        sendJson(response, 200, {});
      },
    });
    const { client } = connection;
    expect(await client.job('run')).toMatchObject({ status: { state: 'running' } });
    expect(await client.job('wait')).toMatchObject({ status: { state: 'pending' } });
    expect(await client.job('late')).toMatchObject({ status: { state: 'completed' } });
    expect(await client.job('never')).toBeUndefined();
    expect(connection.asked().slice(-4)).toEqual([
      'GET /api/queue',
      'GET /api/history/never',
      'GET /api/queue',
      'GET /api/history/never',
    ]);
  });

  it('of old servers are listed from queue and history, newest first', async () => {
    connection = await connect(oldLocal, {
      '/api/queue': (response) => {
        sendJson(response, 200, localQueue(['run'], ['wait', 'b']));
      },
      '/api/history': (response) => {
        sendJson(response, 200, {
          ...remembered('a', 'execution_error'),
          ...remembered('b', 'execution_success'),
        });
      },
    });
    const { client } = connection;
    const page = await client.jobs();
    expect(page.jobs.map(({ id, status }) => [id, status.state])).toEqual([
      ['wait', 'pending'],
      ['run', 'running'],
      ['b', 'completed'],
      ['a', 'failed'],
    ]);
    expect(page.jobs.some((job) => 'outputs' in job)).toBe(false);
    expect(await client.jobs({ limit: 1, offset: 1 })).toMatchObject({
      jobs: [{ id: 'run' }],
      hasMore: true,
    });
    expect((await client.jobs({ status: ['failed'] })).jobs.map(({ id }) => id)).toEqual(['a']);
  });

  it('of a cloud without the list are asked for by their status', async () => {
    connection = await connect(
      { ...cloud, jobs: false },
      {
        '/api/job/a/status': (response) => {
          sendJson(response, 200, { id: 'a', status: 'queued_limited' });
        },
      },
    );
    expect(await connection.client.jobStatus('a')).toMatchObject({ state: 'pending' });
    expect(await connection.client.jobStatus('b')).toBeUndefined();
  });
});

describe('what a server is', () => {
  const stats = (system: object): Routes => ({
    '/api/system_stats': (response) => {
      sendJson(response, 200, { system, devices: [{ name: 'cpu', type: 'cpu' }] });
    },
  });
  const jobsRoute: Routes = {
    '/api/jobs': (response) => {
      sendJson(response, 200, { jobs: [], pagination: {} });
    },
  };

  it('is found out by asking', async () => {
    connection = await connect(newLocal, {
      ...stats({ comfyui_version: '0.33.0', deploy_environment: 'local-git' }),
      ...jobsRoute,
      '/api/features': (response) => {
        sendJson(response, 200, { max_upload_size: 104857600 });
      },
    });
    expect(await probeCapabilities(connection.transport)).toEqual({
      dialect: 'local',
      jobs: true,
      singleNodeInfo: true,
      version: '0.33.0',
      deployEnvironment: 'local-git',
      maxUploadBytes: 104857600,
    });
  });

  it('may be old or in the cloud', async () => {
    connection = await connect(newLocal, stats({ comfyui_version: '0.3.64' }));
    expect(await probeCapabilities(connection.transport)).toMatchObject({ dialect: 'local', jobs: false });
    await connection.close();
    connection = await connect(cloud, { ...stats({ deploy_environment: 'cloud' }), ...jobsRoute });
    expect(await probeCapabilities(connection.transport)).toMatchObject({ dialect: 'cloud', jobs: true });
  });

  it('may be no ComfyUI at all, or want a key', async () => {
    connection = await connect(newLocal, {
      '/api/system_stats': (response) => {
        response.end('<html></html>');
      },
    });
    await expect(probeCapabilities(connection.transport)).rejects.toMatchObject({
      reason: 'unexpectedShape',
    });
    await connection.close();
    connection = await connect(cloud, {
      ...stats({ deploy_environment: 'cloud' }),
      '/api/jobs': (response) => {
        sendJson(response, 401, { code: 'UNAUTHORIZED', message: 'Who?' });
      },
    });
    await expect(probeCapabilities(connection.transport)).rejects.toMatchObject({ reason: 'unauthorized' });
  });
});

it('hands on the definitions as text and tells how far they are', async () => {
  const text = `{"A":{"max":18446744073709551615,"b":"${'x'.repeat(100_000)}"}}`;
  connection = await connect(newLocal, {
    '/api/object_info': (response) => {
      response.end(text);
    },
  });
  const seen: number[] = [];
  expect(await connection.client.objectInfo((received) => seen.push(received))).toBe(text);
  expect(seen.at(-1)).toBe(text.length);
});

it('reads user, features, stats and history', async () => {
  connection = await connect(cloud, {
    '/api/user': (response) => {
      sendJson(response, 200, { id: 'u', status: 'active' });
    },
    '/api/features': (response) => {
      sendJson(response, 200, { max_concurrent_jobs: 3, supports_preview_metadata: null });
    },
    '/api/system_stats': (response) => {
      sendJson(response, 200, { system: { cloud_version: '1' } });
    },
    '/api/history': (response) => {
      sendJson(response, 200, remembered('a', 'execution_success'));
    },
    'POST /api/queue': (response) => {
      response.end();
    },
  });
  const { client } = connection;
  expect(await client.user()).toEqual({ id: 'u', status: 'active' });
  expect(await client.features()).toEqual({ maxConcurrentJobs: 3 });
  expect(await client.systemStats()).toEqual({ deployEnvironment: 'cloud', devices: [] });
  expect(await client.history()).toMatchObject([{ id: 'a' }]);
  await client.clearPending();
  expect(connection.server.arrivals.at(-1)?.body).toBe('{"clear":true}');
});
