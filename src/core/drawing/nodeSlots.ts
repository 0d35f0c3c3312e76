import type { NamedSpec } from '../catalog/inputSpec';
import type { NodeDefinition } from '../catalog/nodeDefinition';
import { exactEquals } from '../json/exactEquals';
import type { JsonObject } from '../json/node';
import type { LinkTarget } from '../workflow/graph/executionOrder';
import type { LiveInput, LiveNode } from '../workflow/graph/liveNode';
import { isTrueNode, readNumber, readPoint, textMember } from '../workflow/graph/members';
import { promotedWidget } from '../workflow/graph/promotedWidgets';
import { isPrimitive } from '../workflow/graph/virtualNodes';
import { isWidget } from '../workflow/graph/widgets';
import type { SlotDirection, DrawnSlot, Point, SlotShape } from './drawnNode';
import type { WidgetRow } from './nodeRows';

export interface UnplacedSlot extends Omit<DrawnSlot, 'x' | 'y' | 'index'> {
  readonly position: Point | undefined;
}

export interface OutputLinks {
  readonly targets: readonly LinkTarget[];
  readonly linkedOutputs: ReadonlySet<number>;
  /** The type that passes a `Reroute`. */
  readonly passedType?: string | undefined;
}

export interface ShownInput {
  readonly index: number;
  readonly slot: UnplacedSlot;
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
  // Inputs that grow stay with their kind, and inputs that the definition lacks come last.
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
  const { name, type, place } = input;
  const { definition, inside } = live;
  const isOptional = definition?.inputs.some((each) => each.name === name && each.section === 'optional');
  const file = place?.kind === 'object' ? place : undefined;
  const slot = fileSlot(file, type, {
    label: inside?.subgraph?.inputs.find((each) => each.name === name)?.label,
    shape: definition && (isOptional === true && !row ? 'hollow' : 'circle'),
    name: lastPart(live, name),
  });
  // Member by member: to copy those of another object takes several times as long, and there are thousands.
  const { label, shape, direction } = slot;
  const [isLinked, position] = [input.link !== undefined, row ? undefined : slot.position];
  return { name, label, type, shape, isLinked, widget: row?.name, direction, position };
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
  const fed = isPrimitive(live.type) ? targets[0]?.input.type : undefined;
  const showsType = isTrueNode(live.source.properties?.get('showOutputText'));
  return live.outputTypes.map((own, index) => {
    const file = live.source.outputs[index]?.node;
    const defined = live.definition?.outputs[index];
    const inner = live.inside?.subgraph?.outputs[index];
    const type = passedType ?? fed ?? own;
    const standard = fed ?? defined?.name ?? inner?.name ?? textMember(file, 'name') ?? own;
    const isReroute = live.type === 'Reroute';
    const name = isReroute ? (showsType ? (passedType ?? '*') : '') : standard;
    const known = defined && (defined.isList ? 'grid' : 'circle');
    const slot = fileSlot(file, own, { label: inner?.label, shape: known, name });
    const label = isReroute ? name : slot.label;
    const { shape, direction, position } = slot;
    return { name, label, type, shape, isLinked: linkedOutputs.has(index), direction, position };
  });
}

/** The slot as the file has it, where a definition or a subgraph says nothing. */
function fileSlot(
  file: JsonObject | undefined,
  type: string,
  known: { readonly label: string | undefined; readonly shape: SlotShape | undefined; readonly name: string },
): Pick<UnplacedSlot, 'label' | 'shape' | 'direction' | 'position'> {
  const translated = known.shape ? undefined : textMember(file, 'localized_name');
  return {
    label: textMember(file, 'label') ?? known.label ?? translated ?? known.name,
    shape: known.shape ?? slotShapes[readNumber(file?.get('shape')) ?? 0] ?? shapeOf(type),
    direction: directions[readNumber(file?.get('dir')) ?? 0],
    position: readPoint(file?.get('pos')),
  };
}

const directions: readonly (SlotDirection | undefined)[] = [undefined, 'up', 'down', 'left', 'right'];
const slotShapes: Readonly<Record<number, SlotShape>> = { 1: 'box', 5: 'arrow', 6: 'grid', 7: 'hollow' };

function shapeOf(type: string): SlotShape {
  return type === '-1' ? 'box' : type === 'array' ? 'grid' : 'circle';
}
