import { countAt, mapDefined } from '../safety/lists';
import type { Catalog } from '../catalog/catalog';
import type { JsonRange } from '../json/node';
import { type Graph, readGraph } from '../workflow/graph/graph';
import { loadGraph } from '../workflow/graph/liveGraph';
import type { LiveLevel, LiveNode } from '../workflow/graph/liveNode';
import { applyAllPrimitives } from '../workflow/graph/primitives';
import type { WorkflowDocument } from '../workflow/workflowDocument';
import { type Drawing, drawLevel, emptyDrawing, movedDrawing, type SourceLevel } from './drawing';
import type { Room } from './layOutPrompt';
import { parseJson } from '../json/tree';
import type { Prompt, PromptNode } from '../workflow/prompt';

/** The graph that the page makes of a prompt. It has no places; {@link layOutPrompt} finds them. */
function promptGraph(prompt: Prompt): Graph {
  const links: string[] = [];
  const slots = new Map<string, number>();
  for (const { inputs } of prompt.nodes) {
    for (const { link } of inputs) {
      if (link) slots.set(link.nodeId, Math.max(countAt(slots, link.nodeId), link.slot + 1));
    }
  }
  const nodes = prompt.nodes.map((node) => nodeText(prompt, node, countAt(slots, node.id), links));
  const text = `{"nodes":[${nodes.join(',')}],"links":[${links.join(',')}],"version":0.4}`;
  const document = parseJson(text);
  // The text is an object, whatever the values in it are.
  if (!document.root) throw new Error('A text that begins with a brace is an object.');
  return readGraph(document, document.root);
}

/** More outputs than any node has: a number in a file decides nothing here. */
const mostOutputs = 100;

function nodeText({ document }: Prompt, node: PromptNode, outputs: number, links: string[]): string {
  const values: string[] = [];
  const inputs = node.inputs.flatMap(({ name, link, valueNode }, index) => {
    if (!link) {
      const value = document.text.slice(valueNode.offset, valueNode.offset + valueNode.length);
      values.push(`${JSON.stringify(name)}:${value}`);
      return [];
    }
    const id = links.length + 1;
    const ends = [id, link.nodeId, link.slot, node.id, index, '*'];
    links.push(JSON.stringify(ends));
    return [JSON.stringify({ name, type: '*', link: id })];
  });
  const count = Math.min(outputs, mostOutputs);
  const slots = Array.from({ length: count }, () => '{"name":"","type":"*"}');
  const title = node.title === undefined ? '' : `"title":${JSON.stringify(node.title)},`;
  return `{"id":${JSON.stringify(node.id)},"type":${JSON.stringify(node.classType ?? '')},${title}"inputs":[${inputs.join(',')}],"outputs":[${slots.join(',')}],"widgets_values":{${values.join(',')}}}`;
}

export interface LoadedDrawing {
  readonly graph: Graph;
  readonly root: LiveLevel;
  readonly text: string;
  /** Whether the file has no places, so that they are found. */
  readonly isLaidOut: boolean;
  readonly knowsTypes: boolean;
}

/** @throws GraphRefusal if the graph can't be read */
export function loadDrawing(document: WorkflowDocument, catalog: Catalog): LoadedDrawing | undefined {
  const graph = document.graph ?? (document.prompt && promptGraph(document.prompt));
  if (graph?.node.kind !== 'object') return undefined;
  const root = loadGraph(graph, catalog, true);
  applyAllPrimitives(root);
  const { text } = document;
  return { graph, root, text, isLaidOut: document.graph === undefined, knowsTypes: catalog.size > 0 };
}

export interface DrawnBefore {
  readonly loaded: LoadedDrawing;
  readonly inside: string;
  readonly drawing: Drawing;
}

/**
 * Draws one level: the root, or the inside of an instance, where nodes have the IDs of the whole workflow,
 * `outer:inner`.
 * @param inside the ID of the instance, `outer:inner` for one inside another
 * @param before what looks the same is taken from it, if both are the root of a graph
 * @param room for a prompt, whose nodes have no places
 * @returns undefined if there is no such instance
 */
export async function drawInside(
  loaded: LoadedDrawing,
  inside = '',
  before?: DrawnBefore,
  room?: Room,
): Promise<Drawing | undefined> {
  const { isLaidOut } = loaded;
  const found = levelAt(loaded, inside);
  if (!found) return undefined;
  const isRoot = inside === '' && before?.inside === '' && !isLaidOut && !before.loaded.isLaidOut;
  const last = isRoot ? levelAt(before.loaded, '') : undefined;
  const drawing = drawLevel(found, last && before && { ...last, drawing: before.drawing });
  if (!isLaidOut || drawing.nodes.length === 0) return withOuterIds(drawing, inside);
  const { layOutPrompt } = await import('./layOutPrompt');
  return movedDrawing(drawing, layOutPrompt(drawing, room));
}

/** {@link drawInside} of a document. */
export async function drawWorkflow(
  document: WorkflowDocument,
  catalog: Catalog,
  inside?: string,
): Promise<Drawing | undefined> {
  const loaded = loadDrawing(document, catalog);
  return loaded ? drawInside(loaded, inside) : emptyDrawing;
}

export function subgraphInside(loaded: LoadedDrawing, inside: string): string | undefined {
  return levelAt(loaded, inside)?.level.subgraph?.id;
}

/** The instances on the way to one, outermost first, with itself; empty if one of them is gone. */
export function outerInstances({ root }: LoadedDrawing, inside: string) {
  let way = '';
  return (instancesTo(root, inside) ?? []).map(({ id, title }) => ({
    inside: (way = outerId(way, id)),
    title,
  }));
}

/** The instances whose IDs follow each other in one. IDs may have colons themselves. */
function instancesTo(root: LiveLevel, inside = ''): LiveNode[] | undefined {
  const way: LiveNode[] = [];
  for (let rest = inside; rest !== '';) {
    const { byId, nodes } = way.at(-1)?.inside ?? root;
    const next = byId.get(rest) ?? nodes.find(({ id, inside: below }) => below && rest.startsWith(`${id}:`));
    if (!next?.inside) return undefined;
    way.push(next);
    rest = rest.slice(next.id.length + 1);
  }
  return way;
}

/** The number of levels to search. A subgraph may be inside itself, and inside others many times. */
const mostLevels = 500;

/** The root and the insides of its instances, outer ones first, by the instance. */
export function drawnInsides({ root, isLaidOut }: LoadedDrawing): readonly string[] {
  const insides: string[] = [];
  const add = (level: LiveLevel, inside: string, outer: readonly LiveLevel[]): void => {
    if (insides.length >= mostLevels || outer.includes(level)) return;
    insides.push(inside);
    const around = [...outer, level];
    for (const node of isLaidOut ? [] : level.nodes)
      if (node.inside) add(node.inside, outerId(inside, node.id), around);
  };
  add(root, '', []);
  return insides;
}

/** The nodes of a level that have a subgraph inside them, at any depth. A subgraph may contain itself. */
export function instancesWith(loaded: LoadedDrawing, inside: string, subgraph: string): string[] {
  const holds = (start: LiveLevel): boolean => {
    const seen = new Set([start]);
    for (const level of seen) {
      if (level.subgraph?.id === subgraph) return true;
      for (const { inside: below } of level.nodes) if (below) seen.add(below);
    }
    return false;
  };
  const nodes = levelAt(loaded, inside)?.level.nodes;
  if (!nodes) return [];
  const holding = new Set([...new Set(mapDefined(nodes, ({ inside: below }) => below))].filter(holds));
  return nodes.flatMap(({ id, inside: below }) => (below && holding.has(below) ? [id] : []));
}

/** The place in the file of a widget's value, or of what links to an input. */
export function drawnInputPlace(
  loaded: LoadedDrawing,
  { prompt }: WorkflowDocument,
  inside: string,
  nodeId: string,
  name: string,
): JsonRange | undefined {
  if (loaded.isLaidOut) return prompt?.node(nodeId)?.inputs.find((input) => input.name === name)?.valueNode;
  const node = drawnLevelNode(loaded, inside, nodeId);
  const widget = node?.widgets.find((each) => each.widget.name === name);
  return widget?.current.place ?? node?.inputs.find((each) => each.name === name)?.place;
}

/** A node of a level, by its ID in the whole workflow. */
export function drawnLevelNode(loaded: LoadedDrawing, inside: string, nodeId: string): LiveNode | undefined {
  const outer = outerId(inside, '');
  const level = nodeId.startsWith(outer) ? levelAt(loaded, inside)?.level : undefined;
  return level?.byId.get(nodeId.slice(outer.length));
}

export function outerId(inside: string, id: string): string {
  return inside === '' ? id : `${inside}:${id}`;
}

function withOuterIds(drawing: Drawing, inside = ''): Drawing {
  if (inside === '') return drawing;
  const outer = (id: string): string => outerId(inside, id);
  return {
    ...drawing,
    nodes: drawing.nodes.map((node) => ({ ...node, id: outer(node.id) })),
    links: drawing.links.map((link) => ({
      ...link,
      from: [outer(link.from[0]), link.from[1]],
      to: [outer(link.to[0]), link.to[1]],
    })),
  };
}

function levelAt(loaded: LoadedDrawing, inside: string): SourceLevel | undefined {
  const { graph, root, text, knowsTypes, isLaidOut: isPrompt } = loaded;
  const way = instancesTo(root, inside);
  if (!way || graph.node.kind !== 'object') return undefined;
  const level = way.at(-1)?.inside;
  if (!level) return { level: root, file: graph.node, text, knowsTypes, isPrompt };
  const { id = '', name = '' } = level.subgraph ?? {};
  // A group node was unfolded into a subgraph that the file doesn't have.
  const definition = graph.subgraphs.get(id) ?? graph.groups.get(name);
  return definition && { level, file: definition.node, text, knowsTypes, isPrompt };
}
