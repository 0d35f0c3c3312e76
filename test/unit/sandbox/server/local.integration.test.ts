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

it('keeps every digit of a seed', async () => {
  const { url } = await sandboxForTest({ dialect: 'local', nodes: testNodes });
  const running = await submit(url, stepsPrompt(2_000));
  await expect.poll(async () => (await ask(`${url}/api/jobs/${running}`)).json['status']).toBe('in_progress');
  const text = JSON.stringify({ prompt: stepsPrompt(1) }).replace('"seed":0', '"seed":18446744073709551615');
  await post(`${url}/prompt`, text);
  expect((await ask(`${url}/queue`)).text).toContain('"seed": 18446744073709551615');
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
