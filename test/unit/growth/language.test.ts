import { describe, it } from 'vitest';

import type { Catalog } from '../../../src/core/catalog/catalog';
import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { inlayHints } from '../../../src/core/language/annotations/inlayHints';
import { workflowLenses } from '../../../src/core/language/annotations/lenses';
import { semanticTokens } from '../../../src/core/language/annotations/semanticTokens';
import { completeAtOffset } from '../../../src/core/language/completion/complete';
import { workflowActions } from '../../../src/core/language/edits/actions';
import { fixAll } from '../../../src/core/language/edits/fixes';
import { hoverAtOffset } from '../../../src/core/language/hover/hover';
import { documentLinks } from '../../../src/core/language/navigation/documentLinks';
import { definitionAtOffset, nodeReferences } from '../../../src/core/language/navigation/navigation';
import { foldingRanges } from '../../../src/core/language/outline/folding';
import { workflowSymbols } from '../../../src/core/language/outline/symbols';
import { renameNode, RenameError } from '../../../src/core/language/rename/rename';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { expectGentleGrowth } from '../../support/growth';
import { graphs } from './graphShapes';
import { catalog, prompts, type Shapes } from './shapes';

/** Places that an editor may ask about: the first name, links and names in the middle, and the end. */
function places({ text }: WorkflowDocument): number[] {
  const middle = text.length >> 1;
  return [
    2,
    text.indexOf('"', middle) + 1,
    text.indexOf('[', middle) + 2,
    text.indexOf('"type"', middle) + 9,
    text.lastIndexOf('"id"') + 6,
    text.length - 2,
  ];
}

function renameIfPossible(doc: WorkflowDocument, offset: number): unknown {
  try {
    return renameNode(doc, offset, '987654');
  } catch (error) {
    if (error instanceof RenameError) return undefined;
    throw error;
  }
}

/** What an editor asks about all of a document, about one place, and about a place in relation to all others. */
const requests: Readonly<Record<string, (doc: WorkflowDocument, catalog: Catalog) => unknown>> = {
  'all of it': (doc, known) => [
    workflowSymbols(doc),
    foldingRanges(doc),
    semanticTokens(doc),
    inlayHints(doc, { offset: 0, length: doc.text.length }, known),
    workflowLenses(doc, [], known),
    documentLinks(doc, known),
  ],
  places: (doc, known) =>
    places(doc).map((offset) => [
      hoverAtOffset(doc, offset, known),
      completeAtOffset(doc, offset, known),
      definitionAtOffset(doc, offset),
      workflowActions(doc, offset, { catalog: known, randomSeed: () => 1n }),
    ]),
  'what refers to a place': (doc) =>
    places(doc).map((offset) => [nodeReferences(doc, offset), renameIfPossible(doc, offset)]),
  fixes: (doc, known) => {
    const { findings } = checkWorkflow(doc, { catalog: known });
    return [fixAll(doc, findings, { catalog: known }), fixAll(doc, findings)];
  },
};

const narrow = ['a chain in which every node takes the one before it twice', 'a chain of nodes'];
const wide = 'one unknown node with many linked inputs';
/** Prompts in which much can be linked to much. */
const broken = ['outputs that all fail', 'links to nodes that are not there'];
const shapes: Readonly<Record<string, readonly string[]>> = {
  'all of it': [...narrow, wide],
  places: narrow,
  'what refers to a place': [...narrow, wide],
  fixes: [...narrow, ...broken],
};
const texts: Shapes = { ...prompts, ...graphs };

describe('what an editor asks of a large file', { timeout: 300_000 }, () => {
  it.each(
    Object.entries(requests).flatMap(([name, request]) =>
      (shapes[name] ?? []).map((shape) => [name, shape, request, texts[shape]] as const),
    ),
  )('takes time that grows with it: %s, %s', async (_name, _shape, request, input) => {
    await expectGentleGrowth({
      from: 64,
      to: 8_000,
      input: (size) => {
        const doc = WorkflowDocument.of(input?.(size) ?? '');
        // Reading has a separate test.
        return { doc, read: [doc.prompt, doc.graph] };
      },
      run: ({ doc }) => request(doc, catalog),
    });
  });
});
