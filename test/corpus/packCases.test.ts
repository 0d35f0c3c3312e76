import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { checkWorkflow } from '../../src/core/check/checkWorkflow';
import type { Finding } from '../../src/core/check/finding';
import { compileGraph } from '../../src/core/workflow/graph/compileGraph';
import { isLoss } from '../../src/core/workflow/graph/graphProblem';
import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { corpusText, hasPacks, packCatalog, packsNote } from '../support/corpus';

describe.skipIf(!hasPacks)(`what is said of cases that people met${packsNote}`, () => {
  const catalog = hasPacks ? Catalog.fromText(packCatalog()) : Catalog.fromDefinitions({});

  function documentOf(file: string): WorkflowDocument {
    return WorkflowDocument.of(corpusText('packs', 'cases', file));
  }

  function findingsIn(file: string): readonly Finding[] {
    return checkWorkflow(documentOf(file), { catalog }).findings;
  }

  /** The code and severity of each finding, with the text that it is at. */
  function told(file: string): string[] {
    const { text } = documentOf(file);
    return findingsIn(file).map(({ code, severity, offset, length }) => {
      return `${severity} ${code}: ${text.slice(offset, offset + length)}`;
    });
  }

  function lossesIn(file: string): string[] {
    const { graph } = documentOf(file);
    const made = graph && compileGraph(graph, catalog);
    return made?.kind === 'compiled' ? made.warnings.filter(isLoss).map(({ message }) => message) : [];
  }

  it('names a Get node whose Set node is gone, as a loss', () => {
    expect(lossesIn('getter-without-setter.json').join()).toContain('no Set node has this name');
  });

  it('counts the link of a stale slot of a subgraph as a loss', () => {
    expect(lossesIn('stale-subgraph-input.json')).toHaveLength(1);
  });

  it('names the output that is muted, instead of asking for one', () => {
    const [muted, ...others] = findingsIn('only-output-muted.json').filter(
      ({ code }) => code === 'no-output-node',
    );
    expect(muted?.message).toContain('Your output node 9 is muted');
    expect(others).toEqual([]);
  });

  it.each([
    ['muted-inside-subgraph.json', 'inactive-subgraph-runs'],
    ['primitive-on-subgraph-widget.json', 'idle-primitive'],
  ])('warns at the node where the prompt surprises: %s', (file, code) => {
    expect(findingsIn(file).filter((finding) => finding.code === code)).toMatchObject([
      { severity: 'warning' },
    ]);
  });

  it('finds each value that only the ComfyUI editor replaces', () => {
    expect(told('date-in-prompt.json')).toContain(
      'warning text-not-replaced: "%date:yyyy-MM-dd%/portrait_%KSampler.seed%"',
    );
  });

  it('finds each placeholder: an error in place of a number, which names --set, else a hint', () => {
    const found = told('placeholders.json');
    expect(found).toContain('hint placeholder: "%prompt%"');
    for (const value of ['"%seed%"', '"{{steps}}"']) {
      expect(found.some((each) => each.startsWith('error ') && each.endsWith(`: ${value}`))).toBe(true);
    }
    const errors = findingsIn('placeholders.json').filter(({ severity }) => severity === 'error');
    expect(errors.every(({ message }) => message.includes('--set'))).toBe(true);
  });

  it('says no error of files and folders that packs look up themselves', () => {
    expect(told('pack-file-inputs.json').filter((each) => each.startsWith('error'))).toEqual([]);
  });

  it('loses nothing of the cases with a prompt of the page', () => {
    for (const file of ['power-lora-rows', 'vhs-format-values', 'vhs-old-force-size', 'everywhere-links']) {
      expect(lossesIn(`${file}.json`), file).toEqual([]);
    }
  });
});
