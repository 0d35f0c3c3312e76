import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { isLensAwaited, lensFirst, lensGiven } from '../../../src/host/language/lensFirst';

const textOf = (lineCount: number): vscode.TextDocument => ({ lineCount }) as vscode.TextDocument;

/** Whether the promise is settled, without waiting for it. */
async function isOver(promise: Promise<void>): Promise<boolean> {
  return (await Promise.race([promise.then(() => 'over'), Promise.resolve('open')])) === 'over';
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('delays nothing in a short file', async () => {
  const short = textOf(4_999);
  expect(isLensAwaited(short)).toBe(false);
  await lensFirst(short);
});

it('holds everything else about a long file back until its lens is on its way', async () => {
  const long = textOf(5_000);
  const rest = lensFirst(long);
  lensGiven(long);
  await vi.advanceTimersByTimeAsync(99);
  expect(isLensAwaited(long)).toBe(true);
  expect(await isOver(rest)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isLensAwaited(long)).toBe(false);
  await rest;
  await lensFirst(long);
});

it('goes on after a second in a long file that nobody asks lenses for', async () => {
  const long = textOf(80_000);
  const rest = lensFirst(long);
  await vi.advanceTimersByTimeAsync(999);
  expect(await isOver(rest)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await rest;
});
