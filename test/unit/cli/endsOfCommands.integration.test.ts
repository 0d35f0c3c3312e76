import { rm, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { post } from '../../support/sandboxFixture';
import type { CliWorld } from './cliWorld';
import { picture, slow, worldBeside, type Nodes } from './workflows';

/** The clock is 8 times as fast: a server has 45 seconds to list a job again. */
function hurryClock(): void {
  const began = Date.now() - performance.now() * 8;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => Math.round(began + performance.now() * 8));
  onTestFinished(() => clock.mockRestore());
}

function fillDisk(): void {
  const free = vi.spyOn(NodeFolder.prototype, 'free').mockResolvedValue(0);
  onTestFinished(() => free.mockRestore());
}

/** As if another program had taken the run over. */
async function lockElsewhere(world: CliWorld): Promise<void> {
  const locks = await world.names('out', '.lock');
  for (const lock of locks) await writeFile(world.path(`out/${lock}`), 'another program\n');
}

/** Saves a picture before it stops at a node. */
const early: Nodes = {
  ...slow,
  0: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'early' } },
};

/** What a program reads of a command: how it ended, why, and what is owed. */
function told({ events }: CliWorld) {
  const [error] = events.filter(({ event }) => event === 'error');
  const [owed] = events.filter(({ event }) => event === 'owed');
  const { outcome, saved, exitCode } = events.at(-1) as unknown as Record<string, unknown>;
  const said = error?.event === 'error' ? `${error.message} ${error.nextAction}` : '';
  return { outcome, saved, exitCode, said, owed: owed?.event === 'owed' && owed.state };
}

const forgotten =
  'The job is no longer on the server (the server was restarted, or it removed the job). It may have finished first. Check the server for outputs before you run it again.';
const cancelled = "The run was cancelled. Run it again if you didn't mean to cancel it.";
const diskFull =
  "The disk has 0 bytes left, so shot_00001_.png wasn't saved. Free some space on the disk. Then run comfy-deck fetch.";
const takenOver =
  "The run record couldn't be written: Another window or command has taken over, or the output folder was moved. Continue there.";
const failed = { outcome: 'failed', saved: 0, exitCode: 1, owed: false };
const stopped = { outcome: 'cancelled', exitCode: 130 };

describe('comfy-deck run', () => {
  /** Begins a run; `running` once its job is at the slow node. */
  async function started(workflow: Nodes = early) {
    const { sandbox, world } = await worldBeside('human', workflow);
    const ended = world.save(sandbox.url, '--json');
    await world.said('"name":"SandboxSlow"');
    return { sandbox, world, ended };
  }

  it('of a job that the server forgets', async () => {
    hurryClock();
    const { sandbox, world, ended } = await started();
    sandbox.faults.set('restartServer');
    expect(await ended).toBe(1);
    expect(told(world)).toEqual({ ...failed, said: forgotten });
    expect(await world.record()).toMatchObject({ state: 'lost', why: 'forgotten' });
  });

  it('of a job that was cancelled on the server, with what it made', async () => {
    const { sandbox, world, ended } = await started();
    await post(`${sandbox.url}/interrupt`, {});
    expect(await ended).toBe(130);
    expect(told(world)).toEqual({ ...stopped, saved: 1, said: cancelled, owed: false });
    expect(await world.record()).toMatchObject({ state: 'cancelled', files: [{ node: '0' }] });
  });

  it('that another program has taken over', async () => {
    const { sandbox, world, ended } = await started();
    await lockElsewhere(world);
    await post(`${sandbox.url}/interrupt`, {});
    expect(await ended).toBe(130);
    expect(told(world)).toEqual({ ...stopped, saved: 0, said: takenOver, owed: 'saving' });
  });

  it('on a full disk', async () => {
    const { sandbox, world } = await worldBeside('local', picture);
    fillDisk();
    expect(await world.save(sandbox.url, '--json')).toBe(1);
    expect(told(world)).toEqual({ ...failed, said: diskFull, owed: 'incomplete' });
    expect(await world.record()).toMatchObject({ state: 'incomplete', notSaved: 'diskFull' });
  });
});

describe('comfy-deck fetch', () => {
  /** The record of a run whose program ended once it was sent, and what it knows otherwise. */
  async function left(workflow: Nodes, change: object = {}) {
    const { sandbox, world } = await worldBeside('local', workflow);
    const ended = world.save(sandbox.url);
    if (workflow !== picture) {
      await world.said('SandboxSlow: running');
      await post(`${sandbox.url}/interrupt`, {});
    }
    await ended;
    for (const name of await world.names('out', '.png')) await rm(world.path(`out/${name}`));
    await world.changeRecords(() => ({ state: 'submitted', expected: [], files: [], ...change }));
    const [record = ''] = await world.recordFiles();
    return { sandbox, world, fetch: () => world.call('fetch', record, '--json') };
  }

  it('of a job that the server forgot', async () => {
    hurryClock();
    const { world, fetch } = await left(picture, { job: 'forgotten-job' });
    expect(await fetch()).toBe(1);
    expect(world.err).toContain(
      "The server doesn't list job forgotten-job now. Checking again for a minute.",
    );
    expect(told(world)).toEqual({ ...failed, said: forgotten });
    expect(await world.record()).toMatchObject({ state: 'lost', why: 'forgotten' });
  });

  it('of a job that was cancelled on the server, with what it made', async () => {
    const { world, fetch } = await left(early);
    expect(await fetch()).toBe(1);
    expect(told(world)).toEqual({ ...failed, saved: 1, said: cancelled });
    expect(await world.record()).toMatchObject({ state: 'cancelled', files: [{ node: '0' }] });
  });

  it('of a run whose answer was lost', async () => {
    const { sandbox, world, fetch } = await left(picture, { state: 'sending', job: undefined });
    expect(await fetch()).toBe(0);
    expect(told(world)).toEqual({ outcome: 'done', saved: 1, exitCode: 0, said: '', owed: false });
    expect(await world.record()).toMatchObject({ state: 'saved' });
    expect(sandbox.seen.count('POST', '/prompt')).toBe(1);
  });

  it('on a full disk', async () => {
    const { world, fetch } = await left(picture);
    fillDisk();
    expect(await fetch()).toBe(1);
    expect(told(world)).toEqual({ ...failed, said: diskFull, owed: 'incomplete' });
    expect(await world.record()).toMatchObject({ state: 'incomplete', notSaved: 'diskFull' });
  });
});
