import { readGraph } from '../../src/core/workflow/graph/graph';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { type CheckReport, checkWorkflow } from '../../src/core/check/checkWorkflow';
import { knownValidators } from '../../src/core/check/knownValidators';
import { predictVerdict } from '../../src/core/check/verdict';
import type { JsonNode, JsonRange } from '../../src/core/json/node';
import { isTolerated } from '../../src/core/json/problem';
import { applyEdits, type TextEdit } from '../../src/core/json/textEdit';
import { type JsonDocument, parseJson } from '../../src/core/json/tree';
import { inlayHints } from '../../src/core/language/annotations/inlayHints';
import { workflowLenses } from '../../src/core/language/annotations/lenses';
import { semanticTokens } from '../../src/core/language/annotations/semanticTokens';
import { workflowActions } from '../../src/core/language/edits/actions';
import { completeAtOffset } from '../../src/core/language/completion/complete';
import { fixAll, fixesForFinding } from '../../src/core/language/edits/fixes';
import { documentLinks } from '../../src/core/language/navigation/documentLinks';
import { foldingRanges } from '../../src/core/language/outline/folding';
import { hoverAtOffset } from '../../src/core/language/hover/hover';
import { definitionAtOffset, nodeReferences } from '../../src/core/language/navigation/navigation';
import { renameNode, RenameError } from '../../src/core/language/rename/rename';
import { workflowSymbols, type WorkflowSymbol } from '../../src/core/language/outline/symbols';
import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { detectFormat } from '../../src/core/workflow/format';
import { compileGraph, type GraphCompilation } from '../../src/core/workflow/graph/compileGraph';
import { readPrompt } from '../../src/core/workflow/prompt';
import { corpusFolder, corpusNames, corpusNote, corpusText } from '../support/corpus';
import { allValues, anyMutation, mutated } from '../support/mutation';
import { catalog, chain, graph } from '../unit/language/sample';

/** The same cases every time: today's failures fail tomorrow. */
const seed = 20_260_107;
const cases = Number(process.env.COMFY_DECK_FUZZ_CASES ?? 100);
/** Most real files are shorter; many cases find more than long ones. */
const longest = 20_000;

interface Found {
  readonly document: JsonDocument;
  readonly report: CheckReport;
  readonly compilation: GraphCompilation | undefined;
}

/** Files with the definitions for checking them. */
interface Subjects {
  readonly files: readonly string[];
  readonly catalog: Catalog;
}

function realFiles(): Subjects {
  const files = (['api', 'ui'] as const)
    .flatMap((folder) =>
      corpusNames('workflows', folder).map((name) => corpusText('workflows', folder, name)),
    )
    .filter((text) => text.length <= longest);
  return { files, catalog: Catalog.fromText(corpusText('object_info', 'comfyui-0.33.0-core.json')) };
}

/** The product's sample workflows, and small ones of both formats: always available. */
function ownSamples(): Subjects {
  const folder = resolve(import.meta.dirname, '../../samples');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const files = names.map((name) => readFileSync(join(folder, name), 'utf8'));
  return { files: [...files, chain, graph], catalog };
}

/** All readers of a text, one after the other. */
function readWhole(text: string, catalog: Catalog): Found {
  const document = parseJson(text);
  detectFormat(document);
  const prompt = readPrompt(document);
  predictVerdict(prompt, catalog, { validators: knownValidators });
  const workflow = WorkflowDocument.of(text);
  checkWorkflow(workflow);
  const compilation = document.root && compileGraph(readGraph(document, document.root), catalog);
  return { document, report: checkWorkflow(workflow, { catalog }), compilation };
}

/** A compiled prompt is deterministic, strict JSON, and each part of it maps to the file and back. */
function expectWhole(
  compilation: GraphCompilation,
  document: JsonDocument,
  root: JsonNode,
  catalog: Catalog,
): void {
  if (compilation.kind === 'failed') return;
  const { prompt, source } = compilation;
  const promptText = prompt.document.text;
  const again = compileGraph(readGraph(document, root), catalog);
  expect(again.kind === 'compiled' && again.prompt.document.text).toBe(promptText);
  const compiled = parseJson(promptText);
  expect(compiled.problems.filter((problem) => !isTolerated(problem))).toEqual([]);
  for (const { id, inputs } of readPrompt(compiled).nodes) {
    const place = source.node(id);
    expect(place, `node ${id}`).toBeDefined();
    if (place) expect(source.executedIds(place), `back to node ${id}`).toContain(id);
    for (const { name } of inputs)
      expect(source.input(id, name), `input ${name} of node ${id}`).toBeDefined();
  }
}

function isInside({ offset, length }: JsonRange, text: string): boolean {
  return offset >= 0 && length >= 0 && offset + length <= text.length;
}

function expectInside(report: CheckReport, text: string): void {
  for (const { code, related = [], ...place } of report.findings)
    for (const each of [place, ...related])
      expect(isInside(each, text), `${code} lies in the text`).toBe(true);
}

/** Edits do not overlap, and JSON stays JSON. */
function expectJson(doc: WorkflowDocument, edits: readonly TextEdit[], what: string): void {
  const changed = applyEdits(doc.text, edits);
  if (doc.json.problems.some((problem) => !isTolerated(problem))) return;
  const wrong = parseJson(changed).problems.filter((problem) => !isTolerated(problem));
  expect(wrong, `${what} keeps JSON`).toEqual([]);
}

/** An editor's requests with the cursor at an offset. */
function expectEditable(doc: WorkflowDocument, offset: number, report: CheckReport, catalog: Catalog): void {
  const completions = completeAtOffset(doc, offset, catalog).map(({ edit }) => edit);
  for (const { offset: start, length } of completions) {
    expect(start <= offset && offset <= start + length, 'a completion contains the cursor').toBe(true);
    expect(doc.text.slice(start, start + length), 'and stays on one line').not.toMatch(/[\r\n]/);
  }
  const hints = inlayHints(doc, { offset: 0, length: doc.text.length }, catalog);
  const symbols = (entries: readonly WorkflowSymbol[]): JsonRange[] =>
    entries.flatMap((entry) => [entry, ...symbols(entry.children)]);
  for (const place of [
    ...completions,
    ...[hoverAtOffset(doc, offset, catalog) ?? []].flat(),
    ...[definitionAtOffset(doc, offset)?.target ?? []].flat(),
    ...nodeReferences(doc, offset),
    ...foldingRanges(doc),
    ...hints.map((hint) => ({ ...hint, length: 0 })),
    ...workflowLenses(doc, report.findings, catalog),
    ...documentLinks(doc, catalog),
    ...semanticTokens(doc),
    ...symbols(workflowSymbols(doc)),
  ])
    expect(isInside(place, doc.text), JSON.stringify(place)).toBe(true);
  for (const { edits, title } of workflowActions(doc, offset, { catalog, randomSeed: () => 1n })) {
    expectJson(doc, edits, title);
  }
  const finding = report.findings[offset % Math.max(1, report.findings.length)];
  for (const { edits, title } of finding ? fixesForFinding(doc, finding, { catalog }) : [])
    expectJson(doc, edits, title);
}

function expectRenamed(doc: WorkflowDocument, offset: number): void {
  try {
    expectJson(doc, renameNode(doc, offset, '987654'), 'rename');
  } catch (error) {
    if (!(error instanceof RenameError)) throw error;
  }
}

function expectNoException({ files, catalog }: Subjects, numRuns: number): void {
  const place = fc.nat();
  fc.assert(
    fc.property(place, fc.array(anyMutation, { maxLength: 3 }), place, (file, mutations, at) => {
      const text = mutations.reduce(mutated, files[file % files.length] ?? '');
      const { document, report, compilation } = readWhole(text, catalog);
      expectInside(report, text);
      if (document.root && compilation) expectWhole(compilation, document, document.root, catalog);
      const doc = WorkflowDocument.of(text);
      expectEditable(doc, at % (text.length + 1), report, catalog);
      expectJson(doc, fixAll(doc, report.findings, { catalog }), 'fix all');
      const values = allValues(document.root);
      expectRenamed(doc, values[at % Math.max(1, values.length)]?.offset ?? 0);
    }),
    { numRuns, seed },
  );
}

describe('corrupted workflows of our own', () => {
  it('are read, checked, compiled and edited without an exception', { timeout: 300_000 }, () => {
    // The full number of cases if there are no others.
    expectNoException(ownSamples(), corpusFolder === undefined ? cases : cases / 10);
  });
});

describe.skipIf(corpusFolder === undefined)(`corrupted real files${corpusNote}`, () => {
  it('are read, checked, compiled and edited without an exception', { timeout: 300_000 }, () => {
    expectNoException(realFiles(), cases);
  });
});
