import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { Catalog } from '../../../src/core/catalog/catalog';
import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { definitionsText, largeDefinitionsText, usualPromptText } from '../files';
import { reachableBytes } from '../heap';
import type { BenchRow, Measurement } from '../row';
import { inTurns, mb, ms } from '../timing';

/** Opens the definitions and computes the first diagnostics of a file with them. */
function firstDiagnostics(text: string, prompt: string): Catalog {
  const catalog = Catalog.fromText(text);
  checkWorkflow(WorkflowDocument.of(prompt), { catalog });
  return catalog;
}

async function opening(read: () => string): Promise<Measurement> {
  const text = read();
  const prompt = usualPromptText();
  const { ours, parse } = await inTurns(
    { ours: () => () => firstDiagnostics(text, prompt), parse: () => () => JSON.parse(text) as unknown },
    { runs: 11 },
  );
  const ratio = ours.median / parse.median;
  return {
    what: `node definitions, ${mb(text.length)}: text -> first diagnostics`,
    bar: '< 1.5 x JSON.parse',
    value: `${ms(ours.median)} = ${ratio.toFixed(2)} x (first run ${ms(ours.first)})`,
    yardstick: `JSON.parse ${ms(parse.median)} (first run ${ms(parse.first)})`,
    held: ratio < 1.5,
    numbers: {
      oursMs: ours.median,
      oursFirstMs: ours.first,
      jsonParseMs: parse.median,
      jsonParseFirstMs: parse.first,
      ratio,
    },
  };
}

function held(): Measurement {
  const prompt = usualPromptText();
  const before = reachableBytes();
  const text = largeDefinitionsText();
  const ofText = reachableBytes() - before;
  const catalog = firstDiagnostics(text, prompt);
  const ofCatalog = reachableBytes() - before;
  const parsed: unknown = JSON.parse(text);
  const ofTree = reachableBytes() - before - ofCatalog;
  const ratio = ofCatalog / ofText;
  if (catalog.size === 0 || typeof parsed !== 'object') throw new Error('The definitions were not read.');
  return {
    what: `memory held by these ${mb(text.length)} of definitions, their text included`,
    bar: '< 1.5 x the text',
    value: `${mb(ofCatalog)} = ${ratio.toFixed(2)} x`,
    yardstick: `text ${mb(ofText)}; what JSON.parse makes of it ${mb(ofTree)}`,
    held: ratio < 1.5,
    numbers: { heldBytes: ofCatalog, textBytes: ofText, jsonParseBytes: ofTree, ratio },
  };
}

export const definitions: BenchRow = {
  name: 'definitions',
  measure: async () => [await opening(definitionsText), await opening(largeDefinitionsText)],
};

export const definitionsHeld: BenchRow = { name: 'definitions-held', measure: () => [held()] };
