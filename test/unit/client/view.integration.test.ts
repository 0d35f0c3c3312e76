import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ExecutionClient } from '../../../src/core/client/execution';
import { Transport } from '../../../src/core/client/transport';
import type { OutputFile } from '../../../src/core/protocol/outputFile';
import type { LoopbackOptions } from '../../support/loopback';
import { answering, httpForTest } from '../../support/sandboxFixture';
import { cloud } from './executionServer';

const file: OutputFile = { filename: 'a b.png', subfolder: 's', area: 'output', nodeId: '9', media: 'image' };
const content = 'the bytes of a picture';
const key = 'test-key';

function clientOf(server: { readonly url: string }): ExecutionClient {
  const credential = () => Promise.resolve({ kind: 'apiKey', value: key } as const);
  const headers = { 'X-Proxy': 'mine', Cookie: 'session=test' };
  const transport = new Transport({
    baseUrl: server.url,
    http: httpForTest(),
    credential,
    headers,
    retryBase: 1,
  });
  return new ExecutionClient(transport, () => Promise.resolve(cloud));
}

async function textOf(body: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(body).text();
}

const whole: LoopbackOptions['answer'] = (_, response) => {
  response.writeHead(200, {
    'Content-Type': 'image/png',
    'Content-Length': content.length,
    'Accept-Ranges': 'bytes',
  });
  response.end(content);
};

const ranged: LoopbackOptions['answer'] = (arrival, response) => {
  const start = Number(/^bytes=(\d+)-$/.exec(arrival.headers.range ?? '')?.[1] ?? 0);
  if (start >= content.length) {
    response.writeHead(416, { 'Content-Range': `bytes */${content.length}` }).end();
  } else {
    response.writeHead(start > 0 ? 206 : 200, {
      'Content-Type': 'image/png',
      'Content-Length': content.length - start,
      ...(start > 0 ? { 'Content-Range': `bytes ${start}-${content.length - 1}/${content.length}` } : {}),
    });
    response.end(content.slice(start));
  }
};

describe('a server that sends the bytes itself', () => {
  it('is requested by name, folder and area', async () => {
    const server = await answering(whole);
    const answer = await clientOf(server).view(file);
    expect(answer).toMatchObject({ size: content.length, mime: 'image/png', resumable: true });
    expect(await textOf(answer.body)).toBe(content);
    const { query, headers } = server.arrivals[0] ?? {};
    expect(Object.fromEntries(query ?? [])).toEqual({ filename: 'a b.png', subfolder: 's', type: 'output' });
    expect(headers).toMatchObject({ 'x-api-key': key, 'accept-encoding': 'identity' });
  });

  it('resumes a file', async () => {
    const answer = await clientOf(await answering(ranged)).view(file, { offset: 4 });
    expect(answer).toMatchObject({ size: content.length, resumable: true });
    expect(await textOf(answer.body)).toBe(content.slice(4));
  });

  it('may send the entire file: the body still starts at the requested offset', async () => {
    const answer = await clientOf(await answering(whole)).view(file, { offset: 10 });
    expect(answer.size).toBe(content.length);
    expect(await textOf(answer.body)).toBe(content.slice(10));
  });

  it('is asked for the entire file if the requested part does not exist', async () => {
    const server = await answering(ranged);
    const answer = await clientOf(server).view(file, { offset: 5000 });
    expect(await textOf(answer.body)).toBe('');
    expect(server.arrivals.map(({ headers }) => headers.range)).toEqual(['bytes=5000-', undefined]);
  });

  it("is not trusted if it doesn't describe its part of a file", async () => {
    const server = await answering((_, response) => void response.writeHead(206).end('part'));
    const viewed = clientOf(server).view(file, { offset: 4 });
    await expect(viewed).rejects.toMatchObject({ reason: 'unexpectedShape' });
  });

  it('is asked for a thumbnail', async () => {
    const server = await answering(whole);
    await (await clientOf(server).view(file, { thumbnail: 256 })).body.cancel();
    expect(server.arrivals[0]?.query.get('res')).toBe('256');
  });
});

describe('a server that redirects to a storage', () => {
  const redirecting = (location: () => string, status = 302) =>
    answering((_, response) => void response.writeHead(status, { Location: location() }).end());

  it('sends the storage the exact signed address and none of our credentials', async () => {
    const storage = await answering(whole);
    const signed = `${storage.url}/bucket/a%20b.png?X-Goog-Date=1&X-Goog-Signature=ab%2Bcd==&x`;
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await redirecting(() => signed, status);
      const answer = await clientOf(server).view(file, { offset: 4 });
      expect(await textOf(answer.body)).toBe(content.slice(4));
    }
    for (const { target, headers } of storage.arrivals) {
      expect(target).toBe('/bucket/a%20b.png?X-Goog-Date=1&X-Goog-Signature=ab%2Bcd==&x');
      expect(headers.range).toBe('bytes=4-');
      for (const name of ['x-api-key', 'authorization', 'cookie', 'x-proxy', 'referer']) {
        expect(headers[name]).toBeUndefined();
      }
      expect(JSON.stringify(headers)).not.toContain(key);
    }
  });

  it('is asked again for an expired address', async () => {
    const storage = await answering((arrival, response) => {
      if (arrival.target.endsWith('old'))
        response.writeHead(403).end('<Error><Code>ExpiredToken</Code></Error>');
      else void whole(arrival, response);
    });
    let asked = 0;
    const server = await redirecting(() => `${storage.url}/?${++asked === 1 ? 'old' : 'new'}`);
    expect(await textOf((await clientOf(server).view(file)).body)).toBe(content);
    expect(asked).toBe(2);
  });

  it('is not asked forever', async () => {
    const storage = await answering((_, response) => {
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    });
    const server = await redirecting(() => `${storage.url}/?X-Goog-Signature=secret-part`);
    const error: unknown = await clientOf(server)
      .view(file)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ reason: 'server', status: 403, endpoint: 'GET /api/view' });
    expect(String(error)).not.toContain('secret-part');
    expect(storage.arrivals).toHaveLength(2);
  });

  it('must not redirect again', async () => {
    const storage = await answering(whole);
    const middle = await redirecting(() => storage.url);
    const twice = clientOf(await redirecting(() => middle.url)).view(file);
    await expect(twice).rejects.toThrow(/redirected the download again/);
    const circle = await redirecting(() => '/api/view?again');
    await expect(clientOf(circle).view(file)).rejects.toMatchObject({ reason: 'unexpectedShape' });
    // Only the first request had the key: after a redirect even the server's own address gets none.
    expect(circle.arrivals.map(({ headers }) => headers['x-api-key'])).toEqual([key, undefined]);
    expect(storage.arrivals).toEqual([]);
  });

  it("reports a redirect that can't be followed, without retrying", async () => {
    const server = await redirecting(() => 'file:///etc/passwd');
    await expect(clientOf(server).view(file)).rejects.toThrow('redirects the download to file:,');
    const signedIn = await redirecting(() => 'http://user:word@127.0.0.1:1/x');
    await expect(clientOf(signedIn).view(file)).rejects.toThrow('contains a user name or password');
    expect(signedIn.arrivals).toHaveLength(1);
  });

  it.each([
    ['https://192.0.2.1', 'http://127.0.0.1:8188/api/interrupt', /not an https address/],
    ['https://192.0.2.1', 'https://localhost:8443/', /private network/],
    ['https://192.0.2.1', 'https://192.168.178.1/', /private network/],
    ['https://192.0.2.1', 'https://[fd00::1]/', /private network/],
    ['https://192.168.178.20', 'https://127.0.0.1/', /private network/],
    ['http://127.0.0.1:8188', 'http://192.168.178.1/', /not an https address/],
  ])("on %s can't redirect to %s", async (baseUrl, location, words) => {
    const asked: string[] = [];
    await expect(clientElsewhere(baseUrl, location, asked).view(file)).rejects.toThrow(words);
    expect(asked).toHaveLength(1);
  });

  it('may redirect to a private address if it is in a private network itself', async () => {
    const asked: string[] = [];
    await clientElsewhere('https://192.168.178.20', 'https://192.168.178.21/x', asked).view(file);
    expect(asked).toHaveLength(2);
  });
});

/** A server at any address that redirects every download to another one. */
function clientElsewhere(baseUrl: string, location: string, asked: string[]): ExecutionClient {
  const stack = {
    fetch: (url: string) => {
      asked.push(url);
      return Promise.resolve(
        url === location
          ? { status: 200, headers: new Headers(), body: null }
          : { status: 302, headers: new Headers({ location }), body: null },
      );
    },
    form: () => undefined,
  };
  return new ExecutionClient(new Transport({ baseUrl, http: stack }), () => Promise.resolve(cloud));
}

describe('something other than a file', () => {
  const answered = (status: number, type: string, body: string) =>
    answering((_, response) => {
      response.writeHead(status, { 'Content-Type': type, 'Content-Length': body.length }).end(body);
    });

  it('is an error: a page, a message, nothing', async () => {
    for (const [type, body, words] of [
      ['text/html', '<p>Sign in</p>', /web page/],
      ['application/json', '{}', /a message/],
      ['image/png', '', /empty file/],
    ] as const)
      await expect(clientOf(await answered(200, type, body)).view(file)).rejects.toThrow(words);
  });

  it('is accepted if the file is exactly that', async () => {
    const page: OutputFile = { ...file, filename: 'page.html', media: 'other' };
    const { body } = await clientOf(await answered(200, 'text/html', '<p>')).view(page);
    expect(await textOf(body)).toBe('<p>');
  });
});

it('ends the transfer when the reader cancels, and reports a broken one', async () => {
  let closed: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const endless = await answering((_, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' });
    const more = setInterval(() => response.write('x'.repeat(10_000)), 1);
    response.on('close', () => {
      clearInterval(more);
      closed();
    });
  });
  const { body } = await clientOf(endless).view(file);
  const reader = body.getReader();
  await reader.read();
  await reader.cancel();
  await ended;

  const broken = await answering((_, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 1000 }).write('half');
    setTimeout(() => response.destroy(), 20);
  });
  const half = await clientOf(broken).view(file);
  await expect(textOf(half.body)).rejects.toMatchObject({ reason: 'network' });
});

/** A server that compresses although the request says not to. */
async function compressing(size: number, status = 200) {
  const body = gzipSync(new Uint8Array(size));
  const server = await answering((_, response) => {
    const range = status === 206 ? { 'Content-Range': `bytes 0-${size - 1}/${size}` } : {};
    response.writeHead(status, { 'Content-Encoding': 'gzip', 'Accept-Ranges': 'bytes', ...range }).end(body);
  });
  return clientOf(server);
}

it('a compressed answer is inflated and never resumed', async () => {
  const answer = await (await compressing(5000)).view(file);
  expect(answer).toMatchObject({ resumable: false });
  expect(answer.size).toBeUndefined();
  expect(await new Response(answer.body).arrayBuffer()).toHaveProperty('byteLength', 5000);
  await expect((await compressing(5000, 206)).view(file, { offset: 1 })).rejects.toThrow(/compressed part/);
});
