import { expect, it } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/sandbox';
import { rawRequest } from '../../../support/rawRequest';
import { ask, Listener, post, sandboxForTest, submit } from '../../../support/sandboxFixture';
import { stepsPrompt, testNodes } from '../../../support/sandboxTestNodes';

it('assigns an ID to a client without one', async () => {
  const { url } = await sandboxForTest({ dialect: 'local' });
  const events = await Listener.open(url, '');
  await events.until(({ messages }) => messages.length > 0);
  expect(events.messages[0]?.data['sid']).toMatch(/^[0-9a-f]{32}$/);
});

it('negotiates features only in the first message', async () => {
  const { url } = await sandboxForTest({ dialect: 'local' });
  const late = await Listener.open(url, 'clientId=late');
  late.socket.send(JSON.stringify({ type: 'hello' }));
  late.socket.send(JSON.stringify({ type: 'feature_flags', data: { supports_preview_metadata: true } }));
  const first = await Listener.open(url, 'clientId=first', { supports_preview_metadata: true });
  await first.until((heard) => heard.of('feature_flags').length === 1);
  expect(late.of('feature_flags')).toEqual([]);
});

it('makes no previews locally unless requested', async () => {
  const { url } = await sandboxForTest({ dialect: 'local', nodes: testNodes });
  const events = await Listener.open(url, 'clientId=a', { supports_preview_metadata: true });
  await events.untilEnded(await submit(url, stepsPrompt(2), { client_id: 'a' }));
  expect(events.frames.map((frame) => frame.readUInt32BE(0))).toEqual([3]);
});

it('stops sending to a new socket when the old one with the same ID closes late', async () => {
  const { url } = await sandboxForTest({ dialect: 'local', nodes: testNodes });
  const old = await Listener.open(url, 'clientId=same');
  const renewed = await Listener.open(url, 'clientId=same');
  const heard = await submit(url, stepsPrompt(0), { client_id: 'same' });
  await renewed.untilEnded(heard);
  expect(old.types()).toEqual(['status']);
  old.socket.close();
  await old.until(({ closed }) => closed);
  const before = renewed.types().length;
  const watcher = await Listener.open(url, 'clientId=watcher');
  await submit(url, stepsPrompt(0, 1), { client_id: 'same' });
  await watcher.until((each) => each.of('status').length === 4);
  expect(renewed.types()).toHaveLength(before);
  expect(renewed.closed).toBe(false);
});

it('sends only the running node to a client that reconnects', async () => {
  const { url } = await sandboxForTest({ dialect: 'local', nodes: testNodes });
  const first = await Listener.open(url, 'clientId=a');
  await submit(url, stepsPrompt(5_000), { client_id: 'a' });
  await first.until((heard) => heard.of('executing').length > 0);
  first.socket.close();
  await first.until(({ closed }) => closed);
  const again = await Listener.open(url, 'clientId=a');
  await again.until((heard) => heard.of('executing').length > 0);
  expect(again.messages.slice(0, 2)).toMatchObject([
    { type: 'status', data: { sid: 'a' } },
    { type: 'executing', data: { node: '1' } },
  ]);
  expect(again.of('executing')[0]?.data).not.toHaveProperty('prompt_id');
});

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
  const pending = (await ask(`${url}/queue`)).json['queue_pending'] as readonly (readonly unknown[])[];
  expect(pending.map(([number]) => Number(number)).sort((a, b) => a - b)).toEqual([-2, 0.5, 1]);
  const time = expect.objectContaining({ create_time: expect.any(Number) as number }) as object;
  expect(pending[0]).toMatchObject([-2, expect.any(String), {}, time, ['2']]);
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
