import { describe, expect, it } from 'vitest';
import { type LoopbackOptions, sendJson } from '../../support/loopback';
import { answering } from '../../support/sandboxFixture';
import { CliWorld } from './cliWorld';

const token = 'test-registry-token';

async function reviewing(answer: NonNullable<LoopbackOptions['answer']>, ...more: string[]) {
  const server = await answering(answer);
  const world = await CliWorld.open({ env: { TOKEN: token } });
  const code = await world.run('review', 'a-pack', '--stars', '4', '--server', server.url, ...more);
  return { code, world, server };
}

describe('comfy-deck review', () => {
  it('sends one request, without a look-up, and tells the new rating', async () => {
    const { code, world, server } = await reviewing((_arrival, response) =>
      sendJson(response, 200, { id: 'a-pack', name: 'A Pack', rating: 4.25 }),
    );
    expect([code, world.out, world.err]).toEqual([0, 'A Pack was reviewed. It now has 4.3 stars.\n', '']);
    expect(server.arrivals).toMatchObject([
      { method: 'POST', target: '/nodes/a-pack/reviews?star=4', body: '' },
    ]);
    expect(server.arrivals[0]?.headers.authorization).toBeUndefined();
  });

  it('sends the token in the environment variable, and never prints it', async () => {
    const { code, world, server } = await reviewing(
      ({ headers }, response) => sendJson(response, 200, { name: headers.authorization }),
      '--key-env',
      'TOKEN',
    );
    expect(code).toBe(0);
    expect(server.arrivals.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`]);
    expect(world.out + world.err).not.toContain(token);
  });

  it.each([
    [401, {}, [], /needs a token for reviews\. Specify .*--key-env\.\n$/],
    [401, {}, ['--key-env', 'TOKEN'], /rejected the token\. Sign in .* Tokens expire/],
    [404, { message: 'Not found' }, [], /doesn't have this pack or version\. The registry says: “Not found”/],
    [500, { error: 'E', message: 'it broke' }, [], /probably wasn't saved\. The registry says: “it broke”/],
  ])('answered with %d %j %j fails, and is not sent again', async (status, body, more, words) => {
    const { code, world, server } = await reviewing(
      (_arrival, response) => sendJson(response, status, body),
      ...more,
    );
    expect(code).toBe(1);
    expect(world.err).toMatch(words);
    expect(server.arrivals).toHaveLength(1);
  });

  it.each([
    [['review'], /Specify the ID/],
    [['review', 'a', 'b', '--stars', '1'], /only one node pack/],
    [['review', 'a'], /--stars takes a whole number from 1 to 5/],
    [['review', 'a', '--stars', '6'], /--stars takes/],
    [['review', 'a', '--stars', '4', '--server', 'ftp://a'], /--server must be an http or https address/],
    [['review', 'a', '--stars', '4', '--key-env', 'NONE'], /NONE isn't set/],
  ])('%j is a usage error', async (args, words) => {
    const world = await CliWorld.open();
    expect(await world.run(...args)).toBe(2);
    expect(world.err).toMatch(words);
  });
});
