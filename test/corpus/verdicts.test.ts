import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { knownValidators } from '../../src/core/check/knownValidators';
import { readReplacements } from '../../src/core/catalog/nodeReplacements';
import { readValidators } from '../../src/core/check/validators';
import { predictVerdict } from '../../src/core/check/verdict';
import { parsePythonJson } from '../../src/core/json/boundedJson';
import { sourceTextIn } from '../../src/core/json/textEdit';
import { parseJson } from '../../src/core/json/tree';
import { promptFromText } from '../../src/core/workflow/prompt';
import { corpusFolder, corpusNames, corpusNote, corpusText, hasToday, todayNote } from '../support/corpus';
import { countRefusals, differences, type Recorded, withRecordedRefusals } from '../support/verdictAgreement';

interface Compared {
  readonly name: string;
  readonly found: readonly string[];
  readonly refusals: number;
}

/** Compares one prompt's verdict with the real server's. */
type Comparison = (name: string, promptText: string, recorded: Recorded) => Compared;

/** A server with the definitions of a dump. Its answers show which files it has. */
function serverWith(dump: string): Comparison {
  return serverOf(
    ['object_info', `comfyui-0.33.0-${dump}.json`],
    ['object_info', 'node_replacements_core.json'],
  );
}

function serverOf(definitions: readonly string[], table: readonly string[]): Comparison {
  const catalog = Catalog.fromText(corpusText(...definitions));
  const replacements = readReplacements(JSON.parse(corpusText(...table)));
  return (name, promptText, recorded) => {
    const prompt = promptFromText(promptText);
    const validators = withRecordedRefusals(knownValidators, prompt, recorded);
    const verdict = predictVerdict(prompt, catalog, { validators, replacements });
    return { name, found: differences(verdict, recorded), refusals: countRefusals(recorded) };
  };
}

/** Prints and stores how many match, and what differs; returns what differs. */
function table(title: string, compared: readonly Compared[]): string[] {
  const wrong = compared.filter(({ found }) => found.length > 0);
  const refused = compared.filter(({ refusals }) => refusals > 0).length;
  const alike = `${title}: ${compared.length - wrong.length} of ${compared.length} verdicts alike`;
  const listed = wrong.flatMap(({ name, found }) => [
    `  ${name}`,
    ...found.map((each) => `    ${each.slice(0, 500)}`),
  ]);
  process.stdout.write(`${alike} (${refused} of them with refusals by a class's own check, given)\n`);
  if (listed.length > 0) process.stdout.write(`${listed.join('\n')}\n`);
  return wrong.map(({ name }) => name);
}

/** The mutated prompts, cut from the text: some differ only in how a number is written. */
function mutatedPrompts(text: string): Map<string, string> {
  const document = parseJson(text);
  const prompts = new Map<string, string>();
  for (const { name, value } of document.root?.kind === 'object' ? document.root.properties : []) {
    const prompt = value?.kind === 'object' ? (value.get('promptText') ?? value.get('prompt')) : undefined;
    if (prompt) prompts.set(name, prompt.kind === 'string' ? prompt.value : sourceTextIn(text, prompt));
  }
  return prompts;
}

describe.skipIf(corpusFolder === undefined)(`verdicts of the real server${corpusNote}`, () => {
  it('agree on every mutated prompt', () => {
    const compare = serverWith('core');
    const text = corpusText('verdicts', 'mutations_core.json');
    const recorded = parsePythonJson(text) as Record<string, { verdict: Recorded }>;
    const prompts = [...mutatedPrompts(text)];
    const compared = prompts.map(([name, prompt]) => {
      return compare(name, prompt, recorded[name]?.verdict ?? { raised: 'nothing recorded' });
    });
    expect(compared).toHaveLength(Object.keys(recorded).length);
    expect(table('mutations_core', compared)).toEqual([]);
  });

  it.each(['core', 'core+24packs'])('agree on every API file with the definitions of %s', (dump) => {
    const compare = serverWith(dump);
    const recorded = JSON.parse(corpusText('verdicts', `corpus_${dump}.json`)) as Record<string, Recorded>;
    const compared = Object.entries(recorded).map(([name, verdict]) => {
      return compare(name, corpusText('workflows', 'api', name), verdict);
    });
    expect(table(`corpus_${dump}`, compared)).toEqual([]);
  });

  it.each(['core', 'core+24packs'])(
    'agree on every converted graph file with the definitions of %s',
    (dump) => {
      const compare = serverWith(dump);
      const recorded = JSON.parse(corpusText('verdicts', `golden_${dump}.json`)) as Record<string, Recorded>;
      const stored = new Set(corpusNames('golden_ui2api', dump));
      const compared = Object.entries(recorded)
        .filter(([name]) => stored.has(name))
        .map(([name, verdict]) => compare(name, corpusText('golden_ui2api', dump, name), verdict));
      expect(table(`golden_${dump}`, compared)).toEqual([]);
    },
  );
});

type Told = Recorded | { readonly crash: string };

/** One prompt, and the answers to it: the server visits inputs in random order. */
interface Feature {
  readonly verdicts: readonly Told[];
}

function recordedIn(told: Told | undefined): Recorded {
  if (!told) return { raised: 'nothing recorded' };
  return 'crash' in told ? { raised: told.crash } : told;
}

describe.skipIf(!hasToday)(`verdicts of today's server${todayNote}`, () => {
  const compareToday = (): Comparison =>
    serverOf(
      ['today', 'object_info', 'comfyui-0.40r-core.json'],
      ['today', 'object_info', 'node_replacements_core-0.40r.json'],
    );

  it('agree on new features', () => {
    const compare = compareToday();
    const text = corpusText('today', 'verdicts', 'new_features-0.40r.json');
    const recorded = parsePythonJson(text) as Record<string, Feature>;
    const compared = [...mutatedPrompts(text)].map(([name, prompt]) => {
      const all = (recorded[name]?.verdicts ?? []).map((each) => compare(name, prompt, recordedIn(each)));
      const alike = all.find(({ found }) => found.length === 0);
      return alike ?? all[0] ?? compare(name, prompt, recordedIn(undefined));
    });
    expect(compared.length).toBeGreaterThan(20);
    expect(table('new features of 0.40', compared)).toEqual([]);
  });

  it('agree on every mutated prompt', () => {
    const compare = compareToday();
    const text = corpusText('today', 'verdicts', 'mutations_core-0.40r.json');
    const recorded = parsePythonJson(text) as Record<string, { verdict: Told }>;
    const compared = [...mutatedPrompts(text)].map(([name, prompt]) =>
      compare(name, prompt, recordedIn(recorded[name]?.verdict)),
    );
    expect(table('mutations_core of 0.40', compared)).toEqual([]);
  });

  it('agree on every API file', () => {
    const compare = compareToday();
    const text = corpusText('today', 'verdicts', 'corpus_core-0.40r.json');
    const recorded = JSON.parse(text) as Record<string, Recorded>;
    const compared = Object.entries(recorded).map(([name, verdict]) =>
      compare(name, corpusText('workflows', 'api', name), verdict),
    );
    expect(table('corpus_core of 0.40', compared)).toEqual([]);
  });

  it('know the core node types that validate inputs themselves', () => {
    const text = corpusText('today', 'object_info', 'validators_core-0.40r.json');
    for (const [classType, validator] of readValidators(JSON.parse(text)))
      expect(knownValidators.get(classType), classType).toMatchObject(validator);
  });
});
