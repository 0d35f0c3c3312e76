import type { JsonNode } from '../../json/node';
import { replaceValue, type TextEdit } from '../../json/textEdit';
import type { Graph, GraphLevel } from '../../workflow/graph/graph';
import { type LinkPart, partNode } from '../../workflow/graph/graphLinks';
import { type GraphNode, linksListedAt } from '../../workflow/graph/graphNode';
import { levelCounters, readId, largestId } from '../../workflow/graph/members';
import { virtualNodeRole } from '../../workflow/graph/virtualNodes';
import { type RuleFinding, textsFix } from '../ruleFinding';
import { graphNodeLabel } from '../graphRule';
import { t } from '../../safety/localize';

/** Offers a free ID for nodes that are lost, or lose their links, to one of the same ID (workflows 1.4, 2, A3). */
export function repeatedIds(graph: Graph): RuleFinding[] {
  const levels: readonly (GraphLevel & { readonly node: JsonNode })[] = [graph, ...graph.subgraphs.values()];
  if (levels.every(({ twins }) => twins.length === 0)) return [];
  let last = lastId(graph, levels);
  const numbers = new Map<GraphNode, number>();
  for (const { twins } of levels) for (const twin of twins) numbers.set(twin, ++last);
  return levels.flatMap((level) => {
    const { links, nodes, twins } = level;
    if (twins.length === 0) return [];
    const counters = [...new Set([graph.node, level.node])].flatMap((node) => levelCounters(node, 'node'));
    const low = counters.filter(({ value }) => value < last);
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const ofKept = new Map<GraphNode, KeptLinks>();
    return twins.flatMap((twin) => {
      const kept = byId.get(twin.id);
      if (!kept) return [];
      const taken = ofKept.get(kept) ?? keptLinks(kept);
      ofKept.set(kept, taken);
      const number = numbers.get(twin) ?? last;
      const id = twin.node.get('id');
      const edits = id && [
        replaceValue(id, String(number)),
        ...linkEnds(twin, taken, number, links),
        ...low.map((counter) => replaceValue(counter, String(last))),
      ];
      return {
        ...draftOf(twin, kept, level === graph),
        fix: edits && textsFix(t`Change the ID of ${nameOf(twin)} to ${number}`, edits),
      };
    });
  });
}

function draftOf(twin: GraphNode, kept: GraphNode, isRoot: boolean): RuleFinding {
  const isDecoration = virtualNodeRole(twin) === 'silent';
  return {
    code: 'duplicate-node',
    severity: isDecoration ? 'hint' : undefined,
    range: twin.node.get('id') ?? twin.node,
    message: isDecoration
      ? t`ID ${twin.id} is used twice. The ComfyUI editor keeps ${nameOf(kept)}, and ${nameOf(twin)} may be lost there. Give it a different ID.`
      : isRoot
        ? t`ID ${twin.id} is used twice. The ComfyUI editor gives ${nameOf(twin)} another one and drops its links, so it runs without them. Give it a different ID.`
        : t`ID ${twin.id} is used twice. The ComfyUI editor keeps ${nameOf(kept)}, and ${nameOf(twin)} is missing from the prompt. Give it a different ID.`,
    explains: twin.inputs.map(({ node }) => node),
    related: [{ range: kept.node.get('id') ?? kept.node, message: t`${graphNodeLabel(kept)} is here.` }],
    counts: 'always',
  };
}

function nameOf({ title, type }: GraphNode): string {
  return `"${title ?? type}"`;
}

interface KeptLinks {
  readonly taken: ReadonlySet<string | undefined>;
  readonly given: ReadonlySet<string>;
}

function keptLinks({ inputs, outputs }: GraphNode): KeptLinks {
  return { taken: new Set(inputs.map(({ link }) => link)), given: new Set(outputs.flatMap(linksListedAt)) };
}

function linkEnds(
  twin: GraphNode,
  { taken, given }: KeptLinks,
  number: number,
  links: GraphLevel['links'],
): TextEdit[] {
  const incoming = twin.inputs.flatMap(({ link }) => (link === undefined || taken.has(link) ? [] : [link]));
  const outgoing = twin.outputs.flatMap(linksListedAt).filter((link) => !given.has(link));
  const end = (ids: readonly string[], part: LinkPart): TextEdit[] =>
    ids.flatMap((id) => {
      const link = links.get(id);
      const range = link && partNode(link, part);
      return range && readId(range) === twin.id ? [replaceValue(range, String(number))] : [];
    });
  return [...end(incoming, 'target'), ...end(outgoing, 'origin')];
}

function lastId(graph: Graph, levels: readonly GraphLevel[]): number {
  const subgraphs = [...graph.subgraphs.values()];
  return largestId([
    graph.lastNodeId,
    ...levels.flatMap(({ nodes }) => nodes.flatMap(({ id, hasNumericId }) => (hasNumericId ? id : []))),
    ...subgraphs.flatMap(({ node }) => levelCounters(node, 'node').map(({ value }) => value)),
  ]);
}
