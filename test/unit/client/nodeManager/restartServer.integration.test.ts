import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { loopback, sendJson } from '../../../support/loopback';
import { type Answer, clientOf, managerThat, v3, waiting } from './managerFixture';

/** A server that answers requests with these one after the other, and all later ones with the last. */
function looks(...answers: readonly ('up' | 'dropped' | 'silent' | number)[]): Answer {
  let at = 0;
  return (response) => {
    const answer = answers[Math.min(at++, answers.length - 1)];
    if (answer === 'up') sendJson(response, 200, {});
    else if (answer === 'dropped') response.destroy();
    else if (typeof answer === 'number') response.writeHead(answer).end('<h1>Bad gateway</h1>');
  };
}

const dropped = (response: ServerResponse): unknown => response.destroy();

describe('a restart', () => {
  it('is requested once', async () => {
    const { client, server } = await managerThat({
      '/reboot': dropped,
      '/system_stats': looks('dropped', 'up'),
    });
    await client.restart(v3, waiting());
    expect(server.arrivals.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/manager/reboot',
      'GET /api/system_stats',
      'GET /api/system_stats',
    ]);
  });

  it('fails when the server does not come back', async () => {
    const { client } = await managerThat({ '/reboot': dropped, '/system_stats': dropped });
    const hasty = { ...waiting(), patience: 20 };
    await expect(client.restart(v3, hasty)).rejects.toMatchObject({ reason: 'unanswered' });
  });

  it('was not requested if nothing listens', async () => {
    const gone = await loopback();
    await gone.close();
    await expect(clientOf(gone.url).restart(v3, waiting())).rejects.toMatchObject({
      reason: 'network',
      message: `Nothing is listening at ${gone.url}.`,
    });
  });

  it.each([502, 503, 504])('is uncertain if a proxy answers %d', async (status) => {
    const { client, server } = await managerThat({
      '/reboot': (response) => response.writeHead(status).end('<h1>Bad gateway</h1>'),
      '/system_stats': looks(status, 'up'),
    });
    await expect(client.restart(v3, waiting())).rejects.toMatchObject({
      reason: 'unanswered',
      nextAction: 'Check whether the server has restarted before you try again.',
    });
    expect(server.arrivals.map(({ path }) => path)).toEqual(['/api/manager/reboot']);
  });

  it('is uncertain if the request is never answered', async () => {
    const { client } = await managerThat({ '/reboot': () => undefined, '/system_stats': looks('up') });
    const hasty = { ...waiting(), deadline: 50 };
    await expect(client.restart(v3, hasty)).rejects.toMatchObject({
      reason: 'unanswered',
      message: expect.stringMatching(/didn't respond within 0\.05 s/) as string,
    });
  });

  it('that the manager promised is over once the server went down and came back', async () => {
    const { client, server } = await managerThat({
      '/system_stats': looks('up', 'up', 502, 'dropped', 'up'),
    });
    await client.restart(v3, waiting());
    expect(server.arrivals.filter(({ path }) => path === '/api/system_stats')).toHaveLength(5);
  });

  it.each(['up', 500] as const)(
    'that the manager promised has not happened while the server always answers (%s)',
    async (always) => {
      const { client } = await managerThat({ '/system_stats': looks(always) });
      const hasty = { ...waiting(), leaving: 30 };
      await expect(client.restart(v3, hasty)).rejects.toMatchObject({ reason: 'notRestarted' });
    },
  );

  it('is awaited while a proxy answers 404, but not if access is denied', async () => {
    const { client } = await managerThat({ '/reboot': dropped, '/system_stats': looks(404, 500, 'up') });
    await client.restart(v3, waiting());
    const { client: denied } = await managerThat({ '/reboot': dropped, '/system_stats': looks(401) });
    await expect(denied.restart(v3, waiting())).rejects.toMatchObject({ reason: 'unauthorized' });
  });

  it('is not over while a proxy answers with a page', async () => {
    let looked = 0;
    const { client } = await managerThat({
      '/reboot': dropped,
      '/system_stats': (response) => {
        if (looked++ < 3) response.writeHead(200).end('<!doctype html><title>Be right back</title>');
        else sendJson(response, 200, {});
      },
    });
    await client.restart(v3, waiting());
    expect(looked).toBe(4);
  });
});
