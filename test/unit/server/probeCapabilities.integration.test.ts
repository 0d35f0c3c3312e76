import { describe, expect, it } from 'vitest';
import { ExecutionClient } from '../../../src/core/client/execution';
import { Transport } from '../../../src/core/client/transport';
import { probeCapabilities, askConnection } from '../../../src/core/server/probeCapabilities';
import { connect, localQueue, newLocal, type Routes } from '../client/executionServer';
import { sendJson } from '../../support/loopback';
import { refusalError } from '../../../src/core/protocol/refusal';

const answers =
  (status: number, body: unknown): Routes[string] =>
  (response) => {
    if (typeof body === 'string') response.writeHead(status, { 'Content-Type': 'text/plain' }).end(body);
    else sendJson(response, status, body);
  };

async function probed(routes: Routes) {
  const connection = await connect(newLocal, routes);
  const result: unknown = await probeCapabilities(connection.transport).catch((error: unknown) => error);
  return { result, asked: connection.asked(), transport: connection.transport };
}

const documented = { dialect: 'cloud', jobs: false, history: false };

describe('a server without system_stats', () => {
  it.each([
    ['in the known shape', answers(200, localQueue([], []))],
    ['as an empty object', answers(200, {})],
    ['as a list', answers(200, [])],
    ['with other names', answers(200, { running: [], pending: [] })],
    ['missing', answers(404, 'Not found')],
    ['missing with a JSON message', answers(404, { message: 'no such route' })],
  ])('is ComfyUI with its queue %s', async (_, queue) => {
    const { result, transport } = await probed({
      '/api/queue': queue,
      '/api/object_info': answers(200, { KSampler: {} }),
    });
    expect(result).toMatchObject(documented);
    expect(transport.isCloud).toBe(true);
  });

  it.each([
    ['400', answers(400, { error: 'no such endpoint' })],
    ['403', answers(403, '')],
    ['410', answers(410, '')],
    ['501', answers(501, 'Not implemented')],
    ['a page for everything', answers(200, '<html>Hello</html>')],
    ['an empty object', answers(200, {})],
    ['nothing', answers(204, '')],
    ['a redirect', (response) => response.writeHead(302, { Location: 'https://a.example/login' }).end()],
  ] as const satisfies readonly (readonly [string, Routes[string]])[])(
    'is ComfyUI when it answers undocumented requests with %s',
    async (_, beyond) => {
      const paths = ['/api/system_stats', '/api/jobs', '/api/features'];
      const { result } = await probed({
        ...Object.fromEntries(paths.map((path) => [path, beyond])),
        '/api/queue': answers(200, localQueue([], [])),
      });
      expect(result).toMatchObject(documented);
    },
  );

  it.each([401, 403, 500])('is not recognized while it refuses its queue (%i)', async (status) => {
    const { result } = await probed({
      '/api/system_stats': answers(403, ''),
      '/api/queue': answers(status, ''),
    });
    expect(result).toMatchObject({ status });
  });

  it('is not ComfyUI when its definitions are a web page', async () => {
    const { result } = await probed({ '/api/object_info': answers(200, '<html>Hello</html>') });
    expect(result).toMatchObject({ reason: 'unexpectedShape' });
  });
});

describe('an address that speaks only API v2', () => {
  it.each([
    ['http://user:pw@10.0.0.5:8188/x', 'http://10.0.0.5:8188'],
    ['http://10.0.0.5:8188', 'http://10.0.0.5:8188'],
  ])('is recognized by its health, which names what to use instead (%s)', async (upstream, named) => {
    const { result, asked } = await probed({
      '/api/v2/health': answers(200, { status: 'healthy', upstream }),
    });
    expect(result).toMatchObject({
      message: "This address only offers Comfy API v2, which Comfy Deck doesn't use.",
      nextAction: `Use the address of the ComfyUI server behind it: ${named}`,
    });
    expect(asked.every((each) => each.startsWith('GET '))).toBe(true);
  });

  it('names no foreign text that is not an address', async () => {
    const { result } = await probed({
      '/api/v2/health': answers(200, { status: 'healthy', upstream: 'javascript:alert(1)' }),
    });
    expect(result).toMatchObject({
      nextAction: 'Use the address of a ComfyUI server or of Comfy Cloud instead.',
    });
  });

  it.each([401, 403, 404, 429])(
    'is recognized by its refusal of a job that does not exist (%i)',
    async (status) => {
      const { result, asked } = await probed({
        '/api/v2/jobs/00000000-0000-4000-8000-000000000000': answers(status, {
          error: { code: 'x', message: 'm' },
        }),
      });
      expect(result).toMatchObject({ message: expect.stringContaining('Comfy API v2') as unknown });
      expect(asked.every((each) => each.startsWith('GET '))).toBe(true);
    },
  );

  it('is not taken for one when it has node definitions, whatever it answers elsewhere', async () => {
    const { result } = await probed({
      '/api/v2/health': answers(500, 'Internal error'),
      '/api/v2/jobs/00000000-0000-4000-8000-000000000000': answers(404, { error: { code: 'not_found' } }),
      '/api/object_info': answers(200, { KSampler: {} }),
    });
    expect(result).toMatchObject(documented);
  });

  it('is recognized by the name of a deployment, without a request', async () => {
    const http = { fetch: () => Promise.reject(new Error('Nothing is asked.')), form: () => ({}) };
    const deployment = new Transport({ baseUrl: 'https://abc.run.comfy.app', http });
    await expect(probeCapabilities(deployment)).rejects.toThrow('Comfy API v2');
  });

  it('says so when only its definitions were wanted', async () => {
    const server = await connect(newLocal, { '/api/v2/health': answers(200, { status: 'healthy' }) });
    const client = new ExecutionClient(server.transport, () => probeCapabilities(server.transport));
    await expect(client.objectInfo()).rejects.toThrow('Comfy API v2');
  });
});

describe('429 without a body', () => {
  const both =
    'Either a limit has been reached or your subscription is inactive: wait a moment, or check your subscription.';
  const routes = (environment: string): Routes => ({
    '/api/system_stats': answers(200, { system: { deploy_environment: environment } }),
    '/api/features': answers(200, {}),
    '/api/jobs': answers(200, { jobs: [], pagination: {} }),
    ...Object.fromEntries(
      ['/api/object_info', '/api/queue', '/api/jobs/x', 'POST /api/upload/image', '/api/view'].map((path) => [
        path,
        answers(429, ''),
      ]),
    ),
  });
  const image = { filename: 'a.png', bytes: Uint8Array.of(1) };
  const file = { filename: 'a.png', subfolder: '', area: 'output', nodeId: '1', media: 'image' } as const;
  const wanted: Readonly<Record<string, (client: ExecutionClient) => Promise<unknown>>> = {
    definitions: (client) => client.objectInfo(),
    queue: (client) => client.queue(),
    status: (client) => client.job('x'),
    upload: (client) => client.uploadImage(image),
    download: (client) => client.view(file),
  };

  it.each(Object.keys(wanted))(
    'names both limits of a cloud and not of a local server (%s)',
    async (what) => {
      for (const [environment, nextAction] of [
        ['cloud', both],
        ['local-git', 'Try again later.'],
      ] as const) {
        const server = await connect(newLocal, routes(environment));
        const known = probeCapabilities(server.transport);
        const client = new ExecutionClient(server.transport, () => known);
        if (what === 'download' || what === 'queue') await known;
        await expect(wanted[what]?.(client)).rejects.toMatchObject({ nextAction, status: 429 });
      }
    },
  );
});

function reportAfter(status: number) {
  const refusal = refusalError({ endpoint: 'GET /api/user', status, bodyText: '' });
  return askConnection({
    client: { user: () => Promise.reject(refusal) },
    probe: () => Promise.resolve({ dialect: 'cloud', jobs: false, history: false, singleNodeInfo: false }),
    hasKey: () => Promise.resolve(true),
  });
}

it('is connected to a server that names no user, however it says so', async () => {
  for (const status of [400, 403, 404, 405, 410, 501])
    expect(await reportAfter(status)).toMatchObject({ kind: 'connected', user: undefined });
  expect(await reportAfter(401)).toMatchObject({ kind: 'failed', reason: 'wrongKey' });
});
