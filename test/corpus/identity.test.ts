import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { parseJson } from '../../src/core/json/tree';
import { compileGraph } from '../../src/core/workflow/graph/compileGraph';
import { readGraph } from '../../src/core/workflow/graph/graph';
import { keepAgreement } from '../support/agreement';
import { corpusFolder, corpusNames, corpusPath, corpusText } from '../support/corpus';

const hasAnswers = corpusFolder !== undefined && existsSync(path.join(corpusFolder, 'today'));
const note = hasAnswers ? '' : " (skipped: the corpus folder has no answers of today's page)";

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

describe.skipIf(!hasAnswers)(`the pack identity in _meta${note}`, () => {
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
    const folder = mkdtempSync(path.join(tmpdir(), 'comfy-deck-identity-'));
    const places = new Places();
    try {
      execFileSync('tar', ['-xJf', corpusPath('today', 'templates-0.11.97.tar.xz'), '-C', folder]);
      for (const line of corpusText('today', 'golden_templates.ndjson').trim().split('\n')) {
        const { file, prompt } = JSON.parse(line) as { file: string; prompt?: Answer };
        if (!prompt) continue;
        const text = readFileSync(path.join(folder, 'templates-0.11.97', file), 'utf8');
        places.compare(file, compiled(text, catalog), prompt);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    places.judge('templates');
    expect(places.all).toBeGreaterThan(5_000);
  });
});
