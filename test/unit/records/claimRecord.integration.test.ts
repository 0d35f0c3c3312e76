import { spawn } from 'node:child_process';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { removeFolder } from '../../../src/core/outputs/changeFile';
import { lockFileName, lockRecord, isRecordLocked } from '../../../src/core/records/claimRecord';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';

const record = 'cat-20261122-101500.run.json';
const stamp = '.comfy-deck-00000000-0000-4000-8000-000000000001.stamp';

async function folderHere(): Promise<{ root: string; folder: NodeFolder }> {
  const root = await mkdtemp(path.join(tmpdir(), 'claims-'));
  onTestFinished(() => removeFolder(root));
  return { root, folder: new NodeFolder(root) };
}

describe('a claim on a run record', () => {
  it('is held by one program at a time until it is released', async () => {
    const { root, folder } = await folderHere();
    const claim = await lockRecord(folder, record);
    // Another view of the folder, as another window has it.
    const again = new NodeFolder(root);
    expect(await lockRecord(again, record)).toBeUndefined();
    expect(await isRecordLocked(again, record)).toBe(true);
    await claim?.release();
    expect(await isRecordLocked(again, record)).toBe(false);
    await (await lockRecord(again, record))?.release();
    expect(await readdir(root)).toEqual([]);
  });

  it('of another process counts until that is killed, whatever becomes of its process ID', async () => {
    const { root, folder } = await folderHere();
    const file = JSON.stringify(path.join(root, stamp));
    const renew = `let n=0;setInterval(()=>require('fs').writeFileSync(${file},String(++n)),200)`;
    const owner = spawn(process.execPath, ['-e', renew], { stdio: 'ignore' });
    onTestFinished(() => void owner.kill('SIGKILL'));
    await expect.poll(() => readdir(root)).toContain(stamp);
    await writeFile(path.join(root, lockFileName(record)), `${stamp} 1\n`);
    expect(await lockRecord(folder, record)).toBeUndefined();
    owner.kill('SIGKILL');
    const claim = await lockRecord(folder, record);
    expect(claim).toBeDefined();
    await claim?.release();
  });
});
