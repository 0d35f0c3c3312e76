import { expect, it } from 'vitest';
import { carriesCredential } from '../../../../src/sandbox/http/requestLog';
import { ask, Listener, post, sandboxForTest, submit } from '../../../support/sandboxFixture';
import { onePixelPng, stepsPrompt, testNodes } from '../../../support/sandboxTestNodes';

const key = { 'X-API-Key': 'test-key' };

it('requires the key and accepts it in either header', async () => {
  const { url } = await sandboxForTest({ apiKey: 'test-key' });
  const refused = await ask(`${url}/api/queue`);
  expect([refused.status, refused.json['code']]).toEqual([401, 'UNAUTHORIZED']);
  expect((await ask(`${url}/api/queue`, { headers: { 'X-API-Key': 'other' } })).status).toBe(401);
  for (const headers of [key, { Authorization: 'Bearer test-key' }])
    expect((await ask(`${url}/api/queue`, { headers })).status).toBe(200);
  for (const path of ['/api/system_stats', '/api/features', '/api/experiment/models', '/health']) {
    expect((await ask(`${url}${path}`)).status).toBe(200);
  }
});

it('accepts a socket only with its token', async () => {
  const { url } = await sandboxForTest({ apiKey: 'test-key' });
  await expect(Listener.open(url, 'clientId=a&token=wrong')).rejects.toThrow('401');
  const events = await Listener.open(url, 'clientId=a&token=test-key');
  await events.until(({ messages }) => messages.length > 0);
  const status = { exec_info: { queue_remaining: 0 } };
  expect(events.messages[0]).toEqual({ type: 'status', data: { status } });
});

it('sends every event to every socket, and a notification that a job is queued', async () => {
  const { url } = await sandboxForTest({ nodes: testNodes });
  const one = await Listener.open(url, 'clientId=one');
  const two = await Listener.open(url, 'clientId=two');
  const id = await submit(url, stepsPrompt(1), { client_id: 'one' });
  await Promise.all([one.untilEnded(id), two.untilEnded(id)]);
  expect(two.types()).toEqual(one.types());
  expect(two.of('notification')).toMatchObject([{ data: { id } }]);
  expect(two.told.some((each) => each.kind === 'frame' && each.type === 4)).toBe(true);
});

it('redirects a view request to an origin that accepts no credential', async () => {
  const sandbox = await sandboxForTest({ apiKey: 'test-key' });
  const { url, storageUrl = '', files, seen } = sandbox;
  files.write({ filename: 'a.png', subfolder: '', type: 'output' }, onePixelPng());
  const answer = await ask(`${url}/api/view?filename=a.png`, { headers: key });
  expect(answer.status).toBe(302);
  const location = answer.headers.get('location') ?? '';
  expect(new URL(location).origin).toBe(storageUrl);
  expect(storageUrl).not.toBe(url);
  const file = await fetch(location);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await file.arrayBuffer()).equals(onePixelPng())).toBe(true);
  expect(seen.requests.filter(({ origin }) => origin === 'storage').some(carriesCredential)).toBe(false);
  for (const [name, value] of Object.entries({
    ...key,
    Authorization: 'Bearer test-key',
    Cookie: 'session=1',
  }))
    expect((await ask(location, { headers: { [name]: value } })).status).toBe(400);
  expect((await ask(`${location}&token=test-key`)).status).toBe(400);
  expect(seen.requests.filter(carriesCredential)).toHaveLength(5);
  expect((await ask(location.replace('a.png', 'b.png'))).status).toBe(403);
  expect(JSON.stringify(seen.requests)).not.toContain('test-key');
});

it('answers view with the bytes for a channel or a thumbnail, and errors with code and message', async () => {
  const { url, files } = await sandboxForTest();
  files.write({ filename: 'a.png', subfolder: '', type: 'output' }, onePixelPng());
  expect((await ask(`${url}/api/view?filename=a.png&channel=rgb`)).headers.get('content-type')).toBe(
    'image/png',
  );
  const thumbnail = await ask(`${url}/api/view?filename=a.png&res=64`);
  expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await ask(`${url}/api/view?filename=a.png&res=3`)).json['code']).toBe('INVALID_REQUEST');
  expect((await ask(`${url}/api/view?filename=nosuch.png`)).json['code']).toBe('NOT_FOUND');
  expect((await ask(`${url}/api/view`)).status).toBe(400);
});

it('names outputs and uploads by content hash', async () => {
  const { url } = await sandboxForTest({ nodes: testNodes });
  const events = await Listener.open(url, 'clientId=a');
  const id = await submit(url, stepsPrompt(1));
  await events.untilEnded(id);
  const output = events.of('executed')[0]?.data['output'] as { images: Record<string, string>[] };
  expect(output.images[0]?.['filename']).toMatch(/^[0-9a-f]{64}\.png$/);
  expect(output.images[0]?.['display_name']).toMatch(/^test_\d+_\.png$/);
  const form = new FormData();
  form.set('image', new Blob([Buffer.from(onePixelPng())]), 'mine.png');
  form.set('subfolder', 'said/back');
  const upload = await ask(`${url}/api/upload/image`, { method: 'POST', body: form });
  const name = output.images[0]?.['filename'];
  expect(upload.json).toEqual({ name, subfolder: 'said/back', type: 'output' });
});

it('rejects pictures above its size limit', async () => {
  const { url } = await sandboxForTest();
  const wide = Buffer.from(onePixelPng());
  wide.writeUInt32BE(16_385, 16);
  const form = new FormData();
  form.set('image', new Blob([wide]), 'wide.png');
  const answer = await ask(`${url}/api/upload/image`, { method: 'POST', body: form });
  expect([answer.status, answer.json['code']]).toEqual([400, 'INVALID_REQUEST']);
});

it('returns queue tuples in its own layout and keeps cancelled jobs', async () => {
  const { url } = await sandboxForTest({ nodes: testNodes });
  const running = await submit(url, stepsPrompt(2_000));
  const waiting = await submit(url, stepsPrompt(1, 1));
  await expect.poll(async () => (await ask(`${url}/api/jobs/${running}`)).json['status']).toBe('in_progress');
  const { json } = await ask(`${url}/api/queue`);
  expect(json['queue_running']).toMatchObject([
    [1, running, {}, ['2'], { create_time: expect.any(Number) as number }],
  ]);
  expect(json['queue_pending']).toMatchObject([[2, waiting, {}, ['2'], {}]]);
  expect((await post(`${url}/api/queue`, { delete: [waiting] })).json).toEqual({
    deleted: [waiting],
    cleared: false,
  });
  expect((await ask(`${url}/api/jobs/${waiting}`)).json['status']).toBe('cancelled');
  expect((await post(`${url}/api/queue`, { other: 1 })).status).toBe(400);
  expect((await post(`${url}/api/interrupt`, '')).status).toBe(200);
  await expect.poll(async () => (await ask(`${url}/api/jobs/${running}`)).json['status']).toBe('cancelled');
});

it('cancels one or several jobs, and none when one is unknown', async () => {
  const { url } = await sandboxForTest({ nodes: testNodes });
  const running = await submit(url, stepsPrompt(2_000));
  const waiting = await submit(url, stepsPrompt(1, 1));
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect((await post(`${url}/api/jobs/${unknown}/cancel`, '')).status).toBe(404);
  expect((await post(`${url}/api/jobs/no-uuid/cancel`, '')).status).toBe(400);
  expect((await post(`${url}/api/jobs/cancel`, { job_ids: [waiting, unknown] })).status).toBe(404);
  expect((await ask(`${url}/api/jobs/${waiting}`)).json['status']).toBe('pending');
  const both = await post(`${url}/api/jobs/cancel`, { job_ids: [waiting, running] });
  expect(both.json).toEqual({ cancelled: [waiting, running] });
  const status = async () => (await ask(`${url}/api/job/${running}/status`)).json['status'];
  await expect.poll(status).toBe('cancelled');
  expect((await post(`${url}/api/jobs/${running}/cancel`, '')).json).toEqual({ cancelled: false });
});

it('pages its jobs by cursor, newest first', async () => {
  const { url } = await sandboxForTest({ nodes: testNodes });
  const ids: string[] = [];
  for (let seed = 0; seed < 5; seed++) ids.push(await submit(url, stepsPrompt(1, seed)));
  await expect.poll(async () => (await ask(`${url}/api/jobs?status=completed`)).json['jobs']).toHaveLength(5);
  const told: string[] = [];
  let query = '?limit=2';
  for (let page = 0; page < 3; page++) {
    const { json } = await ask(`${url}/api/jobs${query}`);
    told.push(...(json['jobs'] as { id: string }[]).map(({ id }) => id));
    const { next_cursor: cursor } = json['pagination'] as { next_cursor?: string };
    query = `?limit=2&after=${cursor ?? ''}`;
  }
  expect(told).toEqual([...ids].reverse());
});

it('runs as many jobs at once as allowed', async () => {
  const { url } = await sandboxForTest({ nodes: testNodes, concurrency: 2 });
  for (let seed = 0; seed < 3; seed++) await submit(url, stepsPrompt(2_000, seed));
  await expect
    .poll(async () => ((await ask(`${url}/api/queue`)).json['queue_running'] as unknown[]).length)
    .toBe(2);
  expect((await ask(`${url}/api/queue`)).json['queue_pending']).toHaveLength(1);
});

it.each([
  ['cloud', ['/api/jobs/ID', '/api/jobs', '/api/queue', '/api/history_v2', '/api/history_v2/ID']],
  ['local', ['/queue', '/history', '/history/ID', '/api/jobs/ID']],
] as const)('never returns a credential: %s', async (dialect, paths) => {
  const { url } = await sandboxForTest({ dialect, nodes: testNodes });
  const events = await Listener.open(url, 'clientId=a');
  const keys = { api_key_comfy_org: 'partner-key', auth_token_comfy_org: 'partner-token' };
  const extra = { ...keys, extra_pnginfo: { workflow: { id: 'w' } } };
  const id = await submit(url, stepsPrompt(1), { client_id: 'a', extra_data: extra });
  await events.untilEnded(id);
  for (const path of paths) {
    const { status, text } = await ask(`${url}${path.replace('ID', id)}`);
    expect(status, path).toBe(200);
    expect(text).not.toMatch(/partner-(key|token)/);
  }
  expect(events.texts.join()).not.toMatch(/partner-(key|token)/);
});
