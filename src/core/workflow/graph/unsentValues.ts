import { writeExact } from '../../json/exactWriter';
import { exactValue } from '../../json/exactValue';
import type { JsonNode } from '../../json/node';
import { plainText } from '../../safety/plainText';
import { t } from '../../safety/localize';
import { isReadPack, findPackNode } from '../packs/packs';
import type { ExecutedNode } from './executionOrder';
import { isControlMode } from './extraWidgets';
import type { GraphProblem } from './graphProblem';
import { type LiveLevel, type LiveNode, levelsBelow } from './liveNode';
import { ownValuePlaces } from './promotedWidgets';
import { savedValues, loadLayout } from './widgetValues';

export type UnsentRule =
  /** It belongs to a note, a reroute or a primitive: a primitive writes its value into the widgets it feeds. */
  | 'editor-node'
  | 'inactive'
  | 'linked'
  | 'not-sent'
  /** Null, or an empty text, list or object. */
  | 'empty'
  /** There is no widget at its position: the ComfyUI editor doesn't read it either. */
  | 'past-last-widget'
  /** The widget can't have it; reported by another finding. */
  | 'not-read'
  | 'unexplained';

export interface UnsentValue {
  readonly what: 'value' | 'link';
  readonly node: string;
  readonly name: string | undefined;
  readonly rule: UnsentRule;
  readonly place: JsonNode;
}

/** Nodes inside subgraphs count once for all instances. `lost` are the links that lead nowhere. */
export function listUnsentValues(root: LiveLevel, lost: Iterable<GraphProblem>): UnsentValue[] {
  const levels = levelsBelow(root);
  const unexplained = [...lost].map(({ node: place, nodeId: node = '' }): UnsentValue => {
    return { what: 'link', node, name: undefined, rule: 'unexplained', place };
  });
  const nodes = levels.flatMap((level) => level.nodes);
  return [...nodes.flatMap(unsentIn), ...levels.flatMap(unsentLinks), ...unexplained];
}

/** Links to and from nodes that are not sent: what such a node passes on is a link of its own. */
function unsentLinks({ nodes, links, byId }: LiveLevel): UnsentValue[] {
  return nodes.flatMap((node) =>
    node.inputs.flatMap(({ name, link }): UnsentValue[] => {
      const row = link === undefined ? undefined : links.get(link);
      const ends = [node, row && byId.get(row.originId)];
      const rule = ends.some((end) => end?.role === 'silent')
        ? 'editor-node'
        : ends.some((end) => end?.mode === 'muted')
          ? 'inactive'
          : undefined;
      return row && rule ? [{ what: 'link', node: node.source.id, name, rule, place: row.node }] : [];
    }),
  );
}

export function unexplainedValues(nodes: ReadonlyMap<string, ExecutedNode>): GraphProblem[] {
  const seen = new Set<LiveNode>();
  const problems: GraphProblem[] = [];
  for (const { id, live } of nodes.values()) {
    const { mode, definition, inside, source } = live;
    // What an unknown type loses is reported once per node, and lists of known packs are explained to their end.
    const isExplained = definition
      ? source.widgetsValues?.kind === 'array' && isReadPack(definition.pythonModule)
      : !inside;
    if (mode !== 'always' || isExplained || seen.has(live)) continue;
    seen.add(live);
    const unexplained = unsentIn(live).filter(({ rule }) => rule === 'unexplained');
    problems.push(...unexplained.map((value) => valueNotSent(id, live, value)));
  }
  return problems;
}

function valueNotSent(nodeId: string, { title }: LiveNode, { place, name }: FileValue): GraphProblem {
  const value = plainText(writeExact(exactValue(place)), 'one line', 80);
  const shown = name === undefined ? value : `${name} = ${value}`;
  const message = t`This value is not sent: ${shown}. Comfy Deck knows no widget of ${title} (node ${nodeId}) that has it. If the node pack adds one in the ComfyUI editor, export the workflow there in API format.`;
  return { code: 'value-not-sent', message, node: place, nodeId };
}

type FileValue = Pick<UnsentValue, 'name' | 'place'>;

function valuesIn({ source: { widgetsValues, namedValues } }: LiveNode): FileValue[] {
  if (widgetsValues?.kind === 'array') {
    return widgetsValues.items.map((place) => ({ name: undefined, place }));
  }
  const named = widgetsValues?.kind === 'object' ? widgetsValues : namedValues;
  if (!named) return [];
  return named.properties.flatMap(({ name, value }) => (value ? [{ name, place: value }] : []));
}

function unsentIn(node: LiveNode): UnsentValue[] {
  const values = valuesIn(node);
  if (values.length === 0) return [];
  const ruleOf = rulesFor(node);
  return values.flatMap((value) => {
    const { name, place } = value;
    const rule = ruleOf(value);
    return rule ? [{ what: 'value', node: node.source.id, name, rule, place }] : [];
  });
}

type RuleOf = (value: FileValue) => UnsentRule | undefined;

function rulesFor(node: LiveNode): RuleOf {
  if (node.role !== 'executed' && node.role !== 'instance') return () => 'editor-node';
  if (node.mode !== 'always') return () => 'inactive';
  if (node.inside) return rulesForInstance(node);
  return node.definition ? rulesForWidgets(node) : rulesForUnknown(node);
}

function rulesForInstance(node: LiveNode): RuleOf {
  const placed = ownValuePlaces(node);
  const isKnown =
    node.inside?.nodes.every(({ role, definition }) => role !== 'executed' || definition) ?? true;
  return ({ place }) => {
    if (placed.has(place)) return undefined;
    if (isEmpty(place)) return 'empty';
    return isKnown ? 'past-last-widget' : 'unexplained';
  };
}

/** Nodes of an unknown type: values with names are sent. */
function rulesForUnknown({ source, type }: LiveNode): RuleOf {
  const sent = new Set(savedValues(source).named.map(({ valueNode }) => valueNode));
  return ({ name, place }) => {
    if (sent.has(place)) return undefined;
    if (isEmpty(place)) return 'empty';
    return isPageOnly(type, name, place) ? 'not-sent' : 'unexplained';
  };
}

function rulesForWidgets({ source, type, definition, inputs }: LiveNode): RuleOf {
  const { widgets } = definition ? loadLayout(source, definition) : { widgets: [] };
  const linked = new Set(inputs.flatMap(({ widget, link }) => (link === undefined ? [] : [widget])));
  const read = new Map<JsonNode, UnsentRule | undefined>();
  for (const { widget, valueNode, refused } of widgets) {
    if (refused) read.set(refused, 'not-read');
    if (valueNode) {
      read.set(valueNode, !widget.isSent ? 'not-sent' : linked.has(widget.name) ? 'linked' : undefined);
    }
  }
  const isExplained = definition !== undefined && isReadPack(definition.pythonModule);
  const isReadByPack = findPackNode(type)?.readValues !== undefined;
  return ({ name, place }) => {
    if (read.has(place)) return read.get(place);
    if (isEmpty(place)) return 'empty';
    const isElsewhere = isReadByPack && widgets.some(({ widget }) => widget.name === name);
    if (isElsewhere || isPageOnly(type, name, place)) return 'not-sent';
    return name === undefined && isExplained ? 'past-last-widget' : 'unexplained';
  };
}

function isPageOnly(type: string, name: string | undefined, place: JsonNode): boolean {
  // Other programs leave notes under such names.
  if (name?.startsWith('_') === true) return true;
  if (name !== undefined && findPackNode(type)?.unsent?.test(name) === true) return true;
  return place.kind === 'string' && isControlMode(place.value);
}

function isEmpty(place: JsonNode): boolean {
  switch (place.kind) {
    case 'null':
      return true;
    case 'string':
      return place.value === '';
    case 'array':
      return place.items.length === 0;
    case 'object':
      return place.properties.length === 0;
    default:
      return false;
  }
}
