import { describe, expect } from 'vitest';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

/** Opens a step of the walkthrough. */
async function openStep(workbench: Workbench, id: string) {
  await workbench.command('Comfy Deck: Get Started');
  const step = workbench.page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
  await step.waitFor();
  if ((await step.getAttribute('aria-expanded')) !== 'true') await step.locator('.step-title').click();
  return step;
}

async function press(workbench: Workbench, id: string, button: string): Promise<void> {
  const step = await openStep(workbench, id);
  await step
    .getByRole('button', { name: button })
    .or(step.getByText(button, { exact: true }))
    .last()
    .click();
}

/** Whether the step is checked. */
async function isTicked(workbench: Workbench, id: string): Promise<boolean> {
  const step = await openStep(workbench, id);
  return (await step.locator('.codicon-getting-started-step-checked').count()) > 0;
}

async function becomesTicked(workbench: Workbench, id: string): Promise<void> {
  await expect.poll(() => isTicked(workbench, id), { timeout: 60_000, interval: 500 }).toBe(true);
}

const steps = [
  'server',
  'sample',
  'graph',
  'run',
  'outputs',
  'batch',
  'gallery',
  'compare',
  'checks',
  'completion',
  'packs',
  'music',
];

describe('the walkthrough', () => {
  test('has buttons that work with nothing open, and completes a step when it is done', async ({
    workbench,
  }) => {
    await openStep(workbench, 'server');
    const all = workbench.page.locator('.getting-started-step');
    const ids = await all.evaluateAll((shown) =>
      shown.map((step) => step.getAttribute('data-step-id')?.replace(/^.*#/, '')),
    );
    expect(ids).toEqual(steps);
    expect(await all.locator('.codicon-getting-started-step-checked').count(), 'done at first').toBe(0);
    await press(workbench, 'server', 'Use the Sandbox');
    await becomesTicked(workbench, 'server');

    await press(workbench, 'run', 'Run Workflow');
    await workbench.choice('text-to-image').click();
    await workbench.tab('text-to-image.json').waitFor();
    await becomesTicked(workbench, 'run');
    await becomesTicked(workbench, 'sample');

    await press(workbench, 'graph', 'Show Graph');
    await becomesTicked(workbench, 'graph');
    expect(await (await openStep(workbench, 'compare')).innerText()).toContain('Compare Workflows…');

    await press(workbench, 'outputs', 'Show Jobs');
    await becomesTicked(workbench, 'outputs');

    await press(workbench, 'batch', 'Set Up Batch');
    await workbench.tab('Set Up Batch').waitFor();
    await becomesTicked(workbench, 'batch');

    await press(workbench, 'gallery', 'Open Gallery');
    await becomesTicked(workbench, 'gallery');

    await press(workbench, 'checks', 'Try a Workflow with a Mistake');
    await becomesTicked(workbench, 'checks');

    await press(workbench, 'completion', 'Try Completion');
    await workbench.page.locator('.suggest-widget', { hasText: 'KSampler' }).waitFor();
    await becomesTicked(workbench, 'completion');

    await press(workbench, 'packs', 'Find Node Pack');
    expect(await workbench.choice('Lighthouse Nodes').count()).toBeLessThan(2);
    await workbench.choice('Lighthouse Nodes').click();
    await becomesTicked(workbench, 'packs');

    await press(workbench, 'music', 'Open Music');
    const panel = await workbench.webviewWith('plays a test tune');
    await panel.getByText('free of charge').waitFor();
    await panel.getByRole('textbox').first().fill('Waves on the shore');
    await panel.getByRole('button', { name: 'Generate', exact: true }).click();
    await becomesTicked(workbench, 'music');
  });

  test('stays open when its sample opens, and runs that next', async ({ workbench }) => {
    await press(workbench, 'server', 'Use the Sandbox');
    await becomesTicked(workbench, 'server');
    await press(workbench, 'sample', 'Open Sample Workflow');
    await workbench.choice('text-to-image').click();
    await workbench.tab('text-to-image.json').waitFor();
    const tabs = workbench.page.locator('.editor-group-container .tab');
    expect(await tabs.allTextContents()).toHaveLength(2);
    // The walkthrough's own tab: its title differs between versions of VS Code.
    await tabs.filter({ hasNotText: 'text-to-image.json' }).click();
    await press(workbench, 'run', 'Run Workflow');
    await becomesTicked(workbench, 'run');
  });

  test('runs the file open behind it in its run step', async ({ workbench }) => {
    await press(workbench, 'server', 'Use the Sandbox');
    await becomesTicked(workbench, 'server');
    await workbench.openFile('text-to-image.json');
    expect(await isTicked(workbench, 'run')).toBe(false);
    await press(workbench, 'run', 'Run Workflow');
    await becomesTicked(workbench, 'run');
  });
});
