import { Catalog } from '../../../src/core/catalog/catalog';
import type { JsonNode } from '../../../src/core/json/node';
import { classEntries, indexClasses } from '../../../src/core/language/classIndex';
import { complete } from '../../../src/core/language/completion/complete';
import { hover } from '../../../src/core/language/hover/hover';
import { definition } from '../../../src/core/language/navigation/navigation';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { promptSchema } from '../definitionSchema';
import { definitionsText, largestGraphText, largestPromptText } from '../files';
import { JsonSupport } from '../jsonSupport';
import type { BenchRow, Measurement } from '../row';
import { inTurns, ms, type Task, type Timed } from '../timing';

const bar = 10;
const runs = 40;

/** Some places in a file, evenly spread. */
function spread<T>(all: readonly T[], count = runs): T[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % step === 0).slice(0, count);
}

/** A task that takes the next place at every run. */
function over<T>(places: readonly T[], run: (place: T) => unknown): Task {
  let next = 0;
  return () => {
    const place = places[next++ % places.length];
    return () => (place === undefined ? undefined : run(place));
  };
}

const middle = ({ offset, length }: JsonNode): number => offset + (length >> 1);

interface Places {
  readonly classes: readonly number[];
  readonly values: readonly number[];
  readonly links: readonly number[];
}

function placesOf(doc: WorkflowDocument): Places {
  const nodes = spread(doc.prompt?.nodes ?? []);
  const inputs = nodes.flatMap((node) => node.inputs);
  return {
    classes: nodes.flatMap(({ classTypeNode }) => (classTypeNode ? [middle(classTypeNode)] : [])),
    values: inputs.flatMap(({ link, valueNode }) => (link ? [] : [middle(valueNode)])),
    links: inputs.flatMap(({ link, valueNode }) => {
      const id = link && valueNode.kind === 'array' ? valueNode.items[0] : undefined;
      return id ? [middle(id)] : [];
    }),
  };
}

function line(what: string, ours: Timed, yardstick: string | undefined): Measurement {
  return {
    what,
    bar: `< ${bar} ms`,
    value: `${ms(ours.median)} (slowest of ${ours.runs} ${ms(ours.worst)})`,
    yardstick,
    held: ours.median < bar,
    numbers: { medianMs: ours.median, worstMs: ours.worst },
  };
}

/** Completion follows a keystroke, so the text is parsed again for each; hover and definition use the parsed text. */
async function inPrompt(catalog: Catalog): Promise<Measurement[]> {
  const text = largestPromptText();
  const doc = WorkflowDocument.of(text);
  const { classes, values, links } = placesOf(doc);
  const everywhere = [...spread(classes), ...spread(values), ...spread(links)];
  const json = new JsonSupport(promptSchema(catalog));
  const jsonHover = json.hoverOf(text);
  const completeAt = (offset: number): unknown => complete(WorkflowDocument.of(text), offset, catalog);
  const times = await inTurns(
    {
      classType: over(classes, completeAt),
      value: over(values, completeAt),
      link: over(links, completeAt),
      hover: over(everywhere, (offset) => hover(doc, offset, catalog)),
      definition: over(links, (offset) => definition(doc, offset)),
      jsonComplete: over(classes, (offset) => json.complete(text, offset)),
      jsonHover: over(everywhere, jsonHover),
    },
    { runs, limit: 3_000 },
  );
  const nodes = `API file of ${doc.prompt?.nodes.length ?? 0} nodes`;
  const besides = `JSON schema ${ms(times.jsonComplete.median)}`;
  return [
    line(`completion of a class among ${catalog.size}, ${nodes}`, times.classType, besides),
    line('completion of a value', times.value, undefined),
    line('completion of a link', times.link, undefined),
    line('hover', times.hover, `JSON schema ${ms(times.jsonHover.median)}`),
    line('definition of a link', times.definition, undefined),
  ];
}

/** The same for the largest files; the checks have already read it. */
async function inGraph(catalog: Catalog): Promise<Measurement[]> {
  const doc = WorkflowDocument.of(largestGraphText());
  const nodes = spread(doc.graph?.nodes ?? []);
  const types = nodes.flatMap(({ node }) => {
    const type = node.get('type');
    return type ? [middle(type)] : [];
  });
  const links = spread([...(doc.graph?.links.values() ?? [])]).flatMap(({ node }) => {
    const origin = node.kind === 'array' ? node.items[1] : undefined;
    return origin ? [middle(origin)] : [];
  });
  const times = await inTurns(
    {
      classType: over(types, (offset) => complete(doc, offset, catalog)),
      hover: over([...types, ...links], (offset) => hover(doc, offset, catalog)),
      definition: over(links, (offset) => definition(doc, offset)),
    },
    { runs, limit: 3_000 },
  );
  const file = `graph file of ${doc.graph?.nodes.length ?? 0} nodes`;
  return [
    line(`completion of a class, ${file}`, times.classType, undefined),
    line(`hover, ${file}`, times.hover, undefined),
    line(`definition of a link, ${file}`, times.definition, undefined),
  ];
}

/** The index that completion needs once per server: built in steps when idle. */
async function indexing(text: string): Promise<Measurement> {
  let longest = 0;
  const { whole } = await inTurns(
    {
      whole: () => {
        const catalog = Catalog.fromText(text);
        return () => {
          for (const steps = indexClasses(catalog); ;) {
            const start = performance.now();
            const step = steps.next();
            longest = Math.max(longest, performance.now() - start);
            if (step.done === true) return;
          }
        };
      },
    },
    { runs: 5 },
  );
  return {
    what: 'index of the classes, once per server, in steps',
    bar: '',
    value: `${ms(whole.median)}, longest step ${ms(longest)}`,
    numbers: { wholeMs: whole.median, longestStepMs: longest },
  };
}

export const language: BenchRow = {
  name: 'language',
  measure: async () => {
    const text = definitionsText();
    const index = await indexing(text);
    const catalog = Catalog.fromText(text);
    classEntries(catalog);
    return [...(await inPrompt(catalog)), ...(await inGraph(catalog)), index];
  },
};
