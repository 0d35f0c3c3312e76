import { describe, expect, it } from 'vitest';
import type { ManagerKind } from '../../../../src/sandbox/registry/sandboxManager';
import { sendJson } from '../../../support/loopback';
import { answering, ask, sandboxForTest } from '../../../support/sandboxFixture';
import { type Answer, clientOf, idle, managerThat, posted, v3, v4, waiting } from './managerFixture';

const notDone: Answer = (response) => sendJson(response, 200, { history: {} });

/** Sends these one after the other, and nothing after the last. */
const oneByOne =
  (answers: object[]): Answer =>
  (response) =>
    sendJson(response, 200, answers.shift() ?? {});

const pack = { id: 'harbour-masks', version: '1.4.2' };

async function sandboxWith(manager: ManagerKind) {
  const sandbox = await sandboxForTest({ dialect: 'local', manager });
  const client = clientOf(sandbox.url);
  const found = await client.find();
  if (!found) throw new Error('the sandbox has no manager');
  const asked = () =>
    sandbox.seen.requests.flatMap(({ method, path }) =>
      path.includes('/queue/') ? [`${method} ${path}`] : [],
    );
  return { sandbox, client, found, asked };
}

describe('ComfyUI-Manager', () => {
  it.each([
    ['v3', { version: 'V3.41', prefix: '/api', takes: 'install' }],
    ['v4', { version: 'V4.2.2', prefix: '/api/v2', takes: 'task' }],
  ] as const)('of %s is detected, installs, and restarts the server', async (kind, manager) => {
    const { sandbox, client, found, asked } = await sandboxWith(kind);
    expect(found).toEqual(manager);
    const installed = await client.install(found, pack, waiting());
    expect(installed).toEqual({ id: 'harbour-masks', version: '1.4.2', enabled: true });
    const posts = asked().filter((line) => line.startsWith('POST') && !line.endsWith('/start'));
    expect(posts).toEqual([`POST ${found.prefix}/manager/queue/${found.takes}`]);
    const definition = `${sandbox.url}/api/object_info/HarbourMask`;
    expect((await ask(definition)).text).toBe('{}');
    await client.restart(found, waiting());
    expect((await ask(definition)).text).toContain('custom_nodes.harbour-masks');
  });

  it('is not detected on a server without it, or on one that answers every path with a page', async () => {
    const bare = await sandboxForTest({ dialect: 'local' });
    expect(await clientOf(bare.url).find()).toBeUndefined();
    const pages = await answering((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
    });
    expect(await clientOf(pages.url).find()).toBeUndefined();
  });

  it.each(['forbidden', 'v4-forbidden'] as const)('of %s says so if it is not allowed to', async (kind) => {
    const { client, found, sandbox } = await sandboxWith(kind);
    await expect(client.install(found, pack, waiting())).rejects.toMatchObject({
      reason: 'forbidden',
      nextAction: expect.stringMatching(/security_level.*comfy node install harbour-masks$/) as string,
    });
    await expect(client.restart(found, waiting())).rejects.toMatchObject({ reason: 'forbidden' });
    expect((await ask(`${sandbox.url}/api/system_stats`)).status).toBe(200);
  });

  it('of version 4 reports an unknown version; for version 3 the error points to the server log', async () => {
    const unknown = { ...pack, version: '99.0.0' };
    const newer = await sandboxWith('v4');
    await expect(newer.client.install(newer.found, unknown, waiting())).rejects.toMatchObject({
      reason: 'unknownPack',
      message: expect.stringContaining('not available node: harbour-masks@99.0.0') as string,
    });
    const older = await sandboxWith('v3');
    await expect(older.client.install(older.found, unknown, waiting())).rejects.toMatchObject({
      reason: 'failed',
      nextAction: 'Check the server log for the reason.',
    });
  });
});

describe('an install', () => {
  it.each([
    ['runs', { ...idle, total_count: 1, in_progress_count: 1, is_processing: true }],
    ['waits and nobody has started', { ...idle, total_count: 3, done_count: 1 }],
    ['waits in version 4', { ...idle, done_count: 7, pending_count: 1 }],
  ])("is not sent while someone else's task %s: it would start too", async (_, status) => {
    const { client, server } = await managerThat({
      '/status': (response) => sendJson(response, 200, status),
    });
    await expect(client.install(v3, pack, waiting())).rejects.toMatchObject({ reason: 'busy' });
    expect(posted(server)).toEqual([]);
  });

  it.each([
    { id: 'harbour-masks@unknown', version: '1.4.2' },
    { id: '../harbour', version: '1.4.2' },
    { id: 'harbour-masks', version: 'nightly' },
    { id: 'harbour-masks', version: '1.4.2@git' },
  ])('of $id@$version is not requested: it may mean another source', async (odd) => {
    const { client, server } = await managerThat({});
    await expect(client.install(v3, odd, waiting())).rejects.toMatchObject({ reason: 'badRequest' });
    expect(server.arrivals).toEqual([]);
  });

  it('is not sent again when its answer is lost, and nothing is started', async () => {
    const { client, server } = await managerThat({ '/install': (response) => response.destroy() });
    await expect(client.install(v3, pack, waiting())).rejects.toMatchObject({ reason: 'network' });
    expect(posted(server)).toEqual(['/api/manager/queue/install']);
  });

  it.each([
    ['404: Not Found', 'tooOld'],
    ['A security error has occurred. Please check the terminal logs', 'forbidden'],
    ['No such pack', 'unknownPack'],
  ])('answered with 404 “%s” fails as %s', async (words, reason) => {
    const { client, server } = await managerThat({
      '/install': (response) => response.writeHead(404).end(words),
    });
    await expect(client.install(v3, pack, waiting())).rejects.toMatchObject({ reason });
    expect(posted(server)).toEqual(['/api/manager/queue/install']);
  });

  it("shows the manager's message as plain, short text", async () => {
    const words = `not\u202E found\u001B[31m\n[x](command:evil) ${'a'.repeat(100_000)}`;
    const { client } = await managerThat({
      '/history': (response) =>
        sendJson(response, 200, { history: { result: words, status: { status_str: 'error' } } }),
    });
    const problem = (await client.install(v4, pack, waiting()).catch((error: unknown) => error)) as Error;
    expect(problem.message.length).toBeLessThan(500);
    // oxlint-disable-next-line no-control-regex
    expect(problem.message).not.toMatch(/[\u202E\u001B\n]/);
  });

  it.each(['/status', '/installed', '/history', '/task'])('limits the answer of %s', async (end) => {
    const { client } = await managerThat({
      [end]: (response) => {
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
        };
        response.on('drain', more).on('error', () => undefined);
        more();
      },
    });
    await expect(client.install(v4, pack, waiting())).rejects.toMatchObject({ reason: 'tooLarge' });
  });

  it.each([
    ['/status', '[]'],
    ['/installed', '"none"'],
    ['/history', '{"history": 3}'],
  ])('fails clearly when %s answers %s', async (end, text) => {
    const { client } = await managerThat({ [end]: (response) => response.writeHead(200).end(text) });
    await expect(client.install(v4, pack, waiting())).rejects.toMatchObject({ reason: 'unexpectedShape' });
  });

  it('starts nothing in a queue that does not report how many tasks wait', async () => {
    const { client, server } = await managerThat({
      '/status': (response) => sendJson(response, 200, { is_processing: false }),
    });
    await expect(client.install(v3, pack, waiting())).rejects.toMatchObject({ reason: 'unexpectedShape' });
    expect(posted(server)).toEqual([]);
  });

  it('fails when the manager is done and the pack is missing or disabled', async () => {
    const { client } = await managerThat({});
    await expect(client.install(v3, pack, waiting())).rejects.toMatchObject({ reason: 'failed' });
    const disabled = { masks: { ver: '1.4.2', cnr_id: 'harbour-masks', enabled: false } };
    const other = await managerThat({ '/installed': (response) => sendJson(response, 200, disabled) });
    await expect(other.client.install(v3, pack, waiting())).rejects.toMatchObject({ reason: 'failed' });
  });

  it.each([
    ['1.4.2', 'the version that was asked for'],
    ['1.4.2.0', 'the same in another spelling'],
    ['2.0.0', 'another one'],
  ])('tells that %s is there, as the list has it: %s', async (ver) => {
    const looks = [{}, { masks: { ver, cnr_id: 'Harbour_Masks', enabled: true } }];
    const { client } = await managerThat({ '/installed': oneByOne(looks) });
    expect(await client.install(v3, pack, waiting())).toMatchObject({ version: ver, enabled: true });
  });

  it('reports a version only if it is a short line', async () => {
    const ver = `1.4.2\u202E\n[x](command:evil)${'9'.repeat(100_000)}`;
    const looks = [{}, { masks: { ver, cnr_id: 'harbour-masks', enabled: true } }];
    const { client } = await managerThat({ '/installed': oneByOne(looks) });
    const { version = '' } = await client.install(v3, pack, waiting());
    expect(version).toMatch(/^1\.4\.2 ?\[x\]\(command:evil\)9+…$/);
    expect(version.length).toBeLessThanOrEqual(100);
  });

  it('succeeds if an older copy is listed beside the new version', async () => {
    const older = { copy: { ver: '1.0.0', cnr_id: 'harbour-masks', enabled: true } };
    const looks = [older, { ...older, masks: { ver: '1.4.2', cnr_id: 'harbour-masks', enabled: true } }];
    const { client } = await managerThat({ '/installed': oneByOne(looks) });
    expect(await client.install(v3, pack, waiting())).toMatchObject({ version: '1.4.2' });
  });

  it('is awaited only up to the timeout, and not after an abort', async () => {
    let looks = 0;
    const busyLater: Answer = (response) =>
      sendJson(response, 200, looks++ === 0 ? idle : { ...idle, total_count: 1, is_processing: true });
    const { client } = await managerThat({ '/status': busyLater });
    const hasty = { ...waiting(), patience: 0 };
    await expect(client.install(v3, pack, hasty)).rejects.toMatchObject({ reason: 'unanswered' });
    looks = 0;
    const left = new AbortController();
    const options = { ...waiting(left.signal), onQueued: () => left.abort() };
    await expect(client.install(v3, pack, options)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('an older ComfyUI-Manager', () => {
  const advice = {
    install: 'Update ComfyUI-Manager to version 3.40 or later.',
    task: 'Update ComfyUI-Manager to version 4.2.1 or later, and start ComfyUI without --enable-manager-legacy-ui.',
  };

  it.each([
    [v3, 'V3.39.2'],
    [v3, '3.9'],
    [v4, 'V4.2'],
    [v4, 'V4.0.5'],
  ] as const)('of %o and version %s is sent nothing, and has to be updated', async (manager, version) => {
    const { client, server } = await managerThat({});
    const reason = { reason: 'tooOld', nextAction: advice[manager.takes] };
    await expect(client.install({ ...manager, version }, pack, waiting())).rejects.toMatchObject(reason);
    expect(server.arrivals).toEqual([]);
  });

  it.each([
    [v3, 'V3.40'],
    [v4, 'V4.2.1'],
    [v4, 'V4.10'],
    [v3, 'v3.x'],
  ] as const)('is not one of %o and version %s', async (manager, version) => {
    const { client, server } = await managerThat({ '/history': notDone });
    await expect(client.install({ ...manager, version }, pack, waiting())).rejects.toMatchObject({
      reason: 'failed',
    });
    expect(posted(server)).toHaveLength(2);
  });

  it('with its older interface is told what to do, and nothing is in its queue', async () => {
    const { client, server } = await managerThat({ '/task': (response) => response.writeHead(405).end() });
    await expect(client.install(v4, pack, waiting())).rejects.toMatchObject({ nextAction: advice.task });
    expect(posted(server)).toEqual(['/api/v2/manager/queue/task']);
  });

  it('that restarts only by GET has to be updated', async () => {
    const { client, server } = await managerThat({ '/reboot': (response) => response.writeHead(405).end() });
    await expect(client.restart(v3, waiting())).rejects.toMatchObject({ nextAction: advice.install });
    expect(server.arrivals.map(({ method }) => method)).toEqual(['POST']);
  });
});

describe('the versions that a manager would install', () => {
  it('are reported by version 3, and not requested from version 4', async () => {
    const { client, found } = await sandboxWith('v3');
    const versions = await client.versions(found, 'harbour-masks');
    expect(versions?.map(({ version }) => version)).toContain('1.4.2');
    const { sandbox, ...newer } = await sandboxWith('v4');
    expect(await newer.client.versions(newer.found, 'harbour-masks')).toBeUndefined();
    expect(sandbox.seen.requests.some(({ path }) => path.includes('/versions/'))).toBe(false);
  });

  it.each([
    ['400', (response) => response.writeHead(400).end()],
    ['500', (response) => response.writeHead(500).end()],
    ['a page', (response) => response.writeHead(200).end('<!doctype html>')],
    ['a broken connection', (response) => response.destroy()],
    ['more than is read', (response) => response.writeHead(200).end('x'.repeat(5 * 1024 * 1024))],
  ] satisfies [string, Answer][])('are not known from %s', async (_, answer) => {
    const { client, server } = await managerThat({ '/versions/a%2Fpack': answer });
    expect(await client.versions(v3, 'a/pack')).toBeUndefined();
    expect(server.arrivals.map(({ path }) => path)).toEqual(['/api/customnode/versions/a%2Fpack']);
  });

  it('are read up to a limit', async () => {
    const { client } = await managerThat({
      '/versions/harbour-masks': (response) =>
        response.writeHead(200).end(`[${'{"version":"1"},'.repeat(50_000)}{"version":"2"}]`),
    });
    expect(await client.versions(v3, 'harbour-masks')).toHaveLength(2_000);
  });
});
