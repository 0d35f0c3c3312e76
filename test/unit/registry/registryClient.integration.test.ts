import { describe, expect, it } from 'vitest';
import { ServerError } from '../../../src/core/protocol/serverError';
import { sendJson } from '../../support/loopback';
import { registryThat, sandboxRegistry } from './registryServer';
import { RequestLimiter } from '../../../src/core/registry/registryClient';

describe('the pack of a node type', () => {
  it.each(['LighthouseBeam', 'Lighthouse Horn|loud', 'Lighthouse/Fog+Bank'])(
    'is found for %s',
    async (name) => {
      const { client } = await sandboxRegistry();
      expect((await client.packOfClass(name))?.id).toBe('lighthouse-nodes');
    },
  );

  it('is requested with the full name as one path segment', async () => {
    const { server, client } = await registryThat((_arrival, response) => sendJson(response, 404, {}));
    await client.packOfClass('a/b c|d+e?f#g%h');
    expect(server.arrivals[0]?.target).toBe('/comfy-nodes/a%2Fb%20c%7Cd%2Be%3Ff%23g%25h/node');
  });

  it("is not requested when the name can't be part of an address", async () => {
    const { server, client } = await registryThat((_arrival, response) => sendJson(response, 404, {}));
    for (const name of ['', '  ', '.', '..', '\ud800', 'x'.repeat(300)]) {
      expect(await client.packOfClass(name)).toBeUndefined();
      expect(await client.pack(name)).toBeUndefined();
    }
    expect(server.arrivals).toEqual([]);
  });

  it('is the one that claims the name; finding none is not an error', async () => {
    const { client } = await sandboxRegistry();
    expect((await client.packOfClass('HarbourMask'))?.id).toBe('mask-originals');
    expect(await client.packOfClass('NobodyHasThis')).toBeUndefined();
  });

  it('is requested without a credential', async () => {
    const { server, client } = await registryThat(
      (_arrival, response) => sendJson(response, 200, { id: 'x' }),
      { token: 'test-token' },
    );
    await client.packOfClass('A');
    await client.pack('x');
    await client.search({});
    await client.versions('x').catch(() => undefined);
    expect(server.arrivals.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill(undefined));
  });
});

describe('a pack by its ID', () => {
  it('comes with its translations, and its versions with the reasons of their flags', async () => {
    const { client } = await sandboxRegistry();
    const pack = await client.pack('Lighthouse_Nodes');
    expect(pack?.translations?.['de']?.['description']).toContain('Nebel');
    const versions = await client.versions('lighthouse-nodes');
    expect(versions.map(({ statusReason }) => statusReason)).toContain('It runs downloaded code.');
  });

  it("is found under other spellings through the registry's redirects", async () => {
    const { client } = await sandboxRegistry();
    expect((await client.pack('Lighthouse_Nodes'))?.id).toBe('lighthouse-nodes');
    expect(await client.pack('nobody')).toBeUndefined();
    expect(await client.pack('wrecked-samplers')).toEqual({ id: 'wrecked-samplers', status: 'banned' });
  });

  it.each<[string, (url: string) => string | undefined]>([
    ['another origin', () => 'https://example.org/nodes/a'],
    ['another port', (url) => `${url.replace(/\d+$/, '1')}/nodes/a`],
    ['nowhere', () => undefined],
    ['outside of the base address', () => '/elsewhere/nodes/a'],
    ['itself', (url) => `${url}/base/nodes/A`],
  ])('is not followed to %s', async (_where, target) => {
    const { server, client } = await registryThat(
      (arrival, response) => {
        const location = target(`http://${arrival.headers.host ?? ''}`);
        response.writeHead(302, location === undefined ? {} : { Location: location }).end();
      },
      { path: '/base' },
    );
    await expect(client.pack('A')).rejects.toThrow(ServerError);
    expect(server.arrivals).toHaveLength(1);
  });

  it('is not followed through redirect loops', async () => {
    let hop = 0;
    const { server, client } = await registryThat((_arrival, response) => {
      response.writeHead(302, { Location: `/nodes/hop-${hop++}` }).end();
    });
    await expect(client.pack('A')).rejects.toMatchObject({ reason: 'unexpectedShape' });
    expect(server.arrivals).toHaveLength(4);
  });
});

describe('a refusal', () => {
  it.each(['json', 'text'])('shows and stores no e-mail address from the registry, as %s', async (as) => {
    const words = 'ask owner@example.org';
    const { client } = await registryThat((_arrival, response) => {
      if (as === 'json') sendJson(response, 400, { error: 'E', message: words });
      else response.writeHead(400).end(words);
    });
    const error = await client.search({ words: 'x' }).catch((each: unknown) => each);
    if (!ServerError.is(error)) throw new Error('no refusal');
    expect(error).toMatchObject({ reason: 'badRequest', status: 400, endpoint: 'GET /nodes/search' });
    expect(error.message).toContain('ask (email hidden)');
    expect(`${error.stack ?? ''}${JSON.stringify(error)}`).not.toContain('@example');
  });
});

describe('lists', () => {
  it('of versions exist only for known packs', async () => {
    const { client } = await sandboxRegistry();
    const versions = await client.versions('lighthouse-nodes');
    expect(versions.map(({ version, status }) => [version, status])).toEqual([
      ['2.1.0', 'active'],
      ['2.0.0', 'active'],
      ['1.0.0', 'flagged'],
    ]);
    expect(await client.versions('wrecked-samplers')).toEqual([]);
    expect(await client.versions('nobody')).toEqual([]);
  });
});

describe('a registry that asks to wait', () => {
  it('is left alone until then', async () => {
    let now = 1_000_000;
    let limited = true;
    const { server, client } = await registryThat(
      (_arrival, response) => {
        if (limited) response.writeHead(429, { 'Retry-After': '20' }).end();
        else sendJson(response, 200, { id: 'x' });
      },
      { now: () => now },
    );
    await expect(client.packOfClass('A')).rejects.toMatchObject({ reason: 'rateLimited', retryAfter: 20 });
    limited = false;
    now += 19_000;
    await expect(client.packOfClass('B')).rejects.toMatchObject({ reason: 'rateLimited' });
    expect(server.arrivals).toHaveLength(1);
    now += 1_000;
    expect((await client.packOfClass('B'))?.id).toBe('x');
  });
});

it('lets a waiting request give up its place to the next one', async () => {
  const limiter = new RequestLimiter(1);
  let finish = (): void => undefined;
  const first = limiter.run(() => new Promise<string>((resolve) => (finish = () => resolve('first'))));
  const leaving = new AbortController();
  const second = limiter.run(() => Promise.resolve('second'), leaving.signal);
  const third = limiter.run(() => Promise.resolve('third'));
  leaving.abort();
  await expect(second).rejects.toThrow(/abort/i);
  finish();
  expect(await Promise.all([first, third])).toEqual(['first', 'third']);
  await expect(limiter.run(() => Promise.resolve('never'), leaving.signal)).rejects.toThrow(/abort/i);
});

it('passes failures on and stays open', async () => {
  const limiter = new RequestLimiter(1);
  await expect(limiter.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await limiter.run(() => Promise.resolve('yes'))).toBe('yes');
});
