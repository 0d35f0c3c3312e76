import { readGraph } from '../../src/core/workflow/graph/graph';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { parseJson } from '../../src/core/json/tree';
import { compileGraph } from '../../src/core/workflow/graph/compileGraph';
import { keepAgreement } from '../support/agreement';
import { corpusFolder, corpusNote, corpusText } from '../support/corpus';
import { differences, type PlainPrompt } from '../support/promptDifferences';

/** The real editor's result for a template. */
interface Answer {
  readonly file: string;
  readonly prompt?: PlainPrompt;
  readonly err?: string;
  readonly missing: readonly string[];
}

function answers(): Answer[] {
  const lines = corpusText('golden_templates.ndjson').split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Answer]));
}

/** A picture of a 3D scene, which only a browser can render. */
function needsBrowser({ prompt }: Answer): boolean {
  return Object.values(prompt ?? {}).some(
    ({ class_type, inputs }) => class_type === 'Load3D' && typeof inputs.image === 'object',
  );
}

/** The differences between our prompt and the editor's, one per line. */
function found({ file, prompt, err, missing }: Answer, catalog: Catalog): string[] {
  const document = parseJson(corpusText('workflows', 'templates', file));
  if (!document.root) return ['no JSON'];
  const made = compileGraph(readGraph(document, document.root), catalog, { dynamicPrompts: 'first' });
  if (made.kind === 'failed') return prompt ? [`refused: ${made.problem.message}`] : [];
  if (!prompt) return [`compiled; the editor said ${err ?? ''}`];
  return differences(JSON.parse(made.prompt.document.text) as PlainPrompt, prompt, {
    isPartly: missing.length > 0,
  });
}

describe.skipIf(corpusFolder === undefined)(`official templates${corpusNote}`, () => {
  it('compile to the prompts that the real editor sends', () => {
    const catalog = Catalog.fromText(corpusText('object_info', 'comfyui-0.33.0-core.json'));
    const templates = answers().filter((each) => !needsBrowser(each));
    const wrong = templates.flatMap((each) => {
      const lines = found(each, catalog);
      return lines.length > 0 ? [[each.file, ...lines.slice(0, 8)].join('\n    ')] : [];
    });
    const alike = templates.length - wrong.length;
    keepAgreement({ name: 'templates', alike, all: templates.length });
    const share = ((100 * alike) / templates.length).toFixed(2);
    process.stdout.write(`templates: ${alike} of ${templates.length} alike (${share} %)\n`);
    expect(templates.length).toBeGreaterThan(400);
    expect(wrong).toEqual([]);
  });
});
