import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { parseJson } from '../../src/core/json/tree';
import { compileGraph } from '../../src/core/workflow/graph/compileGraph';
import { readGraph } from '../../src/core/workflow/graph/graph';
import { keepAgreement } from '../support/agreement';
import {
  corpusPath,
  corpusText,
  hasPacks,
  type PackAnswer,
  packAnswersIn,
  packCatalog,
  packsNote,
} from '../support/corpus';
import { packDifferences, type PlainPrompt } from '../support/promptDifferences';

function differencesOf(text: string, catalog: Catalog, { prompt, err }: PackAnswer<PlainPrompt>): string[] {
  const document = parseJson(text);
  if (!document.root) return ['no JSON'];
  const made = compileGraph(readGraph(document, document.root), catalog, { dynamicPrompts: 'first' });
  if (made.kind === 'failed') return prompt ? [`refused: ${made.problem.message}`] : [];
  if (!prompt) return [`not refused: ${err ?? ''}`];
  return packDifferences(JSON.parse(made.prompt.document.text) as PlainPrompt, prompt);
}

describe.skipIf(!hasPacks)(`conversions of the page with node packs${packsNote}`, () => {
  it.each([
    ['golden_ui.ndjson', ['packs', 'ui'], 0.99],
    ['golden_corpus.ndjson', ['workflows', 'ui'], 0.985],
    ['golden_cases.ndjson', ['packs', 'cases'], 0],
  ] as const)('are the same for %s', (golden, folder, bar) => {
    const catalog = Catalog.fromText(packCatalog());
    const answers = packAnswersIn<PlainPrompt>(golden).filter(({ file }) =>
      existsSync(corpusPath(...folder, file)),
    );
    const listed = answers.flatMap((answer) => {
      const found = differencesOf(corpusText(...folder, answer.file), catalog, answer);
      return found.length === 0 ? [] : [[answer.file, ...found.slice(0, 12)].join('\n    ')];
    });
    const alike = answers.length - listed.length;
    keepAgreement({ name: `packs ${golden}`, alike, all: answers.length });
    process.stdout.write(`${golden}: ${alike} of ${answers.length}\n  ${listed.join('\n  ')}\n`);
    expect(alike / answers.length).toBeGreaterThanOrEqual(bar);
  });
});
