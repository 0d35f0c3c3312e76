import { describe, expect } from 'vitest';
import { test } from '../support/uiTest';
import type { Workbench } from '../support/workbench';

/** Opens a step of the walkthrough, whose buttons are there only while it is. */
async function openStep(workbench: Workbench, id: string) {
  const step = workbench.page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
  // What a step opens may cover the walkthrough, and VS Code draws the steps anew, closed, when one is completed: then again.
  await workbench.untilDone(async () => {
    if (!(await step.isVisible())) await workbench.command('Comfy Deck: Get Started');
    const isOpen = (await step.getAttribute('aria-expanded', { timeout: 5_000 })) === 'true';
    if (!isOpen) await step.locator('.step-title').click({ timeout: 5_000 });
    await step.and(workbench.page.locator('[aria-expanded="true"]')).waitFor({ timeout: 5_000 });
  });
  return step;
}

async function press(workbench: Workbench, id: string, button: string): Promise<void> {
  await workbench.untilDone(async () => {
    const step = await openStep(workbench, id);
    const named = step.getByRole('button', { name: button }).or(step.getByText(button, { exact: true }));
    await named.filter({ visible: true }).last().click({ timeout: 5_000 });
  });
}

async function becomesTicked(workbench: Workbench, id: string): Promise<void> {
  await workbench.untilDone(async () => {
    const step = await openStep(workbench, id);
    await step.locator('.codicon-getting-started-step-checked').waitFor({ timeout: 20_000 });
  });
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
  test('has its steps, with buttons that work with nothing open, and completes a step when it is done', async ({
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

    await press(workbench, 'completion', 'Try Completion');
    await workbench.page.locator('.suggest-widget', { hasText: 'KSampler' }).waitFor();
    await becomesTicked(workbench, 'completion');

    await press(workbench, 'packs', 'Find Node Pack');
    expect(await workbench.choice('Lighthouse Nodes').count()).toBeLessThan(2);
    await workbench.choice('Lighthouse Nodes').click();
    await becomesTicked(workbench, 'packs');
  });
});
