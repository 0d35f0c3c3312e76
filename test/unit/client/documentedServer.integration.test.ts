import { describe, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { isTerminal } from '../../../src/core/jobs/job';
import type { RunSession } from '../../../src/core/runLife/runSession';
import { answering, loopbackForTest, sandboxForTest } from '../../support/sandboxFixture';
import { picture, sessionWith } from '../runs/runFixture';

const slow = {
  ...picture,
  3: { class_type: 'SandboxSlow', inputs: { value: ['1', 0], steps: 10_000 } },
  2: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'shot' } },
};

async function documented() {
  const sandbox = await sandboxForTest({ dialect: 'documented' });
  return { url: sandbox.url, seen: sandbox.seen, server: sessionWith(sandbox).session };
}

async function submit(server: RunSession, nodes: object): Promise<string> {
  const release = await server.connect(AbortSignal.timeout(20_000));
  const answer = await server.client.submit(JSON.stringify({ prompt: nodes }));
  if (answer.kind !== 'accepted') throw new Error(answer.error.message);
  server.tracker.submitted(answer.promptId, { label: 'w.json', nodeNames: {}, seeds: {} });
  release();
  return answer.promptId;
}

describe('a server with only the documented endpoints', () => {
  it('can be connected to, and its missing features are known', async () => {
    const { url, server } = await documented();
    expect(await server.checkConnection()).toMatchObject({ kind: 'connected', dialect: 'cloud' });
    const missing = { jobs: false, jobCancel: false, history: false, singleNodeInfo: false };
    expect(await server.capabilities()).toEqual({ dialect: 'cloud', ...missing });
    for (const path of ['/api/system_stats', '/api/jobs', '/api/history', '/api/prompt', '/api/features'])
      expect((await fetch(`${url}${path}`)).status).toBe(404);
  });

  it('is recognized as ComfyUI', async () => {
    const nothing = await answering(undefined);
    const { session: server } = sessionWith(nothing);
    const report = await server.checkConnection();
    expect(report).toMatchObject({ kind: 'failed', reason: 'notComfy' });
    if (report.kind === 'failed') {
      expect(report.problem).toContain('The server has no GET /api/object_info');
      expect(report.nextAction).not.toMatch(/refresh/i);
    }
  });

  it('has its socket opened again at once after a loss, as the client that it was', async () => {
    const sockets: WebSocket[] = [];
    const strict = await loopbackForTest({
      answer: ({ path }, response) => {
        response.writeHead(path === '/api/queue' ? 200 : 404).end('{"queue_running":[],"queue_pending":[]}');
      },
      socket: (socket) => sockets.push(socket),
    });
    const sessions = [sessionWith(strict).session, sessionWith(strict).session];
    for (const each of sessions) await each.connect(AbortSignal.timeout(20_000));
    const clients = sessions.map(({ clientId }) => clientId);
    expect(new Set(clients).size).toBe(2);
    for (const socket of sockets) socket.terminate();
    await vi.waitFor(() => expect(strict.upgrades).toHaveLength(4), { timeout: 5_000 });
    const seen = strict.upgrades.map(({ query }) => query.get('clientId'));
    expect(seen.toSorted()).toEqual([...clients, ...clients].toSorted());
  });

  it('has its job tracked by status, and the end reported at once', async () => {
    const { seen, server } = await documented();
    const id = await submit(server, picture);
    const job = await server.tracker.finished(id, AbortSignal.timeout(60_000));
    expect(job).toMatchObject({ state: 'completed', outputs: [{ nodeId: '2' }] });
    expect(seen.count('GET', `/api/job/${id}/status`)).toBeGreaterThan(0);
    // Polling one after the other until outputs arrive would take nine.
    expect(seen.count('GET', `/api/job/${id}/status`)).toBeLessThan(6);
    expect(seen.count('GET', `/api/history/${id}`)).toBe(0);
    expect(await server.client.job('00000000-0000-4000-8000-000000000000')).toBeUndefined();
  });

  it('reports a failure with the reason that only the event gives', async () => {
    const { server } = await documented();
    const fails = { class_type: 'SandboxFail', inputs: { value: ['1', 0], how: 'OOMError' } };
    const id = await submit(server, { ...slow, 3: fails });
    const job = await server.tracker.finished(id, AbortSignal.timeout(60_000));
    expect(job).toMatchObject({ state: 'failed', failure: { exceptionType: 'OOMError' } });
    const told = await server.client.job(id);
    expect([told?.rawStatus, told?.failure]).toEqual(['failed', undefined]);
  });

  it('lists live jobs without claiming to be complete', async () => {
    const { url } = await sandboxForTest({ dialect: 'documented', timing: 'human' });
    const { session: server, store } = sessionWith({ url });
    const id = await submit(server, slow);
    const { jobs, liveOnly } = await server.client.jobs({ limit: 100 });
    expect([jobs.map((job) => job.id), liveOnly]).toEqual([[id], true]);
    expect(await server.sentTextsOf(id)).toBeUndefined();
    await server.tracker.cancel(id);
    await server.tracker.finished(id, AbortSignal.timeout(60_000));
    expect((await server.client.jobs({ limit: 100 })).jobs).toEqual([]);
    expect(store.jobs().every(({ state }) => isTerminal(state))).toBe(true);
  });
});
