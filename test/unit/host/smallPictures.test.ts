import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SmallPictures } from '../../../src/host/jobs/smallPictures';
import type { SavedFile } from '../../../src/host/outputs/savedOutputs';

vi.mock('vscode', () => ({ Uri: { file: (fsPath: string) => ({ fsPath }) } }));

async function savedBy(nodeId: string, folder: string): Promise<SavedFile> {
  const filename = `${nodeId}.webp`;
  const location = path.join(folder, filename);
  await writeFile(location, nodeId);
  const file = { filename, subfolder: '', area: 'output', nodeId, media: 'image' } as const;
  return { file, location, sha256: nodeId.repeat(64) };
}

it('the last live preview of a run with several output nodes stands for the run, for none of its files', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pictures-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const saved = [await savedBy('8', folder), await savedBy('9', folder)] as const;
  const known: string[] = [];
  const pictures = new SmallPictures(path.join(folder, 'thumbnails'), (jobId) => known.push(jobId));
  pictures.see({ jobId: 'job', image: Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]) });
  await pictures.keepPreview('job', saved);
  known.length = 0;
  expect(pictures.ofRun('job', saved[0])).toBeUndefined();
  await vi.waitFor(() => expect(known).toEqual(['job']), 10_000);
  expect(pictures.ofRun('job', saved[0])?.fsPath).toMatch(/-preview\.jpg$/);
  for (const each of saved) pictures.of('job', each);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(saved.map((each) => pictures.of('job', each))).toEqual([undefined, undefined]);
});
