import type { NamedSpec } from '../catalog/inputSpec';
import type { NodeDefinition } from '../catalog/nodeDefinition';
import { exactEquals } from '../json/exactEquals';
import type { JsonObject } from '../json/node';
import type { LinkTarget } from '../workflow/graph/executionOrder';
import type { LiveInput, LiveNode } from '../workflow/graph/liveNode';
import { textMember } from '../workflow/graph/members';
import { promotedWidget } from '../workflow/graph/promotedWidgets';
import { isPrimitive } from '../workflow/graph/virtualNodes';
import { isWidget } from '../workflow/graph/widgets';
import type { Direction, DrawnSlot, Point, SlotShape } from './drawnNode';
import { isTrue, numberOf, objectOf, pointOf } from './numbers';
import type { WidgetRow } from './nodeRows';

/** A slot before its node has a place. */
export interface UnplacedSlot extends Omit<DrawnSlot, 'x' | 'y' | 'index'> {
  /** Where the file puts it, relative to the node. */
  readonly position: Point | undefined;
}

/** What is known about the links of a node's outputs. */
export interface OutputLinks {
  /** The inputs that its outputs feed. */
  readonly targets: readonly LinkTarget[];
  readonly linkedOutputs: ReadonlySet<number>;
  /** For a `Reroute`: the type that passes. */
  readonly passedType?: string | undefined;
}

export interface ShownInput {
  /** Among the inputs of the loaded node, where links count. */
  readonly index: number;
  readonly slot: UnplacedSlot;
  /** The row that it belongs to. */
  readonly row: WidgetRow | undefined;
}

/** Sockets first, then the inputs of widgets. */
export function shownInputs(live: LiveNode, rows: readonly WidgetRow[]): readonly ShownInput[] {
  const byName = new Map<string, WidgetRow>();
  for (const row of rows) if (!byName.has(row.name)) byName.set(row.name, row);
  const shown: ShownInput[] = live.inputs.map((input, index) => {
    const row = live.inside
      ? promotedWidget(live, index) && byName.get(input.name)
      : input.widget === undefined
        ? undefined
        : byName.get(input.widget);
    return { index, slot: inputSlot(live, input, row), row };
  });
  if (!live.definition) return shown;
  const order = new Map(slotOrder(live.definition, rows).map((name, index) => [name, index]));
  // Those that grow stand with their kind, and what the definition lacks comes last.
  const rank = ({ slot: { name } }: ShownInput): number =>
    order.get(name) ?? order.get(name.slice(0, Math.max(0, name.lastIndexOf('.')))) ?? order.size;
  return shown.sort((a, b) => rank(a) - rank(b));
}

/** The inputs of a node type in the page's order: sockets, then each widget with what its choice brings. */
function slotOrder({ inputs }: NodeDefinition, rows: readonly WidgetRow[]): string[] {
  const sockets = inputs.filter((input) => !isWidget(input)).map(({ name }) => name);
  const names = new Set(rows.map(({ name }) => name));
  const chosen = new Map(rows.map(({ name, value }) => [name, value]));
  const order = [...sockets];
  const add = (prefix: string, list: readonly NamedSpec[]): void => {
    for (const { name, spec } of list) {
      const full = `${prefix}${name}`;
      if (prefix !== '' || !sockets.includes(name)) order.push(full);
      const key = chosen.get(full);
      if (spec.kind !== 'dynamicCombo' || key === undefined || !names.has(full)) continue;
      const branch = spec.branches.find((each) => exactEquals(each.key, key));
      add(`${full}.`, branch?.inputs ?? []);
    }
  };
  add('', inputs);
  const known = new Set(order);
  return [...order, ...rows.map(({ name }) => name).filter((name) => !known.has(name))];
}

function inputSlot(live: LiveNode, input: LiveInput, row: WidgetRow | undefined): UnplacedSlot {
  const file = objectOf(input.place);
  const subgraphLabel = live.inside?.subgraph?.inputs.find(({ name }) => name === input.name)?.label;
  const label =
    (file && textMember(file, 'label')) ??
    subgraphLabel ??
    (live.definition ? undefined : file && textMember(file, 'localized_name')) ??
    lastPart(live, input.name);
  const isOptional = live.definition?.inputs.some(
    ({ name, section }) => name === input.name && section === 'optional',
  );
  const fileShape = file && numberOf(file.get('shape'));
  return {
    name: input.name,
    label,
    type: input.type,
    shape: live.definition
      ? isOptional === true && !row
        ? 'hollow'
        : 'circle'
      : slotShape(fileShape, input.type),
    isLinked: input.link !== undefined,
    ...(row && { widget: row.name }),
    direction: directionOf(file),
    position: pointOf(file?.get('pos')),
  };
}

/** Growing inputs are labelled without their common name. */
function lastPart({ definition }: LiveNode, name: string): string {
  const [first = '', ...rest] = name.split('.');
  const isGrowing = definition?.inputs.some((each) => each.name === first && each.spec.kind === 'autogrow');
  return isGrowing === true && rest.length > 0 ? rest.join('.') : name;
}

export function shownOutputs(
  live: LiveNode,
  { linkedOutputs, passedType, targets }: OutputLinks,
): UnplacedSlot[] {
  return live.outputTypes.map((type, index) => {
    const file = live.source.outputs[index]?.node;
    const defined = live.definition?.outputs[index];
    const inner = live.inside?.subgraph?.outputs[index];
    const [target] = targets;
    const name =
      live.type === 'Reroute'
        ? isTrue(live.source.properties?.get('showOutputText'))
          ? (passedType ?? '*')
          : ''
        : isPrimitive(live.type) && target
          ? target.input.type
          : (defined?.name ?? inner?.name ?? (file ? textMember(file, 'name') : undefined) ?? type);
    const label =
      (file && textMember(file, 'label')) ??
      inner?.label ??
      (defined ? undefined : file && textMember(file, 'localized_name')) ??
      name;
    return {
      name,
      label: live.type === 'Reroute' ? name : label,
      type: passedType ?? (isPrimitive(live.type) && target ? target.input.type : type),
      shape: defined
        ? defined.isList
          ? 'grid'
          : 'circle'
        : slotShape(file && numberOf(file.get('shape')), type),
      isLinked: linkedOutputs.has(index),
      direction: directionOf(file),
      position: pointOf(file?.get('pos')),
    };
  });
}

function slotShape(shape: number | undefined, type: string): SlotShape {
  switch (shape) {
    case 1:
      return 'box';
    case 5:
      return 'arrow';
    case 6:
      return 'grid';
    case 7:
      return 'hollow';
    default:
      return type === '-1' ? 'box' : type === 'array' ? 'grid' : 'circle';
  }
}

function directionOf(file: JsonObject | undefined): Direction | undefined {
  const direction = file && numberOf(file.get('dir'));
  return ([undefined, 'up', 'down', 'left', 'right'] as const)[direction ?? 0];
}
