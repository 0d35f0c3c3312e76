import { expect, it } from 'vitest';
import type { FaultySandbox } from '../../../support/faults/faultySandbox';
import { ask, Listener, sandboxForTest, submit } from '../../../support/sandboxFixture';
import { stepsPrompt, testNodes } from '../../../support/sandboxTestNodes';

async function localSandbox(): Promise<FaultySandbox> {
  return sandboxForTest({ dialect: 'local', nodes: testNodes });
}

async function ended(sandbox: FaultySandbox, id: string): Promise<void> {
  await expect
    .poll(async () => (await ask(`${sandbox.url}/api/jobs/${id}`)).json['status'])
    .toBe('completed');
}

it('dropSocket closes sockets at once and accepts new ones', async () => {
  const sandbox = await localSandbox();
  const events = await Listener.open(sandbox.url, 'clientId=a');
  sandbox.faults.set('dropSocket');
  await events.until(({ closed }) => closed);
  expect(sandbox.faults.active()).toEqual([]);
  const again = await Listener.open(sandbox.url, 'clientId=a');
  const id = await submit(sandbox.url, stepsPrompt(1), { client_id: 'a' });
  await again.untilEnded(id);
});

it('dropSocket after a number of frames closes the socket during a job, which continues', async () => {
  const sandbox = await localSandbox();
  const events = await Listener.open(sandbox.url, 'clientId=a');
  await events.until(({ messages }) => messages.length === 1);
  sandbox.faults.set('dropSocket', { afterFrames: 4 });
  const id = await submit(sandbox.url, stepsPrompt(1), { client_id: 'a' });
  await events.until(({ closed }) => closed);
  expect(events.types()).toHaveLength(5);
  expect(events.types()).not.toContain('execution_success');
  await ended(sandbox, id);
});

it('stallSocket keeps sockets open but silent, without pongs, and loses their events', async () => {
  const sandbox = await localSandbox();
  const events = await Listener.open(sandbox.url, 'clientId=a');
  await events.until(({ messages }) => messages.length === 1);
  sandbox.faults.set('stallSocket');
  events.socket.ping();
  const id = await submit(sandbox.url, stepsPrompt(1), { client_id: 'a' });
  await ended(sandbox, id);
  expect(events.types()).toEqual(['status']);
  expect(events.pongs).toEqual([]);
  expect(events.closed).toBe(false);
  sandbox.faults.clear('stallSocket');
  events.socket.ping();
  const next = await submit(sandbox.url, stepsPrompt(1, 1), { client_id: 'a' });
  await events.untilEnded(next);
  expect(events.pongs).toHaveLength(1);
  expect(events.of('execution_success')).toHaveLength(1);
});

it('duplicateEvents sends every frame twice', async () => {
  const sandbox = await localSandbox();
  const events = await Listener.open(sandbox.url, 'clientId=a');
  sandbox.faults.set('duplicateEvents');
  const id = await submit(sandbox.url, stepsPrompt(1), { client_id: 'a' });
  await events.until(
    (heard) => heard.of('executing').filter(({ data }) => data['node'] === null).length === 2,
  );
  expect(events.of('execution_start')).toHaveLength(2);
  expect(events.of('executed').map(({ data }) => data['prompt_id'])).toEqual([id, id]);
});

it('reorderEvents changes the order and loses nothing', async () => {
  const sandbox = await localSandbox();
  const plain = await Listener.open(sandbox.url, 'clientId=a');
  await plain.untilEnded(await submit(sandbox.url, stepsPrompt(2), { client_id: 'a' }));
  const usual = plain.types();
  sandbox.faults.set('reorderEvents', { group: 3 });
  const mixed = await Listener.open(sandbox.url, 'clientId=b');
  await mixed.untilEnded(await submit(sandbox.url, stepsPrompt(2, 1), { client_id: 'b' }));
  await mixed.until((heard) => heard.types().length === usual.length, 'as many events');
  expect(mixed.types().sort()).toEqual([...usual].sort());
  expect(mixed.types()).not.toEqual(usual);
});

it('oversizedFrame sends one frame of the given size', async () => {
  const sandbox = await localSandbox();
  const events = await Listener.open(sandbox.url, 'clientId=a');
  sandbox.faults.set('oversizedFrame', { bytes: 3_000_000 });
  await submit(sandbox.url, stepsPrompt(1), { client_id: 'a' });
  await events.until(({ frames }) => frames.some((frame) => frame.byteLength === 3_000_008));
  expect(sandbox.faults.active()).toEqual([]);
});

it('truncatedFrame sends truncated frames', async () => {
  const sandbox = await localSandbox();
  const events = await Listener.open(sandbox.url, 'clientId=a');
  sandbox.faults.set('truncatedFrame', { times: 1 });
  await events.untilEnded(await submit(sandbox.url, stepsPrompt(1), { client_id: 'a' }));
  const sizes = events.frames.map((frame) => frame.byteLength);
  expect(sizes).toContain(0);
  const overclaiming = events.frames.filter(
    (frame) =>
      frame.byteLength >= 8 && frame.readUInt32BE(0) !== 1 && frame.readUInt32BE(4) > frame.byteLength - 8,
  );
  expect(overclaiming.length).toBeGreaterThan(0);
});

it('unknownMessages sends unknown types and text that is not a message', async () => {
  const sandbox = await localSandbox();
  const events = await Listener.open(sandbox.url, 'clientId=a');
  sandbox.faults.set('unknownMessages', { times: 1 });
  await events.untilEnded(await submit(sandbox.url, stepsPrompt(1), { client_id: 'a' }));
  expect(events.types()).toContain('sandbox.unheard_of');
  expect(events.texts).toContain('not JSON at all');
  expect(events.frames.map((frame) => (frame.byteLength > 4 ? frame.readUInt32BE(0) : 0))).toContain(99);
  expect(events.types()).toContain('execution_success');
});

it('restartServer forgets every job and closes every socket', async () => {
  const sandbox = await localSandbox();
  const events = await Listener.open(sandbox.url, 'clientId=a');
  const done = await submit(sandbox.url, stepsPrompt(1), { client_id: 'a' });
  await events.untilEnded(done);
  const running = await submit(sandbox.url, stepsPrompt(2_000, 1), { client_id: 'a' });
  const waiting = await submit(sandbox.url, stepsPrompt(1, 2), { client_id: 'a' });
  await events.until((heard) => heard.of('progress').some(({ data }) => data['prompt_id'] === running));
  sandbox.faults.set('restartServer');
  await events.until(({ closed }) => closed);
  for (const id of [done, running, waiting]) {
    expect((await ask(`${sandbox.url}/api/jobs/${id}`)).status).toBe(404);
    expect((await ask(`${sandbox.url}/history/${id}`)).json).toEqual({});
  }
  expect((await ask(`${sandbox.url}/prompt`)).json).toEqual({ exec_info: { queue_remaining: 0 } });
  const next = await Listener.open(sandbox.url, 'clientId=a');
  await next.untilEnded(await submit(sandbox.url, stepsPrompt(1, 3), { client_id: 'a' }));
});
