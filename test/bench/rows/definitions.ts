import { Catalog } from '../../../src/core/catalog/catalog';
import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { definitionsText, largeDefinitionsText, usualPromptText } from '../files';
import { type BenchRow, inTurns, mb, type Measurement, median, ms, reachableBytes } from '../measure';

/** Opens the definitions and computes the first diagnostics of a file with them. */
function openDefinitions(text: string, prompt: string): Catalog {
  const catalog = Catalog.fromText(text);
  checkWorkflow(WorkflowDocument.of(prompt), { catalog });
  return catalog;
}

async function opening(text: string): Promise<Measurement> {
  const prompt = usualPromptText();
  const { ours, parse } = await inTurns(
    { ours: () => () => openDefinitions(text, prompt), parse: () => () => JSON.parse(text) as unknown },
    11,
  );
  const [oursMs, jsonParseMs] = [median(ours), median(parse)];
  const ratio = oursMs / jsonParseMs;
  return {
    what: `node definitions, ${mb(text.length)}: text -> first diagnostics`,
    bar: '< 1.5 x JSON.parse',
    value: `${ms(oursMs)} = ${ratio.toFixed(2)} x ${ms(jsonParseMs)}`,
    held: ratio < 1.5,
    numbers: { oursMs, jsonParseMs, ratio },
  };
}

function memory(): Measurement {
  const prompt = usualPromptText();
  const before = reachableBytes();
  const text = largeDefinitionsText();
  const textBytes = reachableBytes() - before;
  const catalog = openDefinitions(text, prompt);
  const heldBytes = reachableBytes() - before;
  const ratio = heldBytes / textBytes;
  if (catalog.size === 0 || text === '') throw new Error('The definitions were not read.');
  return {
    what: `memory held by ${mb(text.length)} of definitions, their text included`,
    bar: '< 1.5 x the text',
    value: `${mb(heldBytes)} = ${ratio.toFixed(2)} x`,
    held: ratio < 1.5,
    numbers: { heldBytes, textBytes, ratio },
  };
}

export const definitions: BenchRow = {
  name: 'definitions',
  measure: async () => [memory(), await opening(definitionsText()), await opening(largeDefinitionsText())],
};
