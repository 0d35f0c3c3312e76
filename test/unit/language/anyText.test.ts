import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { workflowActions } from '../../../src/core/language/edits/actions';
import { completeAtOffset } from '../../../src/core/language/completion/complete';
import { documentLinks } from '../../../src/core/language/navigation/documentLinks';
import { foldingRanges } from '../../../src/core/language/outline/folding';
import { hoverAtOffset } from '../../../src/core/language/hover/hover';
import { inlayHints } from '../../../src/core/language/annotations/inlayHints';
import { workflowLenses } from '../../../src/core/language/annotations/lenses';
import { definitionAtOffset, nodeReferences } from '../../../src/core/language/navigation/navigation';
import { semanticTokens } from '../../../src/core/language/annotations/semanticTokens';
import { workflowSymbols, type WorkflowSymbol } from '../../../src/core/language/outline/symbols';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { catalog, chain, graph } from './sample';

/** Real files with pieces removed, doubled or overwritten. */
const damaged = fc
  .tuple(
    fc.constantFrom(chain, graph),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat({ max: 12 }),
        fc.oneof(
          fc.constantFrom('', '"', '[', ']', '{', '}', ',', ':', '\n'),
          fc.constantFrom('"4"', '-1', 'null', '["3", 0]', '"id"', 'NaN'),
        ),
      ),
      { maxLength: 4 },
    ),
    fc.nat(),
  )
  .map(([text, cuts, place]) => {
    let result: string = text;
    for (const [at, length, put] of cuts) {
      const start = at % (result.length + 1);
      result = result.slice(0, start) + put + result.slice(start + length);
    }
    return { text: result, offset: place % (result.length + 1) };
  });

const context = { catalog, randomSeed: (min: bigint): bigint => min + 1n };

describe('whatever the text', () => {
  it('nothing throws, and positions are inside the text', () => {
    fc.assert(
      fc.property(damaged, ({ text, offset }) => {
        const doc = WorkflowDocument.of(text);
        const { findings } = checkWorkflow(doc, { catalog });
        const places = [
          ...completeAtOffset(doc, offset, catalog).map(({ edit }) => edit),
          ...[hoverAtOffset(doc, offset, catalog) ?? []].flat(),
          ...[definitionAtOffset(doc, offset)?.target ?? []].flat(),
          ...nodeReferences(doc, offset),
          ...foldingRanges(doc),
          ...inlayHints(doc, { offset: 0, length: text.length }, catalog).map((hint) => ({
            ...hint,
            length: 0,
          })),
          ...workflowLenses(doc, findings, catalog),
          ...documentLinks(doc, catalog),
          ...semanticTokens(doc),
          ...all(workflowSymbols(doc)),
        ];
        const outside = places.filter(
          (each) => each.offset < 0 || each.length < 0 || each.offset + each.length > text.length,
        );
        expect(outside).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('a completion stays on one line and contains the cursor', () => {
    fc.assert(
      fc.property(damaged, ({ text, offset }) => {
        for (const { edit } of completeAtOffset(WorkflowDocument.of(text), offset, catalog)) {
          expect(edit.offset).toBeLessThanOrEqual(offset);
          expect(edit.offset + edit.length).toBeGreaterThanOrEqual(offset);
          expect(text.slice(edit.offset, edit.offset + edit.length)).not.toMatch(/[\r\n]/);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('a text that is not a workflow', () => {
  it('is not parsed', () => {
    const doc = WorkflowDocument.of('{ "name": "x", "nodes": { broken');
    expect(doc.format.kind).toBe('none');
    expect(completeAtOffset(doc, 3, catalog)).toEqual([]);
    expect(workflowSymbols(doc)).toEqual([]);
    expect(semanticTokens(doc)).toEqual([]);
    expect(workflowLenses(doc, [], catalog)).toEqual([]);
    expect(workflowActions(doc, 3, context)).toEqual([]);
  });
});

function all(entries: readonly WorkflowSymbol[]): WorkflowSymbol[] {
  return entries.flatMap((entry) => [entry, ...all(entry.children)]);
}
