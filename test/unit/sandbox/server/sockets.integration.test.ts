import { expect, it } from 'vitest';
import { Listener, sandboxForTest, submit } from '../../../support/sandboxFixture';
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
