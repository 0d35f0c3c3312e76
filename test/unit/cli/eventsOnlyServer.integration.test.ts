import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { loopbackForTest } from '../../support/sandboxFixture';
import type { CliWorld } from './cliWorld';
import { picture, worldWith } from './workflows';

const definition = (output_node: boolean, required: object) => ({
  input: { required },
  output: [],
  output_node,
});
const int = ['INT', {}];
const definitions = {
  EmptyImage: {
    ...definition(false, { width: int, height: int, batch_size: int, color: int }),
    output: ['IMAGE'],
  },
  SaveImage: definition(true, { images: ['IMAGE'], filename_prefix: ['STRING', {}] }),
};
const image = { filename: 'a.png', subfolder: '', type: 'output' };
const told = (type: string, data: object = {}) => JSON.stringify({ type, data: { prompt_id: 'j', ...data } });
const begin = [told('execution_start'), told('executing', { node: '2' })];
const executed = told('executed', { node: '2', output: { images: [image] } });
const success = told('execution_success');

/**
 * A server with the documented endpoints only: the job `j` ends at once, or when it is cancelled, and the socket tells
 * `events` and then, if asked to, drops.
 */
async function documented({
  events = [] as readonly string[],
  drops = false,
  upgrade = 101,
  status = 200,
  knowsNodes = true,
  view = { status: 200 },
  atDelete = undefined as { readonly events: readonly string[]; readonly state: string } | undefined,
} = {}) {
  const sockets: WebSocket[] = [];
  let state = 'pending';
  const answers: Readonly<Record<string, unknown>> = {
    '/api/queue': { queue_running: [], queue_pending: [] },
    ...(knowsNodes && { '/api/object_info': definitions }),
  };
  const server = await loopbackForTest({
    upgrade: () => upgrade,
    socket: (socket) => sockets.push(socket),
    answer: ({ method, path }, response) => {
      const answer = (code: number, body: unknown): void => {
        response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      };
      const { status: seen } = view;
      if (path === '/api/view') response.writeHead(seen, { 'Content-Type': 'image/png' }).end('a picture');
      else if (path === '/api/job/j/status') answer(status, { status: state });
      else if (path === '/api/queue' && method === 'POST') {
        state = atDelete?.state ?? state;
        answer(200, {});
        for (const socket of sockets) for (const event of atDelete?.events ?? []) socket.send(event);
      } else if (path === '/api/prompt') {
        state = atDelete ? 'in_progress' : 'completed';
        answer(200, { prompt_id: 'j' });
        for (const socket of sockets) {
          for (const event of events) socket.send(event);
          if (drops) socket.close();
        }
      } else answer(answers[path] === undefined ? 404 : 200, answers[path] ?? {});
    },
  });
  const posts = (): number => server.arrivals.filter(({ path }) => path === '/api/prompt').length;
  return { url: server.url, posts };
}

describe('a run on a server that lists no outputs', () => {
  async function pressWhileSaving(world: CliWorld, url: string): Promise<number> {
    const running = world.save(url);
    await world.said('SaveImage: running');
    world.pressCtrlC();
    return running;
  }

  it('ends as outputs unknown when the socket drops before the node ends', async () => {
    const { url } = await documented({ events: begin, drops: true });
    const world = await worldWith(picture);
    expect(await world.save(url, '--json')).toBe(1);
    expect(world.events.at(-1)).toEqual({ event: 'end', outcome: 'outputsUnknown', saved: 0, exitCode: 1 });
    const said = world.events.find(({ event }) => event === 'error');
    expect(said).toMatchObject({ message: expect.stringContaining('its outputs are unknown') as string });
    expect(await world.record()).toMatchObject({ state: 'outputsUnknown', outputNodes: ['2'] });
    // Nothing is fetched again, and the run isn't told to be complete either.
    expect(await world.call('jobs')).toBe(0);
    expect(world.out + world.err).toContain('outputs unknown');
    expect(world.err).not.toContain('No outputs are missing');
    expect(await world.call('fetch', 'j', '--json')).toBe(1);
    expect(world.out).toContain('"outcome":"outputsUnknown"');
  });

  it('is a success with what events told, also when the status is refused', async () => {
    for (const status of [200, 403, 500]) {
      const { url } = await documented({ events: [...begin, executed, success], status });
      const world = await worldWith(picture);
      expect(await world.save(url, '--json')).toBe(0);
      expect(world.events.at(-1)).toMatchObject({ outcome: 'done', saved: 1 });
      expect(await world.record()).toMatchObject({ state: 'saved', outputNodes: [] });
    }
  });

  it('keeps what events told of outputs that could not be fetched, and fetches them later', async () => {
    const view = { status: 403 };
    const { url } = await documented({ events: [...begin, executed, success], view });
    const world = await worldWith(picture);
    expect(await world.save(url)).toBe(1);
    view.status = 200;
    expect(await world.call('fetch', 'j')).toBe(0);
    expect(await world.record()).toMatchObject({ state: 'saved', files: [{ original: 'a.png' }] });
  });

  it('is a success that says so when a node was cached, or made nothing', async () => {
    const kept = await documented({ events: [told('execution_cached', { nodes: ['1', '2'] }), success] });
    const world = await worldWith(picture);
    expect(await world.save(kept.url)).toBe(0);
    expect(world.err).toContain('The server reused results of an earlier run');
    const nothing = await documented({ events: [...begin, success] });
    const other = await worldWith(picture);
    expect(await other.save(nothing.url)).toBe(0);
    expect(other.err).toContain('The job completed without outputs.');
  });

  it.each([
    ['it ended all the same', [executed, success], 'completed', 'The job had already finished.'],
    ['it was cancelled', [executed, told('execution_interrupted')], 'cancelled', 'The job was cancelled'],
  ])('saves what a job made after Ctrl-C: %s', async (_, events, state, words) => {
    const { url } = await documented({ events: begin, atDelete: { events, state } });
    const world = await worldWith(picture);
    expect(await pressWhileSaving(world, url)).toBe(130);
    expect(world.err).toContain(words);
    expect(world.err).not.toContain('may still be running');
    expect(world.out).toContain('a.png');
    expect(await world.record()).toMatchObject({
      state: state === 'completed' ? 'saved' : state,
      files: [{}],
    });
  });

  it('says how a job failed after Ctrl-C', async () => {
    const failure = told('execution_error', { exception_type: 'OOMError', exception_message: 'Full.' });
    const { url } = await documented({ events: begin, atDelete: { events: [failure], state: 'failed' } });
    const world = await worldWith(picture);
    expect(await pressWhileSaving(world, url)).toBe(130);
    expect(world.err).toContain('The GPU ran out of memory');
    expect(world.err).not.toContain('may still be running');
    expect(await world.record()).toMatchObject({ state: 'failed' });
  });
});
