import { rename } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { answering } from '../../support/sandboxFixture';
import { picture, worldBeside, worldWith } from './workflows';

interface Told {
  readonly status?: number;
  readonly json: unknown;
}

/**
 * A local server that accepts every prompt as the job `j` and answers each read of it in turn; the last answer stays.
 */
async function serverOf(reads: readonly Told[], taken = '{"prompt_id": "j", "number": 1}') {
  const answers: Readonly<Record<string, unknown>> = {
    '/api/system_stats': { system: {}, devices: [] },
    '/api/features': {},
    '/api/jobs': { jobs: [], pagination: { has_more: false } },
    '/api/queue': { queue_running: [], queue_pending: [] },
  };
  let read = 0;
  const nextRead = (): Told => reads[Math.min(read++, reads.length - 1)] ?? { status: 404, json: {} };
  return answering(({ target }, response) => {
    const path = target.split('?')[0] ?? '';
    if (path === '/api/prompt') {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(taken);
      return;
    }
    if (path === '/api/view') {
      response.writeHead(200, { 'Content-Type': 'image/png' }).end('a picture');
      return;
    }
    const known = path === '/api/jobs/j' ? nextRead() : { json: answers[path] };
    const status = known.json === undefined ? 404 : (known.status ?? 200);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(known.json ?? {}));
  });
}

const images = (...names: string[]) =>
  names.map((name) => ({ filename: `${name}.png`, subfolder: '', type: 'output' }));
const ended = { id: 'j', status: 'completed', outputs: {} };

describe('an ended job whose outputs the server does not report', () => {
  it.each([
    ['while it refuses the key', { status: 401, json: { message: 'no' } }],
    ['while it fails', { status: 500, json: { message: 'no' } }],
  ])(
    'is owed %s',
    async (_, trouble) => {
      const server = await serverOf([{ json: ended }, trouble]);
      const world = await worldWith(picture);
      expect(await world.save(server.url, '--force')).toBe(1);
      expect(await world.record()).toMatchObject({ state: 'submitted', job: 'j' });
      expect(world.err).toContain('comfy-deck fetch j ');
      expect(world.err).not.toContain('lists no outputs');
    },
    60_000,
  );

  it('is owed while the server lists fewer outputs than it counts', async () => {
    const job = { ...ended, outputs: { 2: { images: images('one') } }, outputs_count: 3 };
    const whole = { ...job, outputs: { 2: { images: images('one', 'two', 'three') } } };
    const reads: Told[] = [{ json: job }];
    const server = await serverOf(reads);
    const world = await worldWith(picture);
    expect(await world.save(server.url, '--force')).toBe(1);
    expect(world.err).toContain('The server reports 3 outputs for this job but lists 1.');
    expect(world.out, 'what it lists is saved').toMatch(/one\.png\n$/);
    expect(await world.record()).toMatchObject({ state: 'incomplete', job: 'j', files: [{ node: '2' }] });
    expect(world.err).toContain('1 of 3 outputs saved.');
    expect(world.err).toContain('comfy-deck fetch j ');

    reads.push({ status: 404, json: {} });
    expect(await world.call('fetch', 'j'), 'forgotten meanwhile').toBe(1);
    expect(await world.record()).toMatchObject({ state: 'incomplete', unlisted: 2 });

    reads.push({ json: whole });
    expect(await world.call('fetch', 'j'), 'listed at last').toBe(0);
    const record = await world.record();
    expect(record).toMatchObject({ state: 'saved', files: [{}, {}, {}] });
    expect(record.unlisted).toBeUndefined();
  }, 60_000);
});

describe('an endless answer to a submission', () => {
  it('may mean success: the run is owed', async () => {
    const server = await serverOf([], `{"prompt_id": "j", "note": "${' '.repeat(33 * 2 ** 20)}"}`);
    const world = await worldWith(picture);
    expect(await world.save(server.url, '--force', '--look-out', '0')).toBe(1);
    expect(await world.record()).toMatchObject({ state: 'sending' });
    expect(world.err).toContain('The server may or may not have accepted the workflow.');
  }, 30_000);
});

const badGateway = { method: 'POST', path: '/prompt', kind: 'badGateway' } as const;

describe('comfy-deck run and a lost answer', () => {
  it('does not claim that an unseen job was not started, and does not send again', async () => {
    const { sandbox, world } = await worldBeside('local', picture);
    sandbox.faults.set('answer', badGateway);
    expect(await world.save(sandbox.url, '--look-out', '2')).toBe(1);
    expect(world.err).toContain('Not found yet. Checking again in 2 s');
    expect(world.err).toContain("hasn't appeared on the server yet, but it may still start.");
    expect(world.err).toContain("Check the server's queue and history before you run it again");
    expect(world.err).not.toContain('not started');
    expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
  });

  it('says that the outcome is unknown when Ctrl-C ends the search', async () => {
    const { sandbox, world } = await worldBeside('local', picture);
    sandbox.faults.set('answer', badGateway);
    const running = world.save(sandbox.url);
    await world.said('Checking again');
    world.pressCtrlC();
    expect(await running).toBe(130);
    expect(world.err).toContain('The run may have started');
  });

  it('prints a command that works, even once the output folder was renamed', async () => {
    const { sandbox, world } = await worldBeside('local', picture);
    sandbox.faults.set('answer', badGateway);
    const running = world.save(sandbox.url);
    await world.said('Checking again');
    await rename(world.path('out'), world.path('renamed'));
    world.pressCtrlC();
    expect(await running).toBe(130);
    const command = /^ {2}comfy-deck (fetch .+)$/m.exec(world.err)?.[1] ?? '';
    const later = await worldWith(picture);
    expect(await later.run(...command.split(' '))).toBe(1);
    expect(later.err).toContain('The server may or may not have accepted the workflow.');
    expect(later.err).not.toContain('There is no run record');
  });

  it.each(['queueLimit', 'rateLimited'] as const)(
    'waits as long as the server asks, then sends the workflow (%s)',
    async (kind) => {
      const { sandbox, world } = await worldBeside('cloud', picture);
      sandbox.faults.set('answer', { ...badGateway, kind, retryAfter: 1, times: 2 });
      expect(await world.save(sandbox.url, '--json')).toBe(0);
      expect(world.err).toContain('Retrying in 1 s');
      expect(world.events).toContainEqual({ event: 'stage', stage: 'waiting', seconds: 1 });
      expect(sandbox.seen.count('POST', '/prompt')).toBe(3);
    },
  );

  it('stops waiting when the server asks too often, and on Ctrl-C', async () => {
    const { sandbox, world } = await worldBeside('cloud', picture);
    const limit = { ...badGateway, kind: 'rateLimited' } as const;
    sandbox.faults.set('answer', { ...limit, retryAfter: 0 });
    expect(await world.save(sandbox.url)).toBe(1);
    expect(sandbox.seen.count('POST', '/prompt')).toBe(6);
    sandbox.faults.set('answer', { ...limit, retryAfter: 3600 });
    expect(await world.save(sandbox.url)).toBe(1);
    sandbox.faults.set('answer', { ...limit, retryAfter: 60 });
    const patient = await worldWith(picture);
    const running = patient.save(sandbox.url);
    await patient.said('in 60 s');
    patient.pressCtrlC();
    expect(await running).toBe(130);
  });
});
