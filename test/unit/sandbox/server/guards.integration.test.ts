import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Dialect } from '../../../../src/sandbox/dialect';
import { startSandbox } from '../../../../src/sandbox/sandbox';
import { rawRequest } from '../../../support/rawRequest';
import { ask, sandboxForTest } from '../../../support/sandboxFixture';

const dialects: readonly Dialect[] = ['cloud', 'local', 'local-old'];

/** Host names of pages that resolve to this machine, and ports that are not ours. */
const foreignHosts = (port: number): readonly string[] => [
  'rebound.example',
  `rebound.example:${port}`,
  `127.0.0.1.rebound.example:${port}`,
  `localhost.rebound.example:${port}`,
  `127.0.0.1:${port}@rebound.example`,
  `rebound.example:${port}#127.0.0.1:${port}`,
  `0.0.0.0:${port}`,
  `192.168.0.1:${port}`,
  '127.0.0.1',
  `127.0.0.1:${port + 1}`,
  `[::1]:${port + 1}`,
  `[2001:db8::1]:${port}`,
  ' ',
];

const ownHosts = (port: number): readonly string[] => [
  `127.0.0.1:${port}`,
  `127.1.2.3:${port}`,
  `localhost:${port}`,
  `LocalHost:${port}`,
  `[::1]:${port}`,
  `[0:0:0:0:0:0:0:1]:${port}`,
];

const foreignOrigins = (port: number): readonly string[] => [
  'null',
  'http://elsewhere.example',
  `http://rebound.example:${port}`,
  'http://127.0.0.1',
  `http://127.0.0.1:${port + 1}`,
  `http://localhost:${port}`,
  `https://127.0.0.1:${port}`,
  'vscode-webview://1a2b3c',
  'not an origin',
  ' ',
];

describe.each(dialects)('the %s sandbox', (dialect) => {
  it('answers only to a loopback name with its own port', async () => {
    const { url } = await sandboxForTest({ dialect });
    const port = Number(new URL(url).port);
    const status = (host: string): Promise<number> => statusOf(`${url}/api/queue`, { Host: host });
    for (const host of foreignHosts(port)) expect([host, await status(host)]).toEqual([host, 403]);
    for (const host of ownHosts(port)) expect([host, await status(host)]).toEqual([host, 200]);
  });

  it('rejects every page except its own', async () => {
    const { url } = await sandboxForTest({ dialect });
    const port = Number(new URL(url).port);
    const status = (headers: Record<string, string>): Promise<number> =>
      statusOf(`${url}/api/queue`, headers);
    for (const origin of foreignOrigins(port)) {
      expect([origin, await status({ Origin: origin })]).toEqual([origin, 403]);
    }
    for (const site of ['cross-site', 'same-site']) {
      expect([site, await status({ 'Sec-Fetch-Site': site })]).toEqual([site, 403]);
    }
    expect(await status({ Origin: url, 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
    expect(await status({ Origin: `http://localhost:${port}`, Host: `localhost:${port}` })).toBe(200);
    expect(await status({ 'Sec-Fetch-Site': 'none' })).toBe(200);
    expect(await status({})).toBe(200);
  });

  it('applies the same rules to event sockets', async () => {
    const { url, seen } = await sandboxForTest({ dialect });
    const port = Number(new URL(url).port);
    const foreign = [
      ...foreignHosts(port).map((Host) => ({ Host })),
      ...foreignOrigins(port).map((Origin) => ({ Origin })),
    ];
    for (const headers of foreign) expect(await handshake(url, headers), JSON.stringify(headers)).toBe(403);
    expect(await handshake(url, { 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(seen.requests).toEqual([]);
    for (const host of ownHosts(port)) {
      expect([host, await handshake(url, { Host: host })]).toEqual([host, 101]);
    }
    expect(await handshake(url, { Origin: url })).toBe(101);
  });

  it('survives invalid addresses', async () => {
    const { url } = await sandboxForTest({ dialect });
    const port = Number(new URL(url).port);
    for (const upgrade of ['', 'Connection: Upgrade\r\nUpgrade: websocket\r\n']) {
      const answer = await sendRaw(port, `GET // HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${upgrade}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 40\d /);
    }
    // A refused handshake, from a client that disconnects before it gets the answer.
    await sendRaw(
      port,
      'GET /ws HTTP/1.1\r\nHost: elsewhere\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      true,
    );
    expect((await ask(`${url}/api/queue`)).status).toBe(200);
  });
});

it('the storage host checks host names and pages too', async () => {
  const { storageUrl = '' } = await sandboxForTest({ dialect: 'cloud' });
  const status = (headers: Record<string, string>): Promise<number> =>
    statusOf(`${storageUrl}/sandbox-storage`, headers);
  const { text } = await ask(`${storageUrl}/sandbox-storage`);
  expect(text).toContain('SignatureDoesNotMatch');
  const port = Number(new URL(storageUrl).port);
  for (const host of foreignHosts(port)) {
    const { status, body } = await rawRequest(`${storageUrl}/sandbox-storage`, 'GET', { Host: host });
    expect([host, status, body.toString()]).toEqual([host, 403, expect.not.stringContaining('Signature')]);
  }
  expect(await status({ Origin: 'null' })).toBe(403);
});

describe('a proxy in front', () => {
  it('is another address of the sandbox', async () => {
    const given: string[] = [];
    const { url } = await sandboxForTest({
      dialect: 'local',
      reachedAs: (own) => {
        given.push(own);
        return Promise.resolve('http://127.0.0.1:1');
      },
    });
    const [own = ''] = given;
    expect(url).toBe('http://127.0.0.1:1');
    expect(await statusOf(`${own}/queue`, { Host: '127.0.0.1:1' })).toBe(200);
    expect(await statusOf(`${own}/queue`, { Host: '127.0.0.1:1', Origin: 'http://127.0.0.1:1' })).toBe(200);
    expect(await statusOf(`${own}/queue`, {})).toBe(200);
    expect(await statusOf(`${own}/queue`, { Host: '127.0.0.1:2' })).toBe(403);
  });

  it('must be on this machine', async () => {
    const reachedAs = (): Promise<string> => Promise.resolve('http://example.com:80');
    await expect(startSandbox({ reachedAs })).rejects.toThrow('this machine only');
  });
});

async function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return (await rawRequest(url, 'GET', headers)).status;
}

/** The status of a WebSocket handshake; 101 if the socket opened. */
function handshake(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?clientId=a`, { headers });
    socket.on('error', reject);
    socket.once('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.once('unexpected-response', (request, response) => {
      response.resume();
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
  });
}

/** Sends raw bytes and returns the answer until the connection ends. */
function sendRaw(port: number, text: string, leave = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(heard));
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString();
      socket.destroy();
    });
    socket.write(text, () => {
      if (leave) socket.resetAndDestroy();
    });
  });
}
