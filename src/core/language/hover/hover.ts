import type { Catalog } from '../../catalog/catalog';
import type { ExactValue } from '../../json/exactValue';
import { type Prompt, type PromptLink, type PromptNode, valueOf } from '../../workflow/prompt';
import { hoverGraph } from './hoverGraph';
import { rangeOf } from '../places/jsonPlace';
import {
  classMarkdown,
  code,
  escaped,
  inputMarkdown,
  type Hover,
  outputMarkdown,
  paragraphs,
} from './markdown';
import { definitionOf, inputNamed, inputsOf, nameOf, outputOf } from '../places/nodeInputs';
import type { PricedInputs } from '../price/nodePrice';
import { consumersOf } from '../places/promptLinks';
import { type InputPlace, type PromptPlace, promptPlaceAt } from '../places/promptPlace';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { t } from '../../safety/localize';

/** What is known about the node, input, link or type at an offset. */
export function hover(doc: WorkflowDocument, offset: number, catalog?: Catalog): Hover | undefined {
  const { prompt, graph } = doc;
  if (graph) return hoverGraph(graph, offset, catalog);
  const place = prompt && promptPlaceAt(prompt, offset);
  if (!prompt || !place?.json.node) return undefined;
  const markdown = markdownAt(prompt, place, catalog);
  return markdown === undefined ? undefined : { ...rangeOf(place.json.node), markdown };
}

function markdownAt(prompt: Prompt, place: PromptPlace, catalog: Catalog | undefined): string | undefined {
  switch (place.kind) {
    case 'nodeId':
    case 'title':
      return nodeMarkdown(prompt, place.node, catalog);
    case 'classType': {
      const definition = definitionOf(place.node, catalog);
      if (definition) return classMarkdown(definition, pricedInputs(place.node, catalog));
      return catalog && place.node.classType !== undefined ? unknownClass(place.node.classType) : undefined;
    }
    case 'inputName':
    case 'inputValue':
      return valueMarkdown(place, catalog);
    case 'linkNode':
    case 'linkSlot':
      return place.input?.link ? linkMarkdown(prompt, place, place.input.link, catalog) : undefined;
    default:
      return undefined;
  }
}

function nodeMarkdown(prompt: Prompt, node: PromptNode, catalog: Catalog | undefined): string {
  const consumers = consumersOf(prompt, node.id);
  const users = [...new Set(consumers.map((each) => `${each.node.id} ${nameOf(each.node, catalog)}`))];
  const used = users.length === 0 ? '' : t`Used by: ${users.map(escaped).join(', ')}`;
  const definition = definitionOf(node, catalog);
  const head = headOf(node);
  const about = definition
    ? classMarkdown(definition, pricedInputs(node, catalog))
    : node.classType === undefined
      ? ''
      : code(node.classType);
  return paragraphs([head, used, about]);
}

function headOf({ id, title }: PromptNode): string {
  return title === undefined ? t`Node ${code(id)}` : t`Node ${code(id)}: **${escaped(title)}**`;
}

function sourceLine({ id, classType }: PromptNode, name: string): string {
  return classType === undefined
    ? t`From node ${code(id)}: **${escaped(name)}**`
    : t`From node ${code(id)}: **${escaped(name)}** (${code(classType)})`;
}

function pricedInputs(node: PromptNode, catalog: Catalog | undefined): PricedInputs {
  const values = new Map<string, ExactValue>();
  for (const { name, spec } of inputsOf(node, catalog)) {
    if (spec.default !== undefined) values.set(name, spec.default);
  }
  for (const input of node.inputs) values.set(input.name, valueOf(input));
  const linked = new Set(node.inputs.flatMap(({ name, link }) => (link ? [name] : [])));
  for (const name of linked) values.delete(name);
  return { values, linked };
}

function valueMarkdown(place: InputPlace, catalog: Catalog | undefined): string | undefined {
  const input = inputNamed(place.node, place.name, catalog);
  if (input) return inputMarkdown(input);
  const definition = definitionOf(place.node, catalog);
  return (
    definition &&
    t`${code(place.name)} is not an input of ${escaped(definition.displayName)}, so the server ignores it.`
  );
}

function linkMarkdown(
  prompt: Prompt,
  { node, name }: InputPlace,
  link: PromptLink,
  catalog: Catalog | undefined,
): string {
  const source = prompt.node(link.nodeId);
  if (!source) return t`There is no node ${code(link.nodeId)} in this workflow.`;
  const output = outputOf(prompt, link, catalog);
  const wanted = inputNamed(node, name, catalog);
  return paragraphs([
    sourceLine(source, nameOf(source, catalog)),
    output ? outputMarkdown(output, link.slot) : t`Output ${link.slot}`,
    wanted ? t`Into ${inputMarkdown(wanted)}` : '',
  ]);
}

function unknownClass(classType: string): string {
  return t`${code(classType)} is not available on this server.`;
}
