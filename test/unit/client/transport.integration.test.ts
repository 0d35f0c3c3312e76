import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { HttpInit } from '../../../src/core/client/httpStack';
import { networkError } from '../../../src/core/client/networkError';
import { type RequestLine, type TransportOptions, Transport } from '../../../src/core/client/transport';
import { ServerError } from '../../../src/core/protocol/serverError';
import { sendJson } from '../../support/loopback';
import { answering, httpForTest } from '../../support/sandboxFixture';

const key = 'test-key-1';

function transport(baseUrl: string, more: Partial<TransportOptions> = {}): Transport {
  return new Transport({ baseUrl, http: httpForTest(), retryBase: 1, ...more });
}

const apiKey = { credential: () => Promise.resolve({ kind: 'apiKey', value: key } as const) };

async function errorOf(work: Promise<unknown>): Promise<ServerError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!ServerError.is(error)) throw new Error(`Expected a ServerError, got ${String(error)}`);
  return error;
}

describe('credentials', () => {
  it('are sent in the header of their kind', async () => {
    const server = await answering((_, response) => sendJson(response, 200, {}));
    await transport(server.url, apiKey).text({ path: '/api/queue' });
    const bearer = () => Promise.resolve({ kind: 'bearer', value: 'test-token' } as const);
    await transport(server.url, { credential: bearer }).text({ path: '/api/queue' });
    expect(server.arrivals.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
      [key, undefined],
      [undefined, 'Bearer test-token'],
    ]);
  });

  it('are not sent unencrypted to another machine, nor is anything else', async () => {
    const sent: HttpInit[] = [];
    const stack = {
      fetch: (_url: string, init: HttpInit) => {
        sent.push(init);
        return Promise.reject(new Error('must not be asked'));
      },
      form: () => undefined,
    };
    const baseUrl = 'http://192.0.2.1:8188';
    const error = await errorOf(
      new Transport({ baseUrl, http: stack, ...apiKey }).text({ path: '/api/queue' }),
    );
    expect(error.reason).toBe('forbidden');
    expect(error.nextAction).toMatch(/https/);
    const basic = { headers: { Authorization: 'Basic test' } };
    await errorOf(new Transport({ baseUrl, http: stack, ...basic }).text({ path: '/api/queue' }));
    expect(sent).toEqual([]);
  });

  it("that can't be a header are rejected without being quoted", async () => {
    const server = await answering(undefined);
    const credential = () => Promise.resolve({ kind: 'apiKey', value: 'test\nkey' } as const);
    const error = await errorOf(transport(server.url, { credential }).text({ path: '/' }));
    expect(error.reason).toBe('unauthorized');
    expect(`${error.message}${String(error.cause)}`).not.toContain('test\nkey');
    expect(server.arrivals).toEqual([]);
  });

  it('do not follow a redirect, and are not shown when a server echoes them', async () => {
    const other = await answering((_, response) => sendJson(response, 200, {}));
    const server = await answering((arrival, response) => {
      if (arrival.path === '/echo') sendJson(response, 401, { message: `bad key ${key}` });
      else response.writeHead(302, { Location: `${other.url}/api/queue` }).end();
    });
    const redirected = await errorOf(transport(server.url, apiKey).text({ path: '/api/queue' }));
    expect(redirected.reason).toBe('unexpectedShape');
    expect(redirected.message).toContain(other.url);
    expect(other.arrivals).toEqual([]);
    const echoed = await errorOf(transport(server.url, apiKey).text({ path: '/echo' }));
    expect(echoed.message).toBe('The server rejected the key: bad key [hidden].');
  });
});

describe('attempts', () => {
  const failing = (status: number, times: number, headers = {}) => {
    let left = times;
    return answering((_, response) => {
      if (left-- > 0) response.writeHead(status, headers).end();
      else sendJson(response, 200, { ok: true });
    });
  };

  it('are repeated for GET after 502, 503 and 504', async () => {
    for (const status of [502, 503, 504]) {
      const server = await failing(status, 2);
      expect(await transport(server.url).text({ path: '/api/queue' })).toBe('{"ok":true}');
      expect(server.arrivals).toHaveLength(3);
    }
  });

  it('stop after four', async () => {
    const server = await failing(503, 100);
    expect(await errorOf(transport(server.url).text({ path: '/' }))).toMatchObject({
      reason: 'server',
      status: 503,
    });
    expect(server.arrivals).toHaveLength(4);
  });

  it('are not repeated for POST, nor for any other status', async () => {
    const server = await failing(503, 100);
    await errorOf(transport(server.url).text({ method: 'POST', path: '/api/prompt', body: { json: {} } }));
    expect(server.arrivals).toHaveLength(1);
    for (const status of [400, 401, 404, 429, 500]) {
      const refusing = await failing(status, 100);
      await errorOf(transport(refusing.url).text({ path: '/' }));
      expect(refusing.arrivals).toHaveLength(1);
    }
  });

  it('are repeated for GET when the connection breaks, and not for POST', async () => {
    let left = 2;
    const server = await answering((_, response) => {
      if (left-- > 0) response.destroy();
      else sendJson(response, 200, {});
    });
    expect(await transport(server.url).text({ path: '/' })).toBe('{}');
    left = 1;
    const error = await errorOf(transport(server.url).text({ method: 'POST', path: '/' }));
    expect(error.reason).toBe('network');
    expect(server.arrivals).toHaveLength(4);
  });

  it('that take long are told, and the others are not', async () => {
    const told: string[] = [];
    for (const seconds of ['3', '1']) {
      const server = await failing(503, 100, { 'Retry-After': seconds });
      const stop = new AbortController();
      const retrying = transport(server.url, {
        onNotice: (sentence) => told.push(sentence),
        log: () => stop.abort(),
      });
      await retrying.text({ path: '/', signal: stop.signal }).catch(() => undefined);
      expect(server.arrivals).toHaveLength(1);
    }
    expect(told).toEqual(["The server couldn't respond. Retrying in 3 s."]);
  });

  it('that would exceed the deadline are not made', async () => {
    const server = await failing(503, 100, { 'Retry-After': '3600' });
    const error = await errorOf(transport(server.url).text({ path: '/', deadline: 2000 }));
    expect(error).toMatchObject({ reason: 'server', retryAfter: 3600 });
    expect(server.arrivals).toHaveLength(1);
  });
});

describe('limits', () => {
  const silent = () => answering(() => undefined);

  it('a server that does not answer is a timeout', async () => {
    const server = await silent();
    expect(await errorOf(transport(server.url).text({ path: '/api/queue', deadline: 40 }))).toMatchObject({
      reason: 'timeout',
      endpoint: 'GET /api/queue',
    });
  });

  it('a body that stops midway is a timeout', async () => {
    const server = await answering((_, response) => {
      response.writeHead(200).write('half');
    });
    expect((await errorOf(transport(server.url).text({ path: '/', deadline: 100 }))).reason).toBe('timeout');
    const { body } = await transport(server.url).stream({ path: '/', stall: 50 });
    expect((await errorOf(readAll(body))).reason).toBe('timeout');
  });

  it('an abort rejects with its own reason, before, during and after the headers', async () => {
    const server = await answering((arrival, response) => {
      if (arrival.path === '/half') response.writeHead(200).write('half');
    });
    const reason = new Error('the user');
    await expect(transport(server.url).text({ path: '/', signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    for (const path of ['/', '/half']) {
      const controller = new AbortController();
      const work = transport(server.url).text({ path, signal: controller.signal });
      setTimeout(() => controller.abort(reason), 30);
      await expect(work).rejects.toBe(reason);
    }
    const controller = new AbortController();
    const { body } = await transport(server.url).stream({ path: '/half', signal: controller.signal });
    const reading = readAll(body);
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  it('a hanging credential source is subject to the deadline too', async () => {
    const server = await silent();
    const credential = () => new Promise<undefined>(() => undefined);
    const work = transport(server.url, { credential }).text({ path: '/', deadline: 30 });
    expect((await errorOf(work)).reason).toBe('timeout');
  });

  it('a body beyond the limit is not read', async () => {
    const server = await answering((_, response) => void response.end('x'.repeat(5000)));
    expect(await errorOf(transport(server.url).text({ path: '/', maxBytes: 1000 }))).toMatchObject({
      reason: 'tooLarge',
      message: expect.stringMatching(
        /^The response to GET .* is larger than 1000 bytes, so it wasn't read\.$/,
      ) as string,
    });
    const seen: (number | undefined)[] = [];
    const onBytes = (received: number, total: number | undefined) => seen.push(received, total);
    expect(await transport(server.url).text({ path: '/', maxBytes: 5000, onBytes })).toHaveLength(5000);
    expect(seen.slice(-2)).toEqual([5000, 5000]);
  });

  it('an endless error page is cut off', async () => {
    const server = await answering((_, response) => {
      response.writeHead(500);
      const more = setInterval(() => response.write('x'.repeat(50_000)), 1);
      response.on('close', () => clearInterval(more));
    });
    expect((await errorOf(transport(server.url).text({ path: '/' }))).reason).toBe('server');
  });
});

describe('answers', () => {
  const schema = z.object({ jobs: z.array(z.object({ id: z.string() })) });
  const answered = async (body: string, type = 'application/json') => {
    const server = await answering((_, response) => {
      response.writeHead(200, { 'Content-Type': type }).end(body);
    });
    return transport(server.url).json(schema, { path: '/api/jobs', query: { limit: 1 } });
  };

  it('may have unknown fields and the numbers that Python writes', async () => {
    expect(await answered('{"jobs":[{"id":"a","new":NaN}],"more":1}')).toEqual({ jobs: [{ id: 'a' }] });
  });

  it('that lack a required field name the endpoint and the field', async () => {
    expect(await errorOf(answered('{"jobs":[{"id":"a"},{}]}'))).toMatchObject({
      reason: 'unexpectedShape',
      endpoint: 'GET /api/jobs',
      message: 'The response to GET /api/jobs has no valid "jobs.1.id".',
    });
    expect((await errorOf(answered('[]'))).message).toBe(
      "The response to GET /api/jobs isn't in the expected format.",
    );
  });

  it('that are not JSON say what arrived instead', async () => {
    expect((await errorOf(answered('<html></html>', 'text/html'))).message).toMatch(/is a web page/);
    expect((await errorOf(answered(''))).message).toMatch(/is empty/);
    expect((await errorOf(answered('hello'))).message).toMatch(/isn't JSON/);
  });
});

describe('errors below HTTP', () => {
  it('a server without https is not a certificate error', async () => {
    const server = await answering(undefined);
    const error = await errorOf(transport(server.url.replace('http', 'https')).text({ path: '/' }));
    expect(error.reason).toBe('network');
    expect(error.message).toMatch(/doesn't use https/);
  });

  it("a key that can't be read is reported as such", async () => {
    const server = await answering(undefined);
    const credential = () => Promise.reject(new Error('keyring locked'));
    expect((await errorOf(transport(server.url, { credential }).text({ path: '/' }))).message).toBe(
      "The stored key couldn't be read.",
    );
    expect(server.arrivals).toEqual([]);
  });

  it('a redirect without a visible target is not an answer', async () => {
    const headers = new Headers();
    const stack = { fetch: () => Promise.resolve({ status: 0, headers, body: null }), form: () => undefined };
    const hidden = new Transport({ baseUrl: 'https://192.0.2.1', http: stack });
    expect((await errorOf(hidden.text({ path: '/' }))).message).toMatch(
      /redirects the request to another address/,
    );
  });

  it('an unreachable server is reported plainly', async () => {
    const server = await answering(undefined);
    await server.close();
    const error = await errorOf(transport(server.url).text({ path: '/' }));
    expect(error).toMatchObject({ reason: 'network', message: `Nothing is listening at ${server.url}.` });
  });

  it('certificate errors have their own reason', () => {
    const codes = ['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'];
    for (const code of codes) {
      const cause = Object.assign(new Error('x'), { code });
      const failed = new TypeError('fetch failed', { cause });
      expect(networkError(failed, 'GET /', 'https://host/a?token=secret')).toMatchObject({
        reason: 'certificate',
        message: "The certificate of https://host isn't trusted.",
      });
    }
    expect(networkError(new Error('net::ERR_CERT_AUTHORITY_INVALID'), 'GET /', 'https://host').reason).toBe(
      'certificate',
    );
  });
});

it('logs requests without query, header or body', async () => {
  const server = await answering((_, response) => sendJson(response, 404, { message: `no ${key}` }));
  const lines: RequestLine[] = [];
  const log = (line: RequestLine) => lines.push(line);
  await errorOf(
    transport(server.url, { ...apiKey, log }).text({ path: '/api/view', query: { filename: 'x' } }),
  );
  expect(lines).toMatchObject([{ method: 'GET', path: '/api/view', status: 404, attempt: 1 }]);
  expect(JSON.stringify(lines)).not.toContain(key);
});

const readAll = (body: ReadableStream<Uint8Array>): Promise<string> => new Response(body).text();
