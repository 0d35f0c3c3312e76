import axe from 'axe-core';
import type { FrameLocator } from 'playwright-core';

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
