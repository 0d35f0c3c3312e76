import { deflateSync, inflateSync } from 'node:zlib';
import { beforeEach, expect, it, vi } from 'vitest';
import { budgets } from '../../../src/core/safety/budgets';
import { workflowsInPicture } from '../../../src/core/workflow/pictures/workflowsInPicture';
import { pngOf } from './pictureShapes';

vi.mock('node:zlib', { spy: true });
beforeEach(() => {
  vi.mocked(inflateSync).mockClear();
});

it("stops inflating a picture's text at the budget", () => {
  const bomb = deflateSync(Buffer.alloc(budgets.embeddedText + 1_000_000, ' '), { level: 1 });
  const file = pngOf([['zTXt', Buffer.concat([Buffer.from('prompt\0\0'), bomb])]]);
  expect(workflowsInPicture(file)).toEqual({});
  const inflated = vi.mocked(inflateSync).mock.results;
  expect(inflated).toHaveLength(1);
  expect(inflated.map(({ type }) => type)).toEqual(['throw']);
});

it("does not inflate a picture's text with an unused keyword", () => {
  const text = deflateSync(Buffer.from('{}'));
  const chunk = (keyword: string) => ['zTXt', Buffer.concat([Buffer.from(`${keyword}\0\0`), text])] as const;
  expect(workflowsInPicture(pngOf([chunk('other'), chunk('prompt'), chunk('prompt')]))).toEqual({
    prompt: '{}',
  });
  expect(inflateSync).toHaveBeenCalledTimes(1);
});
