import { type ExactValue, exactValue } from '../../json/exactValue';
import { findPackNode } from '../packs/packs';
import { executionOrder, type LinkTargets, targetsByOrigin } from './executionOrder';
import {
  type LiveInput,
  type LiveLevel,
  type LiveNode,
  type LiveWidget,
  levelsBelow,
  type PlacedValue,
} from './liveNode';
import { isTrueNode } from './members';
import { textReplacer } from './sentValues';
import { isPrimitive } from './virtualNodes';
import { heldValue } from './widgetValues';
import { isWidgetType, widgetTypeName } from './widgets';
import type { FloatSpec, InputSpec, IntSpec } from '../../catalog/inputSpec';
import { exactEquals } from '../../json/exactEquals';

interface Target {
  readonly node: LiveNode;
  readonly input: LiveInput;
  readonly widget: LiveWidget | undefined;
}

/** Writes each primitive's value into the widgets it is linked to (workflows 2, D). `order` is the editor's order. */
export function applyPrimitives(
  level: LiveLevel,
  order: readonly LiveNode[],
  replaceText: (text: string) => string,
  known?: LinkTargets,
): void {
  const primitives = order.filter(({ type }) => isPrimitive(type));
  if (primitives.length === 0) return;
  const byOrigin = known ?? targetsByOrigin(level);
  // Collects all values before writing the first.
  const collected = primitives.map((primitive) => {
    const targets = targetsOf(primitive, byOrigin);
    return { primitive, targets, value: valueOf(primitive, targets) };
  });
  for (const { primitive, targets, value } of collected) {
    if (!value) continue;
    const written = replaced(primitive, value.value, replaceText);
    for (const { widget } of targets) {
      if (!widget) continue;
      // Ranges that are not alike are not merged: each widget keeps to its own.
      const own = written === null ? null : settledNumber(written, [widget.widget.spec]);
      widget.current = { ...value, value: heldValue(widget.widget, own) };
    }
  }
}

/** Does the same in a loaded graph and all its subgraphs, whether they run or not. */
export function applyAllPrimitives(root: LiveLevel): void {
  const replaceText = textReplacer(root, new Date(0));
  applyPrimitives(root, executionOrder(root, targetsByOrigin(root)), replaceText);
  const [, ...insides] = levelsBelow(root);
  for (const level of insides) applyPrimitives(level, level.nodes, replaceText);
}

function targetsOf({ id }: LiveNode, targets: LinkTargets): Target[] {
  return targets.list(id).flatMap(({ slot, target: node, input }) => {
    if (slot !== 0) return [];
    return { node, input, widget: node.widgets.find((each) => each.widget.name === input.widget) };
  });
}

/** The widget comes from the first link. A saved value counts only with an output of the widget's type. */
function valueOf({ source }: LiveNode, targets: readonly Target[]): PlacedValue | undefined {
  const [first] = targets;
  if (!first || !makesWidget(first)) return undefined;
  const specs = targets.map(({ widget }) => widget?.widget.spec);
  const [spec] = specs;
  const { widgetsValues: values, namedValues, outputs } = source;
  const saved = values?.kind === 'array' ? values.items[0] : namedValues?.get('value');
  const type = spec ? widgetTypeName({ spec }) : first.input.type;
  const ownType = findPackNode(first.node.type)?.ownTypes?.[type];
  const savedType = outputs[0]?.type;
  const place = savedType !== undefined && [type, ownType].includes(savedType) ? saved : undefined;
  const start = place ? { value: exactValue(place), place } : first.widget?.current;
  return start && { value: settledNumber(start.value, specs), place: start.place };
}

function makesWidget({ node, input, widget }: Target): boolean {
  if (widget) return widget.widget.spec !== undefined;
  return input.widget === undefined ? isWidgetType(input.type) : node.role === 'instance';
}

function replaced(
  { source }: LiveNode,
  value: ExactValue | undefined,
  replaceText: (text: string) => string,
): ExactValue | undefined {
  const isAsked = isTrueNode(source.properties?.get('Run widget replace on values'));
  return isAsked && typeof value === 'string' ? replaceText(value) : value;
}

interface NumberRange {
  readonly kind: 'int' | 'float';
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly round: number | undefined;
}

/** The editor adjusts the number to the ranges and steps of its widgets, one after the other (workflows 2, D). */
function settledNumber(
  value: ExactValue | undefined,
  specs: readonly (InputSpec | undefined)[],
): ExactValue | undefined {
  const [first] = specs;
  if (first?.kind !== 'int' && first?.kind !== 'float') return value;
  let range = rangeOf(first);
  let settled = value;
  for (const spec of specs) {
    const merged =
      spec?.kind === first.kind && isAlike(first, spec) ? common(range, rangeOf(spec)) : undefined;
    if (!merged) continue;
    range = merged;
    settled = settle(settled, range);
  }
  return settled;
}

function rangeOf(spec: IntSpec | FloatSpec): NumberRange {
  return {
    kind: spec.kind,
    min: spec.min === undefined ? -Infinity : Number(spec.min),
    max: spec.max === undefined ? Infinity : Number(spec.max),
    step: spec.step === undefined ? 1 : Number(spec.step),
    round: spec.kind === 'float' ? spec.round : undefined,
  };
}

const ownMatters = new Set([
  'min',
  'max',
  'step',
  'default',
  'forceInput',
  'defaultInput',
  'control_after_generate',
  'multiline',
  'tooltip',
  'dynamicPrompts',
]);

function isAlike(one: InputSpec, other: InputSpec): boolean {
  if (one === other) return true;
  return [...one.options.keys(), ...other.options.keys()].every((name) => {
    if (ownMatters.has(name)) return true;
    return exactEquals(one.options.get(name) ?? null, other.options.get(name) ?? null);
  });
}

function common(one: NumberRange, other: NumberRange): NumberRange | undefined {
  const [min, max] = [Math.max(one.min, other.min), Math.min(one.max, other.max)];
  if (min > max) return undefined;
  return { ...one, min, max, step: Math.abs(one.step * other.step) / commonDivisor(one.step, other.step) };
}

/** Works for fractions too: remainders below the last digits count as nothing. */
function commonDivisor(a: number, b: number): number {
  return b > 1e-10 ? commonDivisor(b, a % b) : a;
}

function settle(value: ExactValue | undefined, range: NumberRange): ExactValue | undefined {
  if (typeof value === 'object' && value !== null) return value;
  if (value === undefined) return undefined;
  const number = Number(value);
  // A text that is not a number becomes NaN in the browser, which JSON cannot express.
  if (Number.isNaN(number)) return range.kind === 'int' || range.round ? null : value;
  const inRange = Math.min(Math.max(number, range.min), range.max);
  if (range.kind === 'float') return rounded(inRange, range);
  // Large integers keep every digit.
  if (range.step === 1) return typeof value === 'bigint' && inRange === number ? value : Math.round(inRange);
  const start = Number.isFinite(range.min) ? range.min % range.step : 0;
  return Math.round((inRange - start) / range.step) * range.step + start;
}

function rounded(number: number, { min, max, step, round }: NumberRange): number {
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const unit = round ?? (digits > 0 ? 10 ** -digits : 0);
  if (unit === 0) return number;
  const text = (Math.round(number / unit) * unit).toFixed(Math.min(digits, 100));
  return Math.min(Math.max(Number(text), min), max);
}
