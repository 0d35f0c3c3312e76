import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { formMessages } from '../../../src/webview/contract/batchEntry';
import { sheetMessages } from '../../../src/webview/contract/batchSheet';
import { mostCompared, peakCount } from '../../../src/webview/contract/constants';
import { galleryMessages } from '../../../src/webview/contract/gallery';
import { musicMessages } from '../../../src/webview/contract/music';
import { previewMessages } from '../../../src/webview/contract/preview';
import { recordMessages } from '../../../src/webview/contract/record';

const form = {
  count: '4',
  axes: [{ selector: 'KSampler.cfg', kind: 'list', text: '6, 7', column: '' }],
  servers: ['sandbox'],
  window: '',
};
const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0]);
const peaks = (value: number) => Array.from({ length: peakCount }, () => value);
const filter = { workflow: 'a.json', kind: 'image', favoritesOnly: true, text: 'fox' };

/** By panel: what reads its messages, some that are read, and some that are dropped. */
const panels: Readonly<Record<string, readonly [z.ZodType, readonly object[], readonly object[]]>> = {
  preview: [
    previewMessages,
    [
      { type: 'ready', jobId: 'a' },
      { type: 'framePainted', serial: 3 },
      { type: 'goToNode', jobId: 'a', nodeId: '3' },
      { type: 'runAgain', jobId: 'a', seeds: 'new' },
      { type: 'output', action: 'saveAs', jobId: 'a', key: 'output//x.png' },
    ],
    [
      { type: 'cancel', jobId: 7 },
      { type: 'runAgain', jobId: 'a', seeds: '7' },
      { type: 'goToProblem', index: 0.5 },
      { type: 'selected', jobId: 'a' },
      { type: 'output', action: 'toString', jobId: 'a', key: 'k' },
      { type: 'execute', command: 'workbench.action.quit' },
    ],
  ],
  gallery: [
    galleryMessages,
    [
      { type: 'ready', query: {} },
      { type: 'query', query: filter },
      { type: 'query', query: { server: 'My ComfyUI', order: 'rating' } },
      { type: 'action', action: 'export', ids: [1, 2] },
      { type: 'rate', ids: [1], stars: 5 },
      { type: 'compare', ids: [1, 2] },
      { type: 'keepThumbnail', id: 1, width: 256, webp: new Uint8Array([1]) },
    ],
    [
      { type: 'ready' },
      { type: 'action', action: 'run', ids: [1] },
      { type: 'action', action: 'delete', ids: ['../../secret'] },
      { type: 'compare', ids: [1] },
      { type: 'compare', ids: Array.from({ length: mostCompared + 1 }, (_, id) => id) },
      { type: 'rate', ids: [1], stars: 6 },
      { type: 'thumbnail', id: 1, width: 100_000 },
      { type: 'thumbnail', id: '../../secret', width: 256 },
      { type: 'keepThumbnail', id: 1, width: 256, webp: 'RIFF' },
    ],
  ],
  form: [
    formMessages,
    [
      { type: 'ready', form },
      { type: 'change', revision: 3, form },
      { type: 'pickFile' },
      { type: 'run', form },
    ],
    [
      { type: 'change', form },
      { type: 'change', revision: -1, form },
      { type: 'run', form: { ...form, count: 4 } },
      { type: 'save', form: { ...form, axes: [{ ...form.axes[0], kind: 'shell' }] } },
      { type: 'openFile', file: '/etc/passwd' },
    ],
  ],
  sheet: [
    sheetMessages,
    [
      { type: 'act', action: 'pause' },
      { type: 'open', row: 12 },
      { type: 'exportMarkdown', across: 1, down: 0 },
      { type: 'exportPicture', png },
    ],
    [
      { type: 'act', action: 'start' },
      { type: 'open', row: '../x' },
      { type: 'open', row: -1 },
      { type: 'exportPicture', png: [...png] },
      { type: 'exportPicture', png: new TextEncoder().encode('<svg onload="x()"/>') },
    ],
  ],
  record: [
    recordMessages,
    [
      { type: 'act', action: 'runAgain' },
      { type: 'runWith', changes: [{ node: '3', input: 'seed', text: '5' }] },
      { type: 'copySeed', index: 0 },
    ],
    [
      { type: 'act', action: 'constructor' },
      { type: 'runWith', changes: [{ node: '3', input: 'seed', text: 5 }] },
      { type: 'copySeed', index: 1.5 },
      { type: 'openOutput', index: '0' },
      { type: 'openOutput', name: '../secret' },
    ],
  ],
  music: [
    musicMessages,
    [
      { type: 'generate', prompt: 'calm', seconds: 30 },
      { type: 'track', action: 'delete', id: 'a' },
      { type: 'peaks', id: 'a', peaks: peaks(0.5) },
      { type: 'selectService' },
    ],
    [
      { type: 'generate', prompt: 'calm', seconds: '30' },
      { type: 'track', action: 'format', id: 'a' },
      { type: 'peaks', id: 'a', peaks: [1] },
      { type: 'peaks', id: 'a', peaks: peaks(2) },
    ],
  ],
};

describe.each(Object.entries(panels))('a message of the panel %s', (_panel, [messages, read, dropped]) => {
  it.each(read)('is read without what the contract does not name: %j', (message) => {
    expect(messages.safeParse({ ...message, extra: 1 }).data).toEqual(message);
  });

  it.each([undefined, null, 'ready', {}, { type: 'unknown' }, ...dropped])('is dropped: %j', (message) => {
    expect(messages.safeParse(message).data).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), (message) => void messages.safeParse(message)));
  });
});

it('a query of the gallery loses the parts of a filter that do not match', () => {
  const query = { kind: 'program', text: 7, day: '2026-05-01' };
  const read = galleryMessages.parse({ type: 'query', query });
  expect(read).toEqual({ type: 'query', query: { day: '2026-05-01' } });
});

it('a form may have as many values as a batch file', () => {
  const text = Array.from({ length: 10_000 }, () => 'a long description of a picture '.repeat(5)).join('\n');
  const message = { type: 'run', form: { ...form, axes: [{ ...form.axes[0], text }] } };
  expect(formMessages.safeParse(message).success).toBe(true);
});
