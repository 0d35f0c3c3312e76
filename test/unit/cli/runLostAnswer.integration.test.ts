import { rename } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { sandboxForTest } from '../../support/sandboxFixture';
import { picture, worldWith } from './workflows';

describe('comfy-deck run and a lost answer', () => {
  it.each(['cloud', 'local', 'local-old'] as const)(
    'finds the job instead of sending again (%s)',
    async (dialect) => {
      const sandbox = await sandboxForTest({ dialect });
      sandbox.faults.set('loseAnswer', { times: 1 });
      const world = await worldWith(picture);
      expect(await world.save(sandbox.url, '--json')).toBe(0);
      expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
      expect(world.events).toContainEqual({ event: 'stage', stage: 'lookingForJob' });
      expect(world.events.at(-1)).toMatchObject({ outcome: 'done', saved: 1 });
    },
  );

  it('does not claim that an unseen job was not started, and does not send again', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    sandbox.faults.set('answer', { method: 'POST', path: '/prompt', kind: 'badGateway' });
    const world = await worldWith(picture);
    expect(await world.save(sandbox.url, '--look-out', '2')).toBe(1);
    expect(world.err).toContain('Not found yet. Checking again in 2 s');
    expect(world.err).toContain("hasn't appeared on the server yet, but it may still start.");
    expect(world.err).toContain("Check the server's queue and history before you run it again");
    expect(world.err).not.toContain('not started');
    expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
  });

  it('says that the outcome is unknown when Ctrl-C ends the search', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    sandbox.faults.set('answer', { method: 'POST', path: '/prompt', kind: 'badGateway' });
    const world = await worldWith(picture);
    const running = world.save(sandbox.url);
    await world.said('Checking again');
    world.pressCtrlC();
    expect(await running).toBe(130);
    expect(world.err).toContain('The run may have started');
  });

  it('prints a command that works, even once the output folder was renamed', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    sandbox.faults.set('answer', { method: 'POST', path: '/prompt', kind: 'badGateway' });
    const world = await worldWith(picture);
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
      const sandbox = await sandboxForTest();
      sandbox.faults.set('answer', { method: 'POST', path: '/prompt', kind, retryAfter: 1, times: 2 });
      const world = await worldWith(picture);
      expect(await world.save(sandbox.url, '--json')).toBe(0);
      expect(world.err).toContain('Retrying in 1 s');
      expect(world.events).toContainEqual({ event: 'stage', stage: 'waiting', seconds: 1 });
      expect(sandbox.seen.count('POST', '/prompt')).toBe(3);
    },
  );

  it('stops waiting when the server asks too often, and on Ctrl-C', async () => {
    const sandbox = await sandboxForTest();
    const limit = { method: 'POST', path: '/prompt', kind: 'rateLimited' } as const;
    sandbox.faults.set('answer', { ...limit, retryAfter: 0 });
    const world = await worldWith(picture);
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
