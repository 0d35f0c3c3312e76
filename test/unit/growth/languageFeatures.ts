import type { Catalog } from '../../../src/core/catalog/catalog';
import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { actions } from '../../../src/core/language/edits/actions';
import { complete } from '../../../src/core/language/completion/complete';
import { links } from '../../../src/core/language/navigation/documentLinks';
import { fixAll } from '../../../src/core/language/edits/fixes';
import { foldingRanges } from '../../../src/core/language/outline/folding';
import { hover } from '../../../src/core/language/hover/hover';
import { inlayHints } from '../../../src/core/language/annotations/inlayHints';
import { lenses } from '../../../src/core/language/annotations/lenses';
import { definition, references } from '../../../src/core/language/navigation/navigation';
import { rename } from '../../../src/core/language/rename/rename';
import { RenameError } from '../../../src/core/language/rename/renameError';
import { semanticTokens } from '../../../src/core/language/annotations/semanticTokens';
import { symbols } from '../../../src/core/language/outline/symbols';
import type { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';

export type Feature = (doc: WorkflowDocument, catalog: Catalog) => unknown;

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

function renamed(doc: WorkflowDocument, offset: number): unknown {
  try {
    return rename(doc, offset, '987654');
  } catch (error) {
    if (error instanceof RenameError) return undefined;
    throw error;
  }
}

/** The requests of an editor about a document. */
export const features: Readonly<Record<string, Feature>> = {
  outline: (doc) => symbols(doc),
  folding: (doc) => foldingRanges(doc),
  colours: (doc) => semanticTokens(doc),
  hints: (doc, catalog) => inlayHints(doc, { offset: 0, length: doc.text.length }, catalog),
  lenses: (doc, catalog) => lenses(doc, [], catalog),
  links: (doc, catalog) => links(doc, catalog),
  hover: (doc, catalog) => places(doc).map((offset) => hover(doc, offset, catalog)),
  completion: (doc, catalog) => places(doc).map((offset) => complete(doc, offset, catalog)),
  definition: (doc) => places(doc).map((offset) => definition(doc, offset)),
  references: (doc) => places(doc).map((offset) => references(doc, offset)),
  rename: (doc) => places(doc).map((offset) => renamed(doc, offset)),
  actions: (doc, catalog) =>
    places(doc).map((offset) => actions(doc, offset, { catalog, randomSeed: () => 1n })),
  'fix all': (doc, catalog) => fixAll(doc, checkWorkflow(doc, { catalog }).findings, { catalog }),
};
