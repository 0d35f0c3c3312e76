import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { type StreamState, type StreamTiming, EventStream } from '../../../src/core/client/eventStream';
import { ServerError } from '../../../src/core/protocol/serverError';
import type { ServerEvent } from '../../../src/core/protocol/serverEvent';
import { type Loopback, loopback } from '../../support/loopback';
import { loopbackForTest } from '../../support/sandboxFixture';

/** A stream with short timeouts that keeps its events. */
function follow(address: string | (() => Promise<string>), timing: Partial<StreamTiming> = {}) {
  const events: ServerEvent[] = [];
  const states: StreamState[] = [];
  const stream = new EventStream({
    address: typeof address === 'string' ? () => Promise.resolve(address) : address,
    clientId: 'me',
    onEvent: (event) => events.push(event),
    onState: (state) => states.push(state),
    timing: { retryBase: 10, retryCeiling: 50, closeTimeout: 100, connectTimeout: 500, ...timing },
  });
  onTestFinished(() => stream.close());
  const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 30_000, interval: 2 });
  return { stream, events, states, until, kinds: () => states.map((state) => state.kind) };
}

function socketUrl(server: Loopback, token = ''): string {
  return `${server.url.replace('http', 'ws')}/ws?clientId=me${token && `&token=${token}`}`;
}

const status = JSON.stringify({
  type: 'status',
  data: { status: { exec_info: { queue_remaining: 0 } }, sid: 'me' },
});

describe('an open stream', () => {
  it('sends the feature flags first and passes on text and binary frames', async () => {
    const heard: string[] = [];
    const server = await loopbackForTest({
      socket: (socket) => {
        socket.on('message', (data: Buffer) => {
          heard.push(data.toString());
          socket.send(status);
          socket.send(Buffer.from(status));
          socket.send(Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xd8));
          socket.send('no JSON');
          socket.send(Uint8Array.of(1, 2));
        });
      },
    });
    const { stream, events, until } = follow(socketUrl(server));
    await stream.open();
    expect(stream.state).toEqual({ kind: 'open' });
    await until(() => events.length === 3);
    expect(events.map((event) => event.type)).toEqual(['status', 'status', 'preview']);
    expect(heard).toEqual(['{"type":"feature_flags","data":{"supports_preview_metadata":true}}']);
    expect(server.upgrades[0]?.query.get('clientId')).toBe('me');
  });

  it('opens once, however often it is requested', async () => {
    const server = await loopbackForTest();
    const { stream } = follow(socketUrl(server));
    await Promise.all([stream.open(), stream.open()]);
    await stream.open();
    expect(server.upgrades).toHaveLength(1);
  });

  it('can be closed and opened again', async () => {
    const server = await loopbackForTest();
    const { stream, kinds } = follow(socketUrl(server));
    await stream.open();
    const closing = stream.close();
    await stream.open();
    await closing;
    expect(stream.state.kind).toBe('open');
    expect(kinds()).toEqual(['connecting', 'open', 'closed', 'connecting', 'open']);
  });
});

describe('a lost socket', () => {
  it('is replaced after a wait, with the flags sent again', async () => {
    const sockets: WebSocket[] = [];
    const flags: string[] = [];
    const server = await loopbackForTest({
      socket: (socket) => {
        sockets.push(socket);
        socket.on('message', (data: Buffer) => flags.push(data.toString()));
      },
    });
    const { stream, until, kinds } = follow(socketUrl(server));
    await stream.open();
    sockets[0]?.close();
    await until(() => kinds().filter((kind) => kind === 'open').length === 2);
    expect(kinds()).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open']);
    await stream.close();
    expect(flags).toHaveLength(2);
  });

  it('is fully closed before the next one with the same ID opens', async () => {
    let living = 0;
    let most = 0;
    const sockets: WebSocket[] = [];
    const server = await loopbackForTest({
      socket: (socket) => {
        most = Math.max(most, ++living);
        sockets.push(socket);
        socket.on('close', () => living--);
      },
    });
    const { stream, until, kinds } = follow(socketUrl(server));
    await stream.open();
    for (let round = 1; round <= 4; round++) {
      sockets.at(-1)?.close();
      await until(() => kinds().filter((kind) => kind === 'open').length === round + 1);
    }
    expect(sockets).toHaveLength(5);
    expect(most).toBe(1);
  });

  it('counts as lost when the peer goes silent', async () => {
    // A machine that is gone reads nothing and answers no ping.
    const server = await loopbackForTest({ socket: (socket) => socket.pause() });
    const { stream, states, until } = follow(socketUrl(server), { pingEvery: 20, retryBase: 1000 });
    await stream.open();
    await until(() => stream.state.kind === 'waiting');
    expect(states.at(-1)).toMatchObject({ kind: 'waiting', reason: 'The server stopped responding.' });
  });

  it('is kept while the peer answers pings', async () => {
    let pings = 0;
    const server = await loopbackForTest({ socket: (socket) => void socket.on('ping', () => pings++) });
    // A busy machine may take a while to answer; silence of this length would end the connection.
    const { stream, kinds } = follow(socketUrl(server), { pingEvery: 400 });
    await stream.open();
    await expect.poll(() => pings, { timeout: 10_000 }).toBeGreaterThanOrEqual(4);
    expect(kinds()).toEqual(['connecting', 'open']);
  });

  it('is dropped when a frame is too large, and then reopened', async () => {
    let first = true;
    const server = await loopbackForTest({
      socket: (socket) => {
        if (first) socket.send(Buffer.alloc(64 * 1024 * 1024 + 1));
        first = false;
      },
    });
    const { stream, until, kinds, states } = follow(socketUrl(server));
    await stream.open();
    await until(() => kinds().filter((kind) => kind === 'open').length === 2);
    expect(states.find((state) => state.kind === 'waiting')).toMatchObject({
      reason: 'The server sent an invalid or oversized message.',
    });
  });
});

describe('a server that refuses access', () => {
  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
  ])('is not tried again after %i', async (status, reason) => {
    const server = await loopbackForTest({ upgrade: () => status });
    const { stream, kinds } = follow(socketUrl(server, 'test-key'));
    await expect(stream.open()).rejects.toMatchObject({ reason, status });
    expect(stream.state).toEqual({ kind: 'refused', status });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.upgrades).toHaveLength(1);
    expect(kinds()).toEqual(['connecting', 'refused']);
  });

  it('and got no key is said to need one, not to have rejected it', async () => {
    const server = await loopbackForTest({ upgrade: () => 401 });
    const refusalOf = (token?: string) =>
      follow(socketUrl(server, token))
        .stream.open()
        .catch((error: unknown) => error);
    expect(await refusalOf()).toMatchObject({
      reason: 'unauthorized',
      message: 'The server needs an API key or a token.',
      nextAction: 'Sign in with a valid API key.',
    });
    expect(await refusalOf('test-key')).toMatchObject({
      message: 'The server rejected the key.',
    });
  });

  it('is tried again when the stream is opened again', async () => {
    let status = 401;
    const server = await loopbackForTest({ upgrade: () => status });
    const { stream } = follow(socketUrl(server));
    await expect(stream.open()).rejects.toThrow(ServerError);
    status = 101;
    await stream.open();
    expect(stream.state.kind).toBe('open');
  });

  it('is retried automatically after any other status', async () => {
    let left = 3;
    const server = await loopbackForTest({ upgrade: () => (left-- > 0 ? 502 : 101) });
    const { stream, states, until } = follow(socketUrl(server));
    await expect(stream.open()).rejects.toMatchObject({ reason: 'network' });
    expect(states.at(-1)).toMatchObject({
      reason: 'The server responded with status 502 instead of opening the WebSocket.',
    });
    await until(() => stream.state.kind === 'open');
    expect(server.upgrades).toHaveLength(4);
  });
});

describe('an unreachable server', () => {
  it('fails the first wait and is found when it starts', async () => {
    const placeholder = await loopback();
    const { port } = placeholder;
    await placeholder.close();
    const { stream, until } = follow(`ws://127.0.0.1:${port}/ws`);
    await expect(stream.open()).rejects.toMatchObject({ reason: 'network' });
    await loopbackForTest({ port });
    await until(() => stream.state.kind === 'open');
  });

  it('is tried at once when a caller waits', async () => {
    let up = false;
    const server = await loopbackForTest({ upgrade: () => (up ? 101 : 503) });
    const { stream } = follow(socketUrl(server), { retryBase: 3_600_000, retryCeiling: 3_600_000 });
    await expect(stream.open()).rejects.toThrow(ServerError);
    up = true;
    await stream.open();
    expect(server.upgrades).toHaveLength(2);
  });
});

describe('waiting and closing', () => {
  it('an aborted wait ends, and the stream goes on', async () => {
    const server = await loopbackForTest();
    const { stream, until } = follow(socketUrl(server));
    const controller = new AbortController();
    const reason = new Error('enough');
    const opening = stream.open(controller.signal);
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
    await until(() => stream.state.kind === 'open');
  });

  it('closing ends a hanging handshake and a wait for the address', async () => {
    const hanging = follow(() => new Promise<string>(() => undefined));
    const opening = hanging.stream.open();
    await hanging.stream.close();
    await expect(opening).rejects.toHaveProperty('name', 'AbortError');
  });

  it('closing terminates a peer that does not answer the close frame', async () => {
    const server = await loopbackForTest({ socket: (socket) => socket.pause() });
    const { stream } = follow(socketUrl(server), { closeTimeout: 20 });
    await stream.open();
    await stream.close();
    expect(stream.state).toEqual({ kind: 'closed' });
  });

  it('leaves no timer and no socket behind', async () => {
    const server = await loopbackForTest();
    const held = () =>
      process.getActiveResourcesInfo().filter((name) => /TCPSocket|Timeout/.test(name)).length;
    const before = held();
    const open = follow(socketUrl(server), { pingEvery: 3_600_000 });
    await open.stream.open();
    const waiting = follow('ws://127.0.0.1:9/ws', { retryBase: 3_600_000, retryCeiling: 3_600_000 });
    await expect(waiting.stream.open()).rejects.toThrow(ServerError);
    expect(held()).toBeGreaterThan(before);
    await Promise.all([open.stream.close(), waiting.stream.close()]);
    await expect.poll(held).toBeLessThanOrEqual(before);
  });
});

it('does not retry when the address itself is rejected', async () => {
  const unsafe = () =>
    Promise.reject(new ServerError('No https.', { reason: 'forbidden', endpoint: 'GET /ws' }));
  const { stream, kinds } = follow(unsafe);
  await expect(stream.open()).rejects.toThrow('No https.');
  expect(kinds()).toEqual(['connecting', 'closed']);
});

it('never shows the token', async () => {
  const token = 'test-token-in-address';
  const texts: string[] = [];
  const gone = await loopback();
  await gone.close();
  const refusing = await loopbackForTest({ upgrade: () => 401 });
  for (const address of [socketUrl(gone, token), socketUrl(refusing, token), `http//no address ${token}`]) {
    const { stream, states } = follow(address);
    const error: unknown = await stream.open().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServerError);
    texts.push(
      JSON.stringify(states),
      String(error),
      String((error as Error).cause),
      (error as Error).stack ?? '',
    );
    await stream.close();
  }
  expect(texts.join('\n')).not.toContain(token);
});
