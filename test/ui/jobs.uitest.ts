import path from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { smallPrompt } from '../support/promptFile';
import { test } from '../support/uiTest';

/** Pictures of each theme are left here to be looked at. */
const pictures = 'out/ui-pictures';

const started: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((sandbox) => sandbox.close()));
});

/** The text of a prompt whose first line has the seed, so that an editor shows which text it has. */
function samplerFirst({ 5: sampler, ...others }: ReturnType<typeof smallPrompt>): string {
  return `{"5":${JSON.stringify(sampler)},\n${JSON.stringify(others).slice(1)}`;
}

describe('the Jobs view', () => {
  test.override({ settings: { 'comfyDeck.openPreviewOnRun': false, 'comfyDeck.notifyWhenDone': 'never' } });

  test("distinguishes the runs of a workflow, shows their pictures, and hides other people's jobs", async ({
    workbench,
  }) => {
    const server = await startSandbox({ dialect: 'local' });
    started.push(server);
    const theirs = await fetch(`${server.url}/prompt`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: smallPrompt(91), client_id: 'somebody-else' }),
    });
    expect(theirs.status).toBe(200);
    await workbench.changeSettings({ 'comfyDeck.servers': [{ name: 'My ComfyUI', url: server.url }] });
    await workbench.command('Comfy Deck: Select Server');
    await workbench.choice('My ComfyUI').click();
    await workbench.statusItem('My ComfyUI').waitFor();
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
    await workbench.command("Comfy Deck: Show Others' Jobs");
    await workbench.treeRow('Finished, Submitted Elsewhere, 1 job').waitFor();
    expect(
      await workbench.page.locator('.sidebar .monaco-list-row', { hasText: /submitted elsewhere/ }).count(),
    ).toBe(0);
    await workbench.command('Comfy Deck: Show Only My Jobs');
    await workbench.treeRow('Finished, Submitted Elsewhere').waitFor({ state: 'detached' });

    await workbench.command('Comfy Deck: Group Jobs by Workflow');
    await workbench.treeRow('apart.json, 2 jobs').waitFor();
    for (const theme of ['dark', 'light', 'highContrast'] as const) {
      await workbench.useTheme(theme);
      await newest.hover();
      const picture = workbench.page.locator('.monaco-hover img');
      await picture.waitFor();
      await expect
        .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth), {
          timeout: 20_000,
        })
        .toBeGreaterThan(0);
      await workbench.screenshot(path.join(pictures, `jobs-${theme}.png`));
      await workbench.page.mouse.move(600, 500);
    }
  });
});
