import { startOfSentence } from '../../safety/endSentence';
import { entryAt } from '../../safety/lists';
import type { Catalog } from '../../catalog/catalog';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import type { ExactValue } from '../../json/exactValue';
import type { Graph } from '../../workflow/graph/graph';
import { type GraphLink, linksFrom } from '../../workflow/graph/graphLinks';
import type { GraphInput, GraphNode, NodeMode } from '../../workflow/graph/graphNode';
import { GraphRefusal } from '../../workflow/graph/graphProblem';
import { loadGraph } from '../../workflow/graph/liveGraph';
import type { LiveLevel } from '../../workflow/graph/liveNode';
import { nodeWidgetValues } from '../../workflow/graph/widgetValues';
import { isBroadcasting } from '../../workflow/packs/everywhereNodes';
import { type Prompt, type PromptLink, type PromptNode, exactInputValue } from '../../workflow/prompt';
import type { WorkflowDocument } from '../../workflow/workflowDocument';
import { graphNodeDefinition, endText, canvasNodeName, widgetAt } from '../places/graphNodes';
import { bareRange } from '../places/jsonPlace';
import {
  promptNodeDefinition,
  expandedInputNamed,
  expandedInputs,
  promptNodeName,
  linkedOutput,
} from '../places/nodeInputs';
import { findConsumers } from '../places/promptLinks';
import {
  type GraphScope,
  type InputPlace,
  type WorkflowPlace,
  workflowPlaceAt,
} from '../places/workflowPlace';
import type { PricedInputs } from '../price/nodePrice';
import { nodesText } from '../../safety/countText';
import { listText, t } from '../../safety/localize';
import {
  classMarkdown,
  markdownCode,
  escapedMarkdownText,
  type Hover,
  inputMarkdown,
  outputMarkdown,
  paragraphs,
} from './markdown';

export function hoverAtOffset(doc: WorkflowDocument, offset: number, catalog?: Catalog): Hover | undefined {
  const place = workflowPlaceAt(doc, offset);
  if (!place?.json.node) return undefined;
  const markdown = placeMarkdown(place, catalog);
  return markdown === undefined ? undefined : { ...bareRange(place.json.node), markdown };
}

function placeMarkdown(place: WorkflowPlace, catalog: Catalog | undefined): string | undefined {
  switch (place.kind) {
    case 'nodeId':
    case 'nodeType':
    case 'title':
      if ('graph' in place) return graphNodeMarkdown(place.graph, place.node, catalog);
      return place.kind === 'nodeType'
        ? classTypeMarkdown(place.node, catalog)
        : nodeMarkdown(place.prompt, place.node, catalog);
    case 'inputName':
    case 'inputValue':
      return valueMarkdown(place, catalog);
    case 'linkNode':
    case 'linkSlot':
      return place.input?.link ? linkMarkdown(place, place.input.link, catalog) : undefined;
    case 'widget':
      return widgetMarkdown(place, catalog);
    case 'input': {
      const { graph, scope, input } = place;
      const link = input.link === undefined ? undefined : scope.links.get(input.link);
      return paragraphs([
        t`Input **${escapedMarkdownText(input.name)}** ${markdownCode(input.type)}`,
        link
          ? graphLinkMarkdown(graph, scope, link, catalog)
          : (broadcastMarkdown(graph, input, catalog) ?? t`Not linked.`),
      ]);
    }
    case 'output': {
      const { graph, output, slot, scope, linkId } = place;
      const links = linksFrom(scope, place.node.id, slot);
      const uses = links.flatMap((link) => {
        if (linkId !== undefined && linkId !== link.id) return [];
        return [`- ${escapedMarkdownText(endText(graph, scope, link, 'target', catalog))}`];
      });
      const list = uses.length === 0 ? t`Not linked.` : t`Goes to:\n\n${uses.slice(0, 30).join('\n')}`;
      return paragraphs([
        t`Output ${slot}: **${escapedMarkdownText(output.name)}** ${markdownCode(output.type)}`,
        list,
      ]);
    }
    case 'link':
      return graphLinkMarkdown(place.graph, place.scope, place.link, catalog);
    default:
      return undefined;
  }
}

function classTypeMarkdown(node: PromptNode, catalog: Catalog | undefined): string | undefined {
  const definition = promptNodeDefinition(node, catalog);
  if (definition) return classMarkdown(definition, pricedInputs(node, catalog));
  if (!catalog || node.classType === undefined) return undefined;
  return t`${markdownCode(node.classType)} is not available on this server.`;
}

function nodeMarkdown(prompt: Prompt, node: PromptNode, catalog: Catalog | undefined): string {
  const consumers = findConsumers(prompt, node.id);
  const users = [
    ...new Set(consumers.map((each) => `${each.node.id} ${promptNodeName(each.node, catalog)}`)),
  ];
  const used = users.length === 0 ? '' : t`Used by: ${users.map(escapedMarkdownText).join(', ')}`;
  const definition = promptNodeDefinition(node, catalog);
  const about = definition
    ? classMarkdown(definition, pricedInputs(node, catalog))
    : node.classType === undefined
      ? ''
      : markdownCode(node.classType);
  return paragraphs([headOf(node, node.title), used, about]);
}

function headOf({ id, mode }: { readonly id: string; readonly mode?: NodeMode }, name?: string): string {
  const node = startOfSentence(t`node ${markdownCode(id)}`);
  if (name === undefined) return node;
  const state = mode === 'muted' ? t`muted` : mode === undefined || mode === 'always' ? '' : t`bypassed`;
  return listText([t`${node}: ${`**${escapedMarkdownText(name)}**`}`, state]);
}

function sourceLine({ id, classType }: PromptNode, name: string): string {
  const line = t`From node ${markdownCode(id)}: **${escapedMarkdownText(name)}**`;
  return classType === undefined ? line : t`${line} (${markdownCode(classType)})`;
}

function pricedInputs(node: PromptNode, catalog: Catalog | undefined): PricedInputs {
  const values = new Map<string, ExactValue>();
  for (const { name, spec } of expandedInputs(node, catalog)) {
    if (spec.default !== undefined) values.set(name, spec.default);
  }
  for (const input of node.inputs) values.set(input.name, exactInputValue(input));
  const linked = new Set(node.inputs.flatMap(({ name, link }) => (link ? [name] : [])));
  for (const name of linked) values.delete(name);
  return { values, linked };
}

function valueMarkdown(place: InputPlace, catalog: Catalog | undefined): string | undefined {
  const input = expandedInputNamed(place.node, place.name, catalog);
  if (input) return inputMarkdown(input);
  const definition = promptNodeDefinition(place.node, catalog);
  return (
    definition &&
    t`${markdownCode(place.name)} is not an input of ${escapedMarkdownText(definition.displayName)}, so the server ignores it.`
  );
}

function linkMarkdown(
  { prompt, node, name }: InputPlace,
  link: PromptLink,
  catalog: Catalog | undefined,
): string {
  const source = prompt.node(link.nodeId);
  if (!source) return t`The workflow has no node ${markdownCode(link.nodeId)}.`;
  const output = linkedOutput(prompt, link, catalog);
  const wanted = expandedInputNamed(node, name, catalog);
  return paragraphs([
    sourceLine(source, promptNodeName(source, catalog)),
    output ? outputMarkdown(output, link.slot) : t`Output ${link.slot}`,
    wanted ? t`Into ${inputMarkdown(wanted)}` : '',
  ]);
}

function graphNodeMarkdown(graph: Graph, node: GraphNode, catalog: Catalog | undefined): string {
  const subgraph = graph.subgraphs.get(node.type);
  const definition = graphNodeDefinition(node, catalog);
  const about = definition
    ? classMarkdown(definition, widgetInputs(node, definition))
    : subgraph
      ? t`Subgraph of ${nodesText(subgraph.nodes.length)}`
      : markdownCode(node.type);
  return paragraphs([headOf(node, canvasNodeName(graph, node, catalog)), about]);
}

function widgetInputs(node: GraphNode, definition: NodeDefinition): PricedInputs {
  const linked = new Set(node.inputs.flatMap(({ name, link }) => (link === undefined ? [] : [name])));
  const values = nodeWidgetValues(node, definition).flatMap(({ widget, value }) => {
    return value === undefined || linked.has(widget.name) ? [] : [[widget.name, value] as const];
  });
  return { values: new Map(values), linked };
}

function widgetMarkdown(
  place: Extract<WorkflowPlace, { readonly kind: 'widget' }>,
  catalog: Catalog | undefined,
): string | undefined {
  const found = widgetAt(place, catalog);
  if (!found) return undefined;
  const { name, spec, isSent } = found.widget;
  if (spec) return inputMarkdown({ name, section: 'required', spec });
  const note = isSent ? '' : t`Used only in the ComfyUI editor and never sent to a server.`;
  return paragraphs([t`Widget **${escapedMarkdownText(name)}**`, note]);
}

/** Describes what Use Everywhere sends to an input of a graph. */
function broadcastMarkdown(
  graph: Graph,
  input: GraphInput,
  catalog: Catalog | undefined,
): string | undefined {
  const scopes = [graph, ...graph.subgraphs.values()];
  if (!catalog || !scopes.some(({ nodes }) => nodes.some(isBroadcasting))) return undefined;
  for (const level of levelsIn(graph, catalog)) {
    const fed = level.nodes.flatMap(({ inputs }) => inputs).find(({ place }) => place === input.node);
    const link = entryAt(level.links, fed?.link);
    const sender = link && level.nodes.find(({ source }) => source.node === link.node);
    if (!sender) continue;
    const origin = level.byId.get(link.originId)?.title ?? t`Subgraph input`;
    return t`From ${escapedMarkdownText(origin)}, output ${link.originSlot}, sent by ${escapedMarkdownText(sender.title)} (node ${markdownCode(sender.id)}) when the graph runs.`;
  }
  return undefined;
}

/** All loaded levels; none if the graph can't be loaded. */
function levelsIn(graph: Graph, catalog: Catalog): ReadonlySet<LiveLevel> {
  try {
    const levels = new Set([loadGraph(graph, catalog)]);
    for (const { nodes } of levels) for (const { inside } of nodes) if (inside) levels.add(inside);
    return levels;
  } catch (error) {
    if (error instanceof GraphRefusal) return new Set();
    throw error;
  }
}

function graphLinkMarkdown(
  graph: Graph,
  scope: GraphScope,
  link: GraphLink,
  catalog: Catalog | undefined,
): string {
  return paragraphs([
    t`Link ${markdownCode(link.id)} ${markdownCode(link.type)}`,
    t`From ${escapedMarkdownText(endText(graph, scope, link, 'origin', catalog))}  \nto ${escapedMarkdownText(endText(graph, scope, link, 'target', catalog))}`,
  ]);
}
