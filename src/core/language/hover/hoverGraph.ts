import type { Catalog } from '../../catalog/catalog';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import type { Graph } from '../../workflow/graph/graph';
import { type GraphLink, linksFrom } from '../../workflow/graph/graphLinks';
import type { GraphInput, GraphNode } from '../../workflow/graph/graphNode';
import { GraphRefusal } from '../../workflow/graph/graphProblem';
import { loadGraph } from '../../workflow/graph/liveGraph';
import type { LiveLevel } from '../../workflow/graph/liveNode';
import { broadcasts } from '../../workflow/packs/everywhereNodes';
import { type WidgetValue, widgetsOf } from '../../workflow/graph/widgetValues';
import { classOf, endText, graphNodeName } from '../places/graphNodes';
import { type GraphPlace, graphPlaceAt, type GraphScope } from '../places/graphPlace';
import { rangeOf } from '../places/jsonPlace';
import { type Hover, classMarkdown, code, escaped, inputMarkdown, paragraphs } from './markdown';
import type { PricedInputs } from '../price/nodePrice';
import { plural, t } from '../../safety/localize';

export function hoverGraph(graph: Graph, offset: number, catalog?: Catalog): Hover | undefined {
  const place = graphPlaceAt(graph, offset);
  if (!place?.json.node) return undefined;
  const markdown = markdownAt(graph, place, catalog);
  return markdown === undefined ? undefined : { ...rangeOf(place.json.node), markdown };
}

function markdownAt(graph: Graph, place: GraphPlace, catalog: Catalog | undefined): string | undefined {
  switch (place.kind) {
    case 'nodeId':
    case 'nodeType':
    case 'title':
      return nodeMarkdown(graph, place.node, catalog);
    case 'widget':
      return widgetMarkdown(place, catalog);
    case 'input': {
      const link = place.input.link === undefined ? undefined : place.scope.links.get(place.input.link);
      return paragraphs([
        t`Input **${escaped(place.input.name)}** ${code(place.input.type)}`,
        link
          ? linkMarkdown(graph, place.scope, link, catalog)
          : (broadcastMarkdown(graph, place.input, catalog) ?? t`Not linked.`),
      ]);
    }
    case 'output': {
      const { output, slot, scope, linkId } = place;
      const links = linksFrom(scope, place.node.id, slot);
      const uses = links.flatMap((link) => {
        if (linkId !== undefined && linkId !== link.id) return [];
        return [`- ${escaped(endText(graph, scope, link, 'target', catalog))}`];
      });
      const list = uses.length === 0 ? t`Not linked.` : t`Goes to:\n\n${uses.slice(0, 30).join('\n')}`;
      return paragraphs([t`Output ${slot}: **${escaped(output.name)}** ${code(output.type)}`, list]);
    }
    case 'link':
      return linkMarkdown(graph, place.scope, place.link, catalog);
    case 'node':
      return undefined;
  }
}

function nodeMarkdown(graph: Graph, node: GraphNode, catalog: Catalog | undefined): string {
  const subgraph = graph.subgraphs.get(node.type);
  const definition = classOf(node, catalog);
  const about = definition
    ? classMarkdown(definition, pricedInputs(node, definition))
    : subgraph
      ? plural(subgraph.nodes.length, t`Subgraph of 1 node`, t`Subgraph of ${subgraph.nodes.length} nodes`)
      : code(node.type);
  return paragraphs([headOf(node, escaped(graphNodeName(graph, node, catalog))), about]);
}

function headOf({ id, mode }: GraphNode, name: string): string {
  if (mode === 'muted') return t`Node ${code(id)}: **${name}**, muted`;
  return mode === 'always' ? t`Node ${code(id)}: **${name}**` : t`Node ${code(id)}: **${name}**, bypassed`;
}

function pricedInputs(node: GraphNode, definition: NodeDefinition): PricedInputs {
  const linked = new Set(node.inputs.flatMap(({ name, link }) => (link === undefined ? [] : [name])));
  const values = widgetsOf(node, definition).flatMap(({ widget, value }) => {
    return value === undefined || linked.has(widget.name) ? [] : [[widget.name, value] as const];
  });
  return { values: new Map(values), linked };
}

function widgetMarkdown(
  place: Extract<GraphPlace, { readonly kind: 'widget' }>,
  catalog: Catalog | undefined,
): string | undefined {
  const found = widgetAt(place, catalog);
  if (!found) return undefined;
  const { name, spec, isSent } = found.widget;
  if (spec) return inputMarkdown({ name, section: 'required', spec });
  const note = isSent ? '' : t`Used only in the ComfyUI editor and never sent to a server.`;
  return paragraphs([t`Widget **${escaped(name)}**`, note]);
}

/** The widget whose stored value is at a place. */
export function widgetAt(
  place: Extract<GraphPlace, { readonly kind: 'widget' }>,
  catalog: Catalog | undefined,
): WidgetValue | undefined {
  const definition = classOf(place.node, catalog);
  if (!definition || !place.json.node) return undefined;
  const widgets = widgetsOf(place.node, definition);
  const stored = widgets.find(({ valueNode }) => valueNode === place.json.node);
  return stored ?? widgets.find(({ widget }) => widget.isStored && widget.name === place.name);
}

/** What Use Everywhere sends to an input of a graph. */
function broadcastMarkdown(
  graph: Graph,
  input: GraphInput,
  catalog: Catalog | undefined,
): string | undefined {
  const scopes = [graph, ...graph.subgraphs.values()];
  if (!catalog || !scopes.some(({ nodes }) => nodes.some(broadcasts))) return undefined;
  for (const level of levelsIn(graph, catalog)) {
    const fed = level.nodes.flatMap(({ inputs }) => inputs).find(({ place }) => place === input.node);
    const link = level.links.get(fed?.link ?? '');
    const sender = link && level.nodes.find(({ source }) => source.node === link.node);
    if (!sender) continue;
    const origin = level.byId.get(link.originId)?.title ?? t`Subgraph input`;
    return t`From ${escaped(origin)}, output ${link.originSlot}, sent by ${escaped(sender.title)} (node ${code(sender.id)}) when the graph runs.`;
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

function linkMarkdown(
  graph: Graph,
  scope: GraphScope,
  link: GraphLink,
  catalog: Catalog | undefined,
): string {
  return paragraphs([
    t`Link ${code(link.id)} ${code(link.type)}`,
    t`From ${escaped(endText(graph, scope, link, 'origin', catalog))}  \nto ${escaped(endText(graph, scope, link, 'target', catalog))}`,
  ]);
}
