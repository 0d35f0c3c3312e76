import { describe, expect, it } from 'vitest';
import { loopbackForTest } from '../../support/sandboxFixture';
import { BatchWorld, serverOf } from '../batch/batchFixture';
import { asksOf, run, sessionWith } from './runFixture';

const prompt = { 1: { class_type: 'Save', inputs: {} } };
const labelled = { 1: { class_type: 'Save', inputs: { label: 'x' } } };
const save = { Save: { input: { required: {} }, output: [], output_node: true } };

/** A server that lets no socket in; with `more`, it has more than the documented endpoints. */
async function refusing(more: Readonly<Record<string, unknown>> = {}) {
  const answers: Readonly<Record<string, unknown>> = {
    '/api/queue': { queue_running: [], queue_pending: [] },
    '/api/object_info': save,
    '/api/prompt': { prompt_id: 'j' },
    ...more,
  };
  const server = await loopbackForTest({
    upgrade: () => 401,
    answer: ({ path }, response) => {
      const known = answers[path];
      response.writeHead(known === undefined ? 404 : 200).end(JSON.stringify(known ?? {}));
    },
  });
  const { session } = sessionWith(server);
  return { session, posts: () => server.arrivals.filter(({ path }) => path === '/api/prompt').length };
}

describe('a run whose outputs could not be found, since no socket can be opened', () => {
  it.each([
    [true, 'submitted', 1],
    [false, 'declined', 0],
  ])('is sent if the person says %s', async (answer, kind, sent) => {
    const { session, posts } = await refusing();
    const reasons: string[] = [];
    const mayRunUnheard = (reason: string) => {
      reasons.push(reason);
      return Promise.resolve(answer);
    };
    expect(await run(session, prompt, asksOf({ mayRunUnheard }))).toMatchObject({ kind });
    expect([reasons, posts()]).toEqual([['The server rejected the key.'], sent]);
  });

  it('is refused where nobody can be asked, unless forced', async () => {
    const { session, posts } = await refusing();
    const asks = asksOf({ mayRunUnheard: () => Promise.reject(new Error('A dialog.')) });
    const unasked = await run(session, prompt, asks, { refuseUnheard: true });
    expect(unasked).toMatchObject({ reason: 'unheard' });
    expect(await run(session, prompt, asksOf())).toMatchObject({ reason: 'unheard' });
    expect(posts()).toBe(0);
    const forced = await run(session, prompt, asksOf(), { force: true });
    expect([forced.kind, posts()]).toEqual(['submitted', 1]);
  });

  it('is refused in a batch that asks nobody', async () => {
    const { session, posts } = await refusing();
    const world = await BatchWorld.open({ '1.label': 'a,b' }, JSON.stringify(labelled));
    const asks = { mayRunUnheard: () => Promise.reject(new Error('A dialog.')) };
    const batch = await world.run([serverOf(session)], { asks, choices: { refuseUnheard: true } });
    expect(await batch.go(new AbortController().signal)).toMatchObject({ why: 'errors' });
    expect(batch.rows[0]).toMatchObject({
      state: 'refused',
      message: expect.stringContaining('WebSocket') as string,
    });
    expect(posts()).toBe(0);
  });

  it('is sent without a question to a server that lists outputs', async () => {
    const { session } = await refusing({ '/api/jobs': { jobs: [], pagination: { has_more: false } } });
    expect(await run(session, prompt, asksOf())).toMatchObject({ kind: 'submitted' });
  });
});
