import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { TooltipPictures } from '../../../src/host/jobs/tooltipPictures';
import type { SavedFile } from '../../../src/core/runLife/run';

async function savedBy(node: string, folder: string): Promise<SavedFile> {
  const name = `${node}.webp`;
  const location = path.join(folder, name);
  await writeFile(location, node);
  return { id: 1, node, key: name, kind: 'image', name, location, bytes: 1, sha256: node.repeat(64) };
}

it('the last live preview of a run with several output nodes stands for the run, for none of its files', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pictures-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const saved = [await savedBy('8', folder), await savedBy('9', folder)] as const;
  const pictures = new TooltipPictures(path.join(folder, 'thumbnails'));
  pictures.see({ jobId: 'job', image: Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]) });
  await pictures.keepPreview('job', saved);
  const [ofRun, ...more] = await pictures.find('job', saved);
  expect(ofRun?.fsPath).toMatch(/-preview\.jpg$/);
  expect(more).toEqual([]);
  for (const each of saved) expect(await pictures.find('job', [each])).toEqual([]);
});
