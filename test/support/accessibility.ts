import axe from 'axe-core';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { testedThemes, themes, type Workbench } from './workbench';

interface PageWithAxe {
  readonly axe: typeof axe;
}

/** What axe finds in a panel, by WCAG and its own best practices: one line per rule and element. */
export async function axeFindings(panel: FrameLocator): Promise<string[]> {
  const root = panel.locator('html');
  // As text: the page has to define it itself.
  await root.evaluate(`${axe.source}; undefined`);
  return root.evaluate(async () => {
    const { axe: inside } = window as unknown as PageWithAxe;
    const { violations } = await inside.run(document, { iframes: false, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} (${failureSummary ?? ''})`),
    );
  });
}

/** Expects that axe finds nothing in a panel in {@link testedThemes}; the window is dark again afterwards. */
export async function findsNothingInThemes(
  workbench: Workbench,
  panel: FrameLocator,
  name: string,
): Promise<void> {
  for (const theme of testedThemes) {
    await workbench.useTheme(theme);
    await panel.locator(`body[data-vscode-theme-name="${themes[theme].label}"]`).waitFor();
    await workbench.picture(`${name}-${theme}`);
    expect(await axeFindings(panel), `${name}, ${theme}`).toEqual([]);
  }
}
