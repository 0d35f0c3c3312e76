import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimRecord, isClaimed, sweepClaims } from '../../../src/core/records/claimRecord';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { firstRecord } from '../../../src/core/records/recordFile';
import { sendingRecord } from '../../../src/core/records/recordSteps';
import { unchanged } from '../../support/unchanged';

const record = 'cat-20261122-101500.run.json';

async function claimed() {
  const root = await mkdtemp(path.join(tmpdir(), 'claims-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = new NodeFolder(root);
  const release = await claimRecord(folder, record);
  return { root, folder, release };
}

/** The claim as an ended process would have left it. */
async function orphan(
  root: string,
  { pid, start }: { pid: number; start?: string } = spawnSync(process.execPath, ['--version']),
): Promise<void> {
  const [name = ''] = await readdir(root);
  const claim = path.join(root, name);
  const own = new RegExp(`-${process.pid}-(\\d+)-`);
  const text = await readFile(claim, 'utf8');
  await writeFile(
    claim,
    text.replace(own, (_, ownStart) => `-${pid}-${start ?? ownStart}-`),
  );
}

describe('a claim on a run record', () => {
  it('is held by one process at a time until it is released', async () => {
    const { folder, release } = await claimed();
    expect(await claimRecord(folder, record)).toBeUndefined();
    expect(await isClaimed(folder, record)).toBe(true);
    await release?.();
    expect(await isClaimed(folder, record)).toBe(false);
    expect(await claimRecord(folder, record)).toBeDefined();
  });

  it('of a dead process does not count', async () => {
    const { root, folder } = await claimed();
    await orphan(root);
    expect(await isClaimed(folder, record)).toBe(false);
    expect(await claimRecord(folder, record)).toBeDefined();
  });

  it.skipIf(process.platform !== 'linux')(
    'of a dead process does not count while nobody has asked how it ended',
    async () => {
      const { root, folder } = await claimed();
      // The shell becomes a program that waits for no children, and does so before its child ends.
      const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60']);
      onTestFinished(() => void parent.kill());
      const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(printed.toString());
      const stat = async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ');
      await expect.poll(async () => (await stat())[2]).toBe('Z');
      const start = (await stat())[21] ?? '';
      await orphan(root, { pid, start });
      expect(await isClaimed(folder, record)).toBe(false);
    },
  );

  it('of a dead process is removed; one still held stays', async () => {
    const { root, folder } = await claimed();
    await sweepClaims(folder);
    expect(await readdir(root)).toHaveLength(1);
    await orphan(root);
    await sweepClaims(folder);
    expect(await readdir(root)).toEqual([]);
  });

  it('of a dead process is removed by the next run', async () => {
    const { root, folder } = await claimed();
    await orphan(root);
    const [left = ''] = await readdir(root);
    const next = sendingRecord({ server: 'http://127.0.0.1:8188', label: 'dog.json', seeds: {}, sentAt: 0 });
    const run = await firstRecord(folder, 'dog-20261122-101501', next, unchanged);
    expect(await readdir(root)).not.toContain(left);
    await run.close();
    expect(await readdir(root)).toEqual([run.name]);
  });
});
