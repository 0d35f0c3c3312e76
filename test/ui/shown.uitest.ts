import { afterEach, describe, expect } from 'vitest';
import { type FaultySandbox, startFaultySandbox } from '../support/faults/faultySandbox';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

const started: FaultySandbox[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((sandbox) => sandbox.close()));
});

/** Clicks the middle of this text, whether it is a link or not. */
async function clickWords(workbench: Workbench, notification: string, words: string): Promise<void> {
  const place = await workbench.notification(notification).evaluate((toast, looked) => {
    const walker = document.createTreeWalker(toast, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent?.indexOf(looked) ?? -1;
      if (at < 0 || !toast.querySelector('.notification-list-item-message')?.contains(node)) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + looked.length);
      const [box] = range.getClientRects();
      if (box) return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }
    return undefined;
  }, words);
  if (!place) throw new Error(`“${words}” is not in sight.`);
  await workbench.page.mouse.click(place.x, place.y);
}

describe('what looks like a link', () => {
  test.override({ opensLater: true });

  test("in a server's message runs no command", async ({ workbench }) => {
    const server = await startFaultySandbox({ dialect: 'local' });
    started.push(server);
    const message =
      'Your session has expired. [Sign in again](command:workbench.action.files.newUntitledFile) $(trash)';
    server.faults.set('answer', { method: 'POST', path: '/prompt', kind: 'queueLimit', message });
    await workbench.opensOn('My ComfyUI', server.url);
    await workbench.openFile('text-to-image.json');
    await workbench.editorAction('Run Workflow').click();

    const toast = workbench.notification('Your session has expired');
    await toast.waitFor();
    await clickWords(workbench, 'Your session has expired', 'Sign in again');
    // A command would have run before the next one.
    await workbench.openFile('inpaint.json');
    expect(await workbench.page.locator('.tab').filter({ hasText: 'Untitled' }).count()).toBe(0);
    expect(await toast.locator('.notification-list-item-message a').count()).toBe(0);
    expect(await toast.innerText()).toContain(
      '[Sign in again] (command:workbench.action.files.newUntitledFile)',
    );
  });
});
