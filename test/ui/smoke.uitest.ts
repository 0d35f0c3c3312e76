import { describe } from 'vitest';
import { test } from '../support/uiTest';

describe('the installed extension', () => {
  test('has its entry in the activity bar, its commands in the palette, and a Jobs view that says how to start', async ({
    workbench,
  }) => {
    await workbench.activity('Comfy Deck').click();
    await workbench.page.locator('.sidebar', { hasText: 'Select Server' }).waitFor();
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput.fill('>Comfy Deck: Select');
    await workbench.choice('Comfy Deck: Select Server').waitFor();
  });
});
