import { entryAt } from '../../safety/lists';
import type { JsonNode, JsonObject } from '../../json/node';
import { budgets } from '../../safety/budgets';
import type { StepCount } from '../../safety/boundedPattern';
import { t } from '../../safety/localize';
import type { GraphProblem } from '../graph/graphProblem';
import { subgraphInputId, subgraphOutputId } from '../graph/graphLinks';
import type { GraphNode } from '../graph/graphNode';
import { type Groups, groupByKey } from '../graph/grouped';
import type { LiveLevel, LiveLink, LiveNode } from '../graph/liveNode';
import {
  readId,
  readIds,
  largestId,
  listMember,
  objectMember,
  objectsAmong,
  readSlotIndex,
} from '../graph/members';
import { isBroadcasting, isEverywhere } from './everywhereNodes';
import { type EverywhereLink, everywhereLinks, type UntestedBroadcast } from './useEverywhere';

export interface LevelOfFile {
  readonly level: LiveLevel;
  readonly file: JsonObject;
}

export function connectEverywhere(root: LevelOfFile, insides: readonly LevelOfFile[]): void {
  const all = [root, ...insides];
  removeLeftovers(
    root.level,
    all.flatMap(({ file }) => readIds(listMember(objectMember(file, 'extra'), 'links_added_by_ue'))),
  );
  const count: StepCount = { steps: budgets.everywhereSteps };
  for (const { level, file } of all) {
    const first = level.nodes.find(({ source }) => isBroadcasting(source));
    if (!first) continue;
    let byTarget: Groups<string, readonly [string, LiveLink]> | undefined;
    for (const node of level.nodes) {
      if (isFromBefore(node.source)) {
        byTarget ??= groupByKey(level.links, ([, { targetId }]) => targetId);
        renewInputs(node, byTarget.list(node.id));
      } else if (isEverywhere(node.type)) typeInputs(node);
    }
    const { links, untested } = everywhereLinks(level, { file, root, count });
    level.problems.push(...untested.map(untestedProblem));
    if (count.steps <= 0 && untested.length === 0) level.problems.push(tooMany(first));
    const difference = differenceFromSaved(level, file, links);
    addLinks(level, links);
    if (difference) level.problems.push(difference);
  }
}

/** The links that the page saved while it ran the graph; it removes them from the root when it opens the file. */
function removeLeftovers({ links, nodes }: LiveLevel, ids: readonly string[]): void {
  const gone = new Set(ids.filter((id) => links.delete(id)));
  if (gone.size === 0) return;
  for (const input of nodes.flatMap(({ inputs }) => inputs)) {
    if (input.link !== undefined && gone.has(input.link)) input.link = undefined;
  }
}

function typeInputs({ inputs, level }: LiveNode): void {
  for (const [slot, input] of inputs.entries()) {
    const link = input.link === undefined ? undefined : level.links.get(input.link);
    if (link && input.type === '*') inputs[slot] = { ...input, type: link.type };
  }
}

/** Whether the pack takes its node for an old one, made before ComfyUI listed all widgets as inputs. */
function isFromBefore({ type, properties }: GraphNode): boolean {
  if (!isEverywhere(type) || type === 'Seed Everywhere' || properties?.get('widget_ue_connectable'))
    return false;
  const settings = objectMember(properties, 'ue_properties');
  return !settings?.get('widget_ue_connectable') && !settings?.get('version');
}

/** The pack makes the inputs of such a node anew, one after the other as long as there are links to them. */
function renewInputs({ source, inputs }: LiveNode, rows: readonly (readonly [string, LiveLink])[]): void {
  const slots = new Map(inputs.map(({ name }, slot) => [name, slot]));
  const bySlot = new Map<number, readonly [string, LiveLink]>();
  for (const each of rows) {
    const [, { targetSlot }] = each;
    const slot = entryAt(slots, source.inputs[targetSlot]?.name) ?? targetSlot;
    bySlot.set(bySlot.has(slot) ? targetSlot : slot, each);
  }
  inputs.length = 0;
  for (let slot = 0; ; slot++) {
    const own = bySlot.get(slot);
    if (!own) break;
    const [link, { type }] = own;
    inputs.push({ name: `anything${11 + slot}`, type, link, widget: undefined, place: undefined });
  }
}

function addLinks({ links, byId, subgraph }: LiveLevel, added: readonly EverywhereLink[]): void {
  let last = largestId(links.keys());
  for (const link of added) {
    const id = String(++last);
    const { targetId, targetSlot } = link;
    const input = targetId === subgraphOutputId ? undefined : byId.get(targetId)?.inputs[targetSlot];
    const output = targetId === subgraphOutputId ? subgraph?.outputs[targetSlot] : undefined;
    if (input) input.link = id;
    else if (output && subgraph) subgraph.outputs[targetSlot] = { ...output, linkIds: [id] };
    links.set(id, link);
  }
}

function untestedProblem({ controller, pattern }: UntestedBroadcast): GraphProblem {
  const message = t`${controller.title} (node ${controller.id}) sends nothing here, because its regular expression could take too long: ${pattern}. Simplify it, or connect the inputs yourself.`;
  return { code: 'link-lost', message, node: controller.source.node, nodeId: controller.id };
}

function tooMany({ source }: LiveNode): GraphProblem {
  const message = t`This graph has too many nodes that broadcast to find all their links. Connect some inputs yourself.`;
  return { code: 'link-lost', message, node: source.node };
}

/** The page saves its links (`extra.ue_links`), so a difference shows another version of the pack, unless the file was edited. */
function differenceFromSaved(
  level: LiveLevel,
  file: JsonObject,
  links: readonly EverywhereLink[],
): GraphProblem | undefined {
  const rows = objectsAmong(listMember(objectMember(file, 'extra'), 'ue_links'));
  const saved = rows.map((row) => savedLink(level, row));
  const first = rows[0];
  if (!first || saved.includes(undefined)) return undefined;
  const made = new Map(links.map((link) => [JSON.stringify([link.targetId, inputName(level, link)]), link]));
  for (const each of saved) {
    if (!each || each.target.id === subgraphOutputId) continue;
    const key = JSON.stringify([each.target.id, each.name]);
    const link = made.get(key);
    made.delete(key);
    if (link?.originId === each.originId && link.originSlot === each.originSlot) continue;
    const { id, title, place = first } = each.target;
    const now = link ? titleOf(level, link.originId) : t`nothing`;
    return otherLink(place, id, `${title}.${each.name}`, titleOf(level, each.originId), now);
  }
  const more = [...made.values()].find(({ targetId }) => targetId !== subgraphOutputId);
  const target = more && level.byId.get(more.targetId);
  if (!more || !target) return undefined;
  const input = `${target.title}.${inputName(level, more)}`;
  return otherLink(target.source.node, target.id, input, t`nothing`, titleOf(level, more.originId));
}

function otherLink(node: JsonNode, nodeId: string, input: string, before: string, now: string): GraphProblem {
  const message = t`Use Everywhere connected ${input} (node ${nodeId}) to ${before} when the file was saved, but connects it to ${now} now. Connect the input yourself to be sure.`;
  return { code: 'other-links', message, node, nodeId };
}

/** Undefined if the file was edited since: a node is gone or quiet, or the input has a link of its own. */
function savedLink(level: LiveLevel, row: JsonObject) {
  const { byId, links, subgraph } = level;
  const [targetId = '', originId = ''] = ['downstream', 'upstream'].map((name) => readId(row.get(name)));
  const originSlot = readSlotIndex(row.get('upstream_slot')) ?? 0;
  const controller = entryAt(byId, readId(row.get('controller')));
  if (controller?.mode !== 'always' || !isBroadcasting(controller.source)) return undefined;
  const hasOrigin = originId === subgraphInputId ? subgraph : byId.get(originId)?.outputTypes[originSlot];
  if (hasOrigin === undefined) return undefined;
  const origin = { originId, originSlot };
  if (targetId === subgraphOutputId) {
    return { target: { id: targetId, title: '', place: undefined }, name: undefined, ...origin };
  }
  const node = byId.get(targetId);
  const slot = readSlotIndex(row.get('downstream_slot')) ?? -1;
  const name = node?.source.inputs[slot]?.name ?? node?.inputs[slot]?.name;
  const own = node?.inputs[slot];
  const input = own?.name === name ? own : node?.inputs.find((each) => each.name === name);
  if (!node || !input || (input.link !== undefined && links.has(input.link))) return undefined;
  const target = { id: targetId, title: node.title, place: input.place ?? node.source.node };
  return { target, name, ...origin };
}

function inputName({ byId }: LiveLevel, { targetId, targetSlot }: EverywhereLink): string | undefined {
  return byId.get(targetId)?.inputs[targetSlot]?.name;
}

function titleOf({ byId }: LiveLevel, id: string): string {
  return id === subgraphInputId ? t`the input of the subgraph` : (byId.get(id)?.title ?? id);
}
