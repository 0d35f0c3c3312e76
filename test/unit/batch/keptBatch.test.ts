import { expect, it } from 'vitest';
import { progressEnding } from '../../../src/core/batch/batchEndings';
import { keepBatch, keptBatch } from '../../../src/core/batch/batchProgress';
import type { BatchAxis } from '../../../src/core/batch/batchTable';
import { MemoryFolder } from '../outputs/memoryFolder';
import { Life } from './killedLife';

const column = { nodeId: '1', nodeName: 'Text', input: 'value', offset: 0, length: 1 };

function about(texts: readonly string[]) {
  const axes: readonly BatchAxis[] = [{ columns: [column], steps: texts.map((text) => [text]) }];
  return { label: 'w.json', workflow: 'w.json', workflowHash: '', isPaid: false, axes };
}

it('a batch with many long values can be read again', async () => {
  const folder = new MemoryFolder();
  const { name, batch } = await keepBatch(folder, about(Array<string>(10_000).fill('x'.repeat(1_700))), 0);
  expect(await keptBatch(folder, name)).toEqual(batch);
});

it('a batch that could not be read again is not started', async () => {
  const folder = new MemoryFolder();
  await expect(keepBatch(folder, about(Array<string>(700).fill('x'.repeat(100_000))), 0)).rejects.toThrow(
    'take more than 64 MB',
  );
  expect(folder.names).toEqual([]);
});

it('a batch whose program is killed while it is kept is there completely or not at all', async () => {
  const seen = new Set<boolean>();
  for (let steps = 0; steps < 12; steps++) {
    const folder = new MemoryFolder();
    const life = new Life(steps);
    const kept = keepBatch(life.folder(folder), about(['1', '2', '3']), 0);
    await Promise.race([kept, life.died]);
    const names = folder.names.filter((name) => name.endsWith(progressEnding));
    for (const name of names) expect((await keptBatch(folder, name))?.axes[0]?.steps).toHaveLength(3);
    seen.add(names.length > 0);
  }
  expect(seen).toEqual(new Set([false, true]));
});
