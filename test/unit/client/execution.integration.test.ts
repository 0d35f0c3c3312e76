import { describe, expect, it } from 'vitest';
import { readHistory, readJob } from '../../../src/core/client/jobReading';
import { featuresAnswer, systemStats } from '../../../src/core/protocol/answers';
import { budgets } from '../../../src/core/safety/budgets';
import { probeCapabilities } from '../../../src/core/server/probeCapabilities';
import { sendJson } from '../../support/loopback';
import type { Connection, Routes } from './executionServer';
import { cloud, connect, json, localQueue, newLocal, oldLocal, remembered } from './executionServer';

let connection: Connection;

describe('uploading', () => {
  const bytes = Uint8Array.of(1);
  const stored: Routes = {
    'POST /api/upload/image': json({ name: 'a (1).png', subfolder: 's', type: 'input' }),
    'POST /api/upload/mask': json({ name: 'hash.png' }),
  };

  const empty: Routes = { 'POST /api/upload/image': (response) => void response.writeHead(200).end() };

  it('sends the file as a form and uses the name in the answer', async () => {
    connection = await connect(newLocal, stored);
    const image = { filename: 'ä "1".png', bytes: new TextEncoder().encode('the bytes'), subfolder: 's' };
    const answer = await connection.client.uploadImage({ ...image, overwrite: true });
    expect(answer).toEqual({ name: 'a (1).png', subfolder: 's', type: 'input' });
    const { body, headers } = connection.server.arrivals[0] ?? { body: '', headers: {} };
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    for (const part of [
      'name="type"\r\n\r\ninput',
      'name="image"; filename="',
      'name="overwrite"\r\n\r\ntrue',
      'the bytes',
      'ä %221%22.png',
    ]) {
      expect(body).toContain(part);
    }
  });

  it('sends a mask with its picture', async () => {
    connection = await connect(cloud, stored);
    const original = { filename: 'o.png', type: 'output' };
    const mask = await connection.client.uploadMask({ filename: 'm.png', bytes, original });
    expect(mask).toEqual({ name: 'hash.png', subfolder: '', type: 'input' });
    for (const part of [
      'name="original_ref"\r\n\r\n{"filename":"o.png","subfolder":"","type":"output"}',
      'name="type"\r\n\r\ninput',
      'name="image"; filename="m.png"',
    ]) {
      expect(connection.server.arrivals[0]?.body).toContain(part);
    }
  });

  it('sends a mask without members that the cloud does not document', async () => {
    const mask = { filename: 'm.png', bytes, overwrite: true, original: { filename: 'o.png' } };
    for (const [capabilities, overwrites] of [
      [cloud, false],
      [newLocal, true],
    ] as const) {
      connection = await connect(capabilities, stored);
      await connection.client.uploadMask(mask);
      expect(connection.server.arrivals[0]?.body.includes('name="overwrite"')).toBe(overwrites);
    }
  });

  it('uses the name that was sent when the answer has none, and says so', async () => {
    for (const answer of [{}, { name: '' }, { hash: 'abc', subfolder: 's' }]) {
      connection = await connect(cloud, { 'POST /api/upload/image': json(answer) });
      const stored = await connection.client.uploadImage({ filename: 'cat.png', bytes });
      expect(stored).toMatchObject({ name: 'cat.png', type: 'input' });
      expect(connection.told).toEqual([
        "The server didn't say which name it gave cat.png, so this name is used.",
      ]);
    }
  });

  const hash = '4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a';

  it.each([
    ['it replaced what was there', { filename: 'cat.png', bytes, overwrite: true }],
    ['no other content can have it', { filename: `cat-${hash}.png`, bytes }],
  ])('uses the name that was sent when the answer is empty and %s', async (_, upload) => {
    connection = await connect(newLocal, empty);
    expect(await connection.client.uploadImage(upload)).toMatchObject({ name: upload.filename });
    expect(connection.told).toEqual([expect.stringContaining('so this name is used')]);
  });

  it('stops when the answer is empty and the name may be that of another file', async () => {
    connection = await connect(newLocal, empty);
    await expect(connection.client.uploadImage({ filename: 'cat.png', bytes })).rejects.toMatchObject({
      reason: 'unexpectedShape',
      message: expect.stringContaining("didn't say which name it gave cat.png") as string,
    });
  });
});

describe('jobs', () => {
  it('are requested by number', async () => {
    connection = await connect(newLocal, {
      '/api/jobs': json({ jobs: [{ id: 'a', status: 'pending' }], pagination: { has_more: true } }),
    });
    const page = await connection.client.jobs({ limit: 1 });
    expect(page).toMatchObject({ jobs: [{ id: 'a' }], hasMore: true });
    expect(connection.asked()).toEqual(['GET /api/jobs?limit=1']);
  });

  it('that are unknown are distinguished from a missing route', async () => {
    connection = await connect(newLocal, { '/api/jobs/unknown': json({ error: 'Job not found' }, 404) });
    expect(await connection.client.job('unknown')).toBeUndefined();
    await expect(connection.client.job('elsewhere')).rejects.toMatchObject({ reason: 'notFound' });
  });

  it("are not read from another job's record", async () => {
    const theirs = { id: 'theirs', status: 'completed', outputs: {} };
    connection = await connect(cloud, { '/api/jobs/mine': json(theirs) });
    await expect(connection.client.job('mine')).rejects.toMatchObject({
      reason: 'unexpectedShape',
      message: 'The server returned a different job than the one requested.',
    });
  });

  it('are not requested with an ID that leads elsewhere', async () => {
    connection = await connect(cloud, {});
    expect(await connection.client.job('..')).toBeUndefined();
    expect(await connection.client.cancel('..')).toBe('notFound');
    expect(connection.asked()).toEqual([]);
  });

  it('of old servers are looked up in history, queue and history again before they count as unknown', async () => {
    let read = 0;
    connection = await connect(oldLocal, {
      '/api/queue': json(localQueue(['run'], ['wait'])),
      '/api/history/late': (response) => {
        sendJson(response, 200, ++read < 2 ? {} : remembered('late', 'execution_success'));
      },
      '/api/history/run': json({}),
      '/api/history/wait': json({}),
      '/api/history/never': json({}),
    });
    const { client } = connection;
    expect(await client.job('run')).toMatchObject({ status: { state: 'running' } });
    expect(await client.job('wait')).toMatchObject({ status: { state: 'pending' } });
    expect(await client.job('late')).toMatchObject({ status: { state: 'completed' } });
    expect(await client.job('never')).toBeUndefined();
    expect(connection.asked().slice(-3)).toEqual([
      'GET /api/history/never',
      'GET /api/queue',
      'GET /api/history/never',
    ]);
  });

  it('of old servers are listed from queue and history, newest first', async () => {
    connection = await connect(oldLocal, {
      '/api/queue': json(localQueue(['run'], ['wait', 'b'])),
      '/api/history': json({
        ...remembered('a', 'execution_error'),
        ...remembered('b', 'execution_success'),
      }),
    });
    const { client } = connection;
    const page = await client.jobs({ limit: 100 });
    expect(page.jobs.map(({ id, status }) => [id, status.state])).toEqual([
      ['wait', 'pending'],
      ['run', 'running'],
      ['b', 'completed'],
      ['a', 'failed'],
    ]);
    expect(page.jobs.some((job) => 'outputs' in job)).toBe(false);
    expect(await client.jobs({ limit: 1 })).toMatchObject({ jobs: [{ id: 'wait' }], hasMore: true });
  });

  it('of a cloud without the list are requested by status', async () => {
    connection = await connect(
      { ...cloud, jobs: false },
      {
        '/api/job/a/status': json({ id: 'a', status: 'queued_limited' }),
        '/api/job/done/status': json({ id: 'done', status: 'success' }),
        '/api/history/done': json(remembered('done', 'execution_success')),
        '/api/job/bad/status': json({ id: 'bad', status: 'error', error_message: 'It broke.' }),
        '/api/history/bad': json({}),
      },
    );
    const { client } = connection;
    expect(await client.job('a')).toMatchObject({ id: 'a', status: { state: 'pending' } });
    expect(await client.job('b')).toBeUndefined();
    expect(await client.job('done')).toMatchObject({ status: { state: 'completed' }, outputs: { '9': {} } });
    expect(await client.job('bad')).toMatchObject({
      status: { state: 'failed' },
      failure: { message: 'It broke.' },
    });
    expect(connection.asked().some((asked) => asked.includes('/queue'))).toBe(false);
  });

  it('of old servers with a crowded queue are tracked without reading it at each poll', async () => {
    const crowd = Array.from({ length: 2_000 }, (_, index) => `crowd-${index}`);
    connection = await connect(oldLocal, {
      '/api/queue': json(localQueue(['run'], [...crowd, 'wait'])),
      '/api/history/run': json({}),
      '/api/history/wait': json({}),
      '/api/history/sent': json({}),
    });
    const { client } = connection;
    for (let look = 0; look < 3; look++) {
      expect(await client.job('run')).toMatchObject({ status: { state: 'running' } });
      expect(await client.job('wait')).toMatchObject({ status: { state: 'pending' } });
      // Sent after the queue was read, so its absence from the queue means nothing.
      expect(await client.job('sent')).toMatchObject({ status: { state: 'pending' } });
    }
    expect(connection.asked().filter((asked) => asked === 'GET /api/queue')).toHaveLength(1);
  });

  it('of old servers with an oversized queue are tracked by history alone', async () => {
    const large = 'x'.repeat(1_000_000);
    const pending = Array.from({ length: 20 }, (_, index) => [index, `crowd-${index}`, large, {}, []]);
    connection = await connect(oldLocal, {
      '/api/queue': json({ queue_running: [], queue_pending: pending }),
      '/api/history/done': json(remembered('done', 'execution_success')),
      '/api/history/mine': json({}),
    });
    const { client } = connection;
    expect(await client.job('mine')).toMatchObject({ status: { state: 'pending' } });
    expect(await client.job('mine')).toMatchObject({ status: { state: 'pending' } });
    expect(await client.job('done')).toMatchObject({ status: { state: 'completed' } });
    expect(connection.asked().filter((asked) => asked === 'GET /api/queue')).toHaveLength(1);
    await expect(client.queue()).rejects.toMatchObject({ reason: 'tooLarge' });
  });
});

it('detects the kind of a server by probing', async () => {
  const system = { comfyui_version: '0.33.0', deploy_environment: 'local-git' };
  connection = await connect(newLocal, {
    '/api/system_stats': json({ system, devices: [{ name: 'cpu', type: 'cpu' }] }),
    '/api/jobs': json({ jobs: [], pagination: {} }),
    '/api/features': json({ max_upload_size: 104857600 }),
  });
  expect(await probeCapabilities(connection.transport)).toEqual({
    dialect: 'local',
    jobs: true,
    history: true,
    singleNodeInfo: true,
    version: '0.33.0',
    maxUploadBytes: 104857600,
  });
});

it('returns the definitions as text and reports progress', async () => {
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
    '/api/user': json({ id: 'u', status: 'active' }),
    '/api/features': json({ max_concurrent_jobs: 3, supports_preview_metadata: null }),
    '/api/system_stats': json({ system: { cloud_version: '1' } }),
    '/api/history': json(remembered('a', 'execution_success')),
  });
  const { client, transport } = connection;
  expect(await client.user()).toEqual({ id: 'u', status: 'active' });
  expect(await transport.json(featuresAnswer, { path: '/api/features' })).toEqual({});
  const stats = await transport.json(systemStats, { path: '/api/system_stats' });
  expect(stats).toEqual({ deployEnvironment: 'cloud' });
  expect(await readHistory(transport, { most: 1 })).toMatchObject([{ id: 'a' }]);
});

it.each(['GET /api/history/a', 'GET /api/jobs/a'])(
  'reads no more of one job than it may have: %s',
  async (endpoint) => {
    const entry = `{"id":"a","status":"completed","outputs":{"9":{"text":[${'0,'.repeat(budgets.fileValues)}0]}}}`;
    connection = await connect(cloud, {
      '/api/history/a': (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(`{"a":${entry}}`);
      },
      '/api/jobs/a': (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(entry);
      },
    });
    const { transport } = connection;
    const reading = endpoint.includes('jobs') ? readJob(transport, 'a') : readHistory(transport, { id: 'a' });
    await expect(reading).rejects.toMatchObject({
      reason: 'tooLarge',
      message: `The response to ${endpoint} has more than 1,000,000 values, so it wasn't read.`,
      nextAction: "Check the server: ComfyUI doesn't send that much.",
    });
  },
);
