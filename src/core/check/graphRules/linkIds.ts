import { appendItem, replaceValue, type TextEdit, sourceTextIn } from '../../json/textEdit';
import {
  type GraphLink,
  graphLinkText,
  linkOwners,
  partNode,
  type LinkPart,
} from '../../workflow/graph/graphLinks';
import { type GraphInput, type GraphNode, linksListedAt } from '../../workflow/graph/graphNode';
import { levelCounters, readId, largestId } from '../../workflow/graph/members';
import { graphNodeLabel, levelObject, type LevelView, linkHere, slotName } from '../graphRule';
import { type RuleFinding, textsFix } from '../rule';
import { t } from '../../safety/localize';
import type { JsonNode } from '../../json/node';
import type { Graph, GraphLevel } from '../../workflow/graph/graph';
import { virtualNodeRole } from '../../workflow/graph/virtualNodes';

/** Needs a link ID of its own: an input that names another one's link, or a link that repeats an ID. */
interface Shared {
  readonly link: GraphLink;
  /** Undefined if no input names the repeated link. */
  readonly at?: { readonly node: GraphNode; readonly input: GraphInput; readonly slot: number };
}

/**
 * Link IDs that are used twice (workflows 1.2): older editors connect every input that names a link, newer ones only the
 * one where the link ends. The fix gives each of a level a link of its own, with an ID that is free everywhere.
 */
export function linkIds(views: readonly LevelView[]): RuleFinding[] {
  const levels = views.map((view) => ({ view, all: sharedIn(view) })).filter(({ all }) => all.length > 0);
  if (levels.length === 0) return [];
  let last = largestLinkId(views);
  const numbered = levels.map(({ view, all }) => ({ view, all: all.map((each) => ({ each, id: ++last })) }));
  return numbered.flatMap(({ view, all }) => {
    const counters = new Set(
      [...views.slice(0, 1), view].flatMap((each) => levelCounters(levelObject(each), 'link')),
    );
    const own = all.filter(({ each }) => canHaveOwn(each));
    const low = [...counters].filter(({ value }) => value < last);
    const edits = [
      ...own.flatMap(({ each, id }) => ownId(each, id)),
      ...newLinks(view, own),
      ...low.map((range) => replaceValue(range, String(last))),
    ];
    const fix = textsFix(t`Give Each Input Its Own Link`, edits);
    return all.map(({ each }) => ({ ...findingOf(view, each), fix: canHaveOwn(each) ? fix : undefined }));
  });
}

function sharedIn(view: LevelView): Shared[] {
  const { level } = view;
  const named = new Set<GraphLink>();
  const shared: Shared[] = [];
  for (const node of level.nodes) {
    // A link that ends at the input counts instead, even if no input names it.
    const inputs = level.bySlot.has(node.id) ? view.inputsOf(node) : undefined;
    const fed = inputs && new Map(inputs.map(({ place, link }) => [place, link]));
    for (const [slot, input] of node.inputs.entries()) {
      const link = input.link === undefined ? undefined : level.links.get(input.link);
      if (!link) continue;
      named.add(link);
      const endsHere = link.targetId === node.id && link.targetSlot === slot;
      const isOwner = endsHere || linkOwners(node, level.links).get(link) === input;
      const isOwn = isOwner && link.repeats === undefined;
      if (!isOwn && (fed?.get(input.node) ?? link.id) === link.id)
        shared.push({ link, at: { node, input, slot } });
    }
  }
  const others = [...level.links.values()].filter((link) => link.repeats !== undefined && !named.has(link));
  return [...shared, ...others.map((link) => ({ link }))];
}

function findingOf(view: LevelView, { link, at }: Shared): RuleFinding {
  const code = 'link-table';
  if (!at || link.repeats !== undefined) {
    const range = partNode(link, 'id') ?? link.node;
    const message = t`Link ID ${link.repeats ?? link.id} is used twice. The ComfyUI editor keeps the first link and drops this one. Give it a different ID.`;
    return { code, range, message };
  }
  const [owner, name] = [graphNodeLabel(at.node), slotName(at.input.name, at.slot)];
  const other = view.nodes.get(link.targetId);
  const end = other ? graphNodeLabel(other) : t`node ${link.targetId}`;
  const message =
    link.targetId === at.node.id
      ? t`${name} of ${owner} names link ${link.id}, as another of its inputs does. The prompt connects both, as older ComfyUI editors do, but newer ones connect only one of them. Give each its own link.`
      : t`${name} of ${owner} names link ${link.id}, which ends at ${end}. The prompt connects both, as older ComfyUI editors do, but newer ones drop this connection. Give the input its own link.`;
  const related = [linkHere(link)];
  return { code, range: at.input.node.get('link') ?? at.input.node, message, related };
}

/** No link can lead to a node without an ID. */
function canHaveOwn({ at }: Shared): boolean {
  return !at || readId(at.node.node.get('id')) !== undefined;
}

function ownId({ link, at }: Shared, id: number): TextEdit[] {
  const places = [at?.input.node.get('link'), link.repeats === undefined ? undefined : partNode(link, 'id')];
  return places.flatMap((range) => (range ? [replaceValue(range, String(id))] : []));
}

function newLinks(
  view: LevelView,
  all: readonly { readonly each: Shared; readonly id: number }[],
): TextEdit[] {
  const { text } = view.graph.document;
  const list = levelObject(view)?.get('links');
  const taken = new Set(view.level.rows.map(({ targetId, targetSlot }) => `${targetSlot} ${targetId}`));
  const free = new Map<GraphNode, number>();
  const texts = all.flatMap(({ each: { link, at }, id }) => {
    if (!at || link.repeats !== undefined) return [];
    let { slot } = at;
    // Links to one slot compete. Where the input is, its name tells.
    if (taken.has(`${slot} ${at.node.id}`)) slot = free.get(at.node) ?? at.node.inputs.length;
    for (; taken.has(`${slot} ${at.node.id}`); slot++);
    if (slot !== at.slot) free.set(at.node, slot);
    taken.add(`${slot} ${at.node.id}`);
    const target = at.node.node.get('id');
    const ends = { target: target ? sourceTextIn(text, target) : 'null', targetSlot: String(slot) };
    return [graphLinkText(text, link.node, { id: String(id), ...ends })];
  });
  return list?.kind === 'array' && texts.length > 0 ? [appendItem(list, texts.join(', '))] : [];
}

function largestLinkId(views: readonly LevelView[]): number {
  return largestId(
    views.flatMap((view) => [
      ...view.level.rows.map(({ id }) => id),
      ...levelCounters(levelObject(view), 'link').map(({ value }) => value),
    ]),
  );
}

/** Offers a free ID for nodes that are lost, or lose links, because another one has their ID (workflows 1.4, 2, A3). */
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
