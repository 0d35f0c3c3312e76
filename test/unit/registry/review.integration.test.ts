import { describe, expect, it } from 'vitest';
import type { ReviewAnswer } from '../../../src/core/registry/review';
import { sendJson } from '../../support/loopback';
import { clientOf, registryThat, sandboxRegistry } from './registryServer';

const token = 'test-token';

describe('a review', () => {
  it('is one POST without a body, with its own token, and returns the new rating', async () => {
    const { server, client } = await registryThat(
      (_arrival, response) => sendJson(response, 200, { id: 'a-pack', rating: 4.25 }),
      { token },
    );
    expect(await client.review('a pack/..', 4)).toEqual({
      kind: 'taken',
      pack: expect.objectContaining({ id: 'a-pack', rating: 4.25 }) as unknown,
    });
    const [arrival] = server.arrivals;
    expect(arrival).toMatchObject({
      method: 'POST',
      target: '/nodes/a%20pack%2F../reviews?star=4',
      body: '',
    });
    expect(arrival?.headers).toMatchObject({ authorization: `Bearer ${token}`, 'content-length': '0' });
    expect(arrival?.headers['x-api-key']).toBeUndefined();
  });

  it('counts once per person on the sandbox', async () => {
    const { client } = await sandboxRegistry({ token });
    expect(await client.review('old-rigging', 1)).toMatchObject({ kind: 'taken', pack: { rating: 2.5 } });
    expect(await client.review('old-rigging', 5)).toMatchObject({
      kind: 'refused',
      reason: 'alreadyReviewed',
    });
    expect((await client.pack('old-rigging'))?.rating).toBe(2.5);
    expect(await client.review('nobody', 5)).toMatchObject({ kind: 'refused', reason: 'maybeReviewed' });
  });

  it('goes without a token first, and once more with the one that is then given', async () => {
    let stored: string | undefined;
    const answers = [401, 200];
    const { server, client } = await registryThat(
      (_arrival, response) => sendJson(response, answers.shift() ?? 401, { id: 'a-pack', message: 'who?' }),
      { token: () => stored },
    );
    const signIn = (): Promise<boolean> => {
      stored = token;
      return Promise.resolve(true);
    };
    expect(await client.review('a-pack', 4, undefined, signIn)).toMatchObject({ kind: 'taken' });
    expect(server.arrivals.map(({ target, headers }) => [target, headers.authorization])).toEqual([
      ['/nodes/a-pack/reviews?star=4', undefined],
      ['/nodes/a-pack/reviews?star=4', `Bearer ${token}`],
    ]);
    // Another is asked for when one is rejected, and no third.
    expect(await client.review('a-pack', 4, undefined, signIn)).toMatchObject({
      message: 'The registry rejected the token. The registry says: “who?”',
    });
    expect(server.arrivals).toHaveLength(4);
    stored = undefined;
    expect(await client.review('a-pack', 4, undefined, () => Promise.resolve(false))).toMatchObject({
      isBare: true,
      message: 'The registry needs a token for reviews. The registry says: “who?”',
    });
    expect(server.arrivals).toHaveLength(5);
  });

  const broke = { error: 'E', message: 'it broke' };
  const duplicate = { error: 'E', message: 'duplicate key value violates unique constraint' };

  it.each<[number, object | undefined, Extract<ReviewAnswer, { kind: 'refused' }>['reason'], RegExp]>([
    [400, undefined, 'badRating', /rejected the rating\.$/],
    [401, { message: 'invalid auth token' }, 'token', /“invalid auth token”$/],
    [403, { message: 'no' }, 'other', /doesn't allow this account/],
    [404, {}, 'unknownPack', /doesn't have this pack or version\.$/],
    [404, { message: 'gone', details: ['x'] }, 'unknownPack', /“gone: x”$/],
    [500, broke, 'maybeReviewed', /“it broke”$/],
    [500, undefined, 'maybeReviewed', /probably wasn't saved\.$/],
    [500, duplicate, 'alreadyReviewed', /^You have already reviewed/],
    [502, undefined, 'other', /status 502/],
  ])(
    'answered with %s and %j fails with a plain message and is not sent again',
    async (status, body, reason, words) => {
      const { server, client } = await registryThat(
        (_arrival, response) => {
          if (body === undefined) response.writeHead(status).end();
          else sendJson(response, status, body);
        },
        { token },
      );
      const answer = await client.review('a-pack', 5);
      expect(answer).toMatchObject({ kind: 'refused', reason });
      expect(answer.kind === 'refused' && answer.message).toMatch(words);
      expect(answer.kind === 'refused' && answer.nextAction).toMatch(/\.$/);
      expect(server.arrivals).toHaveLength(1);
    },
  );

  it('never shows a token or an e-mail address quoted in the answer', async () => {
    const { client } = await registryThat(
      (_arrival, response) => sendJson(response, 401, { message: `bad ${token} of someone@example.org` }),
      { token },
    );
    expect(JSON.stringify(await client.review('a-pack', 5))).not.toMatch(/test-token|@/);
  });

  it('without an answer is not sent again, and may have arrived', async () => {
    const { server, client } = await registryThat((_arrival, response) => void response.destroy(), { token });
    await expect(client.review('a-pack', 5)).rejects.toMatchObject({
      reason: 'network',
      nextAction: expect.stringContaining('may have been received') as unknown,
    });
    expect(server.arrivals).toHaveLength(1);
    await server.close();
    await expect(client.review('a-pack', 5)).rejects.toMatchObject({
      nextAction: expect.stringContaining("wasn't sent") as unknown,
    });
  });

  it.each(['<html>', '', '[]', '"ok"', '{"rating":4'])(
    'may or may not have arrived when the answer is not that of a registry: %j',
    async (body) => {
      const { client, server } = await registryThat(
        (_arrival, response) => void response.writeHead(200).end(body),
        { token },
      );
      await expect(client.review('a-pack', 5)).rejects.toMatchObject({
        nextAction: 'Check the pack page before you try again. Your review may have been received.',
      });
      expect(server.arrivals).toHaveLength(1);
    },
  );

  it('of an impossible ID is not sent, and not because of its stars', async () => {
    const { client, server } = await registryThat((_arrival, response) => sendJson(response, 200, {}), {
      token,
    });
    for (const id of ['.', '..', 'x'.repeat(5_000)])
      expect(await client.review(id, 5)).toMatchObject({ kind: 'refused', reason: 'unknownPack' });
    expect(server.arrivals).toEqual([]);
  });

  it('is not sent with other than one to five stars, or unencrypted beyond this machine', async () => {
    const { server, client } = await registryThat((_arrival, response) => sendJson(response, 200, {}), {
      token,
    });
    for (const stars of [0, 6, 2.5, NaN]) {
      expect(await client.review('a-pack', stars as 1)).toMatchObject({
        kind: 'refused',
        reason: 'badRating',
      });
    }
    expect(server.arrivals).toEqual([]);
    const far = clientOf('http://registry.example.org', { token });
    await expect(far.review('a-pack', 5)).rejects.toMatchObject({ reason: 'forbidden' });
  });

  it("is not sent to a redirect's target", async () => {
    const { server, client } = await registryThat(
      (_arrival, response) => void response.writeHead(307, { Location: '/nodes/b/reviews?star=5' }).end(),
      { token },
    );
    expect(await client.review('a-pack', 5)).toMatchObject({ kind: 'refused', reason: 'other' });
    expect(server.arrivals).toHaveLength(1);
  });
});
