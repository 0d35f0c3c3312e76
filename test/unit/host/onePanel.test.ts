import { expect, it } from 'vitest';
import type { WebviewPanel } from 'vscode';
import { OnePanel } from '../../../src/host/platform/onePanel';

/** A panel that counts how often it is shown again. */
function fakePanel(): WebviewPanel & { readonly reveals: number } {
  const listeners: (() => void)[] = [];
  const panel = {
    reveals: 0,
    reveal: () => panel.reveals++,
    onDidDispose: (listener: () => void) => listeners.push(listener),
    dispose: () => listeners.forEach((each) => each()),
  };
  return panel as unknown as WebviewPanel & { readonly reveals: number };
}

it('only one panel opens, however often it is asked for at once', async () => {
  const made: ReturnType<typeof fakePanel>[] = [];
  const only = new OnePanel('kind', (panel) => Promise.resolve(panel));
  const show = (): Promise<unknown> =>
    only.show(() => {
      const panel = fakePanel();
      made.push(panel);
      return panel;
    });
  await Promise.all([show(), show(), show()]);
  expect(made.map(({ reveals }) => reveals)).toEqual([2]);
});

it('a panel closed before it shows anything is not taken for an open one', async () => {
  const only = new OnePanel('kind', (panel) => {
    panel.dispose();
    return Promise.resolve('content');
  });
  await only.show(fakePanel);
  expect(only.shown).toBeUndefined();
});
