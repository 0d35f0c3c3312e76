import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type CanvasFile, jsonAnswer } from '../../../../src/host/canvas/canvasFile';
import { CanvasProxy } from '../../../../src/host/canvas/canvasProxy';
import { overriddenSettings } from '../../../../src/host/canvas/pageSettings';
import { Upstream } from '../../../../src/host/canvas/upstream';
import { type Loopback, loopback, sendJson } from '../../../support/loopback';
import { type RawAnswer, rawRequest } from '../../../support/rawRequest';

const key = 'key-of-the-server';
let server: Loopback;
let proxy: CanvasProxy;
let address: string;
let base: string;
let events: string[];
let saved: Map<string, string>;
let closedSockets: number;
let heard: string[];

const file: CanvasFile = {
  name: 'fox.json',
  modified: 1_700_000_000_000,
  settings: overriddenSettings(true, 'zh-cn'),
  read: () => '{"nodes":[]}',
  save: (state) => Promise.resolve(void saved.set('fox.json', state)),
  saveAs: (name, state) => {
    saved.set(name, state);
    return Promise.resolve(name);
  },
  run: (body) => {
    events.push(`run ${body}`);
    return Promise.resolve(jsonAnswer({ prompt_id: 'a' }));
  },
  heard: (frame) => void heard.push(Buffer.from(frame).toString()),
  refuse: () => void events.push('refused'),
  listShown: () => void events.push('list shown'),
  connect: (page) => {
    events.push('connected');
    page.close();
  },
};

beforeEach(async () => {
  events = [];
  saved = new Map();
  closedSockets = 0;
  heard = [];
  server = await loopback({
    answer: ({ path }, response) => {
      if (path === '/comfy/') response.writeHead(200, page).end('<!doctype html><html><head><title>');
      else if (path.endsWith('/settings'))
        sendJson(response, 200, { 'Comfy.Workflow.Persist': true, 'A.B': 1 });
      else if (path.endsWith('/extensions')) sendJson(response, 200, ['/extensions/core/a.js']);
      else if (path.endsWith('/leave')) response.writeHead(302, { location: 'http://192.0.2.1/' }).end();
      else if (path.endsWith('/login')) response.writeHead(302, { location: '/login' }).end();
      else if (path.endsWith('/stay')) response.writeHead(302, { location: '/comfy/api/queue?a=1' }).end();
      else if (path.endsWith('/large')) response.writeHead(200).end(Buffer.alloc(1024 * 1024));
      else response.writeHead(200, unwanted).end(path);
    },
    socket: (socket, { target }) => {
      if (target.endsWith('greet')) socket.send('first');
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
      socket.on('close', () => closedSockets++);
    },
  });
  const upstream = new Upstream(`${server.url}/comfy/`, () => Promise.resolve({ 'X-API-Key': key }));
  proxy = new CanvasProxy(upstream, () => Promise.resolve(Buffer.from('bind()')));
  await proxy.listen();
  proxy.add('c1', file);
  address = proxy.addressOf('c1');
  base = new URL(address).origin;
});

afterEach(async () => {
  await proxy.close();
  await server.close();
});

const page = { 'content-type': 'text/html', 'content-security-policy': 'default-src *' };
const unwanted = {
  'set-cookie': 'a=b',
  'access-control-allow-origin': '*',
  'x-frame-options': 'DENY',
  refresh: '0; url=http://192.0.2.1/',
  'www-authenticate': 'Basic',
  'content-security-policy': 'default-src *',
  connection: 'x-hop',
  'x-hop': '1',
};

function ask(
  target: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body = '',
): Promise<RawAnswer> {
  const origin = method === 'GET' ? {} : { origin: base };
  return rawRequest(
    address + target,
    method,
    { ...origin, 'sec-fetch-site': 'same-origin', ...headers },
    body,
  );
}

/** With the target as it is: no part of it is resolved. */
function askRaw(target: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const sent = request({ hostname, port, path: target, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });
}

function socketEnd(url: string, origin: string | undefined): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), origin === undefined ? {} : { origin });
    socket.on('open', () => socket.send('hello'));
    socket.on('message', (data: Buffer) => {
      resolve(data.toString());
      socket.close();
    });
    socket.on('close', () => resolve('closed'));
    socket.on('unexpected-response', (_request, { statusCode }) => resolve(String(statusCode)));
    socket.on('error', () => undefined);
  });
}

describe('who may ask', () => {
  it('has a secret of 192 bits as the first part of the path', () => {
    expect(new URL(address).pathname).toMatch(/^\/[\w-]{32}\/c1\/$/);
    expect(new URL(proxy.addressOf('c1')).pathname).toBe(new URL(address).pathname);
  });

  it('answers nothing without the secret, and nothing for a canvas that is not open', async () => {
    const { pathname } = new URL(address);
    const wrong = pathname.replace(/^\/./, (start) => (start === '/A' ? '/B' : '/A'));
    for (const target of [
      '/',
      '/api/queue',
      '/comfy-deck/page.js',
      wrong,
      pathname.toUpperCase(),
      `/${pathname}`,
    ]) {
      expect(await askRaw(target)).toBe(403);
    }
    expect(await askRaw(pathname.replace('/c1/', '/c2/'))).toBe(404);
    expect(await askRaw(pathname.slice(0, -1))).toBe(403);
    expect(await askRaw(`http://192.0.2.1${pathname}`)).toBe(403);
    proxy.remove('c1');
    expect(await askRaw(pathname)).toBe(404);
    expect(server.arrivals).toHaveLength(0);
  });

  it('leads a browser to the page by a ticket, once and for a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const [ticket, late] = [proxy.ticketFor('c1'), proxy.ticketFor('c1')];
    const secret = new URL(address).pathname;
    expect(ticket).not.toContain(secret.split('/')[1]);
    const browser = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };
    const moved = await rawRequest(ticket, 'GET', browser);
    expect([moved.status, moved.headers['location']]).toEqual([307, secret]);
    expect((await rawRequest(address, 'GET', browser)).status).toBe(200);
    expect((await rawRequest(ticket, 'GET', browser)).status).toBe(403);
    vi.advanceTimersByTime(60_000);
    expect((await rawRequest(late, 'GET', browser)).status).toBe(403);
    vi.useRealTimers();
  });

  it('answers no other host name, which DNS could lead here', async () => {
    const { port } = new URL(base);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.2:${port}`,
      `[::1]:${port}`,
    ]) {
      expect((await ask('api/queue', { host })).status).toBe(403);
    }
    expect((await ask('api/queue', { host: `localhost:${port}` })).status).toBe(200);
    expect((await ask('api/queue', { host: 'tunnel.example' })).status).toBe(403);
    proxy.allowHost('Tunnel.example');
    expect((await ask('api/queue', { host: 'tunnel.example' })).status).toBe(200);
  });

  it('answers no page of another origin', async () => {
    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1', 'x', 'vscode-webview://a']) {
      expect((await ask('api/queue', { origin })).status).toBe(403);
      expect((await ask('api/prompt', { origin }, 'POST')).status).toBe(403);
    }
    expect((await rawRequest(`${address}api/prompt`, 'POST')).status).toBe(403);
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect((await ask('api/queue', { 'sec-fetch-site': site })).status).toBe(403);
      const navigation = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' };
      expect((await ask('api/queue', navigation)).status).toBe(403);
      expect((await ask('', navigation, 'POST')).status).toBe(403);
      expect((await ask('', navigation)).status).toBe(200);
    }
    for (const method of ['OPTIONS', 'TRACE', 'PROPFIND'])
      expect((await ask('', {}, method)).status).toBe(405);
    expect((await ask('api/sw.js', { 'service-worker': 'script' })).status).toBe(403);
  });

  it('opens sockets only for its own page', async () => {
    const { port } = new URL(base);
    expect(await socketEnd(`${address}ws?clientId=a`, base)).toBe('hello');
    expect(await socketEnd(`${address}ws`, `http://localhost:${port}`)).toBe('hello');
    for (const origin of [undefined, 'null', 'http://evil.example', 'http://127.0.0.1:1']) {
      expect(await socketEnd(`${address}ws`, origin)).toBe('403');
      expect(await socketEnd(`${address}comfy-deck/socket`, origin)).toBe('403');
    }
    expect(await socketEnd(`${base}/ws`, base)).toBe('403');
    expect(events).toEqual([]);
    await socketEnd(`${address}comfy-deck/socket`, base);
    expect(events).toEqual(['connected']);
    expect(server.upgrades.map(({ target }) => target)).toEqual(['/comfy/ws?clientId=a', '/comfy/ws']);
  });

  it('leads requests of node packs below the prefix, if their page is ours', async () => {
    const referer = `${address}extensions/pack/a.js`;
    const moved = await rawRequest(`${base}/scripts/app.js?v=1`, 'GET', { referer });
    expect([moved.status, moved.headers['location']]).toEqual([
      307,
      `${new URL(address).pathname.slice(0, -1)}/scripts/app.js?v=1`,
    ]);
    const others = [
      { referer: 'http://evil.example/' },
      { referer: referer.replace('/c1/', '/c2/') },
      { referer: referer.replace('127.0.0.1', 'evil.example') },
      { referer, 'sec-fetch-site': 'cross-site' },
      { referer, origin: 'null' },
    ];
    for (const headers of others)
      expect((await rawRequest(`${base}/scripts/app.js`, 'GET', headers)).status).toBe(403);
  });
});

describe('what is passed on', () => {
  it('gives the server its key, and nothing of the browser', async () => {
    const browser = {
      cookie: 'a=b',
      authorization: 'Bearer x',
      'x-api-key': 'another',
      referer: address,
      'sec-fetch-mode': 'cors',
      'sec-ch-ua': 'x',
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-host': 'x',
      forwarded: 'for=x',
      'x-hop': '1',
      connection: 'keep-alive, x-hop',
      'comfy-user': 'me',
    };
    await ask('api/queue?a=%2F', browser, 'POST', '{}');
    const [arrival] = server.arrivals;
    if (!arrival) throw new Error('Nothing has arrived.');
    const { target, headers, body } = arrival;
    expect([target, body]).toEqual(['/comfy/api/queue?a=%2F', '{}']);
    const { host, 'x-api-key': sent, 'comfy-user': user, ...others } = headers;
    expect([host, sent, user]).toEqual([new URL(server.url).host, key, 'me']);
    expect(Object.keys(others).sort()).toEqual(['connection', 'content-length']);
  });

  it('gives a socket of the server the same', async () => {
    await socketEnd(`${address}ws`, base);
    const [{ headers } = { headers: {} as Record<string, unknown> }] = server.upgrades;
    expect([headers['x-api-key'], headers['origin'], headers['cookie']]).toEqual([key, undefined, undefined]);
  });

  it('gives the browser nothing that acts on the address, and a policy of ours', async () => {
    const { headers } = await ask('api/queue');
    for (const name of Object.keys(unwanted).filter((each) => !/^con/.test(each)))
      expect(headers[name]).toBe(undefined);
    expect(headers['content-security-policy']).toMatch(/default-src 'self'.*object-src 'none'/);
    expect(headers['content-security-policy']).not.toMatch(/\*|https?:/);
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(JSON.stringify(headers)).not.toContain(key);
    expect((await ask('extensions/a.mjs')).headers['content-type']).toMatch(/^text\/javascript/);
  });

  it('keeps the body of any method inside its request', async () => {
    const inner = 'POST /comfy/api/prompt HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
    const { port } = new URL(base);
    const chunked = request({
      ...{ hostname: '127.0.0.1', port, path: `${new URL(address).pathname}api/queue`, method: 'DELETE' },
      headers: { origin: base, 'transfer-encoding': 'chunked' },
    });
    const answered = new Promise((resolve) => chunked.on('response', resolve));
    chunked.end(inner);
    await answered;
    expect(server.arrivals.map(({ method, body }) => [method, body])).toEqual([['DELETE', inner]]);
  });

  it('passes on what a server says at once, and keeps no socket of a page that is gone', async () => {
    expect(await socketEnd(`${address}ws?greet`, base)).toBe('first');
    await expect.poll(() => closedSockets).toBe(1);
    const gone = new WebSocket(`${address}ws`.replace('http', 'ws'), { origin: base });
    gone.on('error', () => undefined);
    await expect.poll(() => server.upgrades.length).toBe(2);
    gone.terminate();
    await expect.poll(() => closedSockets).toBe(2);
  });

  it('follows no redirect, and passes on only those inside', async () => {
    const stay = await ask('api/stay');
    expect([stay.status, stay.headers['location']]).toEqual([
      302,
      `${new URL(address).pathname}api/queue?a=1`,
    ]);
    for (const path of ['api/leave', 'api/login']) {
      const { status, headers } = await ask(path);
      expect([status, headers['location']]).toEqual([502, undefined]);
    }
    expect(server.arrivals).toHaveLength(3);
  });

  it('never leaves the base of the server', async () => {
    const { pathname } = new URL(address);
    for (const out of ['../x', '%2e%2e/x', 'a/%252e%252e/x', '..%5Cx', './x']) {
      expect(await askRaw(pathname + out)).toBe(404);
    }
    expect(server.arrivals).toHaveLength(0);
  });

  it('says that there is no answer if the server is gone', async () => {
    await server.close();
    expect((await ask('api/queue')).status).toBe(502);
    expect((await ask('')).status).toBe(502);
    expect(await socketEnd(`${address}ws`, base)).toBe('502');
  });
});

describe('what is answered here', () => {
  it('is the page with one script that stands in for storage', async () => {
    const { body, headers } = await ask('', { 'if-none-match': 'x', range: 'bytes=0-1' });
    expect(body.toString()).toMatch(/^<!doctype html><html><head><script>.*<\/script><title>$/);
    expect(headers['content-security-policy']).not.toContain('*');
    expect(headers['cache-control']).toBe('no-store');
    expect(server.arrivals[0]?.headers['if-none-match'] ?? server.arrivals[0]?.headers.range).toBe(undefined);
  });

  it('is the list of extensions with one module, and the module', async () => {
    const { body } = await ask('api/extensions');
    expect(JSON.parse(body.toString())).toEqual(['/extensions/core/a.js', '/comfy-deck/page.js']);
    const module = await ask('comfy-deck/page.js');
    expect([module.body.toString(), module.type]).toEqual(['bind()', 'text/javascript']);
  });

  it('are the settings, of which ours are never stored', async () => {
    const settings = JSON.parse((await ask('api/settings')).body.toString()) as Record<string, unknown>;
    expect(settings).toMatchObject({ 'A.B': 1, 'Comfy.Workflow.Persist': false, 'Comfy.Locale': 'zh' });
    expect(settings['Comfy.ColorPalette']).toBe('light');
    server.arrivals.length = 0;
    for (const id of ['Comfy.Locale', 'Comfy%2ELocale', 'Comfy.InstalledVersion']) {
      expect((await ask(`api/settings/${id}`, {}, 'POST', '"en"')).status).toBe(200);
    }
    expect((await ask('settings', {}, 'POST', '{"Comfy.VueNodes.Enabled":true}')).status).toBe(200);
    expect(server.arrivals).toHaveLength(0);
    await ask('api/settings', {}, 'POST', '{"Comfy.Locale":"en","A.B":2}');
    await ask('api/settings/A.B', {}, 'POST', '3');
    expect(server.arrivals.map(({ body }) => body)).toEqual(['{"A.B":2}', '3']);
  });

  it('is the file, as the only workflow', async () => {
    const list = await ask('api/userdata?dir=workflows&recurse=true&full_info=true');
    const info = { path: 'fox.json', size: 12, modified: file.modified, created: file.modified };
    expect(JSON.parse(list.body.toString())).toEqual([info]);
    expect((await ask('api/userdata/workflows%2Ffox.json')).body.toString()).toBe('{"nodes":[]}');
    expect((await ask('api/userdata/workflows%2Fother.json')).status).toBe(404);
    const target = 'api/userdata/workflows%2Ffox.json?overwrite=true&full_info=true';
    const answer = JSON.parse((await ask(target, {}, 'POST', '{"a":1}')).body.toString()) as object;
    expect(answer).toMatchObject({ path: 'workflows/fox.json', modified: file.modified });
    await ask('api/userdata/workflows%2Fnew.json?overwrite=false', {}, 'POST', '{"b":1}');
    expect([...saved]).toEqual([
      ['fox.json', '{"a":1}'],
      ['new.json', '{"b":1}'],
    ]);
    expect((await ask('api/userdata/workflows%2Ffox.json/move/workflows%2Fx.json', {}, 'POST')).status).toBe(
      403,
    );
    expect((await ask('api/userdata/workflows%2Ffox.json', {}, 'DELETE')).status).toBe(403);
    expect((await ask('api/userdata/workflows%2F.index.json')).status).toBe(404);
    expect(events).toEqual(['refused', 'refused', 'list shown']);
    expect(server.arrivals).toHaveLength(0);
  });

  it('is a run, whose events are heard as they pass', async () => {
    for (const target of ['api/prompt', 'prompt', 'api/%70rompt']) {
      expect((await ask(target, {}, 'POST', '{}')).body.toString()).toBe('{"prompt_id":"a"}');
    }
    expect(server.arrivals).toHaveLength(0);
    await ask('api/prompt');
    expect(server.arrivals).toHaveLength(1);
    await socketEnd(`${address}ws?greet`, base);
    expect([events, heard]).toEqual([['run {}', 'run {}', 'run {}'], ['first']]);
  });

  it('has bounds for what it reads', async () => {
    const target = 'api/userdata/workflows%2Ffox.json';
    const large = await rawRequest(
      address + target,
      'POST',
      { origin: base },
      Buffer.alloc(64 * 1024 * 1024 + 1),
    ).then(
      ({ status }) => status,
      () => 413,
    );
    expect(large).toBe(413);
    expect(saved.size).toBe(0);
    expect((await ask('api/large')).body.length).toBe(1024 * 1024);
  });
});
