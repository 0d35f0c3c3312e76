import { afterEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../../src/sandbox/sandbox';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function ask(
  path: string,
  init?: RequestInit,
): Promise<{ status: number; location: string | null; body: unknown }> {
  const answer = await fetch(`${sandbox.url}${path}`, { redirect: 'manual', ...init });
  const text = await answer.text();
  const location = answer.headers.get('location');
  return { status: answer.status, location, body: text === '' ? '' : (JSON.parse(text) as unknown) };
}

const post = (token?: string): RequestInit => ({
  method: 'POST',
  ...(token === undefined ? {} : { headers: { Authorization: token } }),
});

describe('the registry of the sandbox', () => {
  it('can be read without a key, even if runs need one', async () => {
    sandbox = await startSandbox({ apiKey: 'test-key' });
    expect(await ask('/nodes/old-rigging')).toMatchObject({
      status: 200,
      body: { id: 'old-rigging', rating: 4 },
    });
    expect(await ask('/api/queue')).toMatchObject({ status: 401 });
    expect(await ask('/nodes/old-rigging/reviews?star=5', post('Bearer any'))).toMatchObject({ status: 200 });
  });

  it('has packs in every state', async () => {
    sandbox = await startSandbox();
    expect(await ask('/nodes/Old_Rigging')).toMatchObject({ status: 302, location: '/nodes/old-rigging' });
    expect(await ask('/nodes/wrecked-samplers')).toMatchObject({ status: 403, body: { error: 'Forbidden' } });
    expect(await ask('/nodes/nobody')).toMatchObject({ status: 404 });
    expect(await ask('/comfy-nodes/WreckedSampler/node')).toMatchObject({
      body: { status: 'NodeStatusBanned' },
    });
    expect(await ask('/comfy-nodes/Nobody/node')).toMatchObject({
      status: 404,
      body: { error: 'Not Found' },
    });
    expect(await ask('/nodes/drifting-upscalers/versions/0.2.0')).toMatchObject({
      body: { status: 'NodeVersionStatusFlagged' },
    });
    expect(await ask('/nodes/drifting-upscalers/versions/9')).toMatchObject({ status: 404 });
    expect(await ask('/nodes/lighthouse-nodes/versions?statuses=NodeVersionStatusFlagged')).toMatchObject({
      body: [{ version: '1.0.0', node_id: 'lighthouse-nodes' }],
    });
    expect(await ask('/nodes/old-rigging/versions/0.8.0/comfy-nodes')).toMatchObject({
      body: { comfy_nodes: [{ comfy_node_name: 'OldRigging' }] },
    });
  });

  it('lists packs by page', async () => {
    sandbox = await startSandbox();
    expect(await ask('/nodes/search?limit=2&page=2')).toMatchObject({
      body: { page: 2, limit: 2, nodes: [{}, {}] },
    });
    expect(await ask('/nodes/search?search=wrecked')).toMatchObject({ body: { total: 0, nodes: [] } });
    expect(await ask('/nodes/search?search=wrecked&include_banned=true')).toMatchObject({
      body: { total: 1 },
    });
    expect(await ask('/nodes?node_id=bare-hull&node_id=tide-tables')).toMatchObject({ body: { total: 2 } });
    expect(await ask('/publishers/harbour')).toMatchObject({ body: { id: 'harbour' } });
    expect(await ask('/publishers/nobody')).toMatchObject({ status: 404 });
    expect(await ask('/publishers/closed-yard/nodes/v2')).toMatchObject({ body: { total: 1 } });
  });

  it('handles reviews as oddly as the real one', async () => {
    sandbox = await startSandbox();
    const path = '/nodes/maiden-voyage/reviews';
    expect(await ask(`${path}?star=5`, post())).toMatchObject({
      status: 401,
      body: { message: `missing auth token for path: ${path}` },
    });
    expect(await ask(`${path}?star=5`, post('Basic x'))).toMatchObject({ status: 401 });
    expect(await ask(`${path}?star=5`, post('Bearer expired-token'))).toMatchObject({
      body: { message: 'invalid auth token' },
    });
    expect(await ask(`${path}?star=6`, post('Bearer a'))).toMatchObject({ status: 400, body: '' });
    expect(await ask(`${path}?star=x`, post('Bearer a'))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('star') as unknown },
    });
    expect(await ask(path, post('Bearer a'))).toMatchObject({ status: 400 });
    expect(await ask(`${path}?star=2`, post('Bearer a'))).toMatchObject({ status: 200, body: { rating: 2 } });
    expect(await ask(`${path}?star=5`, post('Bearer b'))).toMatchObject({
      status: 200,
      body: { rating: 3.5 },
    });
    expect(await ask(`${path}?star=5`, post('Bearer b'))).toMatchObject({ status: 500 });
    expect(await ask('/nodes/nobody/reviews?star=5', post('Bearer a'))).toMatchObject({ status: 500 });
  });
});
