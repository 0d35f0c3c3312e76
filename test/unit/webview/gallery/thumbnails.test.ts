import { expect, it, onTestFinished, vi } from 'vitest';
import { Thumbnails } from '../../../../src/webview/gallery/thumbnails';
import type { ThumbnailStore } from '../../../../src/webview/gallery/thumbnailStore';
import type { GalleryOutput } from '../../../../src/webview/contract/gallery';

it('makes what is in sight first, stores it then, and makes the others at last', async () => {
  const steps: string[] = [];
  vi.stubGlobal('fetch', () => Promise.resolve({ blob: () => Promise.resolve(new Blob()) }));
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 8, height: 8, close: () => undefined }));
  onTestFinished(() => void vi.unstubAllGlobals());
  const thumbnails = new Thumbnails({
    find: ({ source }: GalleryOutput) => Promise.resolve(void steps.push(`makes ${source}`)),
    keep: ({ source }: GalleryOutput) => Promise.resolve(void steps.push(`stores ${source}`)),
  } as unknown as ThumbnailStore);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const request = (source: string, isSeen: boolean) =>
    new Promise((done) => {
      thumbnails.request({ source } as GalleryOutput, 100, { isSeen, isClosed: false }, done);
    });
  await Promise.all([...names.map((name) => request(name, true)), request('far', false)]);
  await vi.waitFor(() => expect(steps).toHaveLength(2 * names.length + 2));
  expect(steps.slice(0, names.length)).toEqual(names.map((name) => `makes ${name}`));
  expect(steps.slice(-1)).toEqual(['stores far']);
  expect(steps.indexOf('makes far')).toBeGreaterThan(steps.indexOf('stores a'));
});
