import { existsSync } from 'node:fs';
import { readGraph } from '../../src/core/workflow/graph/graph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { applyEdits, replaceValue } from '../../src/core/json/textEdit';
import { type JsonDocument, parseJson } from '../../src/core/json/tree';
import { compileGraph, type GraphCompilation } from '../../src/core/workflow/graph/compileGraph';
import { keepAgreement } from '../support/agreement';
import { corpusFolder, corpusNames, corpusNote, corpusPath, corpusText } from '../support/corpus';
import { valuesOf } from '../support/jsonValues';
import { differences, isAsWithPacks, type PlainPrompt, unlessOfPacks } from '../support/promptDifferences';

interface GoldenIndex {
  readonly missing: Readonly<Record<string, readonly string[]>>;
}

/** Why a conversion intentionally differs from what the editor sent when the reference was made. */
function reasonFor(document: JsonDocument): string {
  if (/"widgets_values"\s*:\s*\{/.test(document.text)) {
    return 'values saved by name: the pack reads them back in JavaScript of its own, which the reference lacks';
  }
  return 'unexplained';
}

interface Agreement {
  readonly title: string;
  readonly whole: number;
  readonly alike: number;
  readonly partly: number;
  readonly partlyAlike: number;
  /** The files that differ, with reasons and differences. */
  readonly listed: readonly string[];
}

function agreement(dump: string, catalog: Catalog): Agreement {
  const { missing } = indexOf(dump);
  const counts = { whole: 0, alike: 0, partly: 0, partlyAlike: 0 };
  const listed: string[] = [];
  for (const name of corpusNames('golden_ui2api', dump)) {
    const isPartly = Object.hasOwn(missing, name);
    const { document, made } = compileFile(name, catalog);
    const real = JSON.parse(corpusText('golden_ui2api', dump, name)) as PlainPrompt;
    const found =
      made.kind === 'failed'
        ? [`refused: ${made.problem.message}`]
        : differencesOf(JSON.parse(made.prompt.document.text) as PlainPrompt, real, { name, dump, isPartly });
    counts[isPartly ? 'partly' : 'whole']++;
    if (found.length === 0) counts[isPartly ? 'partlyAlike' : 'alike']++;
    else if (!isPartly) {
      listed.push(`  ${name}: ${reasonFor(document)}`, ...found.slice(0, 8).map((each) => `    ${each}`));
    }
  }
  return { title: dump, ...counts, listed };
}

/** Where the pages differ, the newer one counts. */
function differencesOf(
  ours: PlainPrompt,
  real: PlainPrompt,
  { name, dump, isPartly }: { readonly name: string; readonly dump: string; readonly isPartly: boolean },
): string[] {
  const found = unlessOfPacks(differences(ours, real, { isPartly }), dump, name);
  if (found.length > 0 && isAsWithPacks(ours, dump, name)) return [];
  const newer = ['today', 'golden_ui2api', dump, name];
  if (found.length === 0 || !existsSync(corpusPath(...newer))) return found;
  const today = JSON.parse(corpusText(...newer)) as PlainPrompt;
  const newerFound = differences(ours, today, { isPartly, titles: false });
  return unlessOfPacks(newerFound, dump, name).length === 0 ? [] : found;
}

function indexOf(dump: string): GoldenIndex {
  return JSON.parse(corpusText('golden_ui2api', `index.${dump}.json`)) as GoldenIndex;
}

function catalogOf(dump: string): Catalog {
  return Catalog.fromText(corpusText('object_info', `comfyui-0.33.0-${dump}.json`));
}

function compileFile(name: string, catalog: Catalog): { document: JsonDocument; made: GraphCompilation } {
  const document = parseJson(corpusText('workflows', 'ui', name));
  if (!document.root) throw new Error(`${name} is no JSON`);
  return {
    document,
    made: compileGraph(readGraph(document, document.root), catalog, { dynamicPrompts: 'first' }),
  };
}

describe.skipIf(corpusFolder === undefined)(`conversions of the real editor${corpusNote}`, () => {
  it.each(['core', 'core+24packs'])('are the same with the definitions of %s', (dump) => {
    const { whole, alike, partly, partlyAlike, listed } = agreement(dump, catalogOf(dump));
    keepAgreement({ name: `conversions ${dump}`, alike, all: whole });
    const share = ((100 * alike) / whole).toFixed(2);
    process.stdout.write(
      `${dump}: ${alike} of ${whole} conversions alike (${share} %); ` +
        `with unregistered types, as far as known: ${partlyAlike} of ${partly}\n${listed.join('\n')}\n`,
    );
    expect(alike / whole).toBeGreaterThanOrEqual(0.99);
    expect(listed.filter((each) => each.endsWith(': unexplained'))).toEqual([]);
  });

  it('never throw, whatever one value of a file is changed to', () => {
    const catalog = catalogOf('core');
    const names = corpusNames('workflows', 'ui');
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.jsonValue({ maxDepth: 2 }), (file, place, value) => {
        const text = corpusText('workflows', 'ui', names[file % names.length] ?? '');
        const values = valuesOf(parseJson(text).root);
        const target = values[place % values.length];
        const mutated = target ? applyEdits(text, [replaceValue(target, JSON.stringify(value))]) : text;
        const document = parseJson(mutated);
        const made = document.root && compileGraph(readGraph(document, document.root), catalog);
        expect(['compiled', 'failed']).toContain(made?.kind);
      }),
      { numRuns: 300 },
    );
  });
});
