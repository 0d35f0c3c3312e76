import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRunRecord, type RunRecord } from '../../../src/core/records/runRecord';
import { buildCli, type BuiltCli } from '../../support/cliProcess';
import { sandboxForTest } from '../../support/sandboxFixture';
import type { CliWorld } from './cliWorld';
import { picture, worldWith } from './workflows';
import { notOnWindows } from '../../support/notOnWindows';

/** Four pictures, so that a kill can happen between them. */
const pictures = {
  ...picture,
  1: { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 4, color: 255 } },
};

interface Folder {
  readonly pictures: readonly string[];
  readonly records: ReadonlyMap<string, RunRecord>;
  readonly others: readonly string[];
}

async function look(world: CliWorld): Promise<Folder> {
  const names: string[] = await readdir(world.path('out')).catch(() => []);
  const records = new Map<string, RunRecord>();
  for (const name of names.filter((each) => each.endsWith('.run.json'))) {
    const record = readRunRecord(await readFile(`${world.path('out')}/${name}`, 'utf8'));
    if (!record) throw new Error(`${name} is not a whole record`);
    records.set(name, record);
  }
  return {
    pictures: names.filter((name) => name.endsWith('.png')),
    records,
    others: names.filter((name) => !name.endsWith('.png') && !name.endsWith('.run.json')),
  };
}

/** Every picture belongs to a record, and a final record has all its files beside it. */
function expectTrue({ pictures: found, records }: Folder): void {
  const stems = [...records.keys()].map((name) => name.slice(0, -'.run.json'.length));
  for (const name of found) {
    expect(
      stems.some((stem) => name.startsWith(`${stem}-`)),
      `${name} has no record`,
    ).toBe(true);
  }
  for (const [name, { state, files, expected }] of records) {
    if (state === 'saved') expect(files.length, `${name} looks whole`).toBe(expected.length);
    for (const file of files) expect(found, `${name} names what is not there`).toContain(file.name);
  }
}

/** Always the same random numbers from 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describe('a run that is killed', () => {
  let cli: BuiltCli;
  beforeAll(async () => {
    cli = await buildCli();
  }, 60_000);
  afterAll(() => cli.remove());

  it('at any moment leaves no picture without a record and no record that falsely looks complete, and fetch gets the rest', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    // Downloads long enough for a kill to interrupt them.
    sandbox.faults.set('slowFile', { chunkBytes: 64, pauseMs: 15 });
    const world = await worldWith(pictures);
    const args = ['run', world.path('w.json'), '--server', sandbox.url, '--out', world.path('out')];
    const random = seeded(20_26);
    const runs = 20;
    for (let run = 0; run < runs; run++) {
      const { child, ended } = cli.start(args);
      const moment = random() * 900;
      // The start-up time of a process says nothing about the run.
      child.stderr?.once('data', () => setTimeout(() => child.kill('SIGKILL'), moment));
      await ended;
      expectTrue(await look(world));
    }
    sandbox.faults.clear();
    const sent = sandbox.seen.count('POST', '/prompt');
    const owed = await look(world);
    const known = [...owed.records.values()].filter(({ state }) => state !== 'sending').length;
    expect(owed.records.size).toBeGreaterThanOrEqual(sent);
    expect(known).toBeGreaterThan(0);
    // Sees in one go that nobody works on them any more.
    await world.run('jobs', '--out', world.path('out'));
    for (const [name, { state }] of owed.records) {
      if (state === 'saved') continue;
      const code = await world.run('fetch', `${world.path('out')}/${name}`, '--out', world.path('out'));
      // A prompt that was never sent is not on the server.
      expect(code === 0 || (state === 'sending' && world.err.includes("doesn't list a job")), world.err).toBe(
        true,
      );
    }
    const after = await look(world);
    expectTrue(after);
    expect(after.others).toEqual([]);
    const saved = [...after.records.values()].filter(({ state }) => state === 'saved');
    expect(saved).toHaveLength(sent);
    expect(after.pictures).toHaveLength(4 * sent);
    expect(sandbox.seen.count('POST', '/prompt'), 'nothing is sent twice').toBe(sent);
  }, 120_000);

  it('by a reader that exits early continues and saves its outputs', async () => {
    const sandbox = await sandboxForTest({ dialect: 'local' });
    const world = await worldWith(pictures);
    const { child, ended } = cli.start([
      'run',
      world.path('w.json'),
      '--server',
      sandbox.url,
      '--out',
      world.path('out'),
    ]);
    child.stdout?.destroy();
    child.stderr?.once('data', () => child.stderr?.destroy());
    expect(await ended).toBe(0);
    expect((await look(world)).pictures).toHaveLength(4);
  });

  it.skipIf(notOnWindows('it ends another program at once, without a signal'))(
    'by closing its terminal does not cancel the job, and says how to get its outputs',
    async () => {
      const sandbox = await sandboxForTest({ dialect: 'local', timing: 'human' });
      const slow = {
        ...picture,
        3: { class_type: 'SandboxSlow', inputs: { value: ['1', 0], steps: 40 } },
        2: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'shot' } },
      };
      const world = await worldWith(slow);
      const args = ['--server', sandbox.url, '--out', world.path('out')];
      const { child, ended, said } = cli.start(['run', world.path('w.json'), ...args]);
      await expect.poll(said).toContain('SandboxSlow: ');
      child.kill('SIGHUP');
      expect(await ended).toBe(129);
      const [, command = '', job = ''] = /(comfy-deck fetch (\S+) .*)/.exec(said()) ?? [];
      expect(command).toContain(world.path('out'));
      expect(await world.run('wait', job, ...args), world.err).toBe(0);
      expect((await look(world)).pictures).toHaveLength(1);
    },
  );
});
