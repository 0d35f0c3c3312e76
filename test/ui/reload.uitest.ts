import { execSync } from 'node:child_process';
import { expect, onTestFinished, describe } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox';
import { smallPrompt } from '../support/promptFile';
import { test } from '../support/uiTest';

/** Pictures are stored here for review. */
const pictures = 'out/ui-pictures';

describe('a reloaded window', () => {
  test.override({ settings: { 'comfyDeck.openPreviewOnRun': false, 'comfyDeck.notifyWhenDone': 'never' } });

  test('shows the finished jobs as they were', async ({ workbench }) => {
    const dump = (when: string): void => {
      const found = execSync(`find ${workbench.scratch.userData} -path '*comfy-deck*' -type f | grep -v logs | xargs ls -la --time-style=full-iso; find ${workbench.scratch.userData} -name 'jobs-*' | xargs head -c 300; find ${workbench.scratch.userData} -name 'outputs-*' | xargs head -c 600; ps aux | grep -c extensionHost`).toString();
      process.stdout.write(`${when} ${new Date().toISOString()}\n${found}\n`);
    };
    const server = await startSandbox({ dialect: 'local' });
    onTestFinished(() => server.close());
    await workbench.changeSettings({ 'comfyDeck.servers': [{ name: 'My ComfyUI', url: server.url }] });
    await workbench.selectServer('My ComfyUI');
    await workbench.activity('Comfy Deck').click();
    workbench.write('apart.json', JSON.stringify(smallPrompt(3, 4)));
    await workbench.openFile('apart.json');
    await workbench.editorAction('Run Workflow').click();
    const row = workbench.treeRow('apart.json, completed');
    await row.waitFor();
    await expect.poll(() => row.getAttribute('aria-label')).toMatch(/1 output, \d+:/);
    if (process.env['FAST'] === undefined) await new Promise((r) => setTimeout(r, 4000));
    const before = await row.getAttribute('aria-label');
    process.stdout.write(`BEFORE ${before}\n`);
    dump('before');
    await workbench.reloadWindow();
    dump('just after');
    const any = workbench.page.locator('.sidebar .monaco-list-row');
    await any.filter({ hasText: /output|Finished/ }).first().waitFor();
    for (let i = 0; i < 20; i++) {
      process.stdout.write(`AFTER ${JSON.stringify(await any.evaluateAll((rows) => rows.map((r) => r.getAttribute('aria-label'))))}\n`);
      await new Promise((r) => setTimeout(r, 500));
    }
    dump('later');
    await workbench.screenshot(`${pictures}/reload-jobs.png`);
    expect(await row.getAttribute('aria-label')).toBe(before);
  });
});
