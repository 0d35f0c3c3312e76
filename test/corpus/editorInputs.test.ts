import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { checkWorkflow } from '../../src/core/check/checkWorkflow';
import { exactFrom } from '../../src/core/json/exactValue';
import { writeExact } from '../../src/core/json/exactWriter';
import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { corpusFolder, corpusNames, corpusNote, corpusText } from '../support/corpus';

/** Names of inputs that the real editor sent although their node type lacks them, with a finding. */
function reported(catalog: Catalog, name: string, text: string): string[] {
  return checkWorkflow(WorkflowDocument.of(text), { catalog })
    .findings.filter(({ code, severity }) => code === 'unknown-input' && severity === 'warning')
    .map(({ input }) => `${name} ${input ?? ''}`);
}

describe.skipIf(corpusFolder === undefined)(`inputs that the ComfyUI editor writes${corpusNote}`, () => {
  it.each(['core', 'core+24packs'])('have no finding in real graphs, with the definitions of %s', (dump) => {
    const catalog = Catalog.fromText(corpusText('object_info', `comfyui-0.33.0-${dump}.json`));
    const names = corpusNames('golden_ui2api', dump);
    expect(names.length).toBeGreaterThan(100);
    const found = names.flatMap((name) => reported(catalog, name, corpusText('golden_ui2api', dump, name)));
    expect(found).toEqual([]);
  });

  it('have no finding in official templates', () => {
    const catalog = Catalog.fromText(corpusText('object_info', 'comfyui-0.33.0-core.json'));
    const lines = corpusText('golden_templates.ndjson').split('\n').filter(Boolean);
    expect(lines.length).toBeGreaterThan(100);
    const found = lines.flatMap((line) => {
      const { file, prompt } = JSON.parse(line) as { file: string; prompt?: object };
      return prompt ? reported(catalog, file, writeExact(exactFrom(prompt))) : [];
    });
    expect(found).toEqual([]);
  });
});
