import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { parseJson } from '../../src/core/json/tree';
import { compileGraph } from '../../src/core/workflow/graph/compileGraph';
import { readGraph } from '../../src/core/workflow/graph/graph';
import { keepAgreement } from '../support/agreement';
import {
  corpusNames,
  corpusPath,
  corpusText,
  hasToday,
  todayNote,
  withTodaysTemplates,
} from '../support/corpus';
import {
  differences,
  isAsWithPacks,
  type PlainPrompt,
  unlessOfPacks,
  withLinksOf,
} from '../support/promptDifferences';

interface Index {
  readonly missing: Readonly<Record<string, readonly string[]>>;
}

/** One line of the answers to templates or probes. */
interface Answer {
  readonly file: string;
  readonly frontend?: string;
  readonly definitions?: string;
  readonly prompt?: PlainPrompt;
  readonly missing?: readonly string[];
}

/** Files that are alike, of all, and one entry for each of the others. */
interface Count {
  all: number;
  alike: number;
  readonly listed: string[];
}

function countOne(count: Count, file: string, found: readonly string[]): void {
  count.all++;
  if (found.length === 0) count.alike++;
  else count.listed.push([file, ...found.slice(0, 8)].join('\n    '));
}

function newCount(): Count {
  return { all: 0, alike: 0, listed: [] };
}

function told(title: string, { all, alike, listed }: Count): void {
  keepAgreement({ name: title, alike, all });
  process.stdout.write(`${title}: ${alike} of ${all} (${((100 * alike) / all).toFixed(2)} %)\n`);
  for (const each of listed) process.stdout.write(`  ${each}\n`);
}

const catalogs = new Map<string, Catalog>();

function catalogOf(...place: string[]): Catalog {
  const key = place.join('/');
  const catalog = catalogs.get(key) ?? Catalog.fromText(corpusText(...place));
  catalogs.set(key, catalog);
  return catalog;
}

function ours(text: string, catalog: Catalog): PlainPrompt | string {
  const document = parseJson(text);
  if (!document.root) return 'no JSON';
  const made = compileGraph(readGraph(document, document.root), catalog, { dynamicPrompts: 'first' });
  if (made.kind === 'failed') return `refused: ${made.problem.message}`;
  return JSON.parse(made.prompt.document.text) as PlainPrompt;
}

/**
 * What differs apart from `_meta`. Where the page loses values that it cannot read, ours are what the file means: those
 * saved by name, and those under a promoted null (workflows 1.4, 2).
 */
function inputsThatDiffer(text: string, catalog: Catalog, real: PlainPrompt, older?: PlainPrompt): string[] {
  const made = ours(text, catalog);
  if (typeof made === 'string') return [made];
  // The page shows some nodes only as placeholders, without their type.
  const isPartly = Object.values(real).some(({ class_type }) => class_type === undefined);
  const reference = older ? withLinksOf(older, real, made) : real;
  const found = differences(made, reference, { isPartly, titles: false });
  const byName = idsOfNamedValues(JSON.parse(text));
  return found.filter((line) => {
    const id = /^[^ ]*/.exec(line)?.[0].split(':').at(-1) ?? '';
    return !byName.has(id) && !line.endsWith(' is null');
  });
}

/** The nodes of a file, or inside its subgraphs, whose values are an object. */
function idsOfNamedValues(value: unknown, ids = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return ids;
  const { id, widgets_values: values } = value as { id?: unknown; widgets_values?: unknown };
  if (typeof values === 'object' && !Array.isArray(values)) ids.add(String(id));
  for (const each of Object.values(value)) idsOfNamedValues(each, ids);
  return ids;
}

function answersIn(...place: string[]): Answer[] {
  const lines = corpusText(...place).split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Answer]));
}

/** A picture of a 3D scene, which only a browser can render. */
function needsBrowser({ prompt }: Answer): boolean {
  return Object.values(prompt ?? {}).some(
    ({ class_type, inputs }) =>
      (class_type === 'Load3D' && typeof inputs.image === 'object') ||
      typeof inputs.viewport_state === 'object',
  );
}

describe.skipIf(!hasToday)(`conversions of today's page${todayNote}`, () => {
  it.each(['core', 'core+24packs'])('are the same with the definitions of %s', (dump) => {
    const { missing } = JSON.parse(corpusText('today', 'golden_ui2api', `index.${dump}.json`)) as Index;
    const catalog = catalogOf('object_info', `comfyui-0.33.0-${dump}.json`);
    const [whole, agreed] = [newCount(), newCount()];
    for (const file of corpusNames('today', 'golden_ui2api', dump)) {
      if (Object.hasOwn(missing, file)) continue;
      const answer = JSON.parse(corpusText('today', 'golden_ui2api', dump, file)) as PlainPrompt;
      const before = corpusPath('golden_ui2api', dump, file);
      const older = existsSync(before)
        ? (JSON.parse(readFileSync(before, 'utf8')) as PlainPrompt)
        : undefined;
      const text = corpusText('workflows', 'ui', file);
      const made = ours(text, catalog);
      const found =
        typeof made !== 'string' && isAsWithPacks(made, dump, file)
          ? []
          : unlessOfPacks(inputsThatDiffer(text, catalog, answer, older), dump, file);
      countOne(whole, file, found);
      if (older && differences(older, answer, { titles: false }).length === 0) countOne(agreed, file, found);
    }
    told(`conversions of today's page ${dump}`, whole);
    told(`conversions that both pages agree on ${dump}`, agreed);
    expect(whole.alike / whole.all).toBeGreaterThanOrEqual(0.99);
    expect(agreed.listed).toEqual([]);
  });

  it('are the same for official templates', () => {
    const count = newCount();
    withTodaysTemplates((textOf) => {
      const catalog = catalogOf('object_info', 'comfyui-0.33.0-core.json');
      for (const answer of answersIn('today', 'golden_templates.ndjson')) {
        const { file, prompt, missing = [] } = answer;
        if (!prompt || missing.length > 0 || needsBrowser(answer) || differsOnPurpose.has(file)) continue;
        countOne(count, file, inputsThatDiffer(textOf(file), catalog, prompt));
      }
    });
    told("templates of today's page", count);
    expect(count.alike / count.all).toBeGreaterThanOrEqual(0.99);
  });

  it('are the same for graphs with one feature each', () => {
    const count = newCount();
    for (const { file, frontend, definitions = '', prompt } of answersIn(
      'today',
      'probes',
      'golden.ndjson',
    )) {
      if (frontend !== '1.58.1' || !prompt || differsOnPurpose.has(file)) continue;
      const catalog =
        definitions === 'dump.json'
          ? catalogOf('today', 'probes', definitions)
          : catalogOf('today', 'object_info', 'comfyui-0.40r-core.json');
      const text = corpusText('today', 'probes', 'graphs', file);
      countOne(count, file, inputsThatDiffer(text, catalog, prompt));
    }
    told("probes of today's page", count);
    expect(count.listed).toEqual([]);
  });
});

/** Where a client does what the file means, and the page does not (workflows 1.2, 2). */
const differsOnPurpose: ReadonlySet<string> = new Set([
  'input_link_row_of_other.json',
  'named_only.json',
  'objvals.json',
  'str_slots.json',
  // Links into a branch that the dynamic combo no longer has: the page puts them on other inputs, or loses one.
  'api_bytedance_seedream_5_0_flash_image_edit.json',
  'api_flux2.json',
  'api_openai_gpt_image_25_sunburst_image_edit.json',
]);
