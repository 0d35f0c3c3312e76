import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Workbench } from '../../support/workbench';
import { graphTextOfLength, largestGraphText } from '../files';
import { inWindows, packageExtension } from '../inWindow';
import { type BenchRow, type Measurement, median, ms } from '../measure';

const windows = 3;

/** A lens on the first line, without reading the document: the time that VS Code itself takes on this machine. */
const instantLens = `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.languages.registerCodeLensProvider('json', {
    provideCodeLenses: () => [new vscode.CodeLens(new vscode.Range(0, 0, 0, 1), { title: 'Run', command: 'noop' })],
  }));
};
`;
/** The workbench counts as open when this container is there. */
const container = {
  viewsContainers: { activitybar: [{ id: 'instant', title: 'Comfy Deck', icon: '$(play)' }] },
  views: { instant: [{ id: 'instant.view', name: 'Instant' }] },
};

/** How long a user waits for the first lens when the text is there, after choosing the file in Quick Open, ms. */
async function lensAfterText(workbench: Workbench, file: string): Promise<number> {
  const { page, quickInput } = workbench;
  await page.keyboard.press('Control+P');
  await quickInput.fill(file);
  await workbench.choice(file).waitFor();
  await page.keyboard.press('Enter');
  const editor = page.locator(`.monaco-editor[data-uri$="/${file}"]`).first();
  await editor.locator('.view-line').first().waitFor();
  const start = performance.now();
  await editor.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
  return performance.now() - start;
}

async function measureLenses(): Promise<Measurement[]> {
  const texts = {
    // The first of its window: what is loaded once.
    'usual.json': graphTextOfLength(25_000),
    'long.json': graphTextOfLength(174_000),
    'longest.json': largestGraphText(),
  };
  const open = (vsix?: string) =>
    inWindows(
      {
        ...(vsix === undefined ? {} : { vsix }),
        windows,
        prepare: ({ workspace }) => {
          for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(workspace, name), text);
        },
      },
      async (workbench) => {
        const times: number[] = [];
        for (const file of Object.keys(texts)) {
          times.push(await lensAfterText(workbench, file));
          await workbench.command('View: Close All Editors');
        }
        return times;
      },
    );
  const ours = await open();
  const instant = await open(packageExtension('instant-lenses', container, instantLens));
  return Object.values(texts).map((text, index) => {
    const limit = text.length > 500_000 ? 400 : 150;
    const ofFile = (times: number[][]): number => median(times.map((each) => each[index] ?? NaN));
    const [oursMs, instantMs] = [ofFile(ours), ofFile(instant)];
    return {
      what: `text -> first lens of a file of ${Math.round(text.length / 1000)} KB in the workbench`,
      bar: `< ${limit} ms more than a lens that needs no work`,
      value: `${ms(oursMs)}, beside ${ms(instantMs)}`,
      held: oursMs - instantMs < limit,
      numbers: { oursMs, instantMs },
    };
  });
}

export const lenses: BenchRow = { name: 'lenses', patience: 900_000, measure: measureLenses };
