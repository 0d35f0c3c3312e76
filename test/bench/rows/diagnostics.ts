import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { Catalog } from '../../../src/core/catalog/catalog';
import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { compileGraph } from '../../../src/core/workflow/graph/compileGraph';
import { readGraph } from '../../../src/core/workflow/graph/graph';
import { graphSchema } from '../definitionSchema';
import { definitionsText, largestGraphText, p99GraphText, parsed } from '../files';
import { JsonSupport } from '../jsonSupport';
import type { BenchRow, Measurement } from '../row';
import { inTurns, inWords, ms, type Task, type Timed } from '../timing';

interface Line {
  readonly what: string;
  readonly limit: number;
  readonly text: string;
  readonly ours: Task;
}

/** The text after typing one more digit into the first number of a widget, a different one each time. */
function typing(text: string): () => string {
  const at = /"widgets_values"\s*:\s*\[[^\]]*?\d/.exec(text);
  const offset = at ? at.index + at[0].length : text.indexOf('"nodes"');
  let stroke = 0;
  return () => text.slice(0, offset) + String(stroke++ % 10) + text.slice(offset);
}

function lines(definitions: string): Line[] {
  const large = largestGraphText();
  const p99 = p99GraphText();
  const kept = Catalog.fromText(definitions);
  const strokes: Record<string, () => string> = { [large]: typing(large), [p99]: typing(p99) };
  const keystroke =
    (text: string): Task =>
    () => {
      const typed = strokes[text]?.() ?? text;
      return () => checkWorkflow(WorkflowDocument.of(typed), { catalog: kept });
    };
  return [
    {
      what: 'first diagnostics of the graph file with most nodes',
      limit: 120,
      text: large,
      ours: () => {
        const catalog = Catalog.fromText(definitions);
        return () => checkWorkflow(WorkflowDocument.of(large), { catalog });
      },
    },
    { what: 'the same after a keystroke', limit: 25, text: large, ours: keystroke(large) },
    {
      what: 'graph file of the 99th percentile, after a keystroke',
      limit: 15,
      text: p99,
      ours: keystroke(p99),
    },
  ];
}

function classesOf(text: string): ReadonlySet<string> {
  const { document, root } = parsed(text);
  return new Set(readGraph(document, root).nodes.map(({ type }) => type));
}

function measurement(
  { what, limit, text }: Line,
  ours: Timed,
  parse: Timed,
  json: Timed | undefined,
): Measurement {
  return {
    what: `${what} (${(text.length / 1000).toFixed(0)} KB)`,
    bar: `< ${limit} ms`,
    value: inWords(ours),
    yardstick: `JSON.parse ${ms(parse.median)}${json ? `; JSON schema of its classes ${ms(json.median)}` : ''}`,
    held: ours.median < limit,
    numbers: {
      oursMs: ours.median,
      oursFirstMs: ours.first,
      oursBestMs: ours.best,
      jsonParseMs: parse.median,
      ...(json && { jsonSchemaMs: json.median, jsonSchemaRuns: json.runs }),
    },
  };
}

async function diagnosticLines(): Promise<Measurement[]> {
  const definitions = definitionsText();
  const made: Measurement[] = [];
  for (const line of lines(definitions)) {
    const json = new JsonSupport(graphSchema(Catalog.fromText(definitions), classesOf(line.text)));
    const times = await inTurns(
      {
        ours: line.ours,
        parse: () => () => JSON.parse(line.text) as unknown,
        json: () => () => json.diagnostics(line.text),
      },
      { runs: 15, limit: 3_000 },
    );
    made.push(measurement(line, times.ours, times.parse, times.json));
  }
  return made;
}

export const diagnostics: BenchRow = { name: 'diagnostics', measure: diagnosticLines };

export const compile: BenchRow = {
  name: 'compile',
  measure: async () => {
    const catalog = Catalog.fromText(definitionsText());
    const { text, document, root } = parsed(largestGraphText());
    const { ours, parse } = await inTurns(
      {
        ours: () => () => compileGraph(readGraph(document, root), catalog),
        parse: () => () => JSON.parse(text) as unknown,
      },
      { runs: 25 },
    );
    return [
      {
        what: 'graph -> prompt of the graph file with most nodes',
        bar: '< 25 ms',
        value: inWords(ours),
        yardstick: `JSON.parse of the file ${ms(parse.median)}`,
        held: ours.median < 25,
        numbers: {
          oursMs: ours.median,
          oursFirstMs: ours.first,
          oursBestMs: ours.best,
          jsonParseMs: parse.median,
        },
      },
    ];
  },
};
