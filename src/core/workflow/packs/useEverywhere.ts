import { countAt } from '../../safety/lists';
import type { JsonNode, JsonObject } from '../../json/node';
import { type BoundedPattern, boundedPattern, type StepCount } from '../../safety/boundedPattern';
import { groupNodeName } from '../graph/graph';
import { subgraphInputId, subgraphOutputId } from '../graph/graphLinks';
import { groupByKey } from '../graph/grouped';
import type { LiveInput, LiveLevel, LiveLink, LiveNode } from '../graph/liveNode';
import {
  isTrueNode,
  listMember,
  readNumber,
  objectMember,
  objectsAmong,
  readPoint,
  textMember,
  acceptsType,
  firstByName,
} from '../graph/members';
import {
  isBroadcasting,
  isEverywhere,
  isTruthyNode,
  readSettingNumber,
  readPattern,
  type Settings,
  readEverywhereSettings,
  standardPriority,
} from './everywhereNodes';

/** The links that the pack "Use Everywhere" (chrisgoringe/cg-use-everywhere) makes whenever the page runs a graph. */

export interface EverywhereLink extends LiveLink {
  readonly node: JsonObject;
}

export interface UntestedBroadcast {
  readonly controller: LiveNode;
  readonly pattern: string;
}

/** The object with the nodes of a level, and the root's: the pack looks for groups by title only there. */
export interface EverywhereFile {
  readonly file: JsonObject;
  readonly root: { readonly file: JsonObject; readonly level: LiveLevel };
  readonly count: StepCount;
}

interface Target {
  readonly node: LiveNode | undefined;
  readonly id: string;
  readonly slot: number;
  readonly type: string;
  readonly title: string;
  readonly label: string;
}

interface Broadcast {
  readonly controller: LiveNode;
  readonly type: string;
  readonly originId: string;
  readonly originSlot: number;
  readonly priority: number;
  readonly settings: Settings;
  readonly reaches: (target: Target) => boolean | undefined;
}

export function everywhereLinks(
  level: LiveLevel,
  file: EverywhereFile,
): { readonly links: EverywhereLink[]; readonly untested: UntestedBroadcast[] } {
  const untested = new Map<LiveNode, UntestedBroadcast>();
  const groups = new GroupMembers(file);
  const all = level.nodes
    .filter(({ source, mode }) => mode === 'always' && isBroadcasting(source))
    .flatMap((node) => broadcastsOf(node, groups, file.count, untested));
  if (all.length === 0) return { links: [], untested: [...untested.values()] };
  const byType = groupByKey(all, ({ type }) => type);
  const toAny = all.filter(
    ({ settings, type }) => type !== '*' && readSettingNumber(settings('send_to_any')) > 0,
  );
  const toCombos = byType
    .list('STRING')
    .filter(({ settings }) => readSettingNumber(settings('string_to_combo')) > 0);
  const found = targetsIn(level).flatMap((target) => {
    const { type, id } = target;
    if (file.count.steps <= 0) return [];
    const candidates = [
      ...byType.list(type),
      ...(type === '*' ? toAny : []),
      ...(type === 'COMBO' ? toCombos : []),
    ];
    file.count.steps -= candidates.length * stepsOfMatch;
    const matching = candidates.filter((each) => each.originId !== id && each.reaches(target) === true);
    const [best, other] = matching.sort((a, b) => b.priority - a.priority);
    // Among equals, none sends.
    const isClear = best && best.priority !== other?.priority;
    return isClear && connects(level, best, target) ? [{ best, target }] : [];
  });
  const byBest = groupByKey(found, ({ best }) => best);
  const links = all.flatMap((best) => {
    const { originId, originSlot, type, controller } = best;
    const origin = { originId, originSlot, type, node: controller.source.node };
    return byBest
      .list(best)
      .map(({ target: { id, slot } }) => ({ ...origin, targetId: id, targetSlot: slot }));
  });
  return { links, untested: [...untested.values()] };
}

/** The cost of finding out whether a broadcast reaches an input, without regular expressions. */
const stepsOfMatch = 20;

/** The page itself refuses links between other types, such as from a text to a list. */
function connects(level: LiveLevel, { originId, originSlot }: Broadcast, { id, type }: Target): boolean {
  if (originId === subgraphInputId) return id !== subgraphOutputId;
  return acceptsType(level.byId.get(originId)?.outputTypes[originSlot] ?? '*', type);
}

interface Source {
  readonly name: string;
  readonly link: Pick<LiveLink, 'originId' | 'originSlot' | 'type'>;
}

function broadcastsOf(
  node: LiveNode,
  groups: GroupMembers,
  count: StepCount,
  untested: Map<LiveNode, UntestedBroadcast>,
): Broadcast[] {
  const { source, level } = node;
  const isSeed = source.type === 'Seed Everywhere';
  const settings = readEverywhereSettings(source);
  const isOwn = isSeed || isTruthyNode(source.properties?.get('ue_convert'));
  // The pack makes a number of it that broadcasts itself, to what is called a seed.
  const isSeedOnly = isSeed || isTruthyNode(settings('seed_inputs'));
  const own = isOwn ? outputsOf(node, settings) : inputsOf(node, count);
  const sources = isSeedOnly ? [{ name: '', link: { originId: node.id, originSlot: 0, type: 'INT' } }] : own;
  const ofType = groupByKey(own, ({ link }) => link.type);
  const isRepeated = (type: string): boolean => ofType.list(type).length > 1;
  const priority =
    readSettingNumber(settings('priority')) ||
    standardPriority(source, settings, [...ofType.keys()].some(isRepeated));
  const test = (pattern: BoundedPattern | undefined, text: string, name: string): boolean | undefined => {
    const matches = pattern?.test(text);
    if (matches === undefined) untested.set(node, { controller: node, pattern: name });
    return matches;
  };
  const conditions = (['title', 'input', 'group'] as const).flatMap((what) => {
    const found = readPattern(settings, what) ?? (isSeed && what === 'input' ? 'seed' : undefined);
    if (found === undefined) return [];
    const pattern = boundedPattern(found, count);
    if (pattern === null) return [];
    const isInverted = isTruthyNode(settings(`${what}_regex_invert`));
    const matches = (text: string): boolean | undefined => {
      const result = test(pattern, text, found);
      return result === undefined ? undefined : result !== isInverted;
    };
    return [{ what, matches }];
  });
  const grouping = readSettingNumber(settings('group_restricted'));
  const coloring = readSettingNumber(settings('color_restricted'));
  const color = textMember(source.node, 'color');
  return sources.flatMap(({ name, link }): Broadcast[] => {
    const { originId, originSlot, type } = link;
    if (originId !== subgraphInputId && level.byId.get(originId)?.mode !== 'always') return [];
    const isNamed = !isSeedOnly && (isRepeated(type) || isTruthyNode(settings('apply_to_unrepeated')));
    const rule = isNamed
      ? nameRule(readSettingNumber(settings('repeated_type_rule')), name, count, test)
      : undefined;
    const reaches = (target: Target): boolean | undefined => {
      if (rule && !rule(target)) return false;
      if (grouping === 1 && !groups.share(node, target.node)) return false;
      if (grouping === 2 && (!target.node || groups.share(node, target.node))) return false;
      if (coloring > 0 && !target.node) return false;
      const isSame = textMember(target.node?.source.node, 'color') === color;
      if ((coloring === 1 && !isSame) || (coloring === 2 && isSame)) return false;
      return conditions.every(({ what, matches }) => {
        if (what === 'group') return target.node && groups.hasTitle(target.node, matches);
        return matches(what === 'title' ? target.title : target.label) === true;
      });
    };
    return [{ controller: node, type, originId, originSlot, priority, settings, reaches }];
  });
}

function outputsOf({ id, source, outputTypes }: LiveNode, settings: Settings): Source[] {
  const silenced = settings('output_not_broadcasting');
  return outputTypes.flatMap((type, originSlot) => {
    const output = source.outputs[originSlot];
    const name = output?.name ?? '';
    if (silenced?.kind === 'object' && isTruthyNode(silenced.get(name))) return [];
    return [{ name: labelOf(output?.node) ?? name, link: { originId: id, originSlot, type } }];
  });
}

function inputsOf({ type, inputs, level }: LiveNode, count: StepCount): Source[] {
  return inputs.flatMap(({ name, link: id, place }, slot) => {
    const link = id === undefined ? undefined : level.links.get(id);
    if (!link) return [];
    const prompts = type === 'Prompts Everywhere' ? ['positive', 'negative'] : [];
    return [{ name: prompts[slot] ?? labelOf(place) ?? name, link: throughBypassed(level, link, count) }];
  });
}

function throughBypassed({ byId, links }: LiveLevel, link: LiveLink, count: StepCount): LiveLink {
  for (let at = link; ;) {
    const origin = byId.get(at.originId);
    if (origin?.mode !== 'bypassed' || count.steps <= 0) return at;
    count.steps -= origin.inputs.length + 1;
    const same = origin.inputs[at.originSlot];
    const input = same?.type === link.type ? same : origin.inputs.find(({ type }) => type === link.type);
    const next = input?.link === undefined ? undefined : links.get(input.link);
    if (!next) return link;
    at = next;
  }
}

type Test = (pattern: BoundedPattern | undefined, text: string, name: string) => boolean | undefined;

/** How inputs are told apart if several of a type are broadcast: by their names, or by the titles of their nodes. */
function nameRule(rule: number, name: string, count: StepCount, test: Test): (target: Target) => boolean {
  switch (rule) {
    case 1:
      return ({ label }) => label.startsWith(name) || name.startsWith(label);
    case 2:
      return ({ label }) => label.endsWith(name) || name.endsWith(label);
    case 3:
      return ({ title }) => title === name;
    case 4: {
      const pattern = boundedPattern(name, count);
      return ({ label }) => pattern !== null && test(pattern, label, name) === true;
    }
    default:
      return ({ label }) => label === name;
  }
}

function labelOf(slot: JsonNode | undefined): string | undefined {
  const label = slot?.kind === 'object' ? textMember(slot, 'label') : undefined;
  return label === '' ? undefined : label;
}

function targetsIn(level: LiveLevel): Target[] {
  const { nodes, links, subgraph } = level;
  const targets = nodes.flatMap((node): Target[] => {
    const { source, inputs, id, title } = node;
    if (isEverywhere(source.type) || isTruthyNode(source.properties?.get('rejects_ue_links'))) return [];
    // As a subgraph, a group node has only its linked inputs.
    if (groupNodeName(textMember(source.node, 'type') ?? '') !== undefined && node.inside) return [];
    const free = inputs.filter(({ link }) => link === undefined || !links.has(link));
    if (free.length === 0) return [];
    const isOpen = opennessOf(node);
    const slots = firstByName(inputs);
    return free.filter(isOpen).map((input) => {
      const slot = countAt(slots, input.name);
      return { node, id, slot, type: input.type, title, label: labelOf(input.place) ?? input.name };
    });
  });
  if (!subgraph) return targets;
  const slots = firstByName(subgraph.outputs);
  const end = { node: undefined, id: subgraphOutputId, title: 'subgraph output node' };
  const outputs = subgraph.outputs.flatMap(({ name, label, type, linkIds }): Target[] => {
    if (linkIds.length > 0) return [];
    return [{ ...end, slot: countAt(slots, name), type, label: label ?? name }];
  });
  return [...targets, ...outputs];
}

/** Inputs are open unless closed, those of widgets the other way round. */
function opennessOf({ source, level }: LiveNode): (input: LiveInput) => boolean {
  const settings = readEverywhereSettings(source);
  const open = settings('widget_ue_connectable');
  const closed = settings('input_ue_unconnectable');
  return ({ name, widget, place }) => {
    if (widget === undefined) return !(closed?.kind === 'object' && isTruthyNode(closed.get(name)));
    if (isTruthyNode(open)) return open?.kind === 'object' && isTruthyNode(open.get(name));
    // Without a setting, the pack treats the inputs that the file lists as made by a person.
    return level.subgraph === undefined && place !== undefined;
  };
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const titleHeight = 30;
const collapsedWidth = 80;

/** The nodes in each group: those whose middle is in it. */
class GroupMembers {
  private readonly known = new Map<LiveNode, ReadonlySet<number>>();
  private groups: readonly Rectangle[] | undefined;
  private titled: readonly (Rectangle & { readonly title: string })[] | undefined;

  constructor(private readonly of: EverywhereFile) {}

  share(node: LiveNode, other: LiveNode | undefined): boolean {
    const mine = this.groupsOf(node);
    if (!other || mine.size === 0) return false;
    this.of.count.steps -= mine.size;
    const others = this.groupsOf(other);
    return [...mine].some((group) => others.has(group));
  }

  hasTitle({ id }: LiveNode, matches: (title: string) => boolean | undefined): boolean {
    const { root, count } = this.of;
    this.titled ??= groupsIn(root.file);
    const node = root.level.byId.get(id);
    if (!node || (count.steps -= this.titled.length) < 0) return false;
    const middle = middleOf(node);
    return this.titled.some((group) => holds(group, middle) && matches(group.title) === true);
  }

  private groupsOf(node: LiveNode): ReadonlySet<number> {
    const known = this.known.get(node);
    if (known) return known;
    const { count, file } = this.of;
    this.groups ??= groupsIn(file);
    if ((count.steps -= this.groups.length) < 0) return new Set();
    const middle = middleOf(node);
    const found = new Set(this.groups.flatMap((group, index) => (holds(group, middle) ? [index] : [])));
    this.known.set(node, found);
    return found;
  }
}

function groupsIn(file: JsonObject): (Rectangle & { readonly title: string })[] {
  return objectsAmong(listMember(file, 'groups')).map((group) => {
    const [x = 0, y = 0, width = 0, height = 0] = listMember(group, 'bounding').map(readNumber);
    return { x, y, width, height, title: textMember(group, 'title') ?? '' };
  });
}

type Point = Pick<Rectangle, 'x' | 'y'>;

function middleOf({ source: { node } }: LiveNode): Point {
  const at = readPoint(node.get('pos')) ?? { x: 0, y: 0 };
  const size = readPoint(node.get('size')) ?? { x: 0, y: 0 };
  const isCollapsed = isTrueNode(objectMember(node, 'flags')?.get('collapsed'));
  return {
    x: at.x + (isCollapsed ? Math.min(size.x, collapsedWidth) : size.x) / 2,
    y: at.y + (isCollapsed ? -titleHeight : size.y - titleHeight) / 2,
  };
}

function holds({ x, y, width, height }: Rectangle, middle: Point): boolean {
  return middle.x >= x && middle.x < x + width && middle.y >= y && middle.y < y + height;
}
