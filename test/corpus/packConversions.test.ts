import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import {
  corpusPath,
  corpusText,
  hasPacks,
  type PackAnswer,
  packAnswersIn,
  packCatalog,
  packsNote,
  sampledCorpusNames,
  sampleOf,
} from '../support/corpus';
import { packDifferences, type PlainPrompt } from '../support/promptDifferences';
import { compileAnyGraph } from '../support/sentInputs';

function differencesOf(text: string, catalog: Catalog, { prompt, err }: PackAnswer<PlainPrompt>): string[] {
  const made = compileAnyGraph(text, catalog, { dynamicPrompts: 'first' });
  if (made.kind === 'failed') return prompt ? [`refused: ${made.problem.message}`] : [];
  if (!prompt) return [`not refused: ${err ?? ''}`];
  return packDifferences(JSON.parse(made.prompt.document.text) as PlainPrompt, prompt);
}

/** Files in which the page with packs doesn't send what the file means, or what only a browser has, and why. */
const notAReference: ReadonlyMap<RegExp, string> = new Map([
  [
    /Impact-Pack__tutorial__(?:select_on_|switch-simple)|inversed-switch/,
    'puts a link of ImpactSwitch on its choice',
  ],
  [
    /mediapipe|segs-controlnet|Wan_2\.2_All-In-One/,
    'stops at an ImpactSwitch, with defaults in the nodes after it',
  ],
  [/webcam_capture|all_load_widgets/, 'has a picture or a list of files of the browser'],
  [/hyvideo_prompt_mix/, 'computes the coordinates of a spline on its canvas'],
  [
    /Arxchibobo|LTX-2_ICLoRA|Image_Edit_Qwen_2511|krita-custom|sam-original/,
    'loses values or links, with or without packs',
  ],
]);

describe.skipIf(!hasPacks)(`conversions of the page with node packs${packsNote}`, () => {
  it.each([
    ['golden_ui.ndjson', ['packs', 'ui'], 0.99],
    ['golden_corpus.ndjson', ['workflows', 'ui'], 0.99],
    ['golden_cases.ndjson', ['packs', 'cases'], 1],
  ] as const)(
    'are the same for %s',
    (golden, folder, bar) => {
      const catalog = Catalog.fromText(packCatalog());
      const given = packAnswersIn<PlainPrompt>(golden);
      const answers = (bar === 1 ? given : sampleOf(given)).filter(
        ({ file }) =>
          existsSync(corpusPath(...folder, file)) &&
          // The page shows a message instead of a prompt.
          file !== 'getter-without-setter.json',
      );
      const listed = answers.flatMap((answer) => {
        const found = differencesOf(corpusText(...folder, answer.file), catalog, answer);
        return found.length === 0 ? [] : [[answer.file, ...found.slice(0, 12)].join('\n    ')];
      });
      const damaged = listed.filter((each) => [...notAReference.keys()].some((file) => file.test(each)));
      const all = answers.length - damaged.length;
      const alike = answers.length - listed.length;
      const unexplained = listed.filter((each) => !damaged.includes(each));
      process.stdout.write(`${golden}: ${alike} of ${all}\n  ${unexplained.join('\n  ')}\n`);
      expect(alike / all).toBeGreaterThanOrEqual(bar);
    },
    180_000,
  );
});

/** How often values of each node type are not sent without an explanation. */
function unexplainedIn(folders: readonly (readonly string[])[]): Map<string, number> {
  const catalog = Catalog.fromText(packCatalog());
  const found = new Map<string, number>();
  for (const folder of folders) {
    for (const file of sampledCorpusNames(...folder)) {
      const made = compileAnyGraph(corpusText(...folder, file), catalog);
      if (made.kind !== 'compiled') continue;
      for (const { code, nodeId = '' } of made.warnings) {
        if (code !== 'value-not-sent') continue;
        const type = made.prompt.node(nodeId)?.classType ?? 'subgraph';
        found.set(type, (found.get(type) ?? 0) + 1);
      }
    }
  }
  return found;
}

describe.skipIf(!hasPacks)(`values that are not sent${packsNote}`, () => {
  it('are all explained in real files', () => {
    const found = unexplainedIn([
      ['workflows', 'ui'],
      ['packs', 'ui'],
    ]);
    expect(Object.fromEntries([...found].sort())).toEqual({});
  }, 180_000);
});
