import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { parseJson } from '../../src/core/json/tree';
import { compileGraph } from '../../src/core/workflow/graph/compileGraph';
import { readGraph } from '../../src/core/workflow/graph/graph';
import { keepAgreement } from '../support/agreement';
import { corpusNames, corpusText, hasToday, todayNote, withTodaysTemplates } from '../support/corpus';

type Meta = Readonly<Record<string, string>>;
type Answer = Readonly<Record<string, { readonly _meta: Meta }>>;

/** One member of one node, where the page or we write it; and the places where both write the same. */
class Places {
  all = 0;
  alike = 0;
  readonly #wrong: string[] = [];

  compare(file: string, ours: Answer, real: Answer): void {
    for (const [id, { _meta: page }] of Object.entries(real)) {
      const own = ours[id]?._meta;
      for (const name of ['cnr_id', 'aux_id', 'ver']) {
        if (page[name] === undefined && own?.[name] === undefined) continue;
        this.all++;
        if (page[name] === own?.[name]) this.alike++;
        else
          this.#wrong.push(
            `${file} ${id}.${name}: ${own?.[name] ?? 'nothing'} is ${page[name] ?? 'nothing'}`,
          );
      }
      if (own && Object.keys(own).join() !== Object.keys(page).join())
        this.#wrong.push(`${file} ${id}: order`);
    }
  }

  judge(title: string): void {
    keepAgreement({ name: `pack identity ${title}`, alike: this.alike, all: this.all });
    const listed = this.#wrong.slice(0, 20).map((line) => `  ${line}\n`);
    process.stdout.write(`pack identity ${title}: ${this.alike} of ${this.all} places\n${listed.join('')}`);
    expect(this.alike / this.all).toBeGreaterThanOrEqual(0.99);
  }
}

function compiled(text: string, catalog: Catalog): Answer {
  const document = parseJson(text);
  const made = document.root && compileGraph(readGraph(document, document.root), catalog);
  return made?.kind === 'compiled' ? (JSON.parse(made.prompt.document.text) as Answer) : {};
}

describe.skipIf(!hasToday)(`the pack identity in _meta${todayNote}`, () => {
  it.each([
    ['core', 3_000],
    ['core+24packs', 3_000],
  ])('is that of the real page with the definitions of %s', (dump, least) => {
    const catalog = Catalog.fromText(corpusText('object_info', `comfyui-0.33.0-${dump}.json`));
    const places = new Places();
    for (const file of corpusNames('today', 'golden_ui2api', dump)) {
      const real = JSON.parse(corpusText('today', 'golden_ui2api', dump, file)) as Answer;
      places.compare(file, compiled(corpusText('workflows', 'ui', file), catalog), real);
    }
    places.judge(dump);
    expect(places.all).toBeGreaterThan(least);
  });

  it('is that of the real page in official templates', () => {
    const catalog = Catalog.fromText(corpusText('object_info', 'comfyui-0.33.0-core.json'));
    const places = new Places();
    withTodaysTemplates((textOf) => {
      for (const line of corpusText('today', 'golden_templates.ndjson').trim().split('\n')) {
        const { file, prompt } = JSON.parse(line) as { file: string; prompt?: Answer };
        if (prompt) places.compare(file, compiled(textOf(file), catalog), prompt);
      }
    });
    places.judge('templates');
    expect(places.all).toBeGreaterThan(5_000);
  });
});
