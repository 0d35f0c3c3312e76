import { expect, it } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/sandbox';
import { ask, Listener, post, sandboxForTest, submit } from '../../../support/sandboxFixture';
import { rawRequest } from '../../../support/rawRequest';
import { stepsPrompt, testNodes } from '../../../support/sandboxTestNodes';

it('listens only on this machine', async () => {
  await expect(startSandbox({ host: '0.0.0.0' })).rejects.toThrow('this machine only');
  const { url } = await sandboxForTest({ dialect: 'local' });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

it('answers with and without /api, jobs only with it', async () => {
  const { url } = await sandboxForTest({ dialect: 'local' });
  for (const path of [
    '/queue',
    '/history',
    '/prompt',
    '/features',
    '/system_stats',
    '/object_info',
    '/models',
  ]) {
    expect((await ask(`${url}${path}`)).text).toBe((await ask(`${url}/api${path}`)).text);
  }
  expect((await ask(`${url}/api/jobs`)).status).toBe(200);
  expect((await ask(`${url}/jobs`)).status).toBe(404);
});

it('rejects pages of other sites', async () => {
  const { url } = await sandboxForTest({ dialect: 'local' });
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await rawRequest(`${url}/queue`, 'GET', headers)).status;
  expect(await status({ Origin: 'http://elsewhere.example' })).toBe(403);
  expect(await status({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
  expect(await status({ Origin: url })).toBe(200);
  expect(await status({})).toBe(200);
});

it.each([
  ['not JSON', '{"prompt":', 500],
  ['an empty body', '', 500],
  ['a prompt that is null', '{"prompt": null}', 500],
  ['a node that is no object', '{"prompt": {"1": 5}}', 500],
  ['no prompt', '{}', 400],
  ['a list', '[]', 400],
  ['a prompt id that is no UUID', '{"prompt": {}, "prompt_id": "mine"}', 400],
  ['no output', '{"prompt": {}}', 400],
])('rejects %s as the real server does', async (_what, body, status) => {
  const { url } = await sandboxForTest({ dialect: 'local' });
  const answer = await post(`${url}/prompt`, body);
  expect(answer.status).toBe(status);
  if (status === 500) expect(answer.text).toBe('500 Internal Server Error\n\nServer got itself in trouble');
  else expect(answer.json).toMatchObject({ error: { type: expect.any(String) as string }, node_errors: {} });
});

it("keeps the client's prompt ID, and the old server any string", async () => {
  const id = '00000000-0000-4000-8000-00000000000a';
  const local = await sandboxForTest({ dialect: 'local', nodes: testNodes });
  expect(await submit(local.url, stepsPrompt(), { prompt_id: id })).toBe(id);
  const old = await sandboxForTest({ dialect: 'local-old', nodes: testNodes });
  expect(await submit(old.url, stepsPrompt(), { prompt_id: 'mine' })).toBe('mine');
});

it('keeps every digit of a seed', async () => {
  const { url } = await sandboxForTest({ dialect: 'local', nodes: testNodes });
  const running = await submit(url, stepsPrompt(2_000));
  await expect.poll(async () => (await ask(`${url}/api/jobs/${running}`)).json['status']).toBe('in_progress');
  const text = JSON.stringify({ prompt: stepsPrompt(1) }).replace('"seed":0', '"seed":18446744073709551615');
  await post(`${url}/prompt`, text);
  expect((await ask(`${url}/queue`)).text).toContain('"seed": 18446744073709551615');
});

it('has neither jobs nor cancel routes when it is old', async () => {
  const { url } = await sandboxForTest({ dialect: 'local-old', nodes: testNodes });
  expect((await ask(`${url}/api/jobs`)).status).toBe(404);
  const id = await submit(url, stepsPrompt(1));
  const cancel = await post(`${url}/api/jobs/${id}/cancel`, '');
  expect([cancel.status, cancel.text]).toEqual([405, '405: Method Not Allowed']);
  expect((await ask(`${url}/node_replacements`)).status).toBe(404);
  const unknown = await post(`${url}/prompt`, { prompt: { '1': { class_type: 'Nope', inputs: {} } } });
  expect(unknown.json).toMatchObject({
    error: { type: 'invalid_prompt', message: 'Cannot execute because node Nope does not exist.' },
  });
});

it('supports front and number in the queue', async () => {
  const { url } = await sandboxForTest({ dialect: 'local', nodes: testNodes });
  await submit(url, stepsPrompt(5_000));
  await expect
    .poll(async () => ((await ask(`${url}/queue`)).json['queue_running'] as unknown[]).length)
    .toBe(1);
  await submit(url, stepsPrompt(1, 1));
  await submit(url, stepsPrompt(1, 2), { front: true });
  await submit(url, stepsPrompt(1, 3), { number: 0.5 });
  const pending = (await ask(`${url}/queue`)).json['queue_pending'] as [
    number,
    string,
    object,
    object,
    string[],
  ][];
  expect(pending.map(([number]) => number).sort((a, b) => a - b)).toEqual([-2, 0.5, 1]);
  expect(pending[0]?.[0]).toBe(-2);
  expect(pending[0]?.[3]).toHaveProperty('create_time');
  expect(pending[0]?.[4]).toEqual(['2']);
});

it('forgets a job cancelled while queued, and remembers one that ran', async () => {
  const { url } = await sandboxForTest({ dialect: 'local', nodes: testNodes });
  const events = await Listener.open(url, 'clientId=a');
  const running = await submit(url, stepsPrompt(5_000), { client_id: 'a' });
  const waiting = await submit(url, stepsPrompt(1, 1), { client_id: 'a' });
  const third = await submit(url, stepsPrompt(1, 2), { client_id: 'a' });
  await events.until((heard) => heard.of('progress').length > 0);
  await post(`${url}/queue`, { delete: [waiting, running, 'nobody'] });
  expect((await ask(`${url}/api/jobs/${waiting}`)).status).toBe(404);
  expect((await ask(`${url}/api/jobs/${running}`)).json['status']).toBe('in_progress');
  expect((await post(`${url}/api/jobs/${third}/cancel`, '')).json).toEqual({ cancelled: true });
  await post(`${url}/interrupt`, { prompt_id: waiting });
  expect((await ask(`${url}/api/jobs/${running}`)).json['status']).toBe('in_progress');
  await post(`${url}/interrupt`, { prompt_id: running });
  await events.untilEnded(running);
  expect((await ask(`${url}/api/jobs/${running}`)).json['status']).toBe('cancelled');
  expect(events.of('execution_interrupted')).toMatchObject([{ data: { prompt_id: running, node_id: '1' } }]);
  expect((await post(`${url}/api/jobs/${running}/cancel`, '')).json).toEqual({ cancelled: false });
});

it('removes credentials from what it returns', async () => {
  const { url } = await sandboxForTest({ dialect: 'local', nodes: testNodes });
  const events = await Listener.open(url, 'clientId=a');
  const extra = { api_key_comfy_org: 'partner-key', auth_token_comfy_org: 'partner-token' };
  const id = await submit(url, stepsPrompt(1), { client_id: 'a', extra_data: extra });
  await events.untilEnded(id);
  for (const path of ['/queue', '/history', `/history/${id}`, `/api/jobs/${id}`]) {
    expect((await ask(`${url}${path}`)).text).not.toMatch(/partner-(key|token)/);
  }
});

it('answers a body that is too large with 413', { timeout: 60_000 }, async () => {
  const { url } = await sandboxForTest({ dialect: 'local' });
  const answer = await rawRequest(`${url}/prompt`, 'POST', {}, Buffer.alloc(101 * 2 ** 20, 32));
  expect([answer.status, answer.body.toString()]).toEqual([
    413,
    'Maximum request body size 104857600 exceeded.',
  ]);
});

it('limits its history', async () => {
  const { url } = await sandboxForTest({ dialect: 'local', nodes: testNodes, historyLimit: 2 });
  const events = await Listener.open(url, 'clientId=a');
  const ids: string[] = [];
  for (let seed = 0; seed < 4; seed++) {
    ids.push(await submit(url, stepsPrompt(0, seed), { client_id: 'a' }));
  }
  await events.untilEnded(ids[3] ?? '');
  expect(Object.keys((await ask(`${url}/history`)).json)).toEqual(ids.slice(2));
  expect(Object.keys((await ask(`${url}/history?max_items=1`)).json)).toEqual(ids.slice(3));
  expect(Object.keys((await ask(`${url}/history?max_items=1&offset=0`)).json)).toEqual(ids.slice(2, 3));
  await post(`${url}/history`, { delete: [ids[3]] });
  expect((await ask(`${url}/history/${ids[3] ?? ''}`)).json).toEqual({});
  await post(`${url}/history`, { clear: true });
  expect((await ask(`${url}/history`)).json).toEqual({});
});
