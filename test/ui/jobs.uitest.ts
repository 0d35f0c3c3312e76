import { readdirSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type FaultySandbox, startFaultySandbox } from '../support/faults/faultySandbox';
import { smallPrompt } from '../support/promptFile';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

/** The text of a prompt with the seed in its first line, so that an editor shows which text it has. */
function samplerFirst({ 5: sampler, ...others }: ReturnType<typeof smallPrompt>): string {
  return `{"5":${JSON.stringify(sampler)},\n${JSON.stringify(others).slice(1)}`;
}

/** Whether the percentage of a running job is fully visible, left of the buttons that hovering adds to its row. */
function percentInSight(row: Locator): Promise<boolean> {
  return row.evaluate((element) => {
    let name: Node | null = element.querySelector('.label-name');
    while (name?.firstChild) name = name.firstChild;
    const percent = /^\d+%/.exec(name?.textContent ?? '')?.[0];
    const edge = element.querySelector('.actions')?.getBoundingClientRect().left;
    if (name === null || percent === undefined || edge === undefined) return false;
    const range = document.createRange();
    range.setStart(name, 0);
    range.setEnd(name, percent.length);
    return range.getBoundingClientRect().right <= edge;
  });
}

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

describe('the Jobs view', () => {
  test.override({
    opensLater: true,
    settings: { 'comfyDeck.openPreviewOnRun': false, 'comfyDeck.notifyWhenDone': 'never' },
  });

  let server: FaultySandbox;
  beforeAll(async () => {
    server = await startFaultySandbox({ dialect: 'local', timing: 'human' });
  });
  afterAll(() => server.close());

  test("distinguishes the runs of a workflow, shows their pictures, and hides other people's jobs", async ({
    workbench,
  }) => {
    const theirs = await fetch(`${server.url}/prompt`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: smallPrompt(91), client_id: 'somebody-else' }),
    });
    expect(theirs.status).toBe(200);
    await workbench.opensOn('My ComfyUI', server.url);
    await workbench.activity('Comfy Deck').click();
    const runs = [
      { seed: 3, steps: 4 },
      { seed: 4, steps: 6 },
    ];
    for (const [index, { seed, steps }] of runs.entries()) {
      const name = 'apart.json';
      workbench.write(name, samplerFirst(smallPrompt(seed, steps)));
      await workbench.openFile(name);
      await workbench.page.locator('.editor-instance .view-line', { hasText: `"seed":${seed},` }).waitFor();
      await workbench.editorAction('Run Workflow').click();
      await expect
        .poll(() => workbench.treeRow('apart.json, completed').count(), { timeout: 60_000 })
        .toBe(index + 1);
    }
    const newest = workbench.treeRow('apart.json, completed').first();
    await newest.filter({ hasText: /seed 4, steps 4 → 6/ }).waitFor();
    await workbench
      .treeRow('apart.json, completed')
      .filter({ hasText: /seed 3/ })
      .waitFor();

    expect(await workbench.treeRow('Finished, Submitted Elsewhere').count()).toBe(0);
    await workbench.command('Comfy Deck: Show All Jobs');
    await workbench.treeRow('Finished, Submitted Elsewhere, 1').waitFor();
    const saved = readdirSync(workbench.path('outputs')).filter((name) => name.endsWith('.png'));
    expect(saved, 'what is not ours is not fetched unasked').toHaveLength(runs.length);
    expect(
      await workbench.page.locator('.sidebar .monaco-list-row', { hasText: /submitted elsewhere/ }).count(),
    ).toBe(0);
    await workbench.command('Comfy Deck: Show Only My Jobs');
    await workbench.treeRow('Finished, Submitted Elsewhere').waitFor({ state: 'detached' });

    await workbench.command('Comfy Deck: Group Jobs by Workflow');
    await workbench.treeRow('apart.json, 2').waitFor();
    const picture = workbench.page.locator('.monaco-hover img');
    // A tree that is drawn again closes a hover.
    const hovered = async (): Promise<boolean> => {
      await workbench.page.mouse.move(0, 0);
      await newest.hover();
      return picture.waitFor({ timeout: 4_000 }).then(
        () => true,
        () => false,
      );
    };
    await expect.poll(hovered, { timeout: 40_000 }).toBe(true);
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth), { timeout: 20_000 })
      .toBeGreaterThan(0);
    await workbench.picture('jobs');
  });

  test('says what the server says, whose links run no command', async ({ workbench }) => {
    const message =
      'Your session has expired. [Sign in again](command:workbench.action.files.newUntitledFile) $(trash)';
    server.faults.set('answer', { method: 'POST', path: '/prompt', kind: 'queueLimit', message, times: 1 });
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

  test('shows how far a running job is in a side bar of any width', async ({ workbench }) => {
    await workbench.opensOn('My ComfyUI', server.url);
    await workbench.activity('Comfy Deck').click();
    workbench.write('long.json', samplerFirst(smallPrompt(5, 400)));
    await workbench.openFile('long.json');
    await workbench.editorAction('Run Workflow').click();
    const running = workbench.treeRow('long.json, running').filter({ hasText: /step \d/ });
    for (const width of [170, 220, 420]) {
      await workbench.widenSideBar(width);
      await running.hover();
      await expect
        .poll(() => percentInSight(running), { timeout: 20_000, message: `${width} px` })
        .toBe(true);
      await workbench.picture(`jobs-running-${width}`);
    }
  });
});
