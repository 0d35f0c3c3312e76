import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import {
  corpusFolder,
  corpusNote,
  corpusPath,
  corpusText,
  hasToday,
  sampledCorpusNames,
  sampleOf,
  sampleShare,
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
import { compileAnyGraph } from '../support/sentInputs';

const dumps = ['core', 'core+24packs'];

/** The page's answer to one template or probe. */
interface Answer {
  readonly file: string;
  readonly frontend?: string;
  readonly definitions?: string;
  readonly prompt?: PlainPrompt;
  readonly err?: string;
  readonly missing?: readonly string[];
}

function answersIn(...place: string[]): Answer[] {
  const lines = corpusText(...place).split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Answer]));
}

function promptIn(...place: string[]): PlainPrompt {
  return JSON.parse(corpusText(...place)) as PlainPrompt;
}

/** The files that use types without a definition, so that the page could not convert all of them. */
function incompleteFiles(...place: string[]): object {
  return (JSON.parse(corpusText(...place)) as { readonly missing: object }).missing;
}

const catalogs = new Map<string, Catalog>();

function catalogOf(...place: string[]): Catalog {
  const key = place.join('/');
  const catalog = catalogs.get(key) ?? Catalog.fromText(corpusText(...place));
  catalogs.set(key, catalog);
  return catalog;
}

const catalogOfDump = (dump: string): Catalog => catalogOf('object_info', `comfyui-0.33.0-${dump}.json`);

/** Our prompt of a graph, or why there is none. */
function compiled(text: string, catalog: Catalog): PlainPrompt | string {
  const made = compileAnyGraph(text, catalog, { dynamicPrompts: 'first' });
  if (made.kind === 'failed') return `refused: ${made.problem.message}`;
  return JSON.parse(made.prompt.document.text) as PlainPrompt;
}

/** How many files are alike, and what differs in the others. */
class Count {
  all = 0;
  alike = 0;
  readonly listed: string[] = [];

  add(file: string, found: readonly string[]): void {
    this.all++;
    if (found.length === 0) this.alike++;
    else this.listed.push([file, ...found.slice(0, 8)].join('\n    '));
  }

  /** Prints the count; returns the share of the files that are alike. */
  tell(title: string): number {
    const share = this.alike / this.all;
    process.stdout.write(`${title}: ${this.alike} of ${this.all} (${(100 * share).toFixed(2)} %)\n`);
    for (const each of this.listed) process.stdout.write(`  ${each}\n`);
    return share;
  }
}

/** A picture of a 3D scene, which only a browser can render. */
function needsBrowser({ prompt }: Answer): boolean {
  return Object.values(prompt ?? {}).some(
    ({ class_type, inputs }) =>
      (class_type === 'Load3D' && typeof inputs.image === 'object') ||
      typeof inputs.viewport_state === 'object',
  );
}

/** Where the pages differ, the newer one counts. */
function differencesFromPages(ours: PlainPrompt, dump: string, file: string, isPartly: boolean): string[] {
  const real = promptIn('golden_ui2api', dump, file);
  const found = unlessOfPacks(differences(ours, real, { isPartly }), dump, file);
  if (found.length > 0 && isAsWithPacks(ours, dump, file)) return [];
  const newer = ['today', 'golden_ui2api', dump, file];
  if (found.length === 0 || !existsSync(corpusPath(...newer))) return found;
  const newerFound = differences(ours, promptIn(...newer), { isPartly, titles: false });
  return unlessOfPacks(newerFound, dump, file).length === 0 ? [] : found;
}

describe.skipIf(corpusFolder === undefined)(`conversions of the real editor${corpusNote}`, () => {
  it.each(dumps)(
    'are the same with the definitions of %s',
    (dump) => {
      const missing = incompleteFiles('golden_ui2api', `index.${dump}.json`);
      const [whole, partly] = [new Count(), new Count()];
      const unexplained: string[] = [];
      for (const file of sampledCorpusNames('golden_ui2api', dump)) {
        const isPartly = Object.hasOwn(missing, file);
        const text = corpusText('workflows', 'ui', file);
        const ours = compiled(text, catalogOfDump(dump));
        const found = typeof ours === 'string' ? [ours] : differencesFromPages(ours, dump, file, isPartly);
        (isPartly ? partly : whole).add(file, found);
        // A pack reads values saved by name back in JavaScript of its own, which the reference lacks.
        if (!isPartly && found.length > 0 && !/"widgets_values"\s*:\s*\{/.test(text)) unexplained.push(file);
      }
      expect(whole.tell(`conversions ${dump}`)).toBeGreaterThanOrEqual(0.995);
      partly.tell(`conversions ${dump} with unregistered types, as far as known`);
      expect(unexplained).toEqual([]);
    },
    180_000,
  );

  it('are the same for official templates', () => {
    // In one the primitive wrote into the slot that a link named, and not into the input that names the link.
    const damaged = 'templates_graphic_design_recomposer.json';
    const count = new Count();
    for (const answer of sampleOf(answersIn('golden_templates.ndjson'))) {
      const { file, prompt, err = '', missing = [] } = answer;
      if (needsBrowser(answer) || file === damaged) continue;
      const ours = compiled(corpusText('workflows', 'templates', file), catalogOfDump('core'));
      if (typeof ours === 'string') count.add(file, prompt ? [ours] : []);
      else if (!prompt) count.add(file, [`compiled; the editor said ${err}`]);
      else count.add(file, differences(ours, prompt, { isPartly: missing.length > 0 }));
    }
    count.tell('templates');
    expect(count.all).toBeGreaterThan(400 / sampleShare);
    expect(count.listed).toEqual([]);
  });
});

/**
 * What differs apart from `_meta`. Where the page loses values that it cannot read, ours are what the file means: those
 * saved by name, and those under a promoted null (workflows 1.4, 2).
 */
function inputsThatDiffer(text: string, catalog: Catalog, real: PlainPrompt, older?: PlainPrompt): string[] {
  const made = compiled(text, catalog);
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

describe.skipIf(!hasToday)(`conversions of today's page${todayNote}`, () => {
  it.each(dumps)('are the same with the definitions of %s', (dump) => {
    const missing = incompleteFiles('today', 'golden_ui2api', `index.${dump}.json`);
    const catalog = catalogOfDump(dump);
    const [whole, agreed] = [new Count(), new Count()];
    for (const file of sampledCorpusNames('today', 'golden_ui2api', dump)) {
      if (Object.hasOwn(missing, file)) continue;
      const answer = promptIn('today', 'golden_ui2api', dump, file);
      const before = ['golden_ui2api', dump, file];
      const older = existsSync(corpusPath(...before)) ? promptIn(...before) : undefined;
      const text = corpusText('workflows', 'ui', file);
      const made = compiled(text, catalog);
      const found =
        typeof made !== 'string' && isAsWithPacks(made, dump, file)
          ? []
          : unlessOfPacks(inputsThatDiffer(text, catalog, answer, older), dump, file);
      whole.add(file, found);
      if (older && differences(older, answer, { titles: false }).length === 0) agreed.add(file, found);
    }
    expect(whole.tell(`conversions of today's page ${dump}`)).toBeGreaterThanOrEqual(0.99);
    agreed.tell(`conversions that both pages agree on ${dump}`);
    expect(agreed.listed).toEqual([]);
  });

  it('are the same for official templates', () => {
    const count = new Count();
    withTodaysTemplates((textOf) => {
      for (const answer of sampleOf(answersIn('today', 'golden_templates.ndjson'))) {
        const { file, prompt, missing = [] } = answer;
        if (!prompt || missing.length > 0 || needsBrowser(answer) || differsOnPurpose.has(file)) continue;
        count.add(file, inputsThatDiffer(textOf(file), catalogOfDump('core'), prompt));
      }
    });
    expect(count.tell("templates of today's page")).toBeGreaterThanOrEqual(0.99);
  });

  it('are the same for graphs with one feature each', () => {
    const count = new Count();
    for (const { file, frontend, definitions, prompt } of answersIn('today', 'probes', 'golden.ndjson')) {
      if (frontend !== '1.58.1' || !prompt || differsOnPurpose.has(file)) continue;
      const catalog =
        definitions === 'dump.json'
          ? catalogOf('today', 'probes', definitions)
          : catalogOf('today', 'object_info', 'comfyui-0.40r-core.json');
      count.add(file, inputsThatDiffer(corpusText('today', 'probes', 'graphs', file), catalog, prompt));
    }
    count.tell("probes of today's page");
    expect(count.listed).toEqual([]);
  });
});

type WithMeta = Readonly<Record<string, { readonly _meta: Readonly<Record<string, string>> }>>;

/** Counts each name of the pack identity that the page or we write into a node. */
function countIdentity(count: Count, file: string, made: PlainPrompt | string, real: PlainPrompt): void {
  const ours = (typeof made === 'string' ? {} : made) as WithMeta;
  for (const [id, { _meta: page }] of Object.entries(real as WithMeta)) {
    const own = ours[id]?._meta;
    for (const name of ['cnr_id', 'aux_id', 'ver']) {
      if (page[name] === undefined && own?.[name] === undefined) continue;
      const difference = `${own?.[name] ?? 'nothing'} is ${page[name] ?? 'nothing'}`;
      count.add(`${file} ${id}.${name}`, page[name] === own?.[name] ? [] : [difference]);
    }
  }
}

describe.skipIf(!hasToday)(`the pack identity in _meta${todayNote}`, () => {
  it.each(dumps)('is that of the real page with the definitions of %s', (dump) => {
    const count = new Count();
    for (const file of sampledCorpusNames('today', 'golden_ui2api', dump)) {
      const made = compiled(corpusText('workflows', 'ui', file), catalogOfDump(dump));
      countIdentity(count, file, made, promptIn('today', 'golden_ui2api', dump, file));
    }
    expect(count.tell(`pack identity ${dump}`)).toBeGreaterThanOrEqual(0.99);
    expect(count.all).toBeGreaterThan(3_000 / sampleShare);
  });

  it('is that of the real page in official templates', () => {
    const count = new Count();
    withTodaysTemplates((textOf) => {
      for (const { file, prompt } of sampleOf(answersIn('today', 'golden_templates.ndjson')))
        if (prompt) countIdentity(count, file, compiled(textOf(file), catalogOfDump('core')), prompt);
    });
    expect(count.tell('pack identity templates')).toBeGreaterThanOrEqual(0.99);
    expect(count.all).toBeGreaterThan(5_000 / sampleShare);
  });
});
