import { describe, expect, it } from 'vitest';
import { galleryMessages } from '../../../../src/webview/contract/gallery';
import { mostCompared } from '../../../../src/webview/contract/constants';

const read = (message: unknown): unknown => galleryMessages.safeParse(message).data;

describe('a message of the gallery', () => {
  it.each([
    { type: 'ready', query: {} },
    { type: 'query', query: { workflow: 'a.json', kind: 'image', favoritesOnly: true, text: 'fox' } },
    { type: 'query', query: { batch: 'b1' } },
    { type: 'action', action: 'export', ids: [1, 2] },
    { type: 'action', action: 'open', ids: [1, 2] },
    { type: 'query', query: { server: 'My ComfyUI', order: 'rating' } },
    { type: 'rate', ids: [1], stars: 5 },
    { type: 'captions', ids: [1, 2] },
    { type: 'compare', ids: [1, 2] },
    { type: 'thumbnail', id: 1, width: 256 },
    { type: 'keepThumbnail', id: 1, width: 256, webp: new Uint8Array([1]) },
  ])('is read: $type', (message) => {
    expect(read(message)).toEqual(message);
  });

  it.each([
    undefined,
    'ready',
    { type: 'ready' },
    { type: 'action', action: 'run', ids: [1] },
    { type: 'action', action: 'delete', ids: ['../../secret'] },
    { type: 'compare', ids: [1] },
    { type: 'rate', ids: [1], stars: 6 },
    { type: 'thumbnail', id: 1, width: 100_000 },
    { type: 'thumbnail', id: '../../secret', width: 256 },
    { type: 'keepThumbnail', id: 1, width: 256, webp: 'RIFF' },
    { type: 'compare', ids: Array.from({ length: mostCompared + 1 }, (_, id) => id) },
  ])('is dropped if it does not match the contract: %j', (message) => {
    expect(read(message)).toBeUndefined();
  });

  it('loses the parts of a filter that do not match', () => {
    const query = { kind: 'program', text: 7, day: '2026-05-01' };
    expect(read({ type: 'query', query })).toEqual({
      type: 'query',
      query: { day: '2026-05-01' },
    });
  });
});
