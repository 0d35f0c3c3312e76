import { Catalog } from '../../../src/core/catalog/catalog';
import type { JsonNode } from '../../../src/core/json/node';
import { classEntries } from '../../../src/core/language/classIndex';
import { completeAtOffset } from '../../../src/core/language/completion/complete';
import { hoverAtOffset } from '../../../src/core/language/hover/hover';
import { definitionAtOffset } from '../../../src/core/language/navigation/navigation';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { definitionsText, largestGraphText, largestPromptText } from '../files';
import { type BenchRow, inTurns, type Measurement, type Task, timeLine } from '../measure';

const runs = 40;

/** A task that takes the next of some places, evenly spread, at every run. */
function overPlaces(all: readonly JsonNode[], request: (offset: number) => unknown): Task {
  const step = Math.max(1, Math.floor(all.length / runs));
  const places = all.filter((_, index) => index % step === 0);
  let next = 0;
  return () => {
    const place = places[next++ % places.length];
    return () => place && request(place.offset + (place.length >> 1));
  };
}

/** The node that a link comes from, in the text. */
const linkSource = (link: JsonNode | undefined, item: number): JsonNode[] => {
  const source = link?.kind === 'array' ? link.items[item] : undefined;
  return source ? [source] : [];
};

async function measureRequests(
  what: string,
  types: readonly JsonNode[],
  links: readonly JsonNode[],
  requests: Readonly<Record<'complete' | 'hover' | 'definition', (offset: number) => unknown>>,
): Promise<Measurement[]> {
  const times = await inTurns(
    {
      type: overPlaces(types, requests.complete),
      link: overPlaces(links, requests.complete),
      hover: overPlaces([...types, ...links], requests.hover),
      definition: overPlaces(links, requests.definition),
    },
    runs,
  );
  return [
    timeLine(`completion of a node type, ${what}`, 10, times.type),
    timeLine(`completion of a link, ${what}`, 10, times.link),
    timeLine(`hover, ${what}`, 10, times.hover),
    timeLine(`definition of a link, ${what}`, 10, times.definition),
  ];
}

/** Completion follows a keystroke, so the text is parsed again for each; hover and definition use the parsed text. */
async function inPrompt(catalog: Catalog): Promise<Measurement[]> {
  const text = largestPromptText();
  const doc = WorkflowDocument.of(text);
  const nodes = doc.prompt?.nodes ?? [];
  const types = nodes.flatMap(({ classTypeNode }) => (classTypeNode ? [classTypeNode] : []));
  const inputs = nodes.flatMap((node) => node.inputs);
  const links = inputs.flatMap(({ link, valueNode }) => (link ? linkSource(valueNode, 0) : []));
  return measureRequests(`API file of ${nodes.length} nodes`, types, links, {
    complete: (offset) => completeAtOffset(WorkflowDocument.of(text), offset, catalog),
    hover: (offset) => hoverAtOffset(doc, offset, catalog),
    definition: (offset) => definitionAtOffset(doc, offset),
  });
}

/** The same for the largest files; the checks have already read it. */
async function inGraph(catalog: Catalog): Promise<Measurement[]> {
  const doc = WorkflowDocument.of(largestGraphText());
  const nodes = doc.graph?.nodes ?? [];
  const types = nodes.flatMap(({ node }) => node.get('type') ?? []);
  const links = [...(doc.graph?.links.values() ?? [])].flatMap(({ node }) => linkSource(node, 1));
  return measureRequests(`graph file of ${nodes.length} nodes`, types, links, {
    complete: (offset) => completeAtOffset(doc, offset, catalog),
    hover: (offset) => hoverAtOffset(doc, offset, catalog),
    definition: (offset) => definitionAtOffset(doc, offset),
  });
}

export const language: BenchRow = {
  name: 'language',
  measure: async () => {
    const catalog = Catalog.fromText(definitionsText());
    classEntries(catalog);
    return [...(await inPrompt(catalog)), ...(await inGraph(catalog))];
  },
};
