import { deflateSync, inflateSync } from 'node:zlib';
import { beforeEach, expect, it, vi } from 'vitest';
import { budgets } from '../../../../src/core/safety/budgets';
import { workflowsInPicture } from '../../../../src/core/workflow/pictures/workflowsInPicture';
import { bytes, pngChunk } from './files';

const zTxt = (keyword: string, deflated: Uint8Array): Uint8Array =>
  pngChunk('zTXt', bytes(keyword, 0, 0, deflated));
const pngOf = (...chunks: readonly Uint8Array[]): Uint8Array => bytes([0x89], 'PNG\r\n\x1a\n', ...chunks);

vi.mock('node:zlib', { spy: true });
beforeEach(() => {
  vi.mocked(inflateSync).mockClear();
});

it("stops inflating a picture's text at the budget", () => {
  const bomb = deflateSync(Buffer.alloc(budgets.embeddedText + 1_000_000, ' '), { level: 1 });
  expect(workflowsInPicture(pngOf(zTxt('prompt', bomb)))).toEqual({});
  const inflated = vi.mocked(inflateSync).mock.results;
  expect(inflated).toHaveLength(1);
  expect(inflated.map(({ type }) => type)).toEqual(['throw']);
});

it("does not inflate a picture's text with an unused keyword", () => {
  const text = deflateSync(Buffer.from('{}'));
  const file = pngOf(zTxt('other', text), zTxt('prompt', text), zTxt('prompt', text));
  expect(workflowsInPicture(file)).toEqual({ prompt: '{}' });
  expect(inflateSync).toHaveBeenCalledTimes(1);
});
