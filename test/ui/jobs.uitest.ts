import type { Locator } from 'playwright-core';
import { afterEach, describe, expect, onTestFinished } from 'vitest';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox';
import { frontServer } from '../support/frontServer';
import { smallPrompt } from '../support/promptFile';
import { test } from '../support/uiTest';

const started: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((sandbox) => sandbox.close()));
});

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

describe('the Jobs view', () => {
  test.override({
    opensLater: true,
    settings: { 'comfyDeck.openPreviewOnRun': false, 'comfyDeck.notifyWhenDone': 'never' },
  });

  test('shows how far a running job is in a side bar of any width', async ({ workbench }) => {
    const server = await startSandbox({ dialect: 'local', timing: 'human' });
    started.push(server);
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

  test('follows a running job again when the window was reloaded', async ({ workbench }) => {
    const server = await startSandbox({ dialect: 'local', timing: 'human' });
    started.push(server);
    await workbench.opensOn('My ComfyUI', server.url);
    await workbench.activity('Comfy Deck').click();
    workbench.write('long.json', samplerFirst(smallPrompt(5, 400)));
    await workbench.openFile('long.json');
    await workbench.editorAction('Run Workflow').click();
    const running = workbench.treeRow('long.json, running').filter({ hasText: /step \d/ });
    const step = async (): Promise<number> =>
      Number(/step (\d+)/.exec((await running.textContent({ timeout: 1_000 })) ?? '')?.[1]);
    await running.waitFor({ timeout: 20_000 });
    // What a window knows is written every two seconds.
    await expect.poll(step, { timeout: 20_000 }).toBeGreaterThan(15);
    await workbench.reloadWindow();
    await workbench.treeRow('long.json, running').waitFor({ timeout: 60_000 });
    // From here on, as if nothing had happened; how fast a window starts is not up to us.
    await running.waitFor({ timeout: 5_000 });
    const first = await step();
    await expect.poll(step, { timeout: 5_000, interval: 100 }).toBeGreaterThan(first);
    await workbench.picture('jobs-reloaded');
  });

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
    await workbench.treeRow('Finished, Submitted Elsewhere, 1 job').waitFor();
    expect(
      await workbench.page.locator('.sidebar .monaco-list-row', { hasText: /submitted elsewhere/ }).count(),
    ).toBe(0);
    await workbench.command('Comfy Deck: Show Only My Jobs');
    await workbench.treeRow('Finished, Submitted Elsewhere').waitFor({ state: 'detached' });

    await workbench.command('Comfy Deck: Group Jobs by Workflow');
    await workbench.treeRow('apart.json, 2 jobs').waitFor();
    await newest.hover();
    const picture = workbench.page.locator('.monaco-hover img');
    await picture.waitFor();
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth), { timeout: 20_000 })
      .toBeGreaterThan(0);
    await workbench.picture('jobs');
  });

  test('says that the queue is unknown, and shows a run with unknown outputs until it is dismissed', async ({
    workbench,
  }) => {
    const sandbox = await startSandbox({ dialect: 'documented' });
    started.push(sandbox);
    const server = await frontServer(sandbox.url);
    onTestFinished(() => server.close());
    server.answers.set('/api/queue', { running: [], pending: [] });
    server.isDeaf = true;
    await workbench.opensOn('Strict', server.url);
    await workbench.activity('Comfy Deck').click();
    const unknown = "Strict doesn't say which jobs are running or queued.";
    await workbench.page.locator('.sidebar', { hasText: unknown }).waitFor();
    workbench.write('unheard.json', JSON.stringify(smallPrompt(6)));
    await workbench.openFile('unheard.json');
    await workbench.editorAction('Run Workflow').click();
    const question = workbench.dialog("Run even though the outputs can't be found afterward?");
    await question.waitFor();
    await workbench.picture('run-unheard');
    await question.getByText('Run Anyway').click();
    const row = workbench.treeRow('unheard.json, outputs unknown: The job completed');
    await row.waitFor();
    await workbench.picturesInThemes('jobs-unknown');
    await workbench.rowAction('unheard.json, outputs unknown: The job completed', 'Dismiss');
    await row.waitFor({ state: 'detached' });
  });
});
